# Texts and the files that they link to (also in examples/ and src/) are installed in the same folders as in the source, so that every
# link is valid (tests/check-links.sh). Manual pages: dist_man_MANS += %D%/name.1
nobase_dist_doc_DATA += CITATION.cff COPYING CONTRIBUTING.md NEWS README.md SECURITY.md
nobase_dist_doc_DATA += \
  %D%/accuracy.md \
  %D%/architecture.md \
  %D%/big.md \
  %D%/build.md \
  %D%/cluster.md \
  %D%/design.md \
  %D%/devices.md \
  %D%/fortran.md \
  %D%/layouts.md \
  %D%/low-rank.md \
  %D%/one-sided.md \
  %D%/python.md \
  %D%/questions.md \
  %D%/reference.md \
  %D%/reliability.md \
  %D%/report.md \
  %D%/restart.md \
  %D%/results/accuracy.md \
  %D%/results/low-rank.md \
  %D%/results/papers.md \
  %D%/results/performance.md \
  %D%/results/reliability.md \
  %D%/scalapack.md \
  %D%/slow.md \
  %D%/systems.md \
  %D%/tutorial.md \
  %D%/unequal.md
dist_man_MANS += %D%/ompfact.1

# Doxygen's reference of the C interface, and the same as XML for the site: make doc makes doc/api/html/ of the build folder.
EXTRA_DIST += %D%/Doxyfile %D%/mainpage.dox %D%/one_by_one.awk
run_doxygen = { cat $(srcdir)/%D%/Doxyfile && \
  echo 'INPUT = $(srcdir)/%D%/mainpage.dox $(srcdir)/src/ompfact.h $(srcdir)/src/ompfact_machine.h $(srcdir)/src/ompfact_plan.h' && \
  echo 'FILTER_PATTERNS = *.h="$(AWK) -f $(srcdir)/%D%/one_by_one.awk"' && \
  echo 'STRIP_FROM_PATH = $(srcdir)/src' && echo 'OUTPUT_DIRECTORY = %D%/api' && echo 'PROJECT_NUMBER = $(VERSION)'; } | doxygen -
.PHONY: doc
doc:
	@command -v doxygen > /dev/null || { echo "make doc needs doxygen (Debian: apt-get install doxygen)" >&2; exit 1; }
	$(AM_V_GEN)rm -rf %D%/api && $(MKDIR_P) %D%/api && $(run_doxygen)
	@echo 'The reference is $(abs_builddir)/%D%/api/html/index.html'

# The site: the same texts, and the reference, as pages in doc/html/ of the build folder. make install installs the site if it exists.
EXTRA_DIST += %D%/site/conf.py %D%/site/contents.md %D%/site/pages.py %D%/site/static/site.css
html-local: doc
	@test -n '$(SPHINX_BUILD)' || { echo "make html needs Sphinx, MyST, Furo and Breathe, and configure to find sphinx-build" \
	  "(Debian: apt-get install python3-sphinx python3-myst-parser furo python3-breathe)" >&2; exit 1; }
	$(AM_V_GEN)rm -rf %D%/html && python3 $(srcdir)/%D%/site/pages.py $(srcdir) %D%/site-source && \
	OMPFACT_VERSION='$(VERSION)' OMPFACT_XML='$(abs_builddir)/%D%/api/xml' \
	  $(SPHINX_BUILD) -q -W --keep-going -b html -c $(srcdir)/%D%/site -d %D%/site-source/.doctrees %D%/site-source %D%/html && \
	cp %D%/html/README.html %D%/html/index.html
	@echo 'The site is $(abs_builddir)/%D%/html/index.html'
install-data-local: install-html-if-built
install-html-if-built:
	test ! -d %D%/html || { $(MKDIR_P) '$(DESTDIR)$(docdir)' && cp -R %D%/html '$(DESTDIR)$(docdir)'; }
uninstall-local: uninstall-html-if-installed
uninstall-html-if-installed:
	rm -rf '$(DESTDIR)$(docdir)/html'
.PHONY: install-html-if-built uninstall-html-if-installed
clean-local:
	rm -rf %D%/api %D%/html %D%/site-source

# Pictures of README.md and layouts.md, and the scripts that draw them: doc/figures/draw.sh build/ompfact
EXTRA_DIST += %D%/figures/cost.py %D%/figures/draw.sh %D%/figures/tiles_sent.py
nobase_dist_doc_DATA += \
  %D%/figures/2dbc-6.svg \
  %D%/figures/architecture.svg \
  %D%/figures/cost-cholesky.svg \
  %D%/figures/cost-lu.svg \
  %D%/figures/design-23.svg \
  %D%/figures/design-31.svg \
  %D%/figures/g2dbc-10.svg \
  %D%/figures/gcrm-23.svg \
  %D%/figures/low-rank-map.svg \
  %D%/figures/papers-cholesky.svg \
  %D%/figures/papers-iterations.svg \
  %D%/figures/papers-lu.svg \
  %D%/figures/tiles-sent.svg \
  %D%/figures/report-2.png \
  %D%/figures/report-23.png \
  %D%/figures/sbc-10.svg \
  %D%/figures/unequal-progress.svg \
  %D%/figures/unequal-steps.svg
