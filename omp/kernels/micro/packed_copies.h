/* Copies of views of matrices to strips of packed tiles, and back; a part of packed_body.h's code. */

#include "omp/kernels/micro/shuffles.h"

/* Transposes a square of LANES x LANES numbers by log2(LANES) perfect shuffles. */
INLINED void M(transpose)(M(vector) v[LANES])
{
    UNROLLED
    for (int round = 1; round < LANES; round *= 2) {
        M(vector) next[LANES];
        UNROLLED
        for (int i = 0; i < LANES / 2; i++) {
            next[2 * i] = __builtin_shufflevector(v[i], v[i + LANES / 2], SHUFFLE_LOW);
            next[2 * i + 1] = __builtin_shufflevector(v[i], v[i + LANES / 2], SHUFFLE_HIGH);
        }
        UNROLLED
        for (int i = 0; i < LANES; i++)
            v[i] = next[i];
    }
}

/* Packs n columns of a strip from any view. */
INLINED void M(pack_elements)(int rows, int n, const SCALAR *A, ptrdiff_t rs, ptrdiff_t cs, REAL *restrict X)
{
    for (int j = 0; j < n; j++, X += STEP)
        for (int r = 0; r < rows; r++) {
            SCALAR a = A[r * rs + j * cs];
            X[(PARTS - 1) * ROWS + r] = cimag(a);
            X[r] = creal(a);
        }
}

INLINED void M(unpack_elements)(int rows, int n, SCALAR *A, ptrdiff_t rs, ptrdiff_t cs, const REAL *restrict X)
{
    for (int j = 0; j < n; j++, X += STEP)
        for (int r = 0; r < rows; r++)
            A[r * rs + j * cs] = MAKE_SCALAR(X[r], X[(PARTS - 1) * ROWS + r]);
}

/* Packs LANES columns of a strip whose rows are contiguous, for real numbers. */
INLINED void M(pack_square)(const REAL *A, ptrdiff_t rs, REAL *X)
{
    for (int r = 0; r < ROWS; r += LANES) {
        M(vector) v[LANES];
        UNROLLED
        for (int i = 0; i < LANES; i++)
            v[i] = *(const M(vector) *)(A + (r + i) * rs);
        M(transpose)(v);
        UNROLLED
        for (int i = 0; i < LANES; i++)
            *(M(vector) *)(X + i * STEP + r) = v[i];
    }
}

INLINED void M(unpack_square)(REAL *A, ptrdiff_t rs, const REAL *X)
{
    for (int r = 0; r < ROWS; r += LANES) {
        M(vector) v[LANES];
        UNROLLED
        for (int i = 0; i < LANES; i++)
            v[i] = *(const M(vector) *)(X + i * STEP + r);
        M(transpose)(v);
        UNROLLED
        for (int i = 0; i < LANES; i++)
            *(M(vector) *)(A + (r + i) * rs) = v[i];
    }
}

static void M(negate_imaginary)(int n, REAL *X)
{
    for (int j = 0; PARTS == 2 && j < n; j++)
        for (int r = 0; r < ROWS; r++)
            X[j * STEP + ROWS + r] = -X[j * STEP + ROWS + r];
}

/* X: a whole strip, with zeros in rows behind `rows`. If columns are contiguous, the next strip's are prefetched, because no
   processor prefetches data a page away. */
TARGET static void M(pack_strip)(int rows, int n, const SCALAR *A, ptrdiff_t rs, ptrdiff_t cs, bool conjugate,
                                 REAL *X)
{
    int j = 0;
    if (rows < ROWS)
        memset(X, 0, (size_t)n * STEP * sizeof *X);
    else if (rs == 1)
        for (; j < n; j++) {
            __builtin_prefetch(A + ROWS + j * cs, 0, 3);
            M(pack_elements)(ROWS, 1, A + j * cs, 1, cs, X + j * STEP);
        }
    else if (PARTS == 1)
        for (; j + LANES <= n; j += LANES)
            M(pack_square)((const REAL *)(A + j), rs, X + j * STEP);
    M(pack_elements)(rows, n - j, A + j * cs, rs, cs, X + j * STEP);
    if (conjugate)
        M(negate_imaginary)(n, X);
}

TARGET static void M(unpack_strip)(int rows, int n, SCALAR *A, ptrdiff_t rs, ptrdiff_t cs, const REAL *X)
{
    int j = 0;
    if (rows == ROWS && rs == 1)
        for (; j < n; j++)
            M(unpack_elements)(ROWS, 1, A + j * cs, 1, cs, X + j * STEP);
    else if (rows == ROWS && PARTS == 1)
        for (; j + LANES <= n; j += LANES)
            M(unpack_square)((REAL *)(A + j), rs, X + j * STEP);
    M(unpack_elements)(rows, n - j, A + j * cs, rs, cs, X + j * STEP);
}

/* The inverse of M(widen): removes the padding of an incomplete strip. */
static void M(narrow)(int rows, int n, const REAL *X, REAL *P)
{
    for (int l = 0; l < n; l++)
        for (int part = 0; part < PARTS; part++)
            memmove(P + (l * PARTS + part) * rows, X + l * STEP + part * ROWS, (size_t)rows * sizeof *P);
}

/* The last strip of a tile is packed in pieces for which the stack has room. */
enum { M(piece) = 64 };

static void M(pack)(int m, int n, struct view view, void *packed)
{
    REAL *P = packed;
    const SCALAR *A = view.data;
    for (int i = 0; i < m; i += ROWS, P += (ptrdiff_t)n * STEP) {
        if (m - i >= ROWS) {
            M(pack_strip)(ROWS, n, A + i * view.rs, view.rs, view.cs, view.conjugate, P);
            continue;
        }
        for (int j = 0; j < n; j += M(piece)) {
            REAL X[M(piece) * STEP];
            int count = n - j < M(piece) ? n - j : M(piece);
            M(pack_strip)(m - i, count, A + i * view.rs + j * view.cs, view.rs, view.cs, view.conjugate, X);
            M(narrow)(m - i, count, X, P + j * (m - i) * PARTS);
        }
    }
}

/* X may be changed. */
static void M(put_strip)(int rows, int n, struct view view, int row, REAL *X)
{
    if (view.conjugate)
        M(negate_imaginary)(n, X);
    M(unpack_strip)(rows, n, (SCALAR *)view.data + row * view.rs, view.rs, view.cs, X);
}

static void M(unpack)(int m, int n, const void *packed, struct view view)
{
    const REAL *P = packed;
    for (int i = 0; i < m; i += ROWS, P += (ptrdiff_t)n * STEP) {
        int rows = m - i < ROWS ? m - i : ROWS;
        if (rows == ROWS && !(PARTS == 2 && view.conjugate)) {
            M(unpack_strip)(ROWS, n, (SCALAR *)view.data + i * view.rs, view.rs, view.cs, P);
            continue;
        }
        for (int j = 0; j < n; j += M(piece)) {
            REAL X[M(piece) * STEP];
            int count = n - j < M(piece) ? n - j : M(piece);
            M(widen)(rows, count, P + j * rows * PARTS, X);
            struct view columns = view;
            columns.data = (SCALAR *)view.data + j * view.cs;
            M(put_strip)(rows, count, columns, i, X);
        }
    }
}

/* Transposes a block of P with ROWS rows and columns. */
TARGET static void M(turn_block)(const REAL *P, REAL *X)
{
    for (int part = 0; part < PARTS; part++)
        for (int l = 0; l < ROWS; l += LANES)
            M(pack_square)(P + part * ROWS + l, STEP, X + part * ROWS + l * STEP);
    M(negate_imaginary)(ROWS, X);
}

static void M(turn)(int m, int n, int first, int count, const void *packed, void *turned)
{
    REAL scratch[ROWS * STEP], X[ROWS * STEP];
    int end = first + count;
    for (int i = 0; i < m; i += ROWS) {
        int height = m - i < ROWS ? m - i : ROWS;
        for (int j = first; j < end; j += ROWS) {
            int rows = end - j < ROWS ? end - j : ROWS;
            REAL *Q = (REAL *)turned + ((ptrdiff_t)(j - first) * m + i * rows) * PARTS;
            const REAL *P = M(strip)(packed, m, n, i / ROWS, j, rows, scratch);
            if (rows < ROWS && P != scratch)        /* the block is incomplete */
                P = memcpy(scratch, P, (size_t)rows * STEP * sizeof *P);
            bool whole = rows == ROWS && height == ROWS;
            M(turn_block)(P, whole ? Q : X);
            if (!whole)
                M(narrow)(rows, height, X, Q);
        }
    }
}
