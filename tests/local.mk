# make check runs the quick tier, make check-full all tests. Programs start through mpi-run.sh, which has their numbers of
# ranks. Scripts run as they are.
# To add a test program, put its name into serial_tests or mpi_tests, and into the table of mpi-run.sh. Its source is NAME.c.
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(BASH)
SH_LOG_DRIVER = $(BASH) $(srcdir)/%D%/timed-driver.sh
LOG_DRIVER = $(SH_LOG_DRIVER)
LOG_COMPILER = $(BASH) $(srcdir)/%D%/mpi-run.sh
.PHONY: check-full
check-full:
	OMPFACT_TEST_TIER=full $(MAKE) $(AM_MAKEFLAGS) check
# File descriptor 9 is the terminal: mpi-run.sh writes Check's last lines there, which otherwise only the logs would contain.
AM_TESTS_FD_REDIRECT = 9>&1
AM_TESTS_ENVIRONMENT = \
  MPIEXEC='$(MPIEXEC)'; export MPIEXEC $(SANITIZER_ENV); \
  OMPFACT='$(abs_top_builddir)/ompfact$(EXEEXT)'; export OMPFACT; CC='$(CC)'; export CC; \
  PYTHON='$(PYTHON)'; export PYTHON; \
  top_builddir='$(abs_top_builddir)'; export top_builddir;

test_scripts = \
  %D%/check-arrows.sh \
  %D%/check-circles.sh \
  %D%/check-links.sh \
  %D%/check-words.sh \
  %D%/clients/test-clients.sh \
  %D%/command/test-append.sh \
  %D%/command/test-command.sh \
  %D%/command/test-distribution.sh \
  %D%/command/test-documents.sh \
  %D%/command/test-files.sh \
  %D%/command/test-manual.sh \
  %D%/command/test-pages.sh \
  %D%/command/test-points.sh \
  %D%/command/test-saving.sh \
  %D%/command/test-simulation.sh \
  %D%/command/test-solutions.sh \
  %D%/command/test-symmetric-files.sh \
  %D%/cuda/test-cuda.sh \
  %D%/cuda/test-hip.sh \
  %D%/cuda/test-rocm.sh \
  %D%/cuda/test-toolkit.sh \
  %D%/fortran/test-fortran.sh \
  %D%/grid/test-cpp.sh \
  %D%/scalapack/test-preload.sh \
  %D%/test-beside-gnu.sh \
  %D%/nodes/test-hosts.sh \
  %D%/nodes/test-nodes.sh \
  %D%/offload/test-gpu.sh \
  %D%/omp/test-instructions.sh \
  %D%/page/test-browser.sh \
  %D%/page/test-site.sh \
  %D%/page/test-summary.sh \
  %D%/plan/test-forecast.sh \
  %D%/python/test-flavours.sh \
  %D%/python/test-python.sh \
  %D%/test-limit.sh \
  %D%/test-side-by-side.sh \
  %D%/soak.sh
EXTRA_DIST += $(test_scripts) \
  %D%/clients/mumps.c \
  %D%/clients/petsc.c \
  %D%/clients/silicon.in \
  %D%/clients/water.inp \
  %D%/clients/water.py \
  %D%/command/documents.py \
  %D%/command/restore_ldl.py \
  %D%/fortran/beside_gnu.f90 \
  %D%/grid/beside_gnu.c \
  %D%/aarch64.sh \
  %D%/limit.sh \
  %D%/timed-driver.sh \
  %D%/times.sh \
  %D%/python/beside_mpi4py.py \
  %D%/python/everywhere.py \
  %D%/python/needs.sh \
  %D%/python/test_agreement.py \
  %D%/python/test_communicators.py \
  %D%/python/test_contents.py \
  %D%/python/test_eliminated.py \
  %D%/python/test_given.py \
  %D%/python/test_grown.py \
  %D%/python/test_ldl.py \
  %D%/python/test_lifetime.py \
  %D%/python/test_mixed.py \
  %D%/python/test_linalg.py \
  %D%/python/test_plan.py \
  %D%/python/test_products.py \
  %D%/python/test_scipy.py \
  %D%/python/test_structures.py \
  %D%/python/test_threads.py \
  %D%/shell.sh \
  %D%/mpi-run.sh \
  %D%/mutants/hunted.md \
  %D%/mutants/mutants.txt \
  %D%/mutants/hunt.py \
  %D%/checkpoint/kept.h \
  %D%/checkpoint/on_the_way.h \
  %D%/choose/api_layouts.h \
  %D%/allocation_points.h \
  %D%/failing_memory.h \
  %D%/commas.h \
  %D%/decaying.h \
  %D%/fixtures.h \
  %D%/grid/failing_calls.h \
  %D%/inverse/naive_loops.h \
  %D%/mpi_handles.h \
  %D%/model/situations.h \
  %D%/problem.h \
  %D%/offload/devices.h \
  %D%/offload/device_memory.h \
  %D%/factoring.h %D%/maps.h \
  %D%/factor/qr_checks.h \
  %D%/factor/in_copies.h \
  %D%/factor/mixed_cases.h \
  %D%/ranks.h \
  %D%/machine/cache_folder.h \
  %D%/machine/machines.h \
  %D%/matrix/compressed_shapes.h \
  %D%/matrix/one_grid.h \
  %D%/move/redistribution.h \
  %D%/scalapack/arrays_on_grids.h \
  %D%/scalapack/openmp.f90 \
  %D%/smooth.h \
  %D%/smooth_matrix.h \
  %D%/suite.h \
  %D%/command/running.sh \
  %D%/command/sample_facts.h \
  %D%/command/test_command.h \
  %D%/generate/refusals.h \
  %D%/generate/one_entry.h \
  %D%/io/test_io.h \
  %D%/omp/device_copies/noting_devices.h \
  %D%/omp/device_copies/parted_tiles.h \
  %D%/omp/one_run.h \
  %D%/omp/own_tiles.h \
  %D%/page/made_up.h \
  %D%/page/pictures.h \
  %D%/plan/plans.h \
  %D%/solve/square_systems.h \
  %D%/omp/kernels/test_kernels.h \
  %D%/omp/kernels/explicit_q.h \
  %D%/omp/kernels/low_rank_products.h \
  %D%/omp/kernels/packed_tiles.h \
  %D%/layouts/test_layouts.h \
  %D%/rma/captured.h \
  %D%/rma/rma_tiles.h \
  %D%/layouts/test_unequal.h \
  %D%/layouts/test_uneven.h \
  %D%/ways.h
TESTS += $(test_scripts)

serial_tests = \
  %D%/checkpoint/test_manifest \
  %D%/choose/test_qr_count \
  %D%/command/test_compare \
  %D%/command/test_options \
  %D%/command/test_progress \
  %D%/command/test_refused_options \
  %D%/command/test_reports \
  %D%/command/test_restart_options \
  %D%/command/test_speeds \
  %D%/command/test_tables \
  %D%/cuda/test_emulated \
  %D%/fuzz/test_readers \
  %D%/generate/test_generate \
  %D%/generate/test_kernel \
  %D%/generate/test_points \
  %D%/generate/test_random_numbers \
  %D%/io/test_commas \
  %D%/io/test_mtx \
  %D%/io/test_npy \
  %D%/io/test_replace \
  %D%/layouts/test_catalogue \
  %D%/layouts/test_choose \
  %D%/layouts/test_choose_unequal \
  %D%/layouts/test_colrow_order \
  %D%/layouts/test_counts \
  %D%/layouts/test_designs \
  %D%/layouts/test_layouts \
  %D%/layouts/test_patterns \
  %D%/layouts/test_rank_maps \
  %D%/layouts/test_symmetric \
  %D%/layouts/test_unequal \
  %D%/layouts/test_unequal_partition \
  %D%/layouts/test_uneven \
  %D%/machine/test_machine \
  %D%/machine/test_tile_size \
  %D%/model/test_model \
  %D%/model/test_model_transfers \
  %D%/offload/test_device_kernels \
  %D%/offload/test_device_tiles \
  %D%/offload/test_offload \
  %D%/omp/kernels/test_bf16 \
  %D%/omp/kernels/test_flips_found \
  %D%/omp/kernels/test_kernels \
  %D%/omp/kernels/test_low_rank \
  %D%/omp/kernels/test_low_rank_products \
  %D%/omp/kernels/test_packed \
  %D%/omp/kernels/test_packed_solves \
  %D%/omp/kernels/test_panels \
  %D%/omp/kernels/test_panels_stacked \
  %D%/omp/kernels/test_pivots \
  %D%/omp/kernels/test_rounding \
  %D%/omp/kernels/test_signed \
  %D%/omp/kernels/test_surroundings \
  %D%/omp/kernels/test_tile_contents \
  %D%/omp/kernels/test_tile_factors \
  %D%/omp/kernels/test_workspace \
  %D%/omp/test_ready \
  %D%/page/test_cause \
  %D%/page/test_page \
  %D%/page/test_plot \
  %D%/page/test_plot_text \
  %D%/page/test_traces_read \
  %D%/plan/test_copies_planned \
  %D%/plan/test_forecast \
  %D%/plan/test_plan_calls \
  %D%/process/test_cgroup \
  %D%/rma/test_cache
mpi_tests = \
  %D%/butterfly/test_butterfly \
  %D%/checkpoint/test_checkpoints \
  %D%/checkpoint/test_restarts \
  %D%/checkpoint/test_saved \
  %D%/checkpoint/test_stopped \
  %D%/choose/test_api_layouts \
  %D%/choose/test_api_tiles \
  %D%/choose/test_api_unequal \
  %D%/choose/test_predict \
  %D%/command/test_sweep_memory \
  %D%/tune/test_tune \
  %D%/factor/test_append \
  %D%/factor/test_compressed_factors \
  %D%/factor/test_copies \
  %D%/factor/test_factor \
  %D%/factor/test_flips \
  %D%/factor/test_indefinite \
  %D%/factor/test_locale \
  %D%/factor/test_mixed_bf16 \
  %D%/factor/test_mixed_devices \
  %D%/factor/test_mixed_flips \
  %D%/factor/test_mixed_ranks \
  %D%/factor/test_mixed_tiles \
  %D%/factor/test_mixed_uses \
  %D%/factor/test_partial \
  %D%/factor/test_pivoting \
  %D%/factor/test_qr \
  %D%/factor/test_qr_ratios \
  %D%/factor/test_qr_restored \
  %D%/factor/test_schedules \
  %D%/factor/test_spread_factors \
  %D%/factor/test_update \
  %D%/grid/test_allocations \
  %D%/grid/test_grid \
  %D%/grid/test_memory \
  %D%/inverse/test_inverse \
  %D%/inverse/test_trsm \
  %D%/machine/test_machine_calls \
  %D%/machine/test_quick_rates \
  %D%/matrix/test_api \
  %D%/matrix/test_compressed \
  %D%/matrix/test_compressed_refusals \
  %D%/matrix/test_holds \
  %D%/matrix/test_tile_access \
  %D%/move/test_block_cyclic \
  %D%/move/test_redistribute \
  %D%/offload/test_devices \
  %D%/omp/test_order \
  %D%/omp/test_reserve \
  %D%/omp/device_copies/test_residence \
  %D%/omp/device_copies/test_device_slots \
  %D%/omp/test_submission \
  %D%/rma/test_funneled \
  %D%/rma/test_kept \
  %D%/rma/test_forwarded \
  %D%/rma/test_rma \
  %D%/rma/test_sized \
  %D%/rma/test_watch \
  %D%/solve/test_adopt \
  %D%/solve/test_determinant \
  %D%/solve/test_rcond \
  %D%/solve/test_gmres \
  %D%/solve/test_refine \
  %D%/solve/test_solve \
  %D%/solve/test_solve_ratios \
  %D%/solve/test_sysv \
  %D%/solve/test_traps \
  %D%/test_shared
if HAVE_SCALAPACK
scalapack_tests = %D%/move/test_scalapack %D%/scalapack/test_names
else
scalapack_tests =
endif
if HAVE_CHECK
check_PROGRAMS += $(serial_tests) $(mpi_tests) $(scalapack_tests)
TESTS += $(serial_tests) $(mpi_tests) $(scalapack_tests)
endif
check_PROGRAMS += %D%/soak
%C%_soak_SOURCES = \
  %D%/soak.c %D%/soak_checks.c %D%/soak_faults.c %D%/soak_parts.c %D%/soak_saved.c %D%/soak_setup.c %D%/soak.h
# A program like those of ScaLAPACK's users, for test-preload.sh.
if HAVE_SCALAPACK
check_PROGRAMS += %D%/scalapack/user %D%/scalapack/loader
check_DATA += %D%/scalapack/user.so
endif
CLEANFILES += %D%/scalapack/user.so
%D%/scalapack/user.so: %D%/scalapack/user.c
	$(AM_V_GEN)$(MKDIR_P) %D%/scalapack && $(CC) $(MPI_CFLAGS) $(CFLAGS) $(SANITIZER_FLAGS) -fPIC -shared -o $@ \
	  $(srcdir)/%D%/scalapack/user.c $(SCALAPACK_LIBS) $(MPI_LIBS) -lm
%C%_scalapack_user_CFLAGS = -std=gnu11 $(WARNING_FLAGS) $(SANITIZER_FLAGS)
%C%_scalapack_user_LDADD = $(SCALAPACK_LIBS) $(MPI_LIBS)
%C%_scalapack_loader_CFLAGS = $(%C%_scalapack_user_CFLAGS)
%C%_scalapack_loader_LDADD =

# Tests of the Fortran modules, run by tests/fortran/test-fortran.sh. Their types must equal C's structs, or mirrors.c does not
# compile.
if HAVE_FORTRAN_MPI
check_PROGRAMS += %D%/fortran/test_fortran %D%/fortran/test_plans
endif
%C%_fortran_test_fortran_SOURCES = %D%/fortran/test_fortran.f90
nodist_%C%_fortran_test_fortran_SOURCES = %D%/fortran/mirrors.c
%C%_fortran_test_fortran_LDADD = $(fortran_libs)
%C%_fortran_test_fortran_DEPENDENCIES = libompfact_fortran.a libompfact.a
%D%/fortran/test_fortran.$(OBJEXT): fortran/ompfact.$(OBJEXT)
%C%_fortran_test_plans_SOURCES = %D%/fortran/test_plans.f90
%C%_fortran_test_plans_LDADD = $(fortran_libs)
%C%_fortran_test_plans_DEPENDENCIES = libompfact_fortran.a libompfact.a
%D%/fortran/test_plans.$(OBJEXT): fortran/ompfact.$(OBJEXT)
fortran_mirrors = $(srcdir)/fortran/ompfact_c.f90 $(srcdir)/fortran/ompfact_indefinite.f90 $(srcdir)/fortran/ompfact_plan_c.f90
EXTRA_DIST += %D%/fortran/mirrors.awk
CLEANFILES += %D%/fortran/mirrors.c
%D%/fortran/mirrors.c: %D%/fortran/mirrors.awk $(fortran_mirrors)
	$(AM_V_GEN)$(MKDIR_P) %D%/fortran && $(AWK) -f $(srcdir)/%D%/fortran/mirrors.awk $(fortran_mirrors) > $@.tmp && mv $@.tmp $@
CLEANFILES += fortran/fortran_suite.mod

# A shared library made of the static one, as users make one. test_shared loads both shared libraries and is linked with
# neither. Python uses this one where there is no libompfact.so.
check_DATA += %D%/shared.so
CLEANFILES += %D%/shared.so
%D%/shared.so: libompfact.a
	$(AM_V_GEN)$(CC) $(SANITIZER_FLAGS) $(LDFLAGS) -shared -o $@ -Wl,--whole-archive libompfact.a -Wl,--no-whole-archive \
	  $(ompfact_libs) $(OPENMP_LIBS) $(LIBS) $(RPATH_FLAGS)
%C%_test_shared_LDADD = $(CHECK_LIBS) $(MPI_LIBS)
if SHARED
%C%_test_shared_CPPFLAGS = $(AM_CPPFLAGS) -DSHARED_LINK='"libompfact.so"'
else
%C%_test_shared_CPPFLAGS = $(AM_CPPFLAGS) -DSHARED_LINK=NULL
endif

# Programs whose allocations, the library's included, go through functions that count them or make them fail.
%C%_command_test_speeds_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc
%C%_omp_test_reserve_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=aligned_alloc
FAILING_MEMORY = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free,--wrap=strdup,--wrap=strndup \
  -Wl,--wrap=mmap,--wrap=munmap
%C%_grid_test_allocations_LDFLAGS = $(AM_LDFLAGS) $(FAILING_MEMORY)
%C%_command_test_sweep_memory_LDFLAGS = $(AM_LDFLAGS) $(FAILING_MEMORY)
%C%_plan_test_plan_calls_LDFLAGS = $(AM_LDFLAGS) $(FAILING_MEMORY)
%C%_grid_test_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=aligned_alloc

# For every program without flags of its own, which is all programs of this folder.
AM_CPPFLAGS += $(CHECK_CFLAGS)
LDADD = libcommand.a libompfact_internal.a $(CHECK_LIBS) $(LAPACKE_LIBS) $(ompfact_libs)
%C%_scalapack_test_names_LDADD = libscalapack_static.a libcommand.a libompfact_internal.a $(CHECK_LIBS) $(SCALAPACK_LIBS) $(ompfact_libs)
%C%_move_test_scalapack_LDADD = libcommand.a libompfact_internal.a $(CHECK_LIBS) $(SCALAPACK_LIBS) $(ompfact_libs)

include %D%/cuda/local.mk
include %D%/fuzz/local.mk
include %D%/nodes/local.mk

# Tests compute little, so optimizing them would cost more time than it saves. Kernels and the emulated CUDA are the exceptions.
%D%/butterfly/%.o %D%/choose/%.o %D%/command/%.o %D%/checkpoint/%.o %D%/factor/%.o %D%/generate/%.o %D%/grid/%.o %D%/inverse/%.o %D%/io/%.o %D%/matrix/%.o \
%D%/model/%.o %D%/move/%.o %D%/page/%.o %D%/plan/%.o %D%/process/%.o %D%/rma/%.o %D%/scalapack/%.o %D%/solve/%.o %D%/tune/%.o %D%/soak%.o: \
  CFLAGS += -O0 -U_FORTIFY_SOURCE
