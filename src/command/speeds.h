/* The speeds of the ranks, from a file or measured: --speeds. */
#ifndef OMPFACT_SRC_COMMAND_SPEEDS_H
#define OMPFACT_SRC_COMMAND_SPEEDS_H

#include "src/command/refuse.h"
#include "src/ompfact.h"

#include <stdio.h>

/* Zero-initialised: no speeds, all ranks are equal. */
struct speeds {
    int count;
    double *speed;      /* of each rank */
    bool measured;
    double spread;      /* of measured speeds: smaller differences were removed */
};

/* Allocates room for speeds of so many ranks, and reads those of a file. Local. 0, or COMMAND_USAGE and one line: then there are
   none. */
int speeds_create(int ranks, struct speeds *speeds, char text[COMMAND_TEXT]);
int speeds_read(const char *path, int ranks, struct speeds *speeds, char text[COMMAND_TEXT]);

/* ompfact_measure_speeds(), if there is room for speeds. Collective. 0, or COMMAND_USAGE and one line, the same on every rank. */
int speeds_measure(ompfact_grid *grid, bool on_devices, struct speeds *speeds, char text[COMMAND_TEXT]);

void speeds_forget(struct speeds *speeds);

/* Text for people: "30 x 1, 16 x 2". */
void speeds_print(const struct speeds *speeds, FILE *out);

#endif
