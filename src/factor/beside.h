/* Memory beside the tiles of a matrix: what pivoting and QR keep and send is an operand of tasks, but no tile. */
#ifndef OMPFACT_SRC_FACTOR_BESIDE_H
#define OMPFACT_SRC_FACTOR_BESIDE_H

#include "src/factor/factor.h"

/* A kind of it. The address of a kind tells its operands from tiles and from other kinds. */
struct beside {
    const char *name;           /* in messages */
    /* The ranks that read it from its owner, as readers_function; NULL: nobody does. */
    int (*readers)(const struct job *job, const struct operand *o, int *ranks);
};

/* An operand of m x n elements that belongs to step or row i of column j. address: all but its `what`; without a window the
   caller fills in `data`. A says who I am and the precision. */
struct operand beside_operand(const struct beside *kind, const ompfact_matrix *A, int i, int j, int m, int n,
                              struct rma_address address);

/* ---- panels in one piece: on devices that factor them ------------------------------------------------------------------- */

/* Memory for the stack on the grid's devices, if they factor panels; not where it would be more than a quarter of theirs, or the
   host has half of the columns: then panels stay the host's. Local. */
ompfact_status panel_on_devices(ompfact_grid *grid, const struct precision *precision, struct row_stack *stack);
void panel_off_devices(ompfact_grid *grid, struct row_stack *stack);
/* Where panel k is factored: where most of its columns live, if there is a stack. During a run. stack: may be NULL. */
int panel_device(const ompfact_matrix *A, const struct row_stack *stack, int k);
/* Of the highest panel that devices may factor, 0: they factor none. */
int panel_rows(const struct row_stack *stack);

#endif
