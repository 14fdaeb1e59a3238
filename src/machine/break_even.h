/* Up to which rank a tile is cheaper as a product of few columns than dense. */
#ifndef OMPFACT_SRC_MACHINE_BREAK_EVEN_H
#define OMPFACT_SRC_MACHINE_BREAK_EVEN_H

#include "src/grid/grid.h"

/* Tiles that are measured. The rank grows with the order (doc/low-rank.md); on tiles of less than a few hundred rows calls take
   longer than arithmetic, and compressing them is for memory. */
enum { BREAK_EVEN_ORDER = 512 };

/*
 * Collective: the rank up to which an update of three tiles of order nb of that rank is faster than a dense one, each with a
 * single thread: as the first rank finds it in some hundredths of a second, once for each type, and keeps it with the machine's
 * rates (machine_known.h). With the grid's typical_rates an eighth of nb.
 */
ompfact_status break_even_rank(ompfact_grid *grid, char type, int nb, int *rank);

#endif
