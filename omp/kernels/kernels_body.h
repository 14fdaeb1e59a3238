/* The kernels of one precision; kernels.c includes this file once for each. */
static const struct precision NAME(precision);

#include "omp/kernels/kernels_blas.h"

/* A function call, because otherwise the compiler makes a vector of two divisions, whose other lanes raise exceptions that
   programs may trap. */
static __attribute__((noinline)) SCALAR NAME(quotient)(SCALAR a, SCALAR b)
{
    return a / b;
}

enum {
    /* The largest order that is packed at once: the packed triangle should remain in the second-level cache. */
    NAME(solve_order) = sizeof(SCALAR) <= 8 ? 256 : 128,
};
#define SOLVE_ORDER NAME(solve_order)

#define STRIPS(name) JOIN(NAME(name), _wide)
#define VECTOR_BYTES 64
#define TARGET TARGET_WIDE
#include "omp/kernels/kernels_strips.h"

#define STRIPS(name) JOIN(NAME(name), _middle)
#define VECTOR_BYTES 32
#define TARGET TARGET_MIDDLE
#include "omp/kernels/kernels_strips.h"

#define STRIPS(name) JOIN(NAME(name), _plain)
#define VECTOR_BYTES 32
#define TARGET
#include "omp/kernels/kernels_strips.h"

typedef int NAME(solve_function)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int n, int count,
                                 const SCALAR *A, int lda, SCALAR *B, int ldb);
static NAME(solve_function) *const NAME(trsm_strips)[VECTORS_COUNT] = { [VECTORS_WIDE] = NAME(trsm_strips_wide),
                                                                        [VECTORS_MIDDLE] = NAME(trsm_strips_middle),
                                                                        [VECTORS_PLAIN] = NAME(trsm_strips_plain) };

typedef int NAME(columns_function)(int m, int n, SCALAR *A, int lda, int *swap);
static NAME(columns_function) *const NAME(getrf_columns)[VECTORS_COUNT] = { [VECTORS_WIDE] = NAME(getrf_columns_wide),
                                                                            [VECTORS_MIDDLE] = NAME(getrf_columns_middle),
                                                                            [VECTORS_PLAIN] = NAME(getrf_columns_plain) };

typedef void NAME(geqrt_function)(int m, int n, SCALAR *A, int lda, SCALAR *T, int ldt);
typedef void NAME(tpqrt_function)(int m, int l, int n, SCALAR *R, int ldr, SCALAR *B, int ldb, SCALAR *T, int ldt);
static NAME(geqrt_function) *const NAME(geqrt_columns)[VECTORS_COUNT] = { [VECTORS_WIDE] = NAME(geqrt_columns_wide),
                                                                          [VECTORS_MIDDLE] = NAME(geqrt_columns_middle),
                                                                          [VECTORS_PLAIN] = NAME(geqrt_columns_plain) };
static NAME(tpqrt_function) *const NAME(tpqrt_columns)[VECTORS_COUNT] = { [VECTORS_WIDE] = NAME(tpqrt_columns_wide),
                                                                          [VECTORS_MIDDLE] = NAME(tpqrt_columns_middle),
                                                                          [VECTORS_PLAIN] = NAME(tpqrt_columns_plain) };

typedef int NAME(narrow_function)(int m, int n, int k, REAL alpha, const SCALAR *A, int lda, const SCALAR *B, int ldb,
                                  SCALAR *C, int ldc);
static NAME(narrow_function) *const NAME(gemm_narrow)[VECTORS_COUNT] = { [VECTORS_WIDE] = NAME(gemm_narrow_wide),
                                                                         [VECTORS_MIDDLE] = NAME(gemm_narrow_middle),
                                                                         [VECTORS_PLAIN] = NAME(gemm_narrow_plain) };

static void NAME(gemm)(enum trans transa, enum trans transb, int m, int n, int k, double alpha, const void *A, int lda,
                       const void *B, int ldb, void *C, int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    if (n == 1 && transb == NO_TRANS) {     /* GEMM would copy A, which takes most of the time */
        int rows = transa == NO_TRANS ? m : k, cols = transa == NO_TRANS ? k : m;
        BLAS(gemv)(&(char){ (char)transa }, &rows, &cols, &factor, A, &lda, B, &(int){ 1 }, &one, C, &(int){ 1 });
        return;
    }
    if (transa == NO_TRANS && transb == NO_TRANS && n <= NARROW && k <= NARROW &&
        NAME(gemm_narrow)[vectors()](m, n, k, (REAL)alpha, A, lda, B, ldb, C, ldc) == 0)
        return;
    if (transa == CONJ_TRANS && transb == NO_TRANS && m <= NARROW && n <= NARROW && k >= LONG && vectors() == VECTORS_WIDE &&
        NAME(gemm_inner_wide)(m, n, k, (REAL)alpha, A, lda, B, ldb, C, ldc) == 0)
        return;
    if (transb == NO_TRANS && m >= PACKING && n >= PACKING && k >= PACKING &&
        packing_gemm(&NAME(precision), transa, m, n, k, alpha, A, lda, B, ldb, C, ldc) == 0)
        return;
    BLAS(gemm)(&(char){ (char)transa }, &(char){ (char)transb }, &m, &n, &k, &factor, A, &lda, B, &ldb, &one, C, &ldc);
}

/* ---- triangular solves ----------------------------------------------------------------------------------------------------- */

/* About half of n > SMALL_ORDER; for n > 64 a multiple of 64, so that only the last of all parts is odd. */
static int NAME(first_half)(int n)
{
    return n > 64 ? (n + 63) / 64 / 2 * 64 : n / 2;
}

/*
 * Halves the triangle until the solve with packed strips, or that of kernels_strips.h, accepts it. So most of the work of a
 * large solve is GEMM:
 *
 *   T = ( T11     )  or  ( T11 T12 )      solve with one diagonal block, update the other part of B by GEMM,
 *       ( T21 T22 )      (     T22 )      solve with the other
 */
static void NAME(trsm_halves)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, const SCALAR *A,
                              int lda, SCALAR *B, int ldb)
{
    int order = side == LEFT ? m : n, count = side == LEFT ? n : m;
    if (m == 0 || n == 0)
        return;
    if (order >= PACKING && order <= PACKED_ORDER && count >= PACKING && is_forward(side, uplo, trans) &&
        packed_trsm(&NAME(precision), side, trans, diag, m, n, A, lda, B, ldb, false) == 0)
        return;
    if (order <= (side == LEFT && n == 1 ? 64 : SOLVE_ORDER) &&     /* strips need many columns; one column takes GEMV */
        NAME(trsm_strips)[vectors()](side, uplo, trans, diag, order, count, A, lda, B, ldb) == 0)
        return;
    int half = NAME(first_half)(order), rest = order - half;
    const SCALAR *A22 = A + half + (size_t)half * lda;
    const SCALAR *off = uplo == LOWER ? A + half : A + (size_t)half * lda;     /* A21 or A12 */
    bool op_lower = (uplo == LOWER) == (trans == NO_TRANS);
    bool forward = op_lower == (side == LEFT);      /* the diagonal block A11 is first */
    int done = forward ? half : rest, left = order - done;
    const SCALAR *A_done = forward ? A : A22, *A_left = forward ? A22 : A;
    if (side == LEFT) {
        SCALAR *B_done = forward ? B : B + half, *B_left = forward ? B + half : B;
        NAME(trsm_halves)(side, uplo, trans, diag, done, n, A_done, lda, B_done, ldb);
        NAME(gemm)(trans, NO_TRANS, left, n, done, -1, off, lda, B_done, ldb, B_left, ldb);
        NAME(trsm_halves)(side, uplo, trans, diag, left, n, A_left, lda, B_left, ldb);
    } else {
        SCALAR *B_done = forward ? B : B + (size_t)half * ldb, *B_left = forward ? B + (size_t)half * ldb : B;
        NAME(trsm_halves)(side, uplo, trans, diag, m, done, A_done, lda, B_done, ldb);
        NAME(gemm)(NO_TRANS, trans, m, left, done, -1, B_done, ldb, off, lda, B_left, ldb);
        NAME(trsm_halves)(side, uplo, trans, diag, m, left, A_left, lda, B_left, ldb);
    }
}

/* Copies the relevant part of an m x n tile, with zeros elsewhere. unit: the triangle's diagonal is 1. */
static void NAME(expand)(enum uplo part, bool unit, int m, int n, const SCALAR *A, int lda, SCALAR *copy)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            SCALAR a = A[i + (size_t)j * lda];
            if ((part == LOWER && i < j) || (part == UPPER && i > j))
                a = 0;
            else if (i == j && part != GENERAL && unit)
                a = 1;
            copy[i + (size_t)j * m] = a;
        }
}

static void NAME(trsm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, const void *A, int lda,
                       void *B, int ldb)
{
    NAME(trsm_halves)(side, uplo, trans, diag, m, n, A, lda, B, ldb);
}

/* ---- factorizations of a tile ---------------------------------------------------------------------------------------------- */

/* Workspace for packed strips: the stack for a small tile, else the thread's workspace. NULL for a large tile, or without
   memory: then the tile is halved. */
static void *NAME(factor_workspace)(int n, size_t bytes, void *small)
{
    return n <= SMALL_ORDER ? small : n <= PACKED_ORDER ? workspace_take(bytes) : NULL;
}

/* ( A11     ) = ( L11     ) ( L11^H L21^H )      L11 = chol(A11), L21 = A21 L11^-H, L22 = chol(A22 - L21 L21^H)
   ( A21 A22 )   ( L21 L22 ) (       L22^H )      and the same of U = L^H, U12 = U11^-H A12, A22 - U12^H U12  */
static int NAME(potrf)(enum uplo uplo, int n, void *tile, int lda)
{
    const struct packed_kernels *packed = packed_kernels_of(NAME(precision).type);
    SCALAR *A = tile;
    char small[SMALL_BYTES / 2] __attribute__((aligned(64)));
    bool lower = uplo == LOWER;
    void *work = NAME(factor_workspace)(n, packed->potrf_bytes(n), small);
    if (work != NULL) {     /* L = U^H */
        int info = packed->potrf(n, lower ? (struct view){ A, 1, lda, false } : (struct view){ A, lda, 1, true }, work);
        workspace_give(work == small ? NULL : work);
        return info;
    }
    int half = NAME(first_half)(n), rest = n - half;
    SCALAR *off = lower ? A + half : A + (size_t)half * lda, *A22 = A + half + (size_t)half * lda;     /* A21 or A12 */
    int info = NAME(potrf)(uplo, half, A, lda);
    if (info != 0)
        return info;
    NAME(trsm_halves)(lower ? RIGHT : LEFT, uplo, CONJ_TRANS, NON_UNIT, lower ? rest : half, lower ? half : rest, A, lda, off,
                      lda);
    NAME(herk)(uplo, lower ? NO_TRANS : CONJ_TRANS, rest, half, -1, off, lda, A22, lda);
    info = NAME(potrf)(uplo, rest, A22, lda);
    return info == 0 ? 0 : half + info;
}

/* ( A11 A12 ) = ( L11     ) ( U11 U12 )     left columns first, U12 = L11^-1 A12, A22 -= L21 U12, then the rest
   ( A21 A22 )   ( L21 L22 ) (     U22 )  */
static int NAME(getrf)(int m, int n, void *tile, int lda)
{
    const struct packed_kernels *packed = packed_kernels_of(NAME(precision).type);
    SCALAR *A = tile;
    char small[SMALL_BYTES] __attribute__((aligned(64)));
    int order = m < n ? m : n;
    void *work = NAME(factor_workspace)(order, packed->getrf_bytes(order), small);
    if (work != NULL) {
        int first = packed->getrf(order, A, lda, work);
        workspace_give(work == small ? NULL : work);
        NAME(trsm_halves)(RIGHT, UPPER, NO_TRANS, NON_ZERO, m - order, order, A, lda, A + order, lda);
        NAME(trsm_halves)(LEFT, LOWER, NO_TRANS, UNIT, order, n - order, A, lda, A + (size_t)order * lda, lda);
        return first;
    }
    int half = NAME(first_half)(order), rest = n - half;
    SCALAR *A12 = A + (size_t)half * lda, *A21 = A + half, *A22 = A12 + half;
    int info = NAME(getrf)(m, half, A, lda);
    NAME(trsm_halves)(LEFT, LOWER, NO_TRANS, UNIT, half, rest, A, lda, A12, lda);
    NAME(gemm)(NO_TRANS, NO_TRANS, m - half, rest, half, -1, A21, lda, A12, lda, A22, lda);
    int second = NAME(getrf)(m - half, rest, A22, lda);
    return info != 0 || second == 0 ? info : half + second;
}

static void NAME(laswp)(int n, void *A, int lda, int from, int to, const int *swap)
{
    for (int c = 0; c < n; c++) {
        SCALAR *a = (SCALAR *)A + (size_t)c * lda;
        for (int j = from; j < to; j++) {
            SCALAR row = a[j];
            a[j] = a[swap[j]];
            a[swap[j]] = row;
        }
    }
}

static void NAME(swap_rows)(int count, int n, const int *from, void *B, int ldb, const int *to, void *A, int lda, const void *C,
                            int ldc)
{
    for (int j = 0; j < n; j++) {
        SCALAR *b = (SCALAR *)B + (size_t)j * ldb, *a = (SCALAR *)A + (size_t)j * lda;
        const SCALAR *c = (const SCALAR *)C + (size_t)j * ldc;
        for (int r = 0; r < count; r++) {
            SCALAR row = b[from[r]];
            b[from[r]] = c[r];
            a[to[r]] = row;
        }
    }
}

static int NAME(getrf_columns_of)(int m, int n, void *A, int lda, int *swap)
{
    return NAME(getrf_columns)[vectors()](m, n, A, lda, swap);
}

static void NAME(geqrt_columns_of)(int m, int n, void *A, int lda, void *T, int ldt)
{
    NAME(geqrt_columns)[vectors()](m, n, A, lda, T, ldt);
}

static void NAME(tpqrt_columns_of)(int m, int l, int n, void *R, int ldr, void *B, int ldb, void *T, int ldt)
{
    NAME(tpqrt_columns)[vectors()](m, l, n, R, ldr, B, ldb, T, ldt);
}

static void NAME(copy_rows)(int count, int n, const int *from, const void *source, int lda, const int *to, void *target, int ldb)
{
    for (int c = 0; c < n; c++) {
        const SCALAR *a = (const SCALAR *)source + (size_t)c * lda;
        SCALAR *b = (SCALAR *)target + (size_t)c * ldb;
        if (from == NULL && to == NULL)
            memcpy(b, a, (size_t)count * sizeof *b);
        else if (from == NULL)
            for (int r = 0; r < count; r++)
                b[to[r]] = a[r];
        else if (to == NULL)
            for (int r = 0; r < count; r++)
                b[r] = a[from[r]];
        else
            for (int r = 0; r < count; r++)
                b[to[r]] = a[from[r]];
    }
}

#include "omp/kernels/kernels_copies.h"

static const struct kernels NAME(kernels) = {
    .potrf = NAME(potrf),
    .getrf = NAME(getrf),
    .copy_rows = NAME(copy_rows),
    .trsm = NAME(trsm),
    .trmm = NAME(trmm),
    .herk = NAME(herk),
    .syrk = NAME(syrk),
    .gemm = NAME(gemm),
    .hemm = NAME(hemm),
    .add = NAME(add),
    .conj_transpose = NAME(conj_transpose),
    .from_other = NAME(from_other),
    .squares = NAME(squares),
    .clear = NAME(clear),
    .product = NAME(product),
};

static const struct host_kernels NAME(host_kernels) = {
    .getrf_columns = NAME(getrf_columns_of),
    .geqrt_columns = NAME(geqrt_columns_of),
    .tpqrt_columns = NAME(tpqrt_columns_of),
    .symm = NAME(symm),
    .transpose = NAME(transpose),
    .laswp = NAME(laswp),
    .swap_rows = NAME(swap_rows),
    .sums = NAME(sums),
    .largest = NAME(largest),
    .maxima = NAME(maxima),
    .convert = NAME(convert),
    .not_finite = NAME(not_finite),
};

static const struct precision NAME(precision) = {
    .type = LETTER_TEXT(LETTER),
    .size = sizeof(SCALAR),
    .eps = REAL_EPSILON / 2,
    .smallest = REAL_SMALLEST,
    .flops_scale = FLOPS_SCALE,
    .other = LETTER_TEXT(OTHER),
    .set = NAME(set),
    .get = NAME(get),
    .kernels = &NAME(kernels),
    .host = &NAME(host_kernels),
};
