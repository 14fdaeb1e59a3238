/*
 * C += alpha A B for a B of few rows and columns; a part of kernels_strips.h. BLAS libraries first copy A and B, which takes
 * most of the time if k is small. Here a strip of A stays in the first-level cache, and the kernel prefetches the next data
 * during the products of this strip.
 */

/* Packs -alpha B in blocks of COLS columns and k rows, padded with zeros. */
INLINED void STRIPS(pack_blocks)(int k, int n, REAL alpha, const SCALAR *B, ptrdiff_t ldb, REAL *restrict T)
{
    for (int J = 0; J < n; J += COLS, T += k * COLS * PARTS)
        for (int i = 0; i < k; i++)
            for (int c = 0; c < COLS; c++)
                STRIPS(put)(T, i, c, J + c < n ? -alpha * B[i + (J + c) * ldb] : 0);
}

/* C -= X T for one block. */
INLINED void STRIPS(subtract_block)(int rows, int cols, int k, const STRIPS(vector) * X, const REAL *T, SCALAR *restrict C,
                                    ptrdiff_t ldc)
{
    STRIPS(vector) c[COLS][2];
    STRIPS(subtract_products)(k, X, T, c);
    for (int j = 0; j < cols; j++) {
        const REAL *x = (const REAL *)c[j];
        for (int r = 0; r < rows; r++)
            C[r + j * ldc] += MAKE_SCALAR(x[r], x[(PARTS - 1) * LANES + r]);
    }
}

/* Prefetches the columns of a later strip. */
INLINED void STRIPS(prefetch)(int cols, const SCALAR *A, ptrdiff_t lda)
{
    enum { AHEAD = 4, LINE = 64 };
    for (int j = 0; j < cols; j++)
        for (int byte = 0; byte < 2 * VECTOR_BYTES; byte += LINE)
            __builtin_prefetch((const char *)(A + AHEAD * ROWS + j * lda) + byte);
}

/* k, n <= NARROW. Returns 0, or 1 if there is no memory. */
TARGET static int STRIPS(gemm_narrow)(int m, int n, int k, REAL alpha, const SCALAR *A, int lda, const SCALAR *B, int ldb,
                                      SCALAR *C, int ldc)
{
    size_t strip = 2 * (NARROW + COLS) * sizeof(STRIPS(vector));
    STRIPS(vector) *X = workspace_take(strip + NARROW * NARROW * sizeof(SCALAR));
    if (X == NULL)
        return 1;
    REAL *T = (REAL *)((char *)X + strip);
    STRIPS(pack_blocks)(k, n, alpha, B, ldb, T);
    for (int r = 0; r < m; r += ROWS) {
        int rows = m - r < ROWS ? m - r : ROWS;
        STRIPS(prefetch)(k, A + r, lda);
        STRIPS(pack_strip)(rows, k, A + r, 1, lda, X);
        for (int J = 0; J < n; J += COLS) {
            const REAL *t = T + J * k * PARTS;
            SCALAR *block = C + r + J * (ptrdiff_t)ldc;
            STRIPS(prefetch)(COLS, block, ldc);
            if (rows == ROWS && n - J >= COLS)      /* constants, for registers */
                STRIPS(subtract_block)(ROWS, COLS, k, X, t, block, ldc);
            else
                STRIPS(subtract_block)(rows, n - J < COLS ? n - J : COLS, k, X, t, block, ldc);
        }
    }
    workspace_give(X);
    return 0;
}
