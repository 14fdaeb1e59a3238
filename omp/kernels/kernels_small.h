/*
 * Factorizations of small tiles in packed strips; a part of kernels_strips.h. Left-looking, COLS columns at a time: their rows of
 * the factor, for Cholesky conjugated, are what the columns on the left are multiplied by.
 */
/* t_kc = element (J + c, k) of the strips, k < J. */
INLINED void STRIPS(gather_rows)(int J, STRIPS(vector) (*strips)[2 * FACTOR_ORDER], bool conjugate, REAL *restrict t)
{
    const STRIPS(vector) *strip = strips[J / ROWS];
    for (int k = 0; k < J; k++)
        for (int c = 0; c < COLS; c++) {
            SCALAR a = STRIPS(get_lane)(strip, J % ROWS + c, k);
            STRIPS(put)(t, k, c, conjugate ? CONJUGATE(a) : a);
        }
}

/* The rows of a lower triangle from `first` on that a strip holds, without its last `skipped` diagonals. */
INLINED void STRIPS(unpack_rows)(int n, int first, SCALAR *A, ptrdiff_t rs, ptrdiff_t cs, const STRIPS(vector) *strip,
                                 int skipped)
{
    int rows = n - first < ROWS ? n - first : ROWS;
    STRIPS(unpack_strip)(rows, first, A, rs, cs, strip);
    for (int r = 0; r < rows; r++)
        for (int j = first; j <= first + r - skipped; j++)
            A[r * rs + j * cs] = STRIPS(get_lane)(strip, r, j);
}

/* D = L L^H of a diagonal block, in its lower triangle, whose order n is padded by a unit matrix. Returns info. */
INLINED int STRIPS(potrf_block)(int n, SCALAR D[COLS][COLS], struct STRIPS(pivot) pivot[COLS])
{
    int info = 0;
    UNROLLED
    for (int k = 0; k < COLS; k++) {
        REAL d = creal(D[k][k]);
        if (!(d > 0) && info == 0 && k < n)     /* a NaN, too */
            info = k + 1;
        pivot[k] = STRIPS(pivot_of)((REAL)sqrt(d));
        D[k][k] = pivot[k].value;
        for (int i = k + 1; i < COLS; i++)
            D[i][k] = pivot[k].safe ? D[i][k] * pivot[k].reciprocal[0] : D[i][k] / pivot[k].value;
        for (int j = k + 1; j < COLS; j++)
            for (int i = j; i < COLS; i++)
                D[i][j] -= D[i][k] * CONJUGATE(D[j][k]);
    }
    return info;
}

/* Element (i,j) of the lower triangle is A[i * rs + j * cs]; either rs or cs is 1. */
TARGET static int STRIPS(potrf_small)(int n, SCALAR *A, ptrdiff_t rs, ptrdiff_t cs)
{
    STRIPS(vector) L[(FACTOR_ORDER + ROWS - 1) / ROWS][2 * FACTOR_ORDER];
    REAL t[FACTOR_ORDER * COLS * PARTS], triangle[COLS * COLS * PARTS];
    struct STRIPS(pivot) pivot[COLS];
    int info = 0, strips = (n + ROWS - 1) / ROWS;
    for (int s = 0; s < strips; s++)
        STRIPS(pack_strip)(n - s * ROWS < ROWS ? n - s * ROWS : ROWS, n < (s + 1) * ROWS ? n : (s + 1) * ROWS, A + s * ROWS * rs,
                           rs, cs, L[s]);
    for (int J = 0; J < n && info == 0; J += COLS) {
        int first = J / ROWS, cols = n - J < COLS ? n - J : COLS;
        SCALAR D[COLS][COLS];
        STRIPS(gather_rows)(J, L, true, t);
        STRIPS(update_diagonal)(J, L[first], t, cols, D);
        info = STRIPS(potrf_block)(cols, D, pivot);
        for (int j = 0; j < COLS; j++)
            for (int k = 0; k < j; k++)
                STRIPS(put)(triangle, k, j, CONJUGATE(D[j][k]));
        for (int s = first; s < strips; s++)
            STRIPS(finish_columns)(J, L[s], t, triangle, pivot);
        for (int j = 0; j < cols; j++)
            for (int i = j; i < cols; i++)
                STRIPS(put_lane)(L[first], J % ROWS + i, J + j, D[i][j]);
        info = info == 0 ? 0 : J + info;
    }
    for (int s = 0; s < strips; s++)
        STRIPS(unpack_rows)(n, s * ROWS, A + s * ROWS * rs, rs, cs, L[s], 0);
    return info;
}

/* D = L U of a diagonal block, padded. Returns the first zero pivot's 1-based column, or 0. */
INLINED int STRIPS(getrf_block)(SCALAR D[COLS][COLS], struct STRIPS(pivot) pivot[COLS])
{
    int info = 0;
    UNROLLED
    for (int k = 0; k < COLS; k++) {
        if (D[k][k] == 0 && info == 0)
            info = k + 1;
        pivot[k] = STRIPS(pivot_of)(D[k][k]);
        SCALAR reciprocal = MAKE_SCALAR(pivot[k].reciprocal[0], pivot[k].reciprocal[PARTS - 1]);
        for (int i = k + 1; i < COLS; i++) {
            D[i][k] = pivot[k].safe ? D[i][k] * reciprocal : D[i][k] / pivot[k].value;
            for (int j = k + 1; j < COLS; j++)
                D[i][j] -= D[i][k] * D[k][j];
        }
    }
    return info;
}

/* A = L U without pivoting, block by block: strips of A hold L, strips of A^T hold U^T (Crout's order). */
TARGET static int STRIPS(getrf_small)(int n, SCALAR *A, int lda)
{
    STRIPS(vector) L[(FACTOR_ORDER + ROWS - 1) / ROWS][2 * FACTOR_ORDER], U[(FACTOR_ORDER + ROWS - 1) / ROWS][2 * FACTOR_ORDER];
    REAL tl[FACTOR_ORDER * COLS * PARTS], tu[FACTOR_ORDER * COLS * PARTS], lower[COLS * COLS * PARTS], upper[COLS * COLS * PARTS];
    struct STRIPS(pivot) pivot[COLS], ones[COLS];
    int info = 0, strips = (n + ROWS - 1) / ROWS;
    for (int s = 0; s < strips; s++) {
        int rows = n - s * ROWS < ROWS ? n - s * ROWS : ROWS;
        STRIPS(pack_strip)(rows, n, A + s * ROWS, 1, lda, L[s]);
        STRIPS(pack_strip)(rows, n, A + (size_t)s * ROWS * lda, lda, 1, U[s]);
    }
    for (int j = 0; j < COLS; j++)
        ones[j] = STRIPS(pivot_of)(1);
    for (int J = 0; J < n; J += COLS) {
        int first = J / ROWS, cols = n - J < COLS ? n - J : COLS;
        SCALAR D[COLS][COLS];
        STRIPS(gather_rows)(J, L, false, tl);
        STRIPS(gather_rows)(J, U, false, tu);
        STRIPS(update_diagonal)(J, L[first], tu, cols, D);
        int zero = STRIPS(getrf_block)(D, pivot);
        info = info == 0 && zero != 0 ? J + zero : info;
        for (int j = 0; j < COLS; j++)
            for (int k = 0; k < j; k++) {
                STRIPS(put)(upper, k, j, D[k][j]);
                STRIPS(put)(lower, k, j, D[j][k]);
            }
        for (int s = first; s < strips; s++) {
            STRIPS(finish_columns)(J, L[s], tu, upper, pivot);
            STRIPS(finish_columns)(J, U[s], tl, lower, ones);
        }
        for (int j = 0; j < cols; j++)
            for (int i = 0; i < cols; i++) {
                STRIPS(put_lane)(L[first], J % ROWS + i, J + j, D[i][j]);
                STRIPS(put_lane)(U[first], J % ROWS + i, J + j, D[j][i]);
            }
    }
    for (int s = 0; s < strips; s++) {
        STRIPS(unpack_rows)(n, s * ROWS, A + s * ROWS, 1, lda, L[s], 1);
        STRIPS(unpack_rows)(n, s * ROWS, A + (size_t)s * ROWS * lda, lda, 1, U[s], 0);
    }
    return info;
}
