/*
 * The columns of a matrix that reside on a rank's devices during a factorization or solve: the multi-level distribution of
 * Song, Dongarra, "A Scalable Framework for Heterogeneous GPU-Based Clusters", SPAA 2012, section 3.1, over any layout. The
 * layout distributes tiles over ranks. Of each tile, the first columns, a share of them, reside on the host, cut into strips.
 * The other columns reside on one of the rank's devices, which are assigned to the rank's tile columns in turn.
 */
#ifndef OMPFACT_SRC_MATRIX_PLACEMENT_H
#define OMPFACT_SRC_MATRIX_PLACEMENT_H

#include "src/matrix/matrix.h"

struct placement {
    struct split *split;        /* [column of tiles in memory] */
    struct residents residents;
    int64_t left;               /* number of tiles that are not resident because device memory is full */
};

/* Bytes that may be allocated on each device: free memory, within the bound of the grid. */
size_t placement_memory(const ompfact_grid *grid);
/* Splits A's tiles on this rank: A->split. operand_bytes: the most bytes of a task's operands beside tiles. Local; false: no
   memory. */
bool placement_create(ompfact_matrix *A, size_t operand_bytes, struct placement *p);
/* Removes the split: all of A is on the host again. */
void placement_destroy(ompfact_matrix *A, struct placement *p);

#endif
