/*
 * Substitution and small factorizations of one precision, in registers of VECTOR_BYTES. kernels_body.h includes this file, and
 * defines the ending of its names (STRIPS) and its instructions (TARGET).
 *
 * Matrices are packed into strips of ROWS rows. A column of a strip is two vectors: the two halves of its rows, or the real
 * and imaginary parts of complex rows. The factor that is subtracted is packed, too, and broadcast, COLS columns at a time:
 *
 *   strip            factor                 X_j = ( B_j - sum_{k<j} X_k u_kj ) / u_jj       for COLS columns j at once
 *   ( x_0 x_1 .. )   ( u_00 u_01 .. )
 *                    (      u_11 .. )       2 COLS accumulators, 2 loads and COLS broadcasts for 2 COLS multiply-adds a step
 *
 * Left sides are right sides of the transposed strip, and lower triangles are upper ones read from their end, so this is the
 * only case. It is plain substitution: no block is inverted, and errors are those of LAPACK's loops. A column is multiplied by
 * the reciprocal of its pivot, or divided if the reciprocal would leave the range of normal numbers.
 */
typedef REAL STRIPS(vector) __attribute__((vector_size(VECTOR_BYTES)));
enum {
    STRIPS(lanes) = VECTOR_BYTES / sizeof(REAL),
    STRIPS(rows) = 2 * STRIPS(lanes) / PARTS,           /* rows of a strip */
};
#define LANES STRIPS(lanes)
#define ROWS STRIPS(rows)

#include "omp/kernels/micro/shuffles.h"

/* ---- strips ---------------------------------------------------------------------------------------------------------------- */

/* Column j of a strip is B[r * rs + j * cs] for r < rows. */
INLINED void STRIPS(pack_column)(int rows, const SCALAR *B, ptrdiff_t rs, REAL *restrict X)
{
    for (int r = 0; r < rows; r++) {
        X[r] = creal(B[r * rs]);
        if (PARTS == 2)
            X[LANES + r] = cimag(B[r * rs]);
    }
}

INLINED void STRIPS(unpack_column)(int rows, SCALAR *B, ptrdiff_t rs, const REAL *restrict X)
{
    for (int r = 0; r < rows; r++)
        B[r * rs] = MAKE_SCALAR(X[r], X[(PARTS - 1) * LANES + r]);
}

/* Transposes a square of LANES x LANES numbers by log2(LANES) perfect shuffles. */
INLINED void STRIPS(transpose)(STRIPS(vector) v[])
{
    for (int round = 1; round < LANES; round *= 2) {
        STRIPS(vector) next[LANES];
        for (int i = 0; i < LANES / 2; i++) {
            next[2 * i] = __builtin_shufflevector(v[i], v[i + LANES / 2], SHUFFLE_LOW);
            next[2 * i + 1] = __builtin_shufflevector(v[i], v[i + LANES / 2], SHUFFLE_HIGH);
        }
        memcpy(v, next, sizeof next);
    }
}

/* Packs LANES columns of a strip whose columns are rows of B, for cs = 1 or -1. It packs half columns: LANES of the rows or,
   for complex numbers, one of their parts. */
INLINED void STRIPS(pack_square)(const SCALAR *B, ptrdiff_t rs, ptrdiff_t cs, STRIPS(vector) *X)
{
    for (int half = 0; half < 2; half++) {
        STRIPS(vector) v[LANES];
        for (int r = 0; r < LANES; r++) {
            const SCALAR *from = B + (PARTS == 2 ? r : half * LANES + r) * rs + (cs < 0 ? (LANES - 1) * cs : 0);
            for (int j = 0; j < LANES; j++)
                v[r][j] = PARTS == 2 && half == 1 ? cimag(from[j]) : creal(from[j]);
        }
        STRIPS(transpose)(v);
        for (int j = 0; j < LANES; j++)
            X[2 * (cs < 0 ? LANES - 1 - j : j) + half] = v[j];
    }
}

INLINED void STRIPS(unpack_square)(SCALAR *B, ptrdiff_t rs, ptrdiff_t cs, const STRIPS(vector) *X)
{
    STRIPS(vector) v[2][LANES];
    for (int half = 0; half < 2; half++) {
        for (int j = 0; j < LANES; j++)
            v[half][j] = X[2 * (cs < 0 ? LANES - 1 - j : j) + half];
        STRIPS(transpose)(v[half]);
    }
    for (int r = 0; r < ROWS; r++) {
        SCALAR *to = B + r * rs + (cs < 0 ? (LANES - 1) * cs : 0);
        for (int j = 0; j < LANES; j++)
            to[j] = MAKE_SCALAR(v[r / LANES][r % LANES][j], v[1][r % LANES][j]);
    }
}

/* Either rs or cs is 1 or -1. Elements behind rows or n become zero. */
INLINED void STRIPS(pack_strip)(int rows, int n, const SCALAR *B, ptrdiff_t rs, ptrdiff_t cs, STRIPS(vector) *strip)
{
    int padded = (n + COLS - 1) / COLS * COLS, j = 0;
    REAL *X = (REAL *)strip;
    if (rows < ROWS)
        memset(X, 0, (size_t)padded * 2 * VECTOR_BYTES);
    else
        memset(X + (size_t)n * 2 * LANES, 0, (size_t)(padded - n) * 2 * VECTOR_BYTES);
    if (rs == 1 && rows == ROWS)        /* constants, for vector loads */
        for (; j < n; j++)
            STRIPS(pack_column)(ROWS, B + j * cs, 1, X + (size_t)j * 2 * LANES);
    else if (rs != 1 && rows == ROWS)
        for (; j + LANES <= n; j += LANES)
            STRIPS(pack_square)(B + j * cs, rs, cs, strip + 2 * j);
    for (; j < n; j++)
        STRIPS(pack_column)(rows, B + j * cs, rs, X + (size_t)j * 2 * LANES);
}

INLINED void STRIPS(unpack_strip)(int rows, int n, SCALAR *B, ptrdiff_t rs, ptrdiff_t cs, const STRIPS(vector) *strip)
{
    const REAL *X = (const REAL *)strip;
    int j = 0;
    if (rs == 1 && rows == ROWS)
        for (; j < n; j++)
            STRIPS(unpack_column)(ROWS, B + j * cs, 1, X + (size_t)j * 2 * LANES);
    else if (rs != 1 && rows == ROWS)
        for (; j + LANES <= n; j += LANES)
            STRIPS(unpack_square)(B + j * cs, rs, cs, strip + 2 * j);
    for (; j < n; j++)
        STRIPS(unpack_column)(rows, B + j * cs, rs, X + (size_t)j * 2 * LANES);
}

/* Element (r,j) of a strip. */
INLINED SCALAR STRIPS(get_lane)(const STRIPS(vector) *strip, int r, int j)
{
    const REAL *x = (const REAL *)(strip + 2 * j) + r;
    return (SCALAR)MAKE_SCALAR(x[0], x[(PARTS - 1) * LANES]);
}

INLINED void STRIPS(put_lane)(STRIPS(vector) *strip, int r, int j, SCALAR a)
{
    REAL *x = (REAL *)(strip + 2 * j) + r;
    x[(PARTS - 1) * LANES] = cimag(a);
    x[0] = creal(a);
}

/* ---- packed factors -------------------------------------------------------------------------------------------------------- */

/* Element (k,j) of a block of COLS columns is t[k * COLS * PARTS + j], and its imaginary part is COLS numbers further. The
   block of the columns from J on has J + COLS rows. */
INLINED size_t STRIPS(block_at)(int J)
{
    return (size_t)J * (size_t)(J + COLS) / 2 * PARTS;      /* sum over the former blocks: COLS (COLS + 2 COLS + ... + J) */
}

INLINED void STRIPS(put)(REAL *t, int k, int j, SCALAR a)
{
    t[(k * PARTS + PARTS - 1) * COLS + j] = cimag(a);
    t[k * PARTS * COLS + j] = creal(a);
}

/* Data for the division of a column by its pivot. */
struct STRIPS(pivot) {
    SCALAR value;
    REAL reciprocal[PARTS];
    bool safe;          /* the reciprocal is accurate, so the column may be multiplied by it */
};

INLINED struct STRIPS(pivot) STRIPS(pivot_of)(SCALAR value)
{
    struct STRIPS(pivot) p = { .value = value };
    REAL size = (REAL)fmax(fabs(creal(p.value)), fabs(cimag(p.value)));
    p.safe = size >= REAL_SMALLEST && size <= 1 / REAL_SMALLEST;
    SCALAR reciprocal = p.safe ? 1 / p.value : 1;
    p.reciprocal[PARTS - 1] = cimag(reciprocal);
    p.reciprocal[0] = creal(reciprocal);
    return p;
}

/* The triangle u_kj = A[k * rs + j * cs], k <= j < n, padded by a unit matrix to whole blocks. */
INLINED void STRIPS(pack_factor)(int n, const SCALAR *A, ptrdiff_t rs, ptrdiff_t cs, bool conjugate, enum diag diag,
                               REAL *restrict T, struct STRIPS(pivot) *restrict pivot)
{
    for (int J = 0; J < n; J += COLS) {
        REAL *t = T + STRIPS(block_at)(J);
        int cols = n - J < COLS ? n - J : COLS;
        if (cols < COLS)
            memset(t, 0, (size_t)(J + COLS) * COLS * PARTS * sizeof *t);
        for (int k = 0; k < J + cols; k++)
            for (int c = k < J ? 0 : k - J + 1; c < cols; c++) {
                SCALAR a = A[k * rs + (J + c) * cs];
                STRIPS(put)(t, k, c, conjugate ? CONJUGATE(a) : a);
            }
        for (int j = J; j < J + COLS; j++) {
            SCALAR d = j < n && diag != UNIT ? A[j * (rs + cs)] : 1;
            d = diag == NON_ZERO && d == 0 ? 1 : d;
            pivot[j] = STRIPS(pivot_of)(conjugate ? CONJUGATE(d) : d);
        }
    }
}

/* ---- the two inner loops --------------------------------------------------------------------------------------------------- */

/* c -= x t, in the two vectors of a column. */
INLINED void STRIPS(subtract)(STRIPS(vector) c[2], const STRIPS(vector) x[2], const REAL *t)
{
    c[0] -= x[0] * t[0];
    c[1] -= x[1] * t[0];
    if (PARTS == 2) {
        c[0] += x[1] * t[COLS];
        c[1] -= x[0] * t[COLS];
    }
}

/* C = -X T, for J columns of a strip and COLS of a factor. */
INLINED void STRIPS(subtract_products)(int J, const STRIPS(vector) *restrict X, const REAL *restrict t, STRIPS(vector) c[COLS][2])
{
    memset(c, 0, COLS * sizeof c[0]);
    for (int i = 0; i < J; i++, t += COLS * PARTS) {
        STRIPS(vector) x[2] = { X[2 * i], X[2 * i + 1] };
        for (int j = 0; j < COLS; j++)
            STRIPS(subtract)(c[j], x, t + j);
    }
}

/* C = X_J - X T, where X_J has COLS columns of a strip and X the J columns before them. The products are added up first: if X_J
   is larger than all of them, as on a dominant diagonal, it is rounded once and not J times. */
INLINED void STRIPS(update)(int J, const STRIPS(vector) *restrict X, const REAL *restrict t, STRIPS(vector) c[COLS][2])
{
    STRIPS(subtract_products)(J, X, t, c);
    for (int j = 0; j < COLS; j++)
        for (int half = 0; half < 2; half++)
            c[j][half] += X[2 * (J + j) + half];
}

INLINED void STRIPS(divide)(STRIPS(vector) c[2], const struct STRIPS(pivot) *pivot)
{
    if (pivot->safe) {
        STRIPS(vector) x[2] = { c[0], c[1] };
        c[0] = x[0] * pivot->reciprocal[0];
        c[1] = x[1] * pivot->reciprocal[0];
        if (PARTS == 2) {
            c[0] -= x[1] * pivot->reciprocal[PARTS - 1];
            c[1] += x[0] * pivot->reciprocal[PARTS - 1];
        }
    } else {
        REAL x[2 * LANES];
        memcpy(x, c, sizeof x);
        for (int r = 0; r < ROWS; r++) {
            SCALAR quotient = (SCALAR)MAKE_SCALAR(x[r], x[(PARTS - 1) * LANES + r]) / pivot->value;
            x[(PARTS - 1) * LANES + r] = cimag(quotient);
            x[r] = creal(quotient);
        }
        memcpy(c, x, sizeof x);
    }
}

/* C = C U^-1 for the triangle of one block; t: its first row in the packed factor. */
INLINED void STRIPS(solve_block)(STRIPS(vector) c[COLS][2], const REAL *restrict t, const struct STRIPS(pivot) *restrict pivot)
{
    UNROLLED
    for (int j = 0; j < COLS; j++) {
        UNROLLED
        for (int k = 0; k < j; k++)
            STRIPS(subtract)(c[j], c[k], t + k * COLS * PARTS + j);
        STRIPS(divide)(c[j], &pivot[j]);
    }
}

/* Updates and solves columns J to J + COLS - 1 of a strip. */
INLINED void STRIPS(finish_columns)(int J, STRIPS(vector) *X, const REAL *restrict t, const REAL *restrict triangle,
                                  const struct STRIPS(pivot) *restrict pivot)
{
    STRIPS(vector) c[COLS][2];
    STRIPS(update)(J, X, t, c);
    STRIPS(solve_block)(c, triangle, pivot);
    memcpy(X + 2 * J, c, sizeof c);
}

/* Updates the lanes of rows and columns J to J + COLS - 1: the diagonal block that is factored next. */
INLINED void STRIPS(update_diagonal)(int J, const STRIPS(vector) *X, const REAL *restrict t, int n, SCALAR D[COLS][COLS])
{
    STRIPS(vector) c[COLS][2];
    STRIPS(update)(J, X, t, c);
    for (int i = 0; i < COLS; i++)
        for (int j = 0; j < COLS; j++)
            D[i][j] = i < n && j < n ? STRIPS(get_lane)(c[0], J % ROWS + i, j) : i == j;
}

/* ---- triangular solves ----------------------------------------------------------------------------------------------------- */

/* Bytes of a strip, a packed factor and its pivots. */
#define SOLVE_BYTES(order)                                                                                                     \
    ((order) * (2 * VECTOR_BYTES + ((order) + COLS) / 2 * sizeof(SCALAR) + sizeof(struct STRIPS(pivot))))
_Static_assert(SMALL_ORDER % COLS == 0 && SOLVE_BYTES(SMALL_ORDER) <= SMALL_BYTES, "a small solve has its place on the stack");

/* op(A) X = B or X op(A) = B for a triangle of order n <= SOLVE_ORDER and `count` rows of X (LEFT: columns). Returns 0, or 1 if
   there is no memory for a triangle that is not small. */
TARGET static int STRIPS(trsm_strips)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int n, int count,
                                      const SCALAR *A, int lda, SCALAR *B, int ldb)
{
    char small[SMALL_BYTES] __attribute__((aligned(VECTOR_BYTES)));
    size_t columns = (size_t)(n + COLS - 1) / COLS * COLS;
    STRIPS(vector) *X = n <= SMALL_ORDER ? (void *)small : workspace_take(SOLVE_BYTES(columns));
    if (X == NULL)
        return 1;
    struct STRIPS(pivot) *pivot = (void *)(X + 2 * columns);
    REAL *T = (REAL *)(pivot + columns);
    bool op_upper = (uplo == UPPER) == (trans == NO_TRANS);
    bool forward = op_upper == (side == RIGHT), transposed = (trans == NO_TRANS) == (side == LEFT);
    ptrdiff_t sign = forward ? 1 : -1, last = forward ? 0 : n - 1;

    STRIPS(pack_factor)(n, A + last * ((ptrdiff_t)lda + 1), sign * (transposed ? lda : 1), sign * (transposed ? 1 : lda),
                      trans == CONJ_TRANS, diag, T, pivot);
    ptrdiff_t rs = side == RIGHT ? 1 : ldb, cs = side == RIGHT ? ldb : 1;
    for (int r = 0; r < count; r += ROWS) {
        SCALAR *strip = B + r * rs + last * cs;
        int rows = count - r < ROWS ? count - r : ROWS;
        STRIPS(pack_strip)(rows, n, strip, rs, sign * cs, X);
        for (int J = 0; J < n; J += COLS) {
            const REAL *t = T + STRIPS(block_at)(J);
            STRIPS(finish_columns)(J, X, t, t + (size_t)J * COLS * PARTS, pivot + J);
        }
        STRIPS(unpack_strip)(rows, n, strip, rs, sign * cs, X);
    }
    workspace_give((char *)X == small ? NULL : X);
    return 0;
}
#undef SOLVE_BYTES

#include "omp/kernels/kernels_columns.h"
#include "omp/kernels/kernels_narrow.h"
#include "omp/kernels/kernels_reflectors.h"
#if VECTOR_BYTES == 64      /* with smaller vectors, BLAS's products of this kind are as fast */
#include "omp/kernels/kernels_inner.h"
#endif

#undef LANES
#undef ROWS
#undef STRIPS
#undef VECTOR_BYTES
#undef TARGET
