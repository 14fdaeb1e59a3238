# make check. Programs start through mpi-run.sh, which knows how many ranks each wants; scripts run as they are.
# To add a test program: its name in serial_tests or mpi_tests, and in the table of mpi-run.sh. NAME.c is its source.
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(BASH)
LOG_COMPILER = $(BASH) $(srcdir)/%D%/mpi-run.sh
# File descriptor 9 is the terminal: mpi-run.sh writes Check's closing lines there, which else only the logs would show.
AM_TESTS_FD_REDIRECT = 9>&1
AM_TESTS_ENVIRONMENT = \
  MPIEXEC='$(MPIEXEC)'; export MPIEXEC $(SANITIZER_ENV); \
  OMPFACT='$(abs_top_builddir)/ompfact$(EXEEXT)'; export OMPFACT; CC='$(CC)'; export CC; \
  top_builddir='$(abs_top_builddir)'; export top_builddir;

test_scripts = \
  %D%/check-arrows.sh \
  %D%/check-links.sh \
  %D%/test-command.sh \
  %D%/test-gantt.sh \
  %D%/test-gpu.sh \
  %D%/test-limit.sh \
  %D%/soak.sh
EXTRA_DIST += $(test_scripts) \
  %D%/limit.sh \
  %D%/mpi-run.sh \
  %D%/mutants/mutants.txt \
  %D%/mutants/run.py \
  %D%/api_layouts.h \
  %D%/fixtures.h \
  %D%/problem.h \
  %D%/devices.h \
  %D%/factoring.h \
  %D%/ranks.h \
  %D%/redistribution.h \
  %D%/suite.h \
  %D%/test_command.h \
  %D%/test_io.h \
  %D%/test_kernels.h \
  %D%/test_layouts.h \
  %D%/test_unequal.h
TESTS += $(test_scripts)

serial_tests = \
  %D%/test_cache \
  %D%/test_catalogue \
  %D%/test_choose \
  %D%/test_choose_unequal \
  %D%/test_compare \
  %D%/test_counts \
  %D%/test_designs \
  %D%/test_device_kernels \
  %D%/test_generate \
  %D%/test_kernels \
  %D%/test_layouts \
  %D%/test_model \
  %D%/test_machine \
  %D%/test_mtx \
  %D%/test_npy \
  %D%/test_offload \
  %D%/test_options \
  %D%/test_panels \
  %D%/test_patterns \
  %D%/test_pivots \
  %D%/test_plot \
  %D%/test_qr_count \
  %D%/test_replace \
  %D%/test_reports \
  %D%/test_speeds \
  %D%/test_symmetric \
  %D%/test_tile_factors \
  %D%/test_uneven \
  %D%/test_unequal
mpi_tests = \
  %D%/test_api \
  %D%/test_api_layouts \
  %D%/test_api_unequal \
  %D%/test_block_cyclic \
  %D%/test_determinant \
  %D%/test_devices \
  %D%/test_factor \
  %D%/test_grid \
  %D%/test_memory \
  %D%/test_order \
  %D%/test_pivoting \
  %D%/test_qr \
  %D%/test_qr_ratios \
  %D%/test_rcond \
  %D%/test_redistribute \
  %D%/test_refine \
  %D%/test_rma \
  %D%/test_schedules \
  %D%/test_shared \
  %D%/test_solve \
  %D%/test_tune
if HAVE_SCALAPACK
scalapack_tests = %D%/test_scalapack
else
scalapack_tests =
endif
if HAVE_CHECK
check_PROGRAMS += $(serial_tests) $(mpi_tests) $(scalapack_tests)
TESTS += $(serial_tests) $(mpi_tests) $(scalapack_tests)
endif
check_PROGRAMS += %D%/soak

# A shared library made out of ours, as others make one: test_shared loads it, and links nothing of ours itself.
if HAVE_CHECK
check_DATA += %D%/shared.so
endif
CLEANFILES += %D%/shared.so
%D%/shared.so: libompfact.a
	$(AM_V_GEN)$(CC) $(SANITIZER_FLAGS) -shared -o $@ -Wl,--whole-archive libompfact.a -Wl,--no-whole-archive $(ompfact_libs) $(OPENMP_LIBS) \
	  $(LIBS) $(RPATH_FLAGS)
%C%_test_shared_LDADD = $(CHECK_LIBS) $(MPI_LIBS)

# Allocations, the library's too, are counted there, and may fail here.
%C%_test_speeds_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc
%C%_test_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

# For every program that does not say otherwise, which is those of this folder.
AM_CPPFLAGS += $(CHECK_CFLAGS)
LDADD = libcommand.a libompfact_internal.a $(CHECK_LIBS) $(LAPACKE_LIBS) $(ompfact_libs)
%C%_test_scalapack_LDADD = libcommand.a libompfact_internal.a $(CHECK_LIBS) $(SCALAPACK_LIBS) $(ompfact_libs)
