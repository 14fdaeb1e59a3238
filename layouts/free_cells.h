/* Free diagonal cells of a pattern over the nt x nt tiles of a symmetric matrix. */
#ifndef OMPFACT_LAYOUTS_FREE_CELLS_H
#define OMPFACT_LAYOUTS_FREE_CELLS_H

#include "layouts/layout.h"

struct free_tile {
    int64_t work;       /* work of the tile and of all tiles that repeat it */
    int i, j;
};

/* The free tiles, i >= j, among the leading n x n tiles; n = nt or a multiple of the pattern's size, which repeat over the
   matrix. The heaviest come first, and from the top if weights are equal. The caller frees them; NULL without memory. */
struct free_tile *list_free_tiles(const struct pattern *pattern, int n, int nt, int *count);

/* The rank with the least work among those of colrow d of the pattern, the lowest among equals; LAYOUT_FREE if the colrow has
   no rank. */
int least_loaded_of_colrow(const struct pattern *pattern, int d, const int64_t *work);

/* The owners of these n x n tiles, row by row; each free tile is given to the least loaded rank of its colrow. The caller frees
   them; NULL without memory. */
int *assign_free_tiles(const struct pattern *pattern, int n, int nt);

#endif
