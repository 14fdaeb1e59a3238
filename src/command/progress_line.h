/* The progress of a factorization on stderr: a bar with rate and remaining time on a terminal, or lines for a log, or JSON lines.
   One rank prints it. */
#ifndef OMPFACT_SRC_COMMAND_PROGRESS_LINE_H
#define OMPFACT_SRC_COMMAND_PROGRESS_LINE_H

#include <stdbool.h>

#include "src/ompfact.h"

struct progress_line {
    enum { PROGRESS_OFF, PROGRESS_BAR, PROGRESS_LINES, PROGRESS_JSON } form;
    bool running;
    double start;           /* seconds, monotonic */
    double flops;           /* of all ranks, as the table counts them */
    double next;            /* share of the work at which to print again */
    double patience;        /* seconds before the first line and between lines, if the user did not request progress; 0: none */
    double next_time;
    bool spoke;
    char type;
    double gemm_gflops;     /* of all ranks, for comparison; 0: not known */
    const ompfact_grid *grid;       /* its ranks share their progress; NULL: only this rank's share is known */
    bool names_slowest;     /* there are other ranks, and they share their progress */
};

void progress_begin(struct progress_line *p, double flops, char type, double gemm_gflops);
void progress_step(void *progress, double done);       /* share of this rank's work, 0 to 1; ignored unless running */
void progress_end(struct progress_line *p, bool whole);     /* whole: the factorization is complete; otherwise no last line */

/* The progress of a long count of a dry run, or of the operation `word`, on a terminal, in JSON, or in lines; `quiet`: no
   lines. */
struct counting {
    const char *word;
    int form;
    bool quiet, on_terminal, shown;
    double start, next;         /* seconds */
    double first, first_done;   /* time of the first step, and the share done by then */
};
struct counting counting_begin(const char *word, int form, bool quiet);
void counting_step(void *counting, double done);
void counting_end(struct counting *c);

#endif
