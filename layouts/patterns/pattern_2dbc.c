/*
 * 2DBC, the two-dimensional block cyclic distribution of ScaLAPACK: one cell for each rank, row by row.
 */
#include "layouts/layout.h"

struct pattern *pattern_2dbc(int nprow, int npcol)
{
    int64_t ranks = (int64_t)nprow * npcol;
    struct pattern *pattern = ranks <= INT32_MAX ? pattern_alloc((int)ranks, nprow, npcol) : NULL;
    if (pattern == NULL)
        return NULL;

    snprintf(pattern->name, sizeof pattern->name, "2dbc:%dx%d", nprow, npcol);
    for (int rank = 0; rank < pattern->ranks; rank++)
        pattern->cell[rank] = rank;
    return pattern;
}
