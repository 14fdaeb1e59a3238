/*
 * Tiles in the order in which products read them, and the arithmetic on such tiles.
 *
 * A packed tile is cut into strips of rows, each with 64 bytes of real numbers in a column. This is the same on all
 * processors, so that ranks on different processors can exchange tiles. A strip is stored column by column; for complex
 * numbers the real parts come first, then the imaginary ones. The last strip has the remaining rows. So a packed tile has as
 * many bytes as any other, without padding, and can replace the tile in its place:
 *
 *     m x n doubles    rows 0 .. 7:   a_00 a_10 .. a_70   a_01 a_11 .. a_71   ..    from P on
 *                      rows 8 .. 15:  a_80 ..                                       from P + 8 n on
 *
 * A packed tile may be the left factor of A B, with a column-major B, or either factor of A B^H. Micro-kernels multiply a few
 * strips of A and columns of B at once. There is one file for each kind of processor, and all of them use one body in C with
 * vectors of different width.
 */
#ifndef OMPFACT_OMP_KERNELS_MICRO_PACKED_H
#define OMPFACT_OMP_KERNELS_MICRO_PACKED_H

#include "omp/kernels/letters.h"

#include <stdbool.h>
#include <stddef.h>

/* Element (i,j) is data[i * rs + j * cs], or its conjugate; rs or cs is 1. */
struct view {
    void *data;
    ptrdiff_t rs, cs;
    bool conjugate;
};

/* op(A), A column-major. */
static inline struct view view_of_op(enum trans trans, const void *A, int ld)
{
    bool turned = trans != NO_TRANS;
    return (struct view){ (void *)A, turned ? ld : 1, turned ? 1 : ld, trans == CONJ_TRANS };
}

/* The upper triangle of a view of n x n elements. */
struct triangle {
    struct view view;
    enum diag diag;
};

/* How X is made of Y, and the order of B's columns: B P has B's column order[j] as column j. X's column j is Y's column from[2
   j] times weights[2 j], plus, if from[2 j + 1] >= 0, that column times weights[2 j + 1]. */
struct pivoted_columns {
    const int *order, *from;
    const void *weights;        /* elements of the tile's type */
};

/* The result of rook pivoting: P and D of P A P^H = L D L^H (signed_block.h), without D's diagonal. Arrays have the length of
   A's order. */
struct rook_pivots {
    bool symmetric;             /* ^H is ^T */
    double threshold;           /* a pivot of order 1 with a smaller modulus is replaced by one of this modulus with its sign
                                   or phase */
    int *order;                 /* row i of L is row order[i] of A */
    int *pair;                  /* 0: a block of order 1; 1, 2: the first or second row of a block of order 2 */
    void *below;                /* element (1,0) of a block of order 2 is below[first row] */
    double largest;             /* largest modulus in D's blocks, and number of pivots that were too small; both are updated */
    int perturbed;
};

struct packed_kernels {
    /* P = A, m x n; and the inverse. */
    void (*pack)(int m, int n, struct view A, void *P);
    void (*unpack)(int m, int n, const void *P, struct view A);
    /* Q = P(:, first : first + count - 1)^H, P m x n, both packed. */
    void (*turn)(int m, int n, int first, int count, const void *P, void *Q);
    /* C += alpha A B, A m x k packed, B k x n with ldb > 0; or ldb = 0 and B n x k packed: C += alpha A B^H. */
    void (*gemm)(int m, int n, int k, double alpha, const void *A, const void *B, int ldb, void *C, int ldc);
    /* C -= A A^H on one triangle of the n x n matrix C, A n x k packed. */
    void (*herk)(enum uplo uplo, int n, int k, const void *A, void *C, int ldc);
    /* With signs J, of which the first `negative` are -1 and the others 1: C -= A J op(B), B n x k packed, and C -= A J op(A)
       on one triangle; op is CONJ_TRANS or TRANS. */
    void (*signed_gemm)(enum trans trans, int m, int n, int k, int negative, const void *A, const void *B, void *C, int ldc);
    void (*signed_herk)(enum uplo uplo, enum trans trans, int n, int k, int negative, const void *A, void *C, int ldc);
    /* X T = B, m x n, in `work`, of solve_bytes(m, n) bytes. Then X is packed to P, which may be where B is, or stored in a
       view. */
    size_t (*solve_bytes)(int m, int n);
    void (*solve)(int m, int n, struct triangle T, struct view B, void *work, void *P, struct view X);
    /* Y T = B P and X from Y, m x n, in `work`, of solve_pivoted_bytes(m, n) bytes. Then X is packed to P, which may be where B
       is. */
    size_t (*solve_pivoted_bytes)(int m, int n);
    void (*solve_pivoted)(int m, int n, struct triangle T, struct view B, const struct pivoted_columns *c, void *work, void *P);
    /* A = L L^H of order n in the lower triangle of a view, like kernels.h's potrf. */
    size_t (*potrf_bytes)(int n);
    int (*potrf)(int n, struct view A, void *work);
    /* A = L U of order n without pivoting, like kernels.h's getrf; A column-major. */
    size_t (*getrf_bytes)(int n);
    int (*getrf)(int n, void *A, int lda, void *work);
    /* P A P^H = L D L^H of order n in the lower triangle of a view, which becomes L with D's diagonal on its diagonal. */
    size_t (*rook_bytes)(int n);
    void (*rook)(int n, struct view A, struct rook_pivots *pivots, void *work);
};

/* The fastest kernels for this processor. */
const struct packed_kernels *packed_kernels_of(char type);
/* All kernels that this processor can run, for tests: i = 0, 1, ...; NULL: there are no more. */
const struct packed_kernels *packed_kernels_number(int i, char type);

#endif
