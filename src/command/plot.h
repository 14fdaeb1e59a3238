/* --plot: a layout as a picture, in SVG: the pattern, the matrix, what each rank has to do, and the numbers. Local. */
#ifndef OMPFACT_SRC_COMMAND_PLOT_H
#define OMPFACT_SRC_COMMAND_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "layouts/layout.h"

struct plot {
    const char *routine;
    int64_t m, n, nb;
    enum layout_algorithm algorithm;
    bool as_lu;                         /* transfers and flops are those of LU: of the routine the layout alone does not tell */
    const struct pattern *pattern;
    const struct layout *layout;        /* NULL: the matrix has no tile */
    int devices;                        /* of each rank */
    double host_share;                  /* of the columns of a tile, where there are devices; NAN: not known */
    bool mirrored;                      /* tile (i,j) of the matrix is (j,i) of the layout, which is square */
};

/* Returns 0, or 1 where there is no memory. Whether the file took it is for the caller to ask. */
int plot_write(const struct plot *plot, FILE *out);

#endif
