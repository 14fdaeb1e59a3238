/*
 * C += alpha A B for a B of few rows and columns; a part of kernels_strips.h. BLAS libraries first copy A and B, which takes
 * most of the time if k is small. Here a strip of A stays in the first-level cache, and the kernel prefetches the next data
 * during the products of this strip.
 */

enum { STRIPS(blocks) = VECTOR_BYTES == 64 ? 2 : 1 };       /* number of blocks that the registers have room for */

/* Packs -alpha B in blocks of COLS columns and k rows, padded with zeros. */
INLINED void STRIPS(pack_blocks)(int k, int n, REAL alpha, const SCALAR *B, ptrdiff_t ldb, REAL *restrict T)
{
    for (int J = 0; J < n; J += COLS, T += k * COLS * PARTS)
        for (int i = 0; i < k; i++)
            for (int c = 0; c < COLS; c++)
                STRIPS(put)(T, i, c, J + c < n ? -alpha * B[i + (J + c) * ldb] : 0);
}

/* C -= X T for `blocks` blocks of T next to each other. */
INLINED void STRIPS(subtract_block)(int rows, int cols, int blocks, int k, const STRIPS(vector) * X, const REAL *T,
                                    SCALAR *restrict C, ptrdiff_t ldc)
{
    STRIPS(vector) c[STRIPS(blocks) * COLS][2];
    memset(c, 0, (size_t)blocks * COLS * sizeof c[0]);
    for (int i = 0; i < k; i++) {
        STRIPS(vector) x[2] = { X[2 * i], X[2 * i + 1] };
        for (int j = 0; j < blocks * COLS; j++)
            STRIPS(subtract)(c[j], x, T + (j / COLS * k + i) * COLS * PARTS + j % COLS);
    }
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
        for (int J = 0, cols; J < n; J += cols) {
            const REAL *t = T + J * k * PARTS;
            SCALAR *block = C + r + J * (ptrdiff_t)ldc;
            bool wide = rows == ROWS && n - J >= STRIPS(blocks) * COLS;
            cols = wide ? STRIPS(blocks) * COLS : n - J < COLS ? n - J : COLS;
            STRIPS(prefetch)(cols, block, ldc);
            if (wide)       /* constants, for registers */
                STRIPS(subtract_block)(ROWS, STRIPS(blocks) * COLS, STRIPS(blocks), k, X, t, block, ldc);
            else if (rows == ROWS && cols == COLS)
                STRIPS(subtract_block)(ROWS, COLS, 1, k, X, t, block, ldc);
            else
                STRIPS(subtract_block)(rows, cols, 1, k, X, t, block, ldc);
        }
    }
    workspace_give(X);
    return 0;
}
