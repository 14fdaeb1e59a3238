/* Running what the command line asks for: one problem after another, each so many times. */
#ifndef OMPFACT_SRC_COMMAND_RUN_CASE_H
#define OMPFACT_SRC_COMMAND_RUN_CASE_H

#include "src/command/options.h"
#include "src/command/progress.h"
#include "src/command/report.h"
#include "src/ompfact.h"

/* Exit statuses beside 0: COMMAND_USAGE is 2. */
enum { COMMAND_NUMERICAL = 1 };

struct session {
    const struct options *options;
    ompfact_grid *grid;
    MPI_Comm comm;
    struct report report;           /* of rank 0 */
    struct progress *progress;      /* of rank 0 */
    double gemm_gflops;             /* measured once, by all ranks and threads together; 0: not yet */
    bool failed;                    /* a run failed numerically */
};

/* Collective: the whole sweep. 0, COMMAND_NUMERICAL, or COMMAND_USAGE and one line that is the same on every rank. */
int run_sweep(struct session *session, char text[COMMAND_TEXT]);

/* Local, without MPI: the dry runs of the sweep. */
int dry_run_sweep(const struct options *options, char text[COMMAND_TEXT]);

/* The shape of a problem's matrix as the options have it. */
ompfact_shape case_shape(const struct options *options, const struct problem *problem);
/* Bytes that the matrix's own rank needs: its tiles, flags, the cache that its walk through the loops asks for, and with --check
   the matrix once more. Local. */
int64_t case_memory(const struct ompfact_matrix *A, const struct options *options);
/* Floating-point operations of a factorization, LAPACK Working Note 41, real ones. */
double case_flops(const struct options *options, const struct problem *problem);

#endif
