#include "omp/kernels/packed_tile.h"
#include "omp/kernels/bf16.h"
#include "omp/kernels/extremes.h"
#include "omp/kernels/workspace.h"

#include <string.h>

enum {
    DEEP = 384, PIECE_BYTES = 384 << 10,        /* size of a piece of A: less than half of a second-level cache */
    LONG_BYTES = 528 << 10,                     /* workspace of kernels_inner.h: the most that a kernel needs, for any tile */
};

size_t packed_workspace(const struct precision *precision, int m, int n)
{
    const struct packed_kernels *k = packed_kernels_of(precision->type);
    int order = smaller(smaller(m, n), PACKED_ORDER);
    size_t solve = larger_size(k->solve_bytes(m, n), k->solve_bytes(n, m));
    return larger_size(larger_size(solve, k->getrf_bytes(order)), LONG_BYTES);
}

bool is_forward(enum side side, enum uplo uplo, enum trans trans)
{
    bool op_upper = (uplo == UPPER) == (trans == NO_TRANS);
    return op_upper == (side == RIGHT);
}

/* op(A) X = B is X^H op(A)^H = B^H, and without conjugates X^T op(A)^T = B^T. */
int packed_trsm(const struct precision *precision, enum side side, enum trans trans, enum diag diag, int m, int n, const void *A,
                int lda, void *B, int ldb, bool packed)
{
    const struct packed_kernels *k = packed_kernels_of(precision->type);
    bool left = side == LEFT;
    int rows = left ? n : m, order = left ? m : n;
    enum trans turned = trans == TRANS ? TRANS : CONJ_TRANS;
    struct triangle T = { view_of_op((trans != NO_TRANS) != left ? turned : NO_TRANS, A, lda), diag };
    struct view view = view_of_op(left ? turned : NO_TRANS, B, ldb);
    void *work = workspace_take(k->solve_bytes(rows, order));
    if (work == NULL)
        return 1;
    k->solve(rows, order, T, view, work, packed ? B : NULL, view);
    workspace_give(work);
    return 0;
}

int packing_gemm(const struct precision *precision, enum trans transa, int m, int n, int k, double alpha, const void *A, int lda,
                 const void *B, int ldb, void *C, int ldc)
{
    const struct packed_kernels *kernels = packed_kernels_of(precision->type);
    struct view view = view_of_op(transa, A, lda);
    size_t size = precision->size;
    int pieces = (k + DEEP - 1) / DEEP, deep = pieces > 0 ? (k + pieces - 1) / pieces : 0;
    char *work = workspace_take(PIECE_BYTES);
    if (work == NULL)
        return 1;
    for (int l = 0; l < k; l += deep) {
        int count = smaller(deep, k - l), high = PIECE_BYTES / (int)size / count / 48 * 48;
        for (int i = 0; i < m; i += high) {
            int rows = smaller(high, m - i);
            struct view piece = view;
            piece.data = (char *)view.data + (size_t)(i * view.rs + l * view.cs) * size;
            kernels->pack(rows, count, piece, work);
            kernels->gemm(rows, n, count, alpha, work, (const char *)B + (size_t)l * size, ldb, (char *)C + (size_t)i * size,
                          ldc);
        }
    }
    workspace_give(work);
    return 0;
}

/* The number of rows of a piece, of k numbers each. */
static int piece_rows(size_t size, int k)
{
    enum { STRIPS = 48 };
    int rows = PIECE_BYTES / (int)size / (k > 0 ? k : 1) / STRIPS * STRIPS;
    return rows > STRIPS ? rows : STRIPS;
}

int packing_gemm_beside(const struct precision *precision, enum side side, int m, int n, int k, double alpha, struct view rows,
                        const void *packed, void *C, int ldc)
{
    const struct packed_kernels *kernels = packed_kernels_of(precision->type);
    const size_t size = precision->size;
    const int high = piece_rows(size, k), all = side == LEFT ? m : n;
    void *work = workspace_take((size_t)high * (size_t)k * size);
    if (work == NULL)
        return 1;
    for (int i = 0; i < all; i += high) {
        int count = smaller(high, all - i);
        struct view piece = rows;
        piece.data = (char *)rows.data + (ptrdiff_t)size * i * rows.rs;
        kernels->pack(count, k, piece, work);
        if (side == LEFT)
            kernels->gemm(count, n, k, alpha, work, packed, 0, (char *)C + (size_t)i * size, ldc);
        else
            kernels->gemm(m, count, k, alpha, packed, work, 0, (char *)C + (size_t)i * (size_t)ldc * size, ldc);
    }
    workspace_give(work);
    return 0;
}

/* Transposes so many columns of A at a time that their conjugate transpose is still in the cache when it is multiplied. */
int packed_gemm_inner(const struct precision *precision, int m, int n, int k, const void *A, const void *B, int ldb, void *C,
                      int ldc)
{
    enum { HIGH = 144 };
    const struct packed_kernels *kernels = packed_kernels_of(precision->type);
    void *turned = workspace_take((size_t)smaller(HIGH, m) * (size_t)k * precision->size);
    if (turned == NULL)
        return 1;
    for (int i = 0; i < m; i += HIGH) {
        int rows = smaller(HIGH, m - i);
        kernels->turn(k, m, i, rows, A, turned);
        kernels->gemm(rows, n, k, 1, turned, B, ldb, (char *)C + (size_t)i * precision->size, ldc);
    }
    workspace_give(turned);
    return 0;
}

int unpack_in_place(const struct packed_tile *tile)
{
    if (is_bf16(tile->precision))
        return bf16_unpack(tile, tile->rows.data);
    size_t bytes = (size_t)tile->m * (size_t)tile->n * tile->precision->size;
    void *copy = workspace_take(bytes);
    if (copy == NULL)
        return 1;
    memcpy(copy, tile->rows.data, bytes);
    packed_kernels_of(tile->precision->type)->unpack(tile->m, tile->n, copy, tile->rows);
    workspace_give(copy);
    return 0;
}
