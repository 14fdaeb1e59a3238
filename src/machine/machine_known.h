/* What is known of the machine that a grid's first rank is on, from files and, where these lack it, from a quick measurement. */
#ifndef OMPFACT_SRC_MACHINE_MACHINE_KNOWN_H
#define OMPFACT_SRC_MACHINE_MACHINE_KNOWN_H

#include "src/grid/grid.h"
#include "src/machine/machine.h"

struct machine_known {
    struct machine machine;
    enum machine_source source;
    char why[MACHINE_TEXT];     /* why nothing that --tune has measured is in use; "": there is nothing */
};

/* Local: what the user's files have of this machine; measures and writes nothing. The caller frees it. NULL: no memory. */
struct machine_known *machine_know(const char *blas_kernels);

/* Collective: the same for the first rank's machine, for the whole grid; read at the first call. The grid owns the result. */
ompfact_status machine_of_grid(ompfact_grid *grid, struct machine_known **known);

/*
 * Collective: and there are rates of this type, on the first rank, for as many threads as its node has cores for its ranks,
 * however many the grid has. Where --tune has not measured this machine, nor a run before this one those rates, they are measured
 * now, and kept in the first rank's cache folder for other runs; where that cannot be written they are kept in the grid alone,
 * and nothing is said. With the grid's typical_rates nothing is measured.
 */
ompfact_status machine_with_rates(ompfact_grid *grid, char type, struct machine_known **known);

/* Local: what callers see of it; it borrows all that is not a number. */
ompfact_machine machine_view(const struct machine_known *known);

/* Local: keeps it with what else is known, and for other runs. */
void machine_keep_low_rank(struct machine_known *known, struct machine_low_rank low_rank);

#endif
