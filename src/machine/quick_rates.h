/* Measures rates of the kernels in less than half a second, for a run that finds none. */
#ifndef OMPFACT_SRC_MACHINE_QUICK_RATES_H
#define OMPFACT_SRC_MACHINE_QUICK_RATES_H

#include "src/grid/grid.h"
#include "src/machine/machine.h"

/*
 * Collective. Adds rates of all kernels in one type at a few tile sizes to the first rank's *machine, for `busy` threads; 0:
 * nothing is done. Either as many ranks of its node as have `busy` threads together, or one rank with `busy` threads of its own,
 * measure at once, while the others sleep. Only the first rank's `busy` and `machine` are read. Where memory is short nothing is
 * added.
 */
ompfact_status quick_rates(ompfact_grid *grid, char type, int busy, struct machine *machine);

#endif
