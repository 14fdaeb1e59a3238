/* What the runs of one command line share, and how ranks agree to go on. */
#ifndef OMPFACT_SRC_COMMAND_SESSION_H
#define OMPFACT_SRC_COMMAND_SESSION_H

#include "src/command/options.h"
#include "src/command/origin.h"
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
    struct origin origin;           /* of rank 0 */
    struct progress_line *progress;      /* of rank 0 */
    bool speaks;                    /* rank 0, where lines about what takes long are wanted */
    bool shares_late;               /* nobody has asked for progress: ranks tell theirs only in a run that may last, */
    bool shares;                    /*   and do so now */
    double gemm_gflops;             /* measured once for a type, by all ranks and threads together; 0: not yet */
    char gemm_type;
    struct speeds speeds;           /* of the ranks; none without --speeds */
    ompfact_platform *platform;     /* of --simulate */
    bool printed_restart, printed_failure;        /* how to go on from a checkpoint; that none can be written */
    bool failed;                    /* a run failed numerically: */
    char why_failed[80];            /* the last of these */
};

/* Exit statuses beside 0: COMMAND_USAGE is 2, COMMAND_STOPPED 3. */
enum { COMMAND_NUMERICAL = 1 };

/* run_case.c; collective: the whole sweep, each problem so many times. 0, COMMAND_NUMERICAL, or COMMAND_USAGE or COMMAND_STOPPED
   and one line that is the same on every rank. */
int run_sweep(struct session *session, char text[COMMAND_TEXT]);
/* dryrun.c; local, without MPI and a grid: the dry runs of the sweep. */
int dry_run_sweep(const struct options *options, char text[COMMAND_TEXT]);

/* GFLOP/s of GEMM for a type, 0 where it was not measured. */
static inline double gemm_known(const struct session *s, char type)
{
    return s->gemm_type == type ? s->gemm_gflops : 0;
}

/* Collective: the lowest failing rank's code and line become everybody's. */
static inline int agree_line(struct session *s, int code, char text[COMMAND_TEXT])
{
    return together_agree(s->comm, code, text);
}

/* A status of the library, the same on every rank, as an exit status with its line. */
static inline int refuse_status(struct session *s, ompfact_status status, char text[COMMAND_TEXT])
{
    return status == OMPFACT_SUCCESS ? 0 : refuse(text, "%s", ompfact_message(s->grid));
}

#endif
