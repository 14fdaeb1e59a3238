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

/* Room for as many, still to be known; and those of a file. Local. 0, or COMMAND_USAGE and one line: then there
   are none. */
int speeds_create(int ranks, struct speeds *speeds, char text[COMMAND_TEXT]);
int speeds_read(const char *path, int ranks, struct speeds *speeds, char text[COMMAND_TEXT]);

/* ompfact_measure_speeds(), where there is room. Collective. 0, or COMMAND_USAGE and one line, the same on every rank. */
int speeds_measure(ompfact_grid *grid, bool on_devices, struct speeds *speeds, char text[COMMAND_TEXT]);

void speeds_forget(struct speeds *speeds);

/* For people: "30 x 1, 16 x 2". */
void speeds_print(const struct speeds *speeds, FILE *out);

#endif
