# Owner maps. One file a line, also headers.
layout_sources = \
  %D%/arguments.h \
  %D%/arithmetic.h \
  %D%/builders.h \
  %D%/free_cells.h \
  %D%/layout.h \
  %D%/random.h \
  %D%/rank_set.h \
  %D%/rank_speeds.h \
  %D%/refusal.h \
  %D%/shortage.h \
  %D%/words.h \
  %D%/work.h \
  %D%/arguments.c \
  %D%/bound.c \
  %D%/choice/by_node.h \
  %D%/choice/auto.c \
  %D%/choice/by_node.c \
  %D%/choice/fewer.c \
  %D%/free_cells.c \
  %D%/lay_out.c \
  %D%/nodes.c \
  %D%/pattern.c \
  %D%/rank_speeds.c \
  %D%/number_columns.c \
  %D%/readers.c \
  %D%/refusal.c \
  %D%/choice/schemes.c \
  %D%/words.c \
  %D%/work.c

layout_sources += \
  %D%/designs/blocks.h \
  %D%/designs/catalogue.h \
  %D%/designs/designs.h \
  %D%/designs/field.h \
  %D%/designs/balanced.c \
  %D%/designs/blocks.c \
  %D%/designs/catalogue.c \
  %D%/designs/colrow_order.c \
  %D%/designs/cyclic.c \
  %D%/designs/field.c \
  %D%/designs/pattern_design.c \
  %D%/designs/pattern_gcrm.c \
  %D%/designs/planes.c \
  %D%/designs/steiner.c

layout_sources += \
  %D%/patterns/map_file.c \
  %D%/patterns/pattern_2dbc.c \
  %D%/patterns/pattern_g2dbc.c \
  %D%/patterns/pattern_sbc.c

layout_sources += \
  %D%/unequal/plan.h \
  %D%/unequal/abe.c \
  %D%/unequal/loads.c \
  %D%/unequal/pattern_1d1d.c \
  %D%/unequal/perisum.c \
  %D%/unequal/plan_create.c \
  %D%/unequal/shuffle.c

layout_sources += \
  %D%/uneven/subsets.h \
  %D%/uneven/uneven.h \
  %D%/uneven/pattern_bce.c \
  %D%/uneven/pattern_bch.c \
  %D%/uneven/pattern_rs.c \
  %D%/uneven/subsets.c \
  %D%/uneven/uneven.c \
  %D%/uneven/weights.c
libompfact_internal_a_SOURCES += $(layout_sources)

# The catalogue is compiled as text: one string literal for each line.
nodist_libompfact_internal_a_SOURCES += %D%/designs/catalogue/text.c
EXTRA_DIST += %D%/designs/catalogue/README.md %D%/designs/catalogue/symmetric.txt
CLEANFILES += %D%/designs/catalogue/text.c
%D%/designs/catalogue/text.c: %D%/designs/catalogue/symmetric.txt
	$(AM_V_GEN)$(MKDIR_P) %D%/designs/catalogue && { \
	  echo '#include "layouts/designs/catalogue.h"'; \
	  echo 'const char layout_catalogue_text[] ='; \
	  sed 's/.*/"&\\n"/' $(srcdir)/%D%/designs/catalogue/symmetric.txt; \
	  echo ';'; } > $@.tmp && mv $@.tmp $@

# The program that makes the catalogue: make layouts/designs/catalogue/make-catalogue.
EXTRA_PROGRAMS += %D%/designs/catalogue/make-catalogue
%C%_designs_catalogue_make_catalogue_SOURCES = \
  %D%/designs/catalogue/cover.h \
  %D%/designs/catalogue/coverage.h \
  %D%/designs/catalogue/entries.h \
  %D%/designs/catalogue/cover.c \
  %D%/designs/catalogue/coverage.c \
  %D%/designs/catalogue/entries.c \
  %D%/designs/catalogue/make.c
%C%_designs_catalogue_make_catalogue_LDADD = libompfact_internal.a $(ompfact_libs)
