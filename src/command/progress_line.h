/* How far a factorization is, on stderr: a bar with rate and time left on a terminal, or such lines for a log, or JSON lines.
   One rank does this. */
#ifndef OMPFACT_SRC_COMMAND_PROGRESS_LINE_H
#define OMPFACT_SRC_COMMAND_PROGRESS_LINE_H

#include <stdbool.h>

#include "src/ompfact.h"

struct progress_line {
    enum { PROGRESS_OFF, PROGRESS_BAR, PROGRESS_LINES, PROGRESS_JSON } form;
    bool running;
    double start;           /* seconds, monotonic */
    double flops;           /* of all ranks, as the table counts them */
    double next;            /* share at which to speak again, */
    double patience;        /*   and seconds from the start, and between lines: of who did not ask; 0: none */
    double next_time;
    bool spoke;
    char type;
    double gemm_gflops;     /* of all ranks, to compare with; 0: not known */
    const ompfact_grid *grid;       /* whose ranks tell how far they are; NULL: this rank's share is all that is known */
    bool names_slowest;     /* there are others, and they tell */
};

void progress_begin(struct progress_line *p, double flops, char type, double gemm_gflops);
void progress_step(void *progress, double done);       /* share of this rank's work, 0 to 1; ignored unless running */
void progress_end(struct progress_line *p, bool whole);     /* all is done; else no last word */

/* How far a dry run is that counts for long, or what else `word` says. On a terminal, or in JSON, or in lines; `quiet`: not in
   lines. */
struct counting {
    const char *word;
    int form;
    bool quiet, on_terminal, shown;
    double start, next;         /* seconds */
    double first, first_done;   /* of the first step: its time, and the share that was done by then */
};
struct counting counting_begin(const char *word, int form, bool quiet);
void counting_step(void *counting, double done);
void counting_end(struct counting *c);

#endif
