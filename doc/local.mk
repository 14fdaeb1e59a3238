# Texts, and what they link to (also in examples/ and src/), are installed in folders as here, so that every link leads to its file
# (tests/check-links.sh). Manual pages: dist_man_MANS += %D%/name.1
nobase_dist_doc_DATA += CITATION.cff COPYING CONTRIBUTING.md NEWS README.md
nobase_dist_doc_DATA += \
  %D%/accuracy.md \
  %D%/cluster.md \
  %D%/design.md \
  %D%/devices.md \
  %D%/fortran.md \
  %D%/layouts.md \
  %D%/low-rank.md \
  %D%/python.md \
  %D%/reliability.md \
  %D%/report.md \
  %D%/results/accuracy.md \
  %D%/results/papers.md \
  %D%/results/performance.md \
  %D%/scalapack.md \
  %D%/tutorial.md
dist_man_MANS += %D%/ompfact.1

# The reference of the interface, into doc/api/html/ of the build folder: make doc.
EXTRA_DIST += %D%/Doxyfile %D%/mainpage.dox %D%/one_by_one.awk
.PHONY: doc
doc:
	@command -v doxygen > /dev/null || { echo "make doc wants doxygen (Debian: apt-get install doxygen)" >&2; exit 1; }
	$(AM_V_GEN)rm -rf %D%/api && $(MKDIR_P) %D%/api && { cat $(srcdir)/%D%/Doxyfile && \
	  echo 'INPUT = $(srcdir)/%D%/mainpage.dox $(srcdir)/src/ompfact.h $(srcdir)/src/ompfact_machine.h $(srcdir)/src/ompfact_plan.h' && echo 'FILTER_PATTERNS = *.h="$(AWK) -f $(srcdir)/%D%/one_by_one.awk"' && \
	  echo 'STRIP_FROM_PATH = $(srcdir)/src' && echo 'OUTPUT_DIRECTORY = %D%/api' && echo 'PROJECT_NUMBER = $(VERSION)'; } | doxygen -
	@echo 'The reference is $(abs_builddir)/%D%/api/html/index.html'
clean-local:
	rm -rf %D%/api

# Pictures of layouts.md, and what makes them again: doc/figures/draw.sh build/ompfact
EXTRA_DIST += %D%/figures/cost.py %D%/figures/draw.sh
nobase_dist_doc_DATA += \
  %D%/figures/2dbc-6.svg \
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
  %D%/figures/report-2.png \
  %D%/figures/report-23.png \
  %D%/figures/sbc-10.svg \
  %D%/figures/unequal-progress.svg \
  %D%/figures/unequal-steps.svg
