/* What is told of a run: a record, whose members are the keys of --json. */
#ifndef OMPFACT_SRC_COMMAND_RESULT_H
#define OMPFACT_SRC_COMMAND_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/command/load_lists.h"

/* An integer not known: like a double that is not finite and a NULL text, null in JSON and "-" in the table. */
#define REPORT_NONE INT64_MIN

/* One run; the names are the keys of --json. Texts are borrowed for the call. */
struct result {
    const char *routine;
    char type;
    int64_t m, n, nrhs, nb;
    const char *layout;             /* as resolved */
    int64_t ranks, threads, devices;    /* the last two of a rank */
    const char *device_backend;     /* NULL, NAN or REPORT_NONE without devices, as are the next ones */
    double host_share;
    double device_flops, host_update_flops;
    const char *flops_per_device;
    int64_t bytes_to_devices, bytes_from_devices, bytes_between_devices, max_uploads_per_tile, device_waits, device_allocations;
    int64_t bytes_unpinned;
    const char *pivot;              /* "none" and so on for LU, else NULL: nothing pivots */
    const char *uplo;               /* "l" or "u" for Cholesky, else NULL */
    const char *tree;               /* of QR, as resolved; else NULL */
    int64_t seed;
    double time_s, gflops;          /* of the factorization alone, or what is in its place */
    double error;                   /* scaled residual, NAN where it was not checked */
    const char *status;             /* "pass", "FAILED" or "no check" */
    int64_t info;
    int64_t transfers, transfer_bytes, transfers_predicted;
    int64_t nodes;                  /* ranks of one share memory; the next three are of what crosses between them */
    int64_t wire_transfers, wire_bytes, wire_transfers_predicted;
    const char *between_nodes;      /* "one-sided" or "messages", as it turned out; NULL on one node */
    int64_t rma_native;             /* whether reads proceed while their owner computes; REPORT_NONE there */
    double register_s;              /* what making the matrix's window took; NAN there */
    int64_t tiles_max, tiles_min;   /* that a rank owns */
    double flops_max_over_mean;
    int64_t cache_peak_tiles, memory_peak_bytes;
    int64_t tasks_peak;             /* most in flight on a rank */
    double gemm_gflops;             /* GEMM's rate on all ranks together, for %gemm; NAN where it was not measured */
    const char *schedule, *bcast, *on_node;     /* as the options name them */
    double logdet;                  /* log |det A| */
    int64_t det_sign;               /* of a real determinant, 0 if A is singular */
    double det_phase;               /* of a complex one, its angle */
    double smallest_pivot;
    double work_bound_s, link_bound_s, chain_bound_s;   /* struct limits */
    int64_t checkpoints, restarted_from_step, tiles_restored;   /* REPORT_NONE: nothing was saved, or gone on from */
    double solve_time_s;            /* these two are reported where the routine factors and solves */
    int64_t solve_transfers;
    double accuracy;                /* of compressed tiles; the next ones are of the factors. NAN, REPORT_NONE: all are dense */
    int64_t dense_tiles;
    double rank_mean;               /* of the others, NAN where there are none */
    int64_t rank_max, matrix_bytes, dense_bytes;
    double flops_over_dense;        /* of the factorization */
    int64_t faults_found, faults_corrected;     /* REPORT_NONE without --abft */
    double growth;                  /* of pivoted LU, where it was checked; else NAN */
    int64_t rows_exchanged, candidate_tiles;    /* by pivoting, from rank to rank */
    double rcond;                   /* NAN where it was not asked for */
    const char *speeds;             /* of the ranks, as a list in JSON; NULL: not given */
    double perisum;                 /* of the partition, where the layout comes from one */
    double abe_max_over_mean;       /* flops over speed of the rank where it is most, where speeds are given */
    struct loads loads;             /* its members are keys, too; NULL: not known */
    int64_t refine_iterations;      /* LAPACK's ITER; likewise, REPORT_NONE without --refine */
};

/* One dry run. */
struct dry_result {
    const char *routine;
    int64_t m, n, nb;
    const char *layout;
    int64_t ranks, mt, nt;
    int64_t pattern_rows, pattern_cols;
    double cost, cost_bound;        /* T, and what it cannot be below */
    int64_t transfers, transfer_bytes;
    int64_t nodes, wire_transfers, wire_bytes;      /* as in a run */
    double work_bound_s, link_bound_s, chain_bound_s;   /* struct limits; NAN without --wire or --explain */
    double predicted_s;             /* NAN without --simulate */
    int64_t tiles_max, tiles_min;
    double flops_max_over_mean;
    bool weighed;                   /* that is of weights */
    int64_t max_ranks_per_row, max_ranks_per_col;
    int64_t memory_bytes_max;       /* of one rank */
    const char *speeds;             /* these as in a run */
    double perisum, abe_max_over_mean;
    struct loads loads;
};

/* What a table's columns go by: the routine, and --verbose. */
struct table_form {
    bool solves, factors, square, verbose, compressed;      /* factors: that is what is timed, and a solve is apart */
};

#endif
