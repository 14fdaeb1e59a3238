/* What is known of the tiles of a matrix that keeps them in forms of their own: omp/tasks/low_rank_tiles.h and single_tiles.h
   have what they are. */
#ifndef OMPFACT_OMP_COMPRESSION_H
#define OMPFACT_OMP_COMPRESSION_H

#include "rma/rma.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A tile, as its owner keeps it. Written by the tasks that write the tile. */
enum { TILE_DENSE = -1, TILE_SINGLE = -2 };    /* TILE_SINGLE: dense, in single precision where the matrix is in double */
struct tile_form {
    const struct compression *how;
    int rank;                   /* columns of U and V; or TILE_DENSE, TILE_SINGLE */
    bool narrow;                /* U and V are in single precision where the matrix is in double */
    int pending;                /* the last ones of these, which have been added since the tile was truncated */
    double left_out;            /* since it was compressed: at most so much, a Frobenius norm */
    size_t touched;             /* bytes of its place that have ever been used: they are memory */
    bool was_single;            /* as it was filled, as TILE_SINGLE or narrow: the same as long as a run lasts */
    double rounded;             /* by computing in single since it was filled: squares of Frobenius norms, added up */
    _Atomic double norm;        /* Frobenius, 0 where not known: of a tile in single that is not final at least its norm, written
                                   by its tasks; of a final one by whoever has found it first, as all find the same */
};

/* How a matrix's tiles are to be kept. */
struct compression {
    double tolerance;           /* what may be left out of a tile as it is compressed, a Frobenius norm, */
    double allowance;           /*   and by all that a factorization adds to it */
    int most;                   /* the largest rank that is kept as such */
    double rounding;            /* what rounding to single may change of a tile as it is filled, a Frobenius norm; 0: no tile is
                                   in single, */
    double roundings;           /*   and the square of what all that a factorization computes in single may add to it */
    int order;                  /* of the tiles that this is meant for, of others it is in proportion; 0: of all the same */
    _Atomic int64_t *left;      /* bytes that this rank may still touch */
    _Atomic int64_t *lost;      /* the first tile that there was no memory for: 2^32 i + j + 1; 0: none */
};

static inline void note_lost_tile(const struct compression *c, int i, int j)
{
    int64_t none = 0;
    atomic_compare_exchange_strong(c->lost, &none, ((int64_t)i << 32) + j + 1);
}

/* Of an m x n tile; what is told of a tile of low rank has its limit, too. */
static inline int largest_rank(const struct compression *c, int m, int n)
{
    int order = m < n ? m : n, most = c->order > 0 ? (int)((int64_t)c->most * order / c->order) : c->most;
    most = most < RMA_ALL / 2 ? most : RMA_ALL / 2 - 1;
    return most < order ? most : order;
}

/* Takes memory for the first so many bytes of the tile's place, as far as it has not before. False: there is none left. */
static inline bool tile_grows(struct tile_form *form, size_t bytes)
{
    _Atomic int64_t *left = form->how->left;
    int64_t more = bytes > form->touched ? (int64_t)(bytes - form->touched) : 0;
    if (atomic_fetch_sub_explicit(left, more, memory_order_relaxed) < more) {
        atomic_fetch_add_explicit(left, more, memory_order_relaxed);
        return false;
    }
    form->touched += (size_t)more;
    return true;
}

#endif
