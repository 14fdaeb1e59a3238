# Owner maps. One file a line, headers too.
libompfact_internal_a_SOURCES += \
  %D%/arguments.h \
  %D%/blocks.h \
  %D%/catalogue.h \
  %D%/designs.h \
  %D%/field.h \
  %D%/internal.h \
  %D%/layout.h \
  %D%/plan.h \
  %D%/random.h \
  %D%/uneven.h \
  %D%/words.h \
  %D%/arguments.c \
  %D%/balanced.c \
  %D%/blocks.c \
  %D%/bound.c \
  %D%/catalogue.c \
  %D%/choose.c \
  %D%/cyclic.c \
  %D%/fewer.c \
  %D%/field.c \
  %D%/layout.c \
  %D%/loads.c \
  %D%/map_file.c \
  %D%/order.c \
  %D%/pattern.c \
  %D%/pattern_1d1d.c \
  %D%/pattern_2dbc.c \
  %D%/pattern_bce.c \
  %D%/pattern_bch.c \
  %D%/pattern_design.c \
  %D%/pattern_g2dbc.c \
  %D%/pattern_gcrm.c \
  %D%/pattern_rs.c \
  %D%/pattern_sbc.c \
  %D%/perisum.c \
  %D%/plan.c \
  %D%/planes.c \
  %D%/readers.c \
  %D%/schemes.c \
  %D%/shuffle.c \
  %D%/steiner.c \
  %D%/subsets.c \
  %D%/uneven.c \
  %D%/weights.c \
  %D%/words.c

# The catalogue is carried as text: one string literal a line.
nodist_libompfact_internal_a_SOURCES += %D%/catalogue/text.c
EXTRA_DIST += %D%/catalogue/symmetric.txt
CLEANFILES += %D%/catalogue/text.c
%D%/catalogue/text.c: %D%/catalogue/symmetric.txt
	$(AM_V_GEN)$(MKDIR_P) %D%/catalogue && { \
	  echo '#include "layouts/catalogue.h"'; \
	  echo 'const char layout_catalogue_text[] ='; \
	  sed 's/.*/"&\\n"/' $(srcdir)/%D%/catalogue/symmetric.txt; \
	  echo ';'; } > $@.tmp && mv $@.tmp $@

# The tool that makes the catalogue: make layouts/catalogue/make-catalogue.
EXTRA_PROGRAMS += %D%/catalogue/make-catalogue
%C%_catalogue_make_catalogue_SOURCES = \
  %D%/catalogue/cover.h \
  %D%/catalogue/coverage.h \
  %D%/catalogue/entries.h \
  %D%/catalogue/cover.c \
  %D%/catalogue/coverage.c \
  %D%/catalogue/entries.c \
  %D%/catalogue/make.c
%C%_catalogue_make_catalogue_LDADD = libompfact_internal.a $(ompfact_libs)
