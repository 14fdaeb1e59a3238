/* Rates of the kernels in less than half a second: what a run measures that finds none. */
#ifndef OMPFACT_SRC_MACHINE_QUICK_RATES_H
#define OMPFACT_SRC_MACHINE_QUICK_RATES_H

#include "src/grid/grid.h"
#include "src/machine/machine.h"

/*
 * Collective. Adds rates of all kernels in one type over a few tile sizes to the first rank's *machine, as those of `busy`
 * threads; 0: nothing is done. As many ranks of its node as have so many threads together, or one rank with so many of its own,
 * measure all at once, while the others sleep. `busy` and the machine are looked at on the first rank alone. Adds nothing where
 * memory is short.
 */
ompfact_status quick_rates(ompfact_grid *grid, char type, int busy, struct machine *machine);

#endif
