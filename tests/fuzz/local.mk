# Readers of data from outside must survive any bytes. make check passes them the files of corpus/ (test_readers), and
#
#   make fuzz [FUZZ_SECONDS=60] [FUZZ_READERS="npy mtx"]
#
# searches for more with libFuzzer, which needs clang. To add a reader, see fuzz_readers.h.
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

# The sources that read, three folders as a whole, are compiled once more with instrumentation. Functions that they call are in
# the usual libraries.
FUZZ_FLAGS = -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all
EXTRA_LIBRARIES += libfuzzed.a
libfuzzed_a_CFLAGS = -std=gnu11 $(WARNING_FLAGS) -fopenmp $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link,address,undefined
libfuzzed_a_SOURCES = $(fuzz_readers) $(layout_sources) $(page_sources) \
  src/checkpoint/manifest.c \
  src/checkpoint/manifest_read.c \
  src/checkpoint/tile_file.c \
  src/command/batches.c \
  src/command/compare.c \
  src/command/options_check.c \
  src/command/options_formats.c \
  src/command/options_idle.c \
  src/command/options_near.c \
  src/command/options_parse.c \
  src/command/options_restart.c \
  src/command/options_sizes.c \
  src/command/options_table.c \
  src/command/options_values.c \
  src/command/options_verbs.c \
  src/command/refuse.c \
  src/command/report.c \
  src/command/speeds.c \
  src/command/text_file.c \
  src/command/write_page.c \
  src/io/digest.c \
  src/generate/generate_kind.c \
  src/io/json_text.c \
  src/io/mtx.c \
  src/io/mtx_words.c \
  src/io/npy.c \
  src/generate/points.c \
  src/machine/machine_file.c \
  src/machine/measured_speeds.c
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
