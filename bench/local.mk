# Measurements: make check neither builds nor runs them; README.md lists them. They start the command or other programs, or use MPI
# alone. The programs in this list measure parts of the library, and may include internal headers: a header, or all of a folder.
# tests/check-arrows.sh reads the list.
#   blis_packed.c       blis.h                              BLIS's micro-kernel by itself
#   dgemm.c             omp omp/kernels                     GEMM of tasks, on the threads of a run
#   gpu_peer.c          offload/cuda_library.h              cuBLAS and cuSOLVER alone
#   indefinite_cases.c  src/command src/io                  sysv and hesv, and LAPACK's
#   kernel_times.c      omp/kernels src/grid src/machine    each kernel by itself
#   lapack_ratios.c     omp/kernels src/solve src/command   LAPACK on generated matrices
#   layout_times.c      layouts layouts/designs             look-ups, counts and choices without a matrix
#   model_times.c       src/choose src/model                the model of execution
#   panel_times.c       rma                                 transfers of a panel of tiles to other nodes
#   signed_times.c      omp/kernels                         a tile factored with signs, and by Cholesky
#   task_times.c        omp                                 tasks with other kernels
#   walk_times.c        src/choose                          the loops without tasks

# Scripts and sources of the distribution, one a line.
EXTRA_DIST += \
  %D%/README.md \
  %D%/accuracy \
  %D%/append_times \
  %D%/before_after \
  %D%/contestants.py \
  %D%/count_messages.c \
  %D%/curves.py \
  %D%/delay_switch.py \
  %D%/emulate \
  %D%/gpu \
  %D%/gpu_run.sh \
  %D%/growth \
  %D%/hosts.py \
  %D%/hpl \
  %D%/ideal \
  %D%/indefinite \
  %D%/indefinite_times \
  %D%/instructions \
  %D%/low_rank \
  %D%/measure.py \
  %D%/messages \
  %D%/metg \
  %D%/native \
  %D%/netlab \
  %D%/netlab_layouts \
  %D%/netlab_peers \
  %D%/papers \
  %D%/peer_lapack.c \
  %D%/peer_matrix.h \
  %D%/peer_scalapack.c \
  %D%/peer_starpu.c \
  %D%/peer_tables.py \
  %D%/peer_tasks.c \
  %D%/peers \
  %D%/precision_times \
  %D%/qr_table \
  %D%/scalapack_names \
  %D%/scaling \
  %D%/slow_ranks \
  %D%/survive \
  %D%/svgplot.py \
  %D%/unequal.py \
  %D%/uneven_loads

# Programs: make bench-programs builds all of them. One a line.
bench_programs = \
  %D%/dgemm \
  %D%/indefinite_cases \
  %D%/kernel_times \
  %D%/lapack_ratios \
  %D%/layout_times \
  %D%/model_times \
  %D%/mpi_start \
  %D%/panel_times \
  %D%/signed_times \
  %D%/walk_times
if OFFLOAD
bench_programs += %D%/gpu_peer
endif
EXTRA_PROGRAMS += $(bench_programs)
# tests/omp/test-instructions.sh runs task_times, too.
check_PROGRAMS += %D%/task_times
.PHONY: bench-programs
bench-programs: $(bench_programs) %D%/task_times

%C%_dgemm_SOURCES = %D%/dgemm.c
%C%_dgemm_LDADD = libompfact_internal.a $(ompfact_libs)
%C%_gpu_peer_SOURCES = %D%/gpu_peer.c
%C%_gpu_peer_LDADD = libompfact_internal.a
%C%_indefinite_cases_SOURCES = %D%/indefinite_cases.c
%C%_indefinite_cases_LDADD = libcommand.a libompfact_internal.a $(LAPACKE_LIBS) $(ompfact_libs)
%C%_kernel_times_SOURCES = %D%/kernel_times.c %D%/blis_packed.c %D%/blis_packed.h
%C%_kernel_times_LDADD = libcommand.a libompfact_internal.a $(ompfact_libs)
%C%_lapack_ratios_SOURCES = %D%/lapack_ratios.c %D%/lapack_ratios_body.h
%C%_lapack_ratios_LDADD = libcommand.a libompfact_internal.a $(LAPACKE_LIBS) $(ompfact_libs)
%C%_layout_times_SOURCES = %D%/layout_times.c
%C%_layout_times_LDADD = libompfact_internal.a $(ompfact_libs)
%C%_model_times_SOURCES = %D%/model_times.c
%C%_model_times_LDADD = libompfact_internal.a $(ompfact_libs)
%C%_mpi_start_SOURCES = %D%/mpi_start.c
%C%_mpi_start_LDADD = $(ompfact_libs)
%C%_panel_times_SOURCES = %D%/panel_times.c
%C%_panel_times_LDADD = libompfact_internal.a $(ompfact_libs)
%C%_signed_times_SOURCES = %D%/signed_times.c
%C%_signed_times_LDADD = libcommand.a libompfact_internal.a $(ompfact_libs)
%C%_task_times_SOURCES = %D%/task_times.c
%C%_task_times_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=task_submit,--wrap=rma_back_off
%C%_task_times_LDADD = libompfact_internal.a $(ompfact_libs)
%C%_walk_times_SOURCES = %D%/walk_times.c
%C%_walk_times_LDADD = libompfact_internal.a $(ompfact_libs)
