/* ScaLAPACK's block-cyclic arrays: descriptors, and the places of a sub-matrix's elements. The code does not use BLACS. */
#ifndef OMPFACT_SRC_MOVE_BLOCK_CYCLIC_H
#define OMPFACT_SRC_MOVE_BLOCK_CYCLIC_H

#include "src/matrix/matrix.h"

/* Rows or columns of an array, counted from the first one of a sub-matrix. */
struct cyclic {
    int64_t offset;     /* offset of the sub-matrix in the array */
    int block;          /* MB_ or NB_ */
    int source;         /* RSRC_ or CSRC_: the process row or column that has the array's first block */
    int processes;      /* process rows or columns */
};

/* For index i of the sub-matrix: the first index after its block, the process row or column that has i, and the index of i in
   that process's array. */
static inline int64_t cyclic_end(const struct cyclic *c, int64_t i)
{
    return ((c->offset + i) / c->block + 1) * c->block - c->offset;
}
static inline int cyclic_process(const struct cyclic *c, int64_t i)
{
    return (int)(((c->offset + i) / c->block + c->source) % c->processes);
}
static inline int64_t cyclic_local(const struct cyclic *c, int64_t i)
{
    int64_t g = c->offset + i;
    return g / c->block / c->processes * c->block + g % c->block;
}

struct block_cyclic {
    struct cyclic rows, cols;
    int *rank;          /* nprow x npcol, row by row */
    int64_t lld;        /* LLD_ on this rank */
};

/*
 * Makes a description of the caller's array, which must have room for A. Every rank checks the description, and all ranks compare
 * it. Collective. `local` is this rank's part. The caller destroys *b, after an error, too.
 */
ompfact_status block_cyclic_create(struct block_cyclic *b, ompfact_matrix *A, const ompfact_scalapack *s, const void *local);
void block_cyclic_destroy(struct block_cyclic *b);

#endif
