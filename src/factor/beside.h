/* Memory beside the tiles of a matrix: the data of pivoting and QR are operands of tasks, but no tiles. */
#ifndef OMPFACT_SRC_FACTOR_BESIDE_H
#define OMPFACT_SRC_FACTOR_BESIDE_H

#include "src/factor/factor.h"

/* A kind of such data. The address of a kind distinguishes its operands from tiles and other kinds. */
struct beside {
    const char *name;           /* name for messages */
    /* Its readers, as in readers_function; NULL: none. */
    int (*readers)(const struct job *job, const struct operand *o, int *ranks);
};

/* An operand of m x n elements for step or row i of column j. address: all members but `what`; without a window the caller
   sets `data`. A gives the rank and the precision. */
struct operand beside_operand(const struct beside *kind, const ompfact_matrix *A, int i, int j, int m, int n,
                              struct rma_address address);

/* ---- panels in one piece: on devices that factor them ------------------------------------------------------------------- */

/* Allocates the stack on the grid's devices if they factor panels. They do not if the stack would take more than a quarter of
   their memory, or if the host has half of the columns. Local. */
ompfact_status panel_on_devices(ompfact_grid *grid, const struct precision *precision, struct row_stack *stack);
void panel_off_devices(ompfact_grid *grid, struct row_stack *stack);
/* The device that factors panel k: the one with most of its columns, if there is a stack. During a run. stack may be NULL. */
int panel_device(const ompfact_matrix *A, const struct row_stack *stack, int k);
/* Rows of the highest panel that devices may factor; 0: they factor none. */
int panel_rows(const struct row_stack *stack);

#endif
