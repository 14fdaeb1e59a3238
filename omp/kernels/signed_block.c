/* Hermitian and symmetric tiles factored with signs. */
#include "omp/kernels/signed_block.h"
#include "omp/kernels/micro/packed.h"
#include "omp/kernels/workspace.h"

#include <complex.h>
#include <float.h>
#include <string.h>
#include <tgmath.h>

size_t signed_block_bytes(int n, size_t size)
{
    return sizeof(struct signed_block) + (size_t)n * (3 * size + 3 * sizeof(int));
}

/* Kernels of the four precisions, by type_index(). */
struct signed_kernels {
    void (*take_roots)(const void *A, int lda, struct signed_block *b);
    void (*scale_rows)(const struct signed_block *b, bool conjugate, int columns, void *T);
    void (*scale_columns)(const struct signed_block *b, bool inverse, int rows, void *T);
    void (*weigh)(const struct signed_block *b, int *from, void *weights);
    void (*negate)(int m, int n, void *A, int lda);
    void (*unit_lower)(enum uplo uplo, int n, const void *A, int lda, void *T);
};

#define BODY "omp/kernels/signed_block_body.h"
#include "omp/kernels/each_precision.h"

#define PRECISION_c
#define SYMMETRIC
#include "omp/kernels/precision_on.h"
#include "omp/kernels/signed_block_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_z
#define SYMMETRIC
#include "omp/kernels/precision_on.h"
#include "omp/kernels/signed_block_body.h"
#include "omp/kernels/precision_off.h"

static const struct signed_kernels *kernels_of(const struct precision *precision, const struct signed_block *b)
{
    static const struct signed_kernels *const kernels[2][TYPES] = {
        { [TYPE_S] = &s_signed, [TYPE_D] = &d_signed, [TYPE_C] = &c_signed, [TYPE_Z] = &z_signed },
        { [TYPE_S] = &s_signed, [TYPE_D] = &d_signed, [TYPE_C] = &csy_signed, [TYPE_Z] = &zsy_signed },
    };
    return kernels[b->symmetric][type_index(precision->type)];
}

int signed_factor(const struct precision *precision, bool symmetric, enum uplo uplo, int n, void *A, int lda, double threshold,
                  struct signed_block *b)
{
    const struct packed_kernels *k = packed_kernels_of(precision->type);
    void *work = workspace_take(k->rook_bytes(n) + 1);
    if (work == NULL)
        return 1;
    *b = (struct signed_block){ .n = n, .symmetric = symmetric, .smallest = INFINITY };
    struct rook_pivots pivots = { symmetric, threshold, signed_order(b, precision->size), signed_pair(b, precision->size),
                                  signed_pivots(b), 0, 0 };
    k->rook(n, view_of_op(uplo == LOWER ? NO_TRANS : signed_adjoint(b), A, lda), &pivots, work);
    b->perturbed = pivots.perturbed;
    b->largest = pivots.largest;
    kernels_of(precision, b)->take_roots(A, lda, b);
    workspace_give(work);
    return 0;
}

/* ---- solves ---------------------------------------------------------------------------------------------------------------- */

/* op(L) as stored in memory. */
static enum trans of_lower(const struct signed_block *b, enum uplo uplo, enum trans trans)
{
    return (uplo == LOWER) == (trans == NO_TRANS) ? NO_TRANS : signed_adjoint(b);
}

/* S^H g^-1 L^-1 P B, and with `signs` J times that. */
static void solve_rows(const struct precision *p, enum uplo uplo, bool signs, int n, const void *A, int lda,
                       const struct signed_block *b, void *B, int ldb, void *T)
{
    int order = b->n;
    p->kernels->copy_rows(order, n, signed_order(b, p->size), B, ldb, NULL, T, order);
    p->kernels->trsm(LEFT, uplo, of_lower(b, uplo, NO_TRANS), UNIT, order, n, A, lda, T, order);
    kernels_of(p, b)->scale_rows(b, false, n, T);
    p->kernels->copy_rows(order, n, signed_place(b, p->size), T, order, NULL, B, ldb);
    if (signs)
        kernels_of(p, b)->negate(b->negative, n, B, ldb);
}

/* P^H L^-H g^-H S B */
static void solve_rows_back(const struct precision *p, enum uplo uplo, int n, const void *A, int lda,
                            const struct signed_block *b, void *B, int ldb, void *T)
{
    int order = b->n;
    p->kernels->copy_rows(order, n, NULL, B, ldb, signed_place(b, p->size), T, order);
    kernels_of(p, b)->scale_rows(b, true, n, T);
    p->kernels->trsm(LEFT, uplo, of_lower(b, uplo, CONJ_TRANS), UNIT, order, n, A, lda, T, order);
    p->kernels->copy_rows(order, n, NULL, T, order, signed_order(b, p->size), B, ldb);
}

/* B P^H L^-H g^-H S, and with `signs` that times J. */
static void solve_columns(const struct precision *p, enum uplo uplo, bool signs, int m, const void *A, int lda,
                          const struct signed_block *b, void *B, int ldb, void *T)
{
    const int *order = signed_order(b, p->size), *place = signed_place(b, p->size);
    size_t column = (size_t)ldb * p->size, bytes = (size_t)m * p->size;
    for (int j = 0; j < b->n; j++)
        memcpy((char *)T + (size_t)j * bytes, (char *)B + (size_t)order[j] * column, bytes);
    p->kernels->trsm(RIGHT, uplo, of_lower(b, uplo, CONJ_TRANS), UNIT, m, b->n, A, lda, T, m);
    kernels_of(p, b)->scale_columns(b, true, m, T);
    for (int j = 0; j < b->n; j++)
        memcpy((char *)B + (size_t)j * column, (char *)T + (size_t)place[j] * bytes, bytes);
    if (signs)
        kernels_of(p, b)->negate(m, b->negative, B, ldb);
}

int signed_solve(const struct precision *precision, enum side side, enum uplo uplo, enum trans trans, bool signs, int m, int n,
                 const void *A, int lda, const struct signed_block *b, void *B, int ldb)
{
    void *T = workspace_take((size_t)m * (size_t)n * precision->size + 1);
    if (T == NULL)
        return 1;
    if (side == RIGHT)
        solve_columns(precision, uplo, signs, m, A, lda, b, B, ldb, T);
    else if (trans == NO_TRANS)
        solve_rows(precision, uplo, signs, n, A, lda, b, B, ldb, T);
    else
        solve_rows_back(precision, uplo, n, A, lda, b, B, ldb, T);
    workspace_give(T);
    return 0;
}

static size_t in_lines(size_t bytes)
{
    enum { LINE = 64 };
    return (bytes + LINE - 1) / LINE * LINE;
}

/* In the workspace of a solve, weights and the columns they belong to come first. */
static size_t weights_bytes(const struct precision *p, int order)
{
    return in_lines(2 * (size_t)order * p->size);
}

static size_t from_bytes(int order)
{
    return in_lines(2 * (size_t)order * sizeof(int));
}

size_t signed_workspace(const struct precision *precision, int n)
{
    const struct packed_kernels *k = packed_kernels_of(precision->type);
    size_t factor = k->rook_bytes(n), solve = weights_bytes(precision, n) + from_bytes(n) + k->solve_pivoted_bytes(n, n);
    return factor > solve ? factor : solve;
}

int signed_solve_packed(const struct precision *precision, enum side side, enum uplo uplo, int m, int n, const void *A, int lda,
                        const struct signed_block *b, void *B, int ldb)
{
    const struct packed_kernels *k = packed_kernels_of(precision->type);
    int order = b->n, rows = side == LEFT ? n : m;
    size_t weights = weights_bytes(precision, order), from = from_bytes(order);
    char *work = workspace_take(weights + from + k->solve_pivoted_bytes(rows, order));
    if (work == NULL)
        return 1;
    struct pivoted_columns columns = { signed_order(b, precision->size), (int *)(void *)(work + weights), work };
    kernels_of(precision, b)->weigh(b, (int *)(void *)(work + weights), work);
    struct triangle L = { view_of_op(of_lower(b, uplo, CONJ_TRANS), A, lda), UNIT };
    k->solve_pivoted(rows, order, L, view_of_op(side == LEFT ? signed_adjoint(b) : NO_TRANS, B, ldb), &columns,
                     work + weights + from, B);
    workspace_give(work);
    return 0;
}

void signed_rows(const struct precision *precision, const struct signed_block *b, int n, void *B, int ldb)
{
    kernels_of(precision, b)->negate(b->negative, n, B, ldb);
}

int signed_inverse(const struct precision *precision, enum uplo uplo, const void *A, int lda, const struct signed_block *b,
                   void *W, int ldw)
{
    precision->kernels->clear(b->n, b->n, W, ldw);
    for (size_t j = 0; j < (size_t)b->n; j++)
        precision->set((char *)W + (j + j * (size_t)ldw) * precision->size, 1, 0);
    return signed_solve(precision, RIGHT, uplo, CONJ_TRANS, true, b->n, b->n, A, lda, b, W, ldw);
}

int signed_expand(const struct precision *precision, enum uplo uplo, const void *A, int lda, const struct signed_block *b,
                  void *G, int ldg)
{
    size_t n = (size_t)b->n, size = precision->size;
    const int *order = signed_order(b, size), *place = signed_place(b, size);
    char *T = workspace_take(n * n * size + 1);
    if (T == NULL)
        return 1;
    kernels_of(precision, b)->unit_lower(uplo, b->n, A, lda, T);
    kernels_of(precision, b)->scale_columns(b, false, b->n, T);
    for (size_t j = 0; j < n; j++)
        precision->kernels->copy_rows(b->n, 1, NULL, T + (size_t)place[j] * n * size, b->n, order,
                                      (char *)G + j * (size_t)ldg * size, ldg);
    workspace_give(T);
    return 0;
}

/* ---- products -------------------------------------------------------------------------------------------------------------- */

/* op(A) from this inner column on. */
static const void *inner(const struct precision *p, enum trans trans, const void *A, int lda, int first)
{
    return (const char *)A + (size_t)first * (trans == NO_TRANS ? (size_t)lda : 1) * p->size;
}

void signed_gemm(const struct precision *precision, const struct kernels *kernels, enum trans transa, enum trans transb, int m,
                 int n, const void *A, int lda, const struct signed_block *b, const void *B, int ldb, void *C, int ldc)
{
    int q = b->negative;
    enum trans inner_b = transb == NO_TRANS ? CONJ_TRANS : NO_TRANS;
    if (q > 0)
        kernels->gemm(transa, transb, m, n, q, 1, A, lda, B, ldb, C, ldc);
    if (q < b->n)
        kernels->gemm(transa, transb, m, n, b->n - q, -1, inner(precision, transa, A, lda, q), lda,
                      inner(precision, inner_b, B, ldb, q), ldb, C, ldc);
}

void signed_herk(const struct precision *precision, const struct kernels *kernels, enum uplo uplo, enum trans trans, int n,
                 const void *A, int lda, const struct signed_block *b, void *C, int ldc)
{
    void (*product)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C, int ldc);
    int q = b->negative;
    product = b->symmetric ? kernels->syrk : kernels->herk;
    if (q > 0)
        product(uplo, trans, n, q, 1, A, lda, C, ldc);
    if (q < b->n)
        product(uplo, trans, n, b->n - q, -1, inner(precision, trans, A, lda, q), lda, C, ldc);
}
