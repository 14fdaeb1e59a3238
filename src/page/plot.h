/* --plot: a layout as a picture, in SVG: the pattern, the matrix, the work of each rank, and the numbers. Local. */
#ifndef OMPFACT_SRC_PAGE_PLOT_H
#define OMPFACT_SRC_PAGE_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "src/ompfact_plan.h"

struct plot {
    const char *routine;
    int64_t m, n, nb;
    bool cholesky;
    bool as_lu;                         /* transfers and flops are those of LU: those that the layout alone gives for the
                                           routine */
    int layers;                         /* of a matrix in copies, otherwise 1 */
    const ompfact_pattern *pattern;     /* of each layer */
    const ompfact_layout_counts *counts;
    const ompfact_share *share;         /* of each rank */
    int mt, nt;                         /* 0: the matrix has no tile */
    const int *precisions;              /* of tiles, as ompfact_precision_map() has them; NULL: all are in one */
    int (*owner)(const void *context, int layer, int i, int j);     /* of tile (i,j); -1: not stored */
    const void *context;
    int devices;                        /* of each rank */
    double host_share;                  /* of the columns of a tile, with devices; NAN: not known */
    bool mirrored;                      /* the pattern for (i,j) is that of tile (j,i), mt = nt */
};

/* Returns 0, or 1 if there is no memory. The caller checks the file for errors. */
int plot_write(const struct plot *plot, FILE *out);

#endif
