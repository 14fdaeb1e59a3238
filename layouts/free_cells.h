/*
 * Free diagonal cells of a pattern, laid over nt x nt tiles of a symmetric matrix.
 */
#ifndef OMPFACT_LAYOUTS_FREE_CELLS_H
#define OMPFACT_LAYOUTS_FREE_CELLS_H

#include "layouts/layout.h"

struct free_tile {
    int64_t work;       /* on it, and on all that repeat it */
    int i, j;
};

/* Of the leading n x n tiles, n = nt or a multiple of the pattern's size, which repeat over the matrix: those that the pattern
   leaves free, i >= j, heaviest first and from the top where they weigh the same. The caller frees them; NULL where there is no
   memory. */
struct free_tile *list_free_tiles(const struct pattern *pattern, int n, int nt, int *count);

/* The rank with the least work among those of colrow d of the pattern, the lowest where equal;
   LAYOUT_FREE where it names none. */
int least_loaded_of_colrow(const struct pattern *pattern, int d, const int64_t *work);

/* The owners of these n x n tiles, row by row, each free one given to the least loaded rank of its colrow. The caller frees them;
   NULL where there is no memory. */
int *give_free_tiles(const struct pattern *pattern, int n, int nt);

#endif
