/* Data that the runs of one command line share, and functions by which ranks agree. */
#ifndef OMPFACT_SRC_COMMAND_SESSION_H
#define OMPFACT_SRC_COMMAND_SESSION_H

#include "src/command/options.h"
#include "src/command/progress_line.h"
#include "src/command/report.h"
#include "src/command/speeds.h"
#include "src/command/together.h"
#include "src/ompfact_machine.h"
#include "src/ompfact_plan.h"

/* origin.c: the origin of a report, to cite and repeat it: date, host, program and command line. */
struct origin {
    char date[24];                          /* of the start, UTC, ISO 8601 */
    char host[OMPFACT_MESSAGE];             /* of the first rank, like the next */
    char processor[OMPFACT_MESSAGE];
    char mpi[OMPFACT_MESSAGE];
    char blas[OMPFACT_MESSAGE];
    char *command;                          /* the command line, quoted for a shell; NULL: no memory */
};

/* Finds the origin of this process, on the first rank only. grid NULL: a dry run, which has no host. The caller calls
   origin_forget. */
void origin_find(struct origin *origin, char *const *argv, const ompfact_grid *grid);
void origin_forget(struct origin *origin);
/* Sets the facts, which borrow its texts. */
void origin_add(const struct origin *origin, struct facts *facts);

/* These words, the last one NULL, as a shell would read them. The caller frees the line; NULL: no memory. */
char *shell_line(char *const *words);

/* --version, and --bug-report: bug_report.c. Local, without MPI_Init. */
void origin_print_version(FILE *out);
void origin_print_bug_report(FILE *out);

struct session {
    const struct options *options;
    MPI_Comm comm;                  /* for the command's own messages; not in dry runs, like the grid */
    ompfact_grid *grid;             /* NULL in dry runs */
    struct report report;           /* of rank 0 */
    struct origin origin;           /* of rank 0 */
    struct progress_line *progress;      /* of rank 0 */
    bool speaks;                    /* rank 0 prints lines about long operations */
    bool shares_late;               /* without --progress, ranks share their progress only in a long run */
    bool shares;                    /* ranks share their progress now */
    double gemm_gflops;             /* measured once for a type, by all ranks and threads together; 0: not measured */
    char gemm_type;
    struct speeds speeds;           /* of the ranks; none without --speeds */
    ompfact_platform *platform;     /* of --simulate */
    bool printed_restart, printed_failure;        /* lines printed: how to continue from a checkpoint; that no checkpoint can be
                                                     written */
    bool failed;                    /* a run failed numerically */
    char why_failed[80];            /* reason of the last failure */
};

/* Exit statuses in addition to 0: COMMAND_USAGE is 2, COMMAND_STOPPED 3. */
enum { COMMAND_NUMERICAL = 1 };

/* run_case.c; collective: runs the whole sweep, each problem --repeat times. 0, COMMAND_NUMERICAL, or COMMAND_USAGE or
   COMMAND_STOPPED and one line that is the same on every rank. */
int run_sweep(struct session *session, char text[COMMAND_TEXT]);
/* dryrun.c; local, without MPI and a grid: the dry runs of the sweep. */
int dry_run_sweep(const struct options *options, char text[COMMAND_TEXT]);

/* tune_machine.c; collective: --tune prints a summary of the measurements, and writes all of them to a file. The same results. */
int tune_run(struct session *session, char text[COMMAND_TEXT]);

/* stopping.c: signals to end a run with checkpoints: SIGTERM and SIGUSR1, which batch systems send before they end a job. From
   now on the process receives the signals, if checkpoints are requested: the factorization saves a checkpoint and ends. Some
   seconds after the first signal (grace) the process ends in any case. Any rank may get the signals, or all. Local. */
void stopping_begin(const struct session *session);
void stopping_end(void);
/* Whether a rank has received a signal: 0, or COMMAND_STOPPED and a line that is the same on every rank. Collective. */
int stopping_poll(struct session *session, char text[COMMAND_TEXT]);
/* The same line and COMMAND_STOPPED, for a factorization that was stopped. Collective. */
int stopping_message(struct session *session, char text[COMMAND_TEXT]);

/* GFLOP/s of GEMM for a type; 0: not measured. */
static inline double gemm_known(const struct session *s, char type)
{
    return s->gemm_type == type ? s->gemm_gflops : 0;
}

/* Collective: returns the code and the line of the lowest failing rank on every rank. */
static inline int agree_line(struct session *s, int code, char text[COMMAND_TEXT])
{
    return together_agree(s->comm, code, text);
}

/* Converts a status of the library, the same on every rank, to an exit status with its line. */
static inline int refuse_status(struct session *s, ompfact_status status, char text[COMMAND_TEXT])
{
    return status == OMPFACT_SUCCESS ? 0 : refuse(text, "%s", ompfact_message(s->grid));
}

#endif
