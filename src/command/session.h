/* What the runs of one command line share, and how ranks agree to go on. */
#ifndef OMPFACT_SRC_COMMAND_SESSION_H
#define OMPFACT_SRC_COMMAND_SESSION_H

#include "src/command/options.h"
#include "src/command/progress_line.h"
#include "src/command/report.h"
#include "src/command/speeds.h"
#include "src/command/together.h"
#include "src/ompfact_plan.h"

struct session {
    const struct options *options;
    MPI_Comm comm;                  /* of the command's own messages; of no dry run, as the grid */
    ompfact_grid *grid;             /* NULL in dry runs */
    struct report report;           /* of rank 0 */
    struct progress_line *progress;      /* of rank 0 */
    double gemm_gflops;             /* measured once for a type, by all ranks and threads together; 0: not yet */
    char gemm_type;
    struct speeds speeds;           /* of the ranks; none without --speeds */
    const int *node_of;             /* of the ranks, as in ompfact_shape: the grid's, or a dry run's */
    int nodes;
    ompfact_platform *platform;     /* of --simulate */
    bool told_restart, told_failure;        /* how to go on from a checkpoint; that none can be written */
    bool failed;                    /* a run failed numerically: */
    char why_failed[80];            /* the last of these */
};

/* GFLOP/s of GEMM for a type, 0 where it was not measured. */
double gemm_known(const struct session *session, char type);

/* Collective: the lowest failing rank's code and line become everybody's. */
int agree_line(struct session *session, int code, char text[COMMAND_TEXT]);
/* A status of the library, the same on every rank, as an exit status with its line. */
int refuse_status(struct session *session, ompfact_status status, char text[COMMAND_TEXT]);

#endif
