/* The figures of the machine of a grid's first rank, from files and, where these lack them, from a quick measurement. */
#ifndef OMPFACT_SRC_MACHINE_MACHINE_KNOWN_H
#define OMPFACT_SRC_MACHINE_MACHINE_KNOWN_H

#include "src/grid/grid.h"
#include "src/machine/machine.h"

struct machine_known {
    struct machine machine;
    enum machine_source source;
    char why[MACHINE_TEXT];     /* why figures of --tune are not in use; "": there is no reason to report */
};

/* Local: reads this machine's figures from the user's files; measures and writes nothing. The caller frees the result. NULL: no
   memory. */
struct machine_known *machine_know(const char *blas_kernels);

/* Collective: the figures of the first rank's machine for the whole grid, read at the first call. The grid owns the result. */
ompfact_status machine_of_grid(ompfact_grid *grid, struct machine_known **known);

/*
 * Collective: like machine_of_grid, but on the first rank there are rates of this type for as many threads as its node has cores
 * for its ranks, whatever the grid's threads. If neither --tune nor a run has measured these rates, they are measured now, and
 * kept in the first rank's cache folder for other runs. If the folder cannot be written, the grid alone keeps them, without a
 * message. With the grid's typical_rates nothing is measured.
 */
ompfact_status machine_with_rates(ompfact_grid *grid, char type, struct machine_known **known);

/* Local: the public view of the figures, whose texts and arrays still belong to `known`. */
ompfact_machine machine_view(const struct machine_known *known);

/* Local: keeps the figure here and in the file for other runs. */
void machine_keep_low_rank(struct machine_known *known, struct machine_low_rank low_rank);

#endif
