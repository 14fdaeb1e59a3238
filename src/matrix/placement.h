/*
 * Which columns of a matrix live on a rank's devices while it is factored, or solved for: the multi-level
 * distribution of Song, Dongarra, "A Scalable Framework for Heterogeneous GPU-Based Clusters", SPAA 2012, section 3.1, over any
 * layout. The layout gives tiles to ranks; of each tile the first columns, a share of them, live on the host, cut into strips,
 * and the others on one of the rank's devices, which take turns at the tile columns that the rank has.
 */
#ifndef OMPFACT_SRC_MATRIX_PLACEMENT_H
#define OMPFACT_SRC_MATRIX_PLACEMENT_H

#include "src/matrix/matrix.h"

struct placement {
    struct split *split;        /* [column of tiles, as memory has them] */
    struct residents residents;
    int64_t left;               /* tiles that are none, since device memory is full */
};

/* What may be allocated of each device: what is free, and within the bound that the grid was given. */
size_t placement_memory(const ompfact_grid *grid);
/* Splits A's tiles on this rank: A->split. operand_bytes: the most that a task has beside tiles. Local; false: no memory. */
bool placement_create(ompfact_matrix *A, size_t operand_bytes, struct placement *p);
/* All of A is on the host again. */
void placement_destroy(ompfact_matrix *A, struct placement *p);

#endif
