/* The rank up to which a tile is cheaper as a product of two narrow factors than dense. */
#ifndef OMPFACT_SRC_MACHINE_BREAK_EVEN_H
#define OMPFACT_SRC_MACHINE_BREAK_EVEN_H

#include "src/grid/grid.h"

/* The order of the measured tiles. The rank grows with the order (doc/low-rank.md). On tiles of less than a few hundred rows
   calls take longer than arithmetic, so compression only saves memory. */
enum { BREAK_EVEN_ORDER = 512 };

/*
 * Collective: the rank up to which an update of three tiles of order nb is faster in compressed form than dense, each on a single
 * thread. The first rank measures it in some hundredths of a second, once for each type, and keeps it with the machine's rates
 * (machine_known.h). With the grid's typical_rates the result is an eighth of nb.
 */
ompfact_status break_even_rank(ompfact_grid *grid, char type, int nb, int *rank);

#endif
