# Readers of what others wrote, which must not break: make check gives them the files of corpus/ (test_readers), and
#
#   make fuzz [FUZZ_SECONDS=60] [FUZZ_READERS="npy mtx"]
#
# has libFuzzer look for more. That is clang's: nothing else here needs it. To add a reader: fuzz_readers.h says how.
fuzz_readers = \
  %D%/fuzz_readers.h \
  %D%/fuzz_readers.c \
  %D%/read_layouts.c \
  %D%/read_manifest.c \
  %D%/read_mtx.c \
  %D%/read_npy.c \
  %D%/read_options.c \
  %D%/read_runs.c \
  %D%/read_speeds.c \
  %D%/read_tiles.c
fuzz_words = \
  %D%/words/compare.dict \
  %D%/words/machine.dict \
  %D%/words/manifest.dict \
  %D%/words/mtx.dict \
  %D%/words/npy.dict \
  %D%/words/options.dict \
  %D%/words/report.dict \
  %D%/words/scheme.dict \
  %D%/words/tiles.dict
EXTRA_DIST += %D%/fuzz.sh $(fuzz_words) %D%/corpus
%C%_test_readers_SOURCES = $(fuzz_readers) %D%/test_readers.c

# The sources that read, compiled once more to be watched; what they call is taken from the libraries as ever.
FUZZ_FLAGS = -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all
EXTRA_LIBRARIES += libfuzzed.a
libfuzzed_a_CFLAGS = -std=gnu11 -Wall -Wextra -fopenmp $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link,address,undefined
libfuzzed_a_SOURCES = $(fuzz_readers) \
  layouts/arguments.c \
  layouts/bound.c \
  layouts/choice/auto.c \
  layouts/choice/by_node.c \
  layouts/choice/fewer.c \
  layouts/choice/schemes.c \
  layouts/designs/balanced.c \
  layouts/designs/blocks.c \
  layouts/designs/catalogue.c \
  layouts/designs/colrow_order.c \
  layouts/designs/cyclic.c \
  layouts/designs/field.c \
  layouts/designs/pattern_design.c \
  layouts/designs/pattern_gcrm.c \
  layouts/designs/planes.c \
  layouts/designs/steiner.c \
  layouts/free_cells.c \
  layouts/lay_out.c \
  layouts/nodes.c \
  layouts/pattern.c \
  layouts/patterns/map_file.c \
  layouts/patterns/pattern_2dbc.c \
  layouts/patterns/pattern_g2dbc.c \
  layouts/patterns/pattern_sbc.c \
  layouts/rank_speeds.c \
  layouts/readers.c \
  layouts/refusal.c \
  layouts/unequal/abe.c \
  layouts/unequal/loads.c \
  layouts/unequal/pattern_1d1d.c \
  layouts/unequal/perisum.c \
  layouts/unequal/plan_create.c \
  layouts/unequal/shuffle.c \
  layouts/uneven/pattern_bce.c \
  layouts/uneven/pattern_bch.c \
  layouts/uneven/pattern_rs.c \
  layouts/uneven/subsets.c \
  layouts/uneven/uneven.c \
  layouts/uneven/weights.c \
  layouts/words.c \
  layouts/work.c \
  src/checkpoint/digest.c \
  src/checkpoint/manifest.c \
  src/checkpoint/tile_file.c \
  src/command/compare.c \
  src/command/fields.c \
  src/command/json.c \
  src/command/options_idle.c \
  src/command/options_near.c \
  src/command/options_parse.c \
  src/command/options_restart.c \
  src/command/options_table.c \
  src/command/options_values.c \
  src/command/refuse.c \
  src/command/speeds.c \
  src/command/text_file.c \
  src/command/write_page.c \
  src/io/generate_kind.c \
  src/io/json_text.c \
  src/io/mtx.c \
  src/io/npy.c \
  src/io/points.c \
  src/machine/machine_file.c \
  src/page/axes.c \
  src/page/cause.c \
  src/page/facts_table.c \
  src/page/fig_gantt.c \
  src/page/fig_heat.c \
  src/page/fig_kernels.c \
  src/page/fig_layout.c \
  src/page/fig_ranks.c \
  src/page/fig_samples.c \
  src/page/fig_steps.c \
  src/page/packed_numbers.c \
  src/page/page_write.c \
  src/page/rank_colour.c \
  src/page/read_trace.c \
  src/page/say.c \
  src/page/slowness.c \
  src/page/sum_up.c \
  src/page/summary.c \
  src/page/trace_about.c \
  src/page/trace_document.c
EXTRA_PROGRAMS += %D%/fuzz-readers
CLEANFILES += libfuzzed.a
%C%_fuzz_readers_SOURCES = %D%/fuzz_main.c
%C%_fuzz_readers_CFLAGS = $(libfuzzed_a_CFLAGS)
%C%_fuzz_readers_LDADD = libfuzzed.a libcommand.a libompfact_internal.a $(ompfact_libs)
%C%_fuzz_readers_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer,address,undefined

.PHONY: fuzz
fuzz: %D%/fuzz-readers$(EXEEXT)
	FUZZ_SECONDS='$(FUZZ_SECONDS)' $(BASH) $(srcdir)/%D%/fuzz.sh ./%D%/fuzz-readers$(EXEEXT) $(FUZZ_READERS)
distclean-local:
	rm -rf fuzz-found fuzz-corpus
