/* The forms of the tiles of a matrix whose tiles have forms: see omp/tasks/low_rank_tiles.h and single_tiles.h. */
#ifndef OMPFACT_OMP_COMPRESSION_H
#define OMPFACT_OMP_COMPRESSION_H

#include "omp/kernels/kernels.h"
#include "rma/rma.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The precision of a tile of a matrix in double; a later one is narrower. */
enum tile_precision { IN_DOUBLE, IN_SINGLE, IN_BF16 };

/* The form of a tile, as its owner stores it. Tasks that write the tile write the form. TILE_SINGLE and TILE_BF16: dense, in
   single precision and in bfloat16 in a matrix in double. */
enum { TILE_DENSE = -1, TILE_SINGLE = -2, TILE_BF16 = -3 };
struct tile_form {
    const struct compression *how;
    int rank;                   /* columns of U and V, or TILE_DENSE, TILE_SINGLE or TILE_BF16 */
    bool narrow;                /* U and V are in single precision in a matrix in double */
    int pending;                /* number of the last columns of U and V, which were added since the tile was truncated */
    double left_out;            /* bound for the Frobenius norm of everything that was left out since the tile was compressed */
    size_t touched;             /* bytes of the tile's place that have ever been used, and so are resident */
    enum tile_precision filled; /* the precision of the tile when it was filled; constant during a run */
    double rounded;             /* sum of the squares of the Frobenius norms of the errors by narrower precisions since the
                                   tile was filled */
    /* The Frobenius norm of the tile; 0: unknown. Of a narrow tile that is not final it is an upper bound, written by the
       tile's tasks. Of a final tile the first task that needs the norm computes and writes it; all compute the same value. */
    _Atomic double norm;
};

/* The rules for the forms of a matrix's tiles. */
struct compression {
    double tolerance;           /* bound for the Frobenius norm of what the compression of a tile leaves out */
    double allowance;           /* bound for what a factorization leaves out of a tile after that */
    int most;                   /* the largest rank that is stored as U and V */
    double rounding;            /* bound for the Frobenius norm of the change when a tile is rounded; 0: all tiles are in
                                   double */
    double roundings;           /* bound for the square of the errors that a factorization adds to a tile by rounding */
    int order;                  /* order of the tiles for which the bounds hold, in proportion for others; 0: they hold for all */
    _Atomic int64_t *left;      /* bytes that this rank may still use */
    _Atomic int64_t *lost;      /* the first tile for which there was no memory: 2^32 i + j + 1; 0: none */
};

static inline enum tile_precision form_precision(const struct tile_form *form)
{
    return form->rank == TILE_BF16 ? IN_BF16 : form->rank == TILE_SINGLE || form->narrow ? IN_SINGLE : IN_DOUBLE;
}

/* The precision of a narrow tile of a matrix in double. */
static inline const struct precision *precision_narrowed(const struct precision *wide, enum tile_precision kept)
{
    return kept == IN_DOUBLE ? wide : kept == IN_SINGLE ? precision_of(wide->other) : bf16_of(wide);
}

/* The rank in the form of a dense tile. */
static inline int dense_in(enum tile_precision precision)
{
    return precision == IN_DOUBLE ? TILE_DENSE : precision == IN_SINGLE ? TILE_SINGLE : TILE_BF16;
}

static inline void note_lost_tile(const struct compression *c, int i, int j)
{
    int64_t none = 0;
    atomic_compare_exchange_strong(c->lost, &none, ((int64_t)i << 32) + j + 1);
}

/* The largest rank of an m x n tile. The size in the flag of a tile of low rank has a limit, too. */
static inline int largest_rank(const struct compression *c, int m, int n)
{
    int order = m < n ? m : n, most = c->order > 0 ? (int)((int64_t)c->most * order / c->order) : c->most;
    most = most < RMA_ALL_QUARTERED / 2 ? most : RMA_ALL_QUARTERED / 2 - 1;
    return most < order ? most : order;
}

/* The number of elements for which the place of an m x n tile has room at least. Since ranks are limited in proportion to a
   tile's order, dense tiles may need more than those of the largest rank. */
static inline size_t tile_room(const struct compression *c, int m, int n)
{
    size_t dense = (size_t)m * (size_t)n, low = (size_t)largest_rank(c, m, n) * (size_t)(m + n);
    return dense > low ? dense : low;
}

/* Takes memory for the first bytes of the tile's place, unless it has them. False: there is none left. */
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
