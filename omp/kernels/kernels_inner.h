/*
 * C += alpha A^H B for a small C and long columns of A and B; a part of kernels_strips.h, the counterpart of kernels_narrow.h.
 * Vectors run along the columns, which are contiguous. A block of C is a block of vectors of sums, whose lanes are added up
 * after each piece of rows. Complex numbers are multiplied as pairs of real numbers, conj(a) b = (a, b) + i (a, Jb) with Jb =
 * (Im b, -Re b): B has twice the columns.
 */
enum { STRIPS(depth) = 64 };        /* vectors in a column of a piece */

/* A column of a block: a, or Ja if `turned`. */
INLINED void STRIPS(pack_long)(int count, bool turned, const REAL *restrict a, STRIPS(vector) *restrict X)
{
    STRIPS(vector) v, sign;
    for (int lane = 0; lane < LANES; lane++)
        sign[lane] = lane % 2 == 0 ? 1 : -1;
    for (int i = 0; i < count; i += LANES, X += COLS) {
        if (i + LANES <= count)     /* a constant, for a vector load */
            STRIPS(load)(&v, a + i, LANES);
        else
            STRIPS(load)(&v, a + i, count - i);
        *X = turned ? sign * __builtin_shufflevector(v, v, SHUFFLE_PAIRS) : v;
    }
}

/* Packs columns in blocks of COLS, the last block padded with zeros. parts 2: Jb follows each column b. */
INLINED void STRIPS(pack_piece)(int rows, int cols, int parts, const SCALAR *A, ptrdiff_t lda, STRIPS(vector) *X)
{
    int count = rows * PARTS, depth = (count + LANES - 1) / LANES;
    for (int j = 0; j < (cols * parts + COLS - 1) / COLS * COLS; j++) {
        STRIPS(vector) *x = X + j / COLS * COLS * depth + j % COLS;
        if (j < cols * parts)
            STRIPS(pack_long)(count, j % parts == 1, (const REAL *)(A + j / parts * lda), x);
        else
            for (int i = 0; i < depth; i++)
                x[i * COLS] = (STRIPS(vector)){ 0 };
    }
}

/* v[0] := vector whose lane i is the sum of the lanes of v[i]. */
INLINED void STRIPS(add_lanes)(STRIPS(vector) v[LANES])
{
    UNROLLED
    for (int half = LANES / 2; half > 0; half /= 2)
        UNROLLED
        for (int i = 0; i < half; i++)
            v[i] = __builtin_shufflevector(v[i], v[i + half], SHUFFLE_LOW) +
                   __builtin_shufflevector(v[i], v[i + half], SHUFFLE_HIGH);
}

/* sums[c * COLS + r] = x_r^T y_c. Prefetches as many vectors from `next` on into the second-level cache. */
INLINED void STRIPS(multiply_block)(int depth, const STRIPS(vector) *restrict X, const STRIPS(vector) *restrict Y,
                                    const void *next, REAL sums[COLS * COLS])
{
    STRIPS(vector) s[COLS * COLS];
    memset(s, 0, sizeof s);
    for (int i = 0; i < depth; i++, X += COLS, Y += COLS) {
        __builtin_prefetch((const char *)next + i * VECTOR_BYTES, 0, 2);
        for (int c = 0; c < COLS; c++)
            for (int r = 0; r < COLS; r++)
                s[c * COLS + r] += X[r] * Y[c];
    }
    for (int i = 0; i < COLS * COLS; i += LANES) {
        STRIPS(add_lanes)(s + i);
        memcpy(sums + i, &s[i], VECTOR_BYTES);
    }
}

INLINED void STRIPS(add_sums)(int m, int n, REAL alpha, const REAL *sums, SCALAR *C, ptrdiff_t ldc)
{
    for (int j = 0; j < n; j++)
        for (int r = 0; r < COLS && r < m; r++) {
            const REAL *s = sums + j * PARTS * COLS + r;
            C[r + j * ldc] += alpha * MAKE_SCALAR(s[0], s[(PARTS - 1) * COLS]);
        }
}

/* The number of rows of a piece, such that pieces have about equal size. */
INLINED int STRIPS(size_of_piece)(int k)
{
    enum { MOST = STRIPS(depth) * LANES / PARTS };
    int pieces = (k + MOST - 1) / MOST, size = k / (pieces > 0 ? pieces : 1);
    return size < MOST ? (size / LANES + 1) * LANES : MOST;
}

/* m, n <= NARROW. During the product of a block the kernel prefetches a column of the next piece, even behind the end, where
   other threads continue a shared product. Returns 0, or 1 if there is no memory. */
TARGET static int STRIPS(gemm_inner)(int m, int n, int k, REAL alpha, const SCALAR *A, int lda, const SCALAR *B,
                                     int ldb, SCALAR *C, int ldc)
{
    enum { DEPTH = STRIPS(depth), BESIDE = COLS / PARTS };
    STRIPS(vector) *X = workspace_take(DEPTH * (NARROW + COLS) * sizeof *X), *Y = X + DEPTH * NARROW;
    if (X == NULL)
        return 1;
    int size = STRIPS(size_of_piece)(k);
    for (int i = 0; i < k; i += size) {
        int rows = k - i < size ? k - i : size, depth = (rows * PARTS + LANES - 1) / LANES, fetched = 0;
        STRIPS(pack_piece)(rows, m, 1, A + i, lda, X);
        for (int J = 0; J < n; J += BESIDE) {
            int cols = n - J < BESIDE ? n - J : BESIDE;
            STRIPS(pack_piece)(rows, cols, PARTS, B + i + J * (ptrdiff_t)ldb, ldb, Y);
            for (int first = 0; first < m; first += COLS, fetched++) {
                const SCALAR *column = fetched < m ? A + fetched * (ptrdiff_t)lda : B + (fetched - m) % n * (ptrdiff_t)ldb;
                REAL sums[COLS * COLS];
                STRIPS(multiply_block)(depth, X + first * depth, Y, column + i + size, sums);
                STRIPS(add_sums)(m - first, cols, alpha, sums, C + first + J * (ptrdiff_t)ldc, ldc);
            }
        }
    }
    workspace_give(X);
    return 0;
}
