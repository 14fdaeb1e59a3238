/* Up to which rank a tile is cheaper as a product of few columns than dense. */
#ifndef OMPFACT_SRC_MACHINE_BREAK_EVEN_H
#define OMPFACT_SRC_MACHINE_BREAK_EVEN_H

#include "src/grid/grid.h"

/* The largest tile that is measured; of larger ones the rank grows with the order. */
enum { BREAK_EVEN_ORDER = 512 };

/*
 * Collective: the rank up to which an update of three tiles of order nb of that rank is faster than a dense one, each with a
 * single thread: as the first rank finds it in some hundredths of a second, once for each type and order, and keeps it with the
 * machine's rates (machine_known.h). With the grid's typical_rates a tenth of nb.
 */
ompfact_status break_even_rank(ompfact_grid *grid, char type, int nb, int *rank);

#endif
