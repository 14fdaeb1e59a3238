/* How fast the ranks are, from a file or measured: --speeds. */
#ifndef OMPFACT_SRC_COMMAND_SPEEDS_H
#define OMPFACT_SRC_COMMAND_SPEEDS_H

#include "src/command/refuse.h"
#include "src/ompfact.h"

#include <stdio.h>

/* Zero-initialised, there are none: all ranks are taken for equal. */
struct speeds {
    int count;
    double *speed;      /* of each rank */
    bool measured;
    double spread;      /* of what was measured: what differs by less was made equal */
};

/* From a file, one positive number a line. Local. Returns 0, or COMMAND_USAGE and one line in text. */
int speeds_read(const char *path, int ranks, struct speeds *speeds, char text[COMMAND_TEXT]);

/* What the first rank has, on every rank. Collective. Returns 0, or COMMAND_USAGE and one line in text,
   on each rank for itself; the ranks that fail have none. */
int speeds_share(ompfact_grid *grid, struct speeds *speeds, char text[COMMAND_TEXT]);

/* GEMM's rate of every rank while all of them compute, with the grid's threads and, `on_devices`, devices. Takes half a second.
   Collective. Returns 0, or COMMAND_USAGE and one line in text, the same on every rank. */
int speeds_measure(ompfact_grid *grid, bool on_devices, struct speeds *speeds, char text[COMMAND_TEXT]);

/* Rates as speeds: those within `spread` of the slowest of a group become the group's mean, the slowest group's is 1, the others
   are multiples of 1/20. */
void speeds_round(double *rate, int ranks, double spread);

void speeds_forget(struct speeds *speeds);

/* For people: "30 x 1, 16 x 2". */
void speeds_print(const struct speeds *speeds, FILE *out);

#endif
