# Measurements: not built or run by make check. They start the command or its peers, or use MPI alone. The programs of this list
# measure something inside the library, and may include what stands behind them: a header, or those of a folder.
# tests/check-arrows.sh reads the list.
#   blis_packed.c     blis.h                              BLIS's micro-kernel by itself
#   dgemm.c           omp omp/kernels                       GEMM as tasks call it, on the threads of a run
#   gpu_peer.c        offload/cuda_library.h                cuBLAS and cuSOLVER alone
#   indefinite_cases.c  src/command src/io              sysv and hesv, in LAPACK's hands, too
#   kernel_times.c    omp/kernels src/grid src/machine      each kernel by itself
#   lapack_ratios.c   omp/kernels src/solve src/command     generated matrices, in LAPACK's hands
#   layout_times.c    layouts layouts/designs               look-ups, counts and choices without a matrix
#   model_times.c     src/choose src/model                  the model of execution
#   panel_times.c     rma                                 a panel of tiles on its way to other nodes
#   signed_times.c    omp/kernels                         a tile factored with signs, and beside it
#   task_times.c      omp                                   tasks without their kernels
#   walk_times.c      src/choose                            the loops without their tasks
#
# Scripts and sources to be distributed, one a line.
EXTRA_DIST += %D%/append_times
EXTRA_DIST += %D%/before_after
EXTRA_DIST += %D%/hpl
EXTRA_DIST += %D%/indefinite_times
EXTRA_DIST += %D%/precision_times
EXTRA_DIST += %D%/memory_peaks.sh
EXTRA_DIST += %D%/layouts.sh
EXTRA_DIST += %D%/ideal
EXTRA_DIST += %D%/papers
EXTRA_DIST += %D%/overlap.sh
EXTRA_PROGRAMS += %D%/layout_times
%C%_layout_times_SOURCES = %D%/layout_times.c
%C%_layout_times_LDADD = libompfact_internal.a $(ompfact_libs)
EXTRA_DIST += %D%/svgplot.py
EXTRA_DIST += %D%/peers
EXTRA_DIST += %D%/contestants.py
EXTRA_DIST += %D%/peer_tables.py
EXTRA_DIST += %D%/peer_matrix.h
EXTRA_DIST += %D%/peer_lapack.c
EXTRA_DIST += %D%/peer_scalapack.c
EXTRA_DIST += %D%/count_messages.c
EXTRA_DIST += %D%/messages
EXTRA_DIST += %D%/native
EXTRA_DIST += %D%/qr_table
EXTRA_DIST += %D%/scalapack_names
EXTRA_DIST += %D%/uneven_loads
EXTRA_DIST += %D%/gpu
EXTRA_DIST += %D%/gpu_run.sh
if OFFLOAD
EXTRA_PROGRAMS += %D%/gpu_peer
%C%_gpu_peer_SOURCES = %D%/gpu_peer.c
%C%_gpu_peer_LDADD = libompfact_internal.a
endif
EXTRA_PROGRAMS += %D%/dgemm
%C%_dgemm_SOURCES = %D%/dgemm.c
%C%_dgemm_LDADD = libompfact_internal.a $(ompfact_libs)
EXTRA_DIST += %D%/measure.py
EXTRA_DIST += %D%/emulate
EXTRA_DIST += %D%/instructions
EXTRA_DIST += %D%/metg
EXTRA_DIST += %D%/peer_tasks.c
EXTRA_DIST += %D%/peer_starpu.c
EXTRA_DIST += %D%/hosts.py
EXTRA_DIST += %D%/delay_switch.py
EXTRA_DIST += %D%/netlab
EXTRA_DIST += %D%/netlab_layouts
EXTRA_DIST += %D%/netlab_peers
EXTRA_DIST += %D%/curves.py
EXTRA_DIST += %D%/scaling
EXTRA_DIST += %D%/slow_ranks
EXTRA_DIST += %D%/unequal.py
EXTRA_DIST += %D%/growth
EXTRA_DIST += %D%/low_rank
EXTRA_DIST += %D%/survive
EXTRA_PROGRAMS += %D%/panel_times
%C%_panel_times_SOURCES = %D%/panel_times.c
%C%_panel_times_LDADD = libompfact_internal.a $(ompfact_libs)
EXTRA_PROGRAMS += %D%/walk_times
%C%_walk_times_SOURCES = %D%/walk_times.c
%C%_walk_times_LDADD = libompfact_internal.a $(ompfact_libs)
EXTRA_PROGRAMS += %D%/mpi_start
%C%_mpi_start_SOURCES = %D%/mpi_start.c
%C%_mpi_start_LDADD = $(ompfact_libs)
EXTRA_PROGRAMS += %D%/model_times
%C%_model_times_SOURCES = %D%/model_times.c
%C%_model_times_LDADD = libompfact_internal.a $(ompfact_libs)
EXTRA_PROGRAMS += %D%/overlap
%C%_overlap_SOURCES = %D%/overlap.c
%C%_overlap_LDADD = $(MPI_LIBS)
EXTRA_PROGRAMS += %D%/signed_times
%C%_signed_times_SOURCES = %D%/signed_times.c
%C%_signed_times_LDADD = libcommand.a libompfact_internal.a $(ompfact_libs)
EXTRA_PROGRAMS += %D%/kernel_times
%C%_kernel_times_SOURCES = %D%/kernel_times.c %D%/blis_packed.c %D%/blis_packed.h
%C%_kernel_times_LDADD = libcommand.a libompfact_internal.a $(ompfact_libs)
EXTRA_DIST += %D%/accuracy
EXTRA_PROGRAMS += %D%/lapack_ratios
%C%_lapack_ratios_SOURCES = %D%/lapack_ratios.c %D%/lapack_ratios_body.h
%C%_lapack_ratios_LDADD = libcommand.a libompfact_internal.a $(LAPACKE_LIBS) $(ompfact_libs)
# Also for tests/omp/test-instructions.sh.
check_PROGRAMS += %D%/task_times
%C%_task_times_SOURCES = %D%/task_times.c
%C%_task_times_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=task_submit,--wrap=rma_back_off
%C%_task_times_LDADD = libompfact_internal.a $(ompfact_libs)
EXTRA_DIST += %D%/indefinite
EXTRA_PROGRAMS += %D%/indefinite_cases
%C%_indefinite_cases_SOURCES = %D%/indefinite_cases.c
%C%_indefinite_cases_LDADD = libcommand.a libompfact_internal.a $(LAPACKE_LIBS) $(ompfact_libs)
