/* Running what the command line asks for: one problem after another, each so many times. */
#ifndef OMPFACT_SRC_COMMAND_RUN_CASE_H
#define OMPFACT_SRC_COMMAND_RUN_CASE_H

#include "src/command/device_plan.h"
#include "src/command/machine.h"
#include "src/command/options.h"
#include "src/command/progress_line.h"
#include "src/command/report.h"
#include "src/command/speeds.h"
#include "src/ompfact.h"

/* Exit statuses beside 0: COMMAND_USAGE is 2. */
enum { COMMAND_NUMERICAL = 1 };

struct session {
    const struct options *options;
    ompfact_grid *grid;             /* NULL in dry runs */
    struct report report;           /* of rank 0 */
    struct progress *progress;      /* of rank 0 */
    double gemm_gflops;             /* measured once for a type, by all ranks and threads together; 0: not yet */
    char gemm_type;
    struct speeds speeds;           /* of the ranks; none without --speeds */
    struct machine_known known;     /* read when something wants it */
    struct device_plan devices;
    bool failed;                    /* a run failed numerically: */
    char why_failed[80];            /* the last of these */
};

static inline double gemm_known(const struct session *s, char type)
{
    return s->gemm_type == type ? s->gemm_gflops : 0;
}

/* Collective: the lowest failing rank's code and line become everybody's. */
int agree_line(struct session *session, int code, char text[COMMAND_TEXT]);

/* Collective: devices as they will be used, and the grid told. 0, or COMMAND_USAGE and a line. */
int plan_devices(struct session *session, char text[COMMAND_TEXT]);

/* Collective: the whole sweep. 0, COMMAND_NUMERICAL, or COMMAND_USAGE and one line that is the same on every rank. */
int run_sweep(struct session *session, char text[COMMAND_TEXT]);

/* Local, without MPI and a grid: the dry runs of the sweep. */
int dry_run_sweep(const struct options *options, char text[COMMAND_TEXT]);

#endif
