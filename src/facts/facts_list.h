/*
 * The table of facts, a row each in the order of JSON and CSV: FACT(kind, key, parts, group, as, label), as facts.h has them;
 * FACT_AGAIN where other parts have it elsewhere: a dry run has its balance behind its bounds. Who includes this says what
 * becomes of a row.
 */
FACT(TEXT, routine, IN_RUN | IN_DRY, ABOUT_PROBLEM, AS_IT_IS, "Routine")
FACT(LETTER, type, IN_RUN, ABOUT_PROBLEM, AS_IT_IS, "Precision")
FACT(INTEGER, m, IN_RUN | IN_DRY, ABOUT_PROBLEM, AS_COUNT, "Rows")
FACT(INTEGER, n, IN_RUN | IN_DRY, ABOUT_PROBLEM, AS_COUNT, "Columns")
FACT(INTEGER, nrhs, IN_RUN, ABOUT_PROBLEM, AS_COUNT, "Right-hand sides")
FACT(INTEGER, nb, IN_RUN | IN_DRY, ABOUT_HOW, AS_COUNT, "Tile size")
FACT(TEXT, layout, IN_RUN | IN_DRY, ABOUT_HOW, AS_IT_IS, "Layout")     /* full name */
FACT(INTEGER, ranks, IN_RUN | IN_DRY, ABOUT_HOW, AS_COUNT, "Ranks")
FACT(INTEGER, mt, IN_DRY, ABOUT_HOW, AS_COUNT, "Tile rows")
FACT(INTEGER, nt, IN_DRY, ABOUT_HOW, AS_COUNT, "Tile columns")
FACT(INTEGER, pattern_rows, IN_DRY, ABOUT_HOW, AS_COUNT, "Rows of the pattern")
FACT(INTEGER, pattern_cols, IN_DRY, ABOUT_HOW, AS_COUNT, "Columns of the pattern")
FACT(REAL, cost, IN_DRY, ABOUT_TRANSFERS, AS_NUMBER, "Cost of the layout, T")
FACT(REAL, cost_bound, IN_DRY, ABOUT_TRANSFERS, AS_NUMBER, "No layout costs less than")
FACT(INTEGER, threads, IN_RUN, ABOUT_HOW, AS_COUNT, "Threads of a rank")
FACT(INTEGER, devices, IN_RUN, ABOUT_DEVICES, AS_COUNT, "Devices of a rank")
FACT(TEXT, pivot, IN_RUN, ABOUT_HOW, AS_IT_IS, "Pivoting")             /* for LU */
FACT(INTEGER, seed, IN_RUN, ABOUT_PROBLEM, AS_IT_IS, "Seed")
FACT(REAL, time_s, IN_RUN, ABOUT_SPEED, AS_SECONDS, "Time")            /* of the factorization alone, or of the timed part */
FACT(REAL, gflops, IN_RUN, ABOUT_SPEED, AS_RATE, "Rate")
FACT(REAL, error, IN_RUN, ABOUT_RESULT, AS_EXPONENT, "Scaled residual")
FACT(TEXT, status, IN_RUN, ABOUT_RESULT, AS_IT_IS, "Status")           /* "pass", "FAILED" or "no check" */
FACT(INTEGER, info, IN_RUN, ABOUT_RESULT, AS_COUNT, "info")
FACT(INTEGER, transfers, IN_RUN | IN_DRY, ABOUT_TRANSFERS, AS_COUNT, "Tiles sent")
FACT(INTEGER, transfer_bytes, IN_RUN | IN_DRY, ABOUT_TRANSFERS, AS_BYTES, "Bytes sent")
FACT(INTEGER, transfers_predicted, IN_RUN, ABOUT_TRANSFERS, AS_COUNT, "Tiles predicted")
FACT(INTEGER, nodes, IN_RUN | IN_DRY, ABOUT_HOW, AS_COUNT, "Nodes")    /* ranks of a node share memory */
FACT(INTEGER, wire_transfers, IN_RUN | IN_DRY, ABOUT_TRANSFERS, AS_COUNT, "Tiles between nodes")
FACT(INTEGER, wire_bytes, IN_RUN | IN_DRY, ABOUT_TRANSFERS, AS_BYTES, "Bytes between nodes")
FACT(INTEGER, wire_transfers_predicted, IN_RUN, ABOUT_TRANSFERS, AS_COUNT, "Predicted between nodes")
FACT(INTEGER, tiles_max, IN_RUN, ABOUT_MEMORY, AS_COUNT, "Tiles, fullest rank")
FACT(INTEGER, tiles_min, IN_RUN, ABOUT_MEMORY, AS_COUNT, "Tiles, emptiest rank")
FACT(REAL, flops_max_over_mean, IN_RUN, ABOUT_SPEED, AS_NUMBER, "Most work over mean")
FACT(INTEGER, cache_peak_tiles, IN_RUN, ABOUT_MEMORY, AS_COUNT, "Remote tiles held")
FACT(INTEGER, memory_peak_bytes, IN_RUN, ABOUT_MEMORY, AS_BYTES, "Memory at most")
FACT(INTEGER, tasks_peak, IN_RUN, ABOUT_MEMORY, AS_COUNT, "Tasks in flight")                   /* largest number on a rank */
FACT(REAL, gemm_gflops, IN_RUN, ABOUT_SPEED, AS_RATE, "Rate of GEMM")                          /* on all ranks together */
FACT(REAL, work_bound_s, IN_RUN | IN_DRY, ABOUT_SPEED, AS_SECONDS, "Bound by work")
FACT(REAL, link_bound_s, IN_RUN | IN_DRY, ABOUT_SPEED, AS_SECONDS, "Bound by links")
FACT(REAL, chain_bound_s, IN_RUN | IN_DRY, ABOUT_SPEED, AS_SECONDS, "Bound by the chain")
FACT(REAL, tasks_bound_s, IN_RUN | IN_DRY, ABOUT_SPEED, AS_SECONDS, "Bound by the tasks")
FACT(REAL, predicted_s, IN_DRY, ABOUT_SPEED, AS_SECONDS, "Simulated time")
FACT_AGAIN(INTEGER, tiles_max, IN_DRY)
FACT_AGAIN(INTEGER, tiles_min, IN_DRY)
FACT_AGAIN(REAL, flops_max_over_mean, IN_DRY)
FACT(INTEGER, max_ranks_per_row, IN_DRY, ABOUT_TRANSFERS, AS_COUNT, "Ranks in a tile row, at most")
FACT(INTEGER, max_ranks_per_col, IN_DRY, ABOUT_TRANSFERS, AS_COUNT, "Ranks in a tile column, at most")
FACT(INTEGER, memory_bytes_max, IN_DRY, ABOUT_MEMORY, AS_BYTES, "Memory, fullest rank")
FACT(TEXT, schedule, IN_RUN, ABOUT_HOW, AS_IT_IS, "Schedule")
FACT(TEXT, bcast, IN_RUN, ABOUT_HOW, AS_IT_IS, "Broadcast")
FACT(TEXT, on_node, IN_RUN, ABOUT_HOW, AS_IT_IS, "Tiles on a node")
FACT(TEXT, between_nodes, IN_RUN, ABOUT_HOW, AS_IT_IS, "Transport between nodes")                /* as observed */
FACT(BOOLEAN, rma_native, IN_RUN, ABOUT_HOW, AS_IT_IS, "One-sided reads proceed")              /* while their owner computes */
FACT(REAL, register_s, IN_RUN, ABOUT_SPEED, AS_SECONDS, "Making the window")
FACT(REAL, accuracy, IN_COMPRESSED, ABOUT_PROBLEM, AS_NUMBER, "Accuracy")
FACT(INTEGER, dense_tiles, IN_COMPRESSED, ABOUT_MEMORY, AS_COUNT, "Dense tiles")               /* this row and the next ones are
                                                                                                  for the factors */
FACT(REAL, rank_mean, IN_COMPRESSED, ABOUT_MEMORY, AS_NUMBER, "Mean rank of the others")
FACT(INTEGER, rank_max, IN_COMPRESSED, ABOUT_MEMORY, AS_COUNT, "Largest rank")
FACT(INTEGER, matrix_bytes, IN_COMPRESSED | IN_MIXED, ABOUT_MEMORY, AS_BYTES, "Elements kept")
FACT(INTEGER, dense_bytes, IN_COMPRESSED, ABOUT_MEMORY, AS_BYTES, "The same, dense")
FACT(REAL, flops_over_dense, IN_COMPRESSED, ABOUT_SPEED, AS_NUMBER, "Work over dense")         /* of the factorization */
FACT(REAL, tile_precision, IN_MIXED, ABOUT_PROBLEM, AS_EXPONENT, "Precision of tiles")         /* EPS, with auto resolved */
FACT(LIST, tiles_by_precision, IN_MIXED, ABOUT_MEMORY, AS_IT_IS, "Tiles in double, single, bf16") /* after filling */
FACT(INTEGER, tiles_widened, IN_MIXED, ABOUT_MEMORY, AS_COUNT, "Of these, double now")
FACT(REAL, device_narrow_flops, IN_MIXED, ABOUT_DEVICES, AS_EXPONENT, "Flops below double")
FACT(INTEGER, faults_found, IN_RUN, ABOUT_RESULT, AS_COUNT, "Faults found")
FACT(INTEGER, faults_corrected, IN_RUN, ABOUT_RESULT, AS_COUNT, "Faults corrected")
FACT(REAL, growth, IN_RUN, ABOUT_RESULT, AS_EXPONENT, "Growth of elements")                    /* of LU with a check, of D */
FACT(INTEGER, rows_exchanged, IN_RUN, ABOUT_TRANSFERS, AS_COUNT, "Rows exchanged")             /* between ranks */
FACT(INTEGER, candidate_tiles, IN_RUN, ABOUT_TRANSFERS, AS_COUNT, "Pivot candidates, tiles")
FACT(TEXT, uplo, IN_RUN, ABOUT_PROBLEM, AS_IT_IS, "Triangle stored")                           /* "l" or "u" */
FACT(TEXT, tree, IN_RUN, ABOUT_HOW, AS_IT_IS, "Tree")                                          /* for QR, with auto resolved */
FACT(REAL, logdet, IN_RUN, ABOUT_RESULT, AS_NUMBER, "log |det A|")
FACT(INTEGER, det_sign, IN_RUN, ABOUT_RESULT, AS_COUNT, "Sign of det A")                       /* of a real determinant; 0:
                                                                                                  singular */
FACT(REAL, det_phase, IN_RUN, ABOUT_RESULT, AS_NUMBER, "Angle of det A")                       /* of a complex determinant */
FACT(REAL, smallest_pivot, IN_RUN, ABOUT_RESULT, AS_EXPONENT, "Smallest pivot")
FACT(TEXT, butterfly, IN_INDEFINITE, ABOUT_HOW, AS_IT_IS, "Levels of the butterfly")           /* with auto resolved */
FACT(INTEGER, inertia_positive, IN_INDEFINITE, ABOUT_RESULT, AS_COUNT, "Positive eigenvalues")
FACT(INTEGER, inertia_negative, IN_INDEFINITE, ABOUT_RESULT, AS_COUNT, "Negative eigenvalues")
FACT(INTEGER, inertia_zero, IN_INDEFINITE, ABOUT_RESULT, AS_COUNT, "Zero eigenvalues")
FACT(INTEGER, perturbed_pivots, IN_INDEFINITE, ABOUT_RESULT, AS_COUNT, "Perturbed pivots")
FACT(TEXT, fallback, IN_INDEFINITE, ABOUT_RESULT, AS_IT_IS, "Solved by")           /* "getrf" if LU replaced L D L^H */
FACT(TEXT, device_backend, IN_RUN, ABOUT_DEVICES, AS_IT_IS, "Kernels of")
FACT(REAL, host_share, IN_RUN, ABOUT_DEVICES, AS_SHARE, "Share of the host")
FACT(REAL, device_flops, IN_RUN, ABOUT_DEVICES, AS_EXPONENT, "Flops on devices")
FACT(REAL, host_update_flops, IN_RUN, ABOUT_DEVICES, AS_EXPONENT, "Flops of updates, host")
FACT(LIST, flops_per_device, IN_RUN, ABOUT_DEVICES, AS_IT_IS, "Flops of each device")
FACT(INTEGER, bytes_to_devices, IN_RUN, ABOUT_DEVICES, AS_BYTES, "Bytes to devices")
FACT(INTEGER, bytes_from_devices, IN_RUN, ABOUT_DEVICES, AS_BYTES, "Bytes from devices")
FACT(INTEGER, bytes_between_devices, IN_RUN, ABOUT_DEVICES, AS_BYTES, "Bytes between devices")
FACT(INTEGER, max_uploads_per_tile, IN_RUN, ABOUT_DEVICES, AS_COUNT, "Uploads of a tile")
FACT(INTEGER, device_waits, IN_RUN, ABOUT_DEVICES, AS_COUNT, "Waits for devices")
FACT(INTEGER, device_allocations, IN_RUN, ABOUT_DEVICES, AS_COUNT, "Allocations")
FACT(INTEGER, bytes_unpinned, IN_RUN, ABOUT_DEVICES, AS_BYTES, "Bytes not pinned")
FACT(LIST, speeds, IN_RUN | IN_DRY, ABOUT_SPEED, AS_IT_IS, "Speeds of the ranks")
FACT(REAL, perisum, IN_RUN | IN_DRY, ABOUT_SPEED, AS_NUMBER, "Half-perimeters")                /* of the layout's partition */
FACT(REAL, abe_max_over_mean, IN_RUN | IN_DRY, ABOUT_SPEED, AS_NUMBER, "Most time over mean")  /* with speeds */
/* These lists are those of ompfact_loads. */
FACT(LIST, abe, IN_RUN | IN_DRY, ABOUT_SPEED, AS_IT_IS, "Time of each rank")
FACT(LIST, abe_steps, IN_RUN | IN_DRY, ABOUT_SPEED, AS_IT_IS, "Steps of the next")
FACT(LIST, abe_max, IN_RUN | IN_DRY, ABOUT_SPEED, AS_IT_IS, "Most time of a rank")
FACT(LIST, abe_ideal, IN_RUN | IN_DRY, ABOUT_SPEED, AS_IT_IS, "Time of an even share")
FACT(LIST, cabe_spread, IN_RUN | IN_DRY, ABOUT_SPEED, AS_IT_IS, "Most minus least so far")
FACT(LIST, cpb, IN_RUN | IN_DRY, ABOUT_SPEED, AS_IT_IS, "Bounds by the critical path")
FACT(INTEGER, checkpoints, IN_RUN, ABOUT_HOW, AS_COUNT, "Checkpoints")
FACT(INTEGER, restarted_from_step, IN_RUN, ABOUT_HOW, AS_COUNT, "Restarted from step")
FACT(INTEGER, tiles_restored, IN_RUN, ABOUT_HOW, AS_COUNT, "Tiles restored")
FACT(REAL, solve_time_s, IN_SOLVE, ABOUT_SPEED, AS_SECONDS, "Time of the solve")
FACT(INTEGER, solve_transfers, IN_SOLVE, ABOUT_TRANSFERS, AS_COUNT, "Tiles of the solve")
FACT(REAL, rcond, IN_RUN, ABOUT_RESULT, AS_EXPONENT, "1 / condition")
FACT(INTEGER, refine_iterations, IN_SOLVE, ABOUT_RESULT, AS_COUNT, "Refinements")              /* LAPACK's ITER */
FACT(INTEGER, copies, IN_RUN | IN_DRY, ABOUT_HOW, AS_COUNT, "Copies of the matrix")
FACT(INTEGER, transfers_sums, IN_RUN | IN_DRY, ABOUT_TRANSFERS, AS_COUNT, "Of these added up")
FACT(INTEGER, transfers_home, IN_RUN, ABOUT_TRANSFERS, AS_COUNT, "Brought home")
/* In UTC; of the first rank. */
FACT(TEXT, date, IN_RUN | IN_DRY, ABOUT_ORIGIN, AS_IT_IS, "Date")
FACT(TEXT, version, IN_RUN | IN_DRY, ABOUT_ORIGIN, AS_IT_IS, "Version of ompfact")
FACT(TEXT, commit, IN_RUN | IN_DRY, ABOUT_ORIGIN, AS_IT_IS, "Commit")
FACT(TEXT, host, IN_RUN, ABOUT_ORIGIN, AS_IT_IS, "First host")
FACT(TEXT, processor, IN_RUN, ABOUT_ORIGIN, AS_IT_IS, "Processor")
FACT(TEXT, mpi, IN_RUN, ABOUT_ORIGIN, AS_IT_IS, "MPI library")
FACT(TEXT, blas, IN_RUN, ABOUT_ORIGIN, AS_IT_IS, "Kernels of the BLAS")
FACT(TEXT, command, IN_RUN | IN_DRY, ABOUT_ORIGIN, AS_IT_IS, "Command line")
