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

#endif
