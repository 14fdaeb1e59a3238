/* Factorizations of a tile in complete strips in the caller's workspace, left-looking, ROWS columns at a time; a part of
   packed_body.h's code. */

/* Solves for columns J to J + ROWS - 1 of `count` strips. */
static void M(solve_strips)(int count, int J, bool conjugate, REAL *X, ptrdiff_t apart, const REAL *T,
                            const struct M(pivot) *pivot)
{
    for (int s = 0; s < count; s += M(solved))
        M(solve_block)(M(smaller)(M(solved), count - s), J, conjugate, X + s * apart, apart,
                       (struct M(source)){ X + s * apart, apart, STEP }, T, pivot);
}

INLINED SCALAR M(get)(const REAL *strip, int i, int j)
{
    return MAKE_SCALAR(strip[j * STEP + i], strip[j * STEP + (PARTS - 1) * ROWS + i]);
}

INLINED void M(put)(REAL *strip, int i, int j, SCALAR a)
{
    strip[j * STEP + (PARTS - 1) * ROWS + i] = cimag(a);
    strip[j * STEP + i] = creal(a);
}

/* Clears the columns behind the last one, which take part in computations but are not used. */
static void M(clear_columns)(int from, int end, REAL *strip)
{
    memset(strip + from * STEP, 0, (size_t)(end - from) * STEP * sizeof *strip);
}

/* D = columns J to J + ROWS - 1 of a strip, minus the product of the columns before them and T. */
static void M(update_block)(int J, enum M(right) right, REAL *strip, const REAL *T, SCALAR D[ROWS][ROWS])
{
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < ROWS; i++)
            D[j][i] = M(get)(strip, i, J + j);
    for (int c = 0; c < ROWS; c += GROUP) {
        struct M(sum) t = { .k = J, .a = strip, .b = T + c, .next = (const char *)strip };
        struct M(target) to = { -1, D[c], ROWS, ROWS, GROUP, -GROUP, ROWS };
        M(blocks)[right][0](&t, &to);
    }
}

static void M(put_block)(int J, const SCALAR D[ROWS][ROWS], REAL *strip)
{
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < ROWS; i++)
            M(put)(strip, i, J + j, D[j][i]);
}

/* D_k = (D_k - sum) / d below the diagonal, for a d without an accurate reciprocal. This is a function with a loop of its own:
   otherwise vectors would divide in unused lanes, which raises exceptions that programs may trap. */
INLINED void M(divide_column)(int k, const SCALAR sum[ROWS], SCALAR d, SCALAR column[ROWS])
{
    for (int i = k + 1; i < ROWS; i++)
        column[i] = (column[i] - sum[i]) / d;
}

/* D = L L^H of the first n columns in the lower triangle, D[j][i] = d_ij. Returns info. Here and below, the terms that are
   subtracted from an element are added up first, so it is rounded once or twice, not once for each column. */
TARGET static int M(potrf_block)(int n, SCALAR D[ROWS][ROWS], struct M(pivot) pivot[ROWS])
{
    for (int k = 0; k < n; k++) {
        SCALAR sum[ROWS] = { 0 };
        for (int l = 0; l < k; l++)
            for (int i = k; i < ROWS; i++)
                sum[i] += D[l][i] * CONJUGATE(D[l][k]);
        REAL d = creal(D[k][k] - sum[k]);
        if (!(d > 0))       /* also for NaN */
            return k + 1;
        pivot[k] = M(pivot_of)((REAL)sqrt(d));
        D[k][k] = pivot[k].value;
        for (int i = k + 1; i < ROWS && pivot[k].safe; i++)
            D[k][i] = (D[k][i] - sum[i]) * pivot[k].reciprocal[0];
        if (!pivot[k].safe)
            M(divide_column)(k, sum, pivot[k].value, D[k]);
    }
    return 0;
}

static size_t M(potrf_bytes)(int n)
{
    return M(strips_bytes)(M(strips_of)(n), M(strips_of)(n) * ROWS);
}

/* Copies the lower triangle of strip s to A. */
static void M(unpack_lower)(int n, int s, struct view A, REAL *strip)
{
    int rows = M(smaller)(ROWS, n - s * ROWS);
    M(put_strip)(rows, s * ROWS, A, s * ROWS, strip);
    for (int j = s * ROWS; j < s * ROWS + rows; j++)
        for (int i = j; i < s * ROWS + rows; i++) {
            SCALAR a = M(get)(strip, i - s * ROWS, j);
            ((SCALAR *)A.data)[i * A.rs + j * A.cs] = A.conjugate ? CONJUGATE(a) : a;
        }
}

static int M(potrf)(int n, struct view A, void *work)
{
    int strips = M(strips_of)(n), info = 0;
    ptrdiff_t apart = (ptrdiff_t)strips * ROWS * STEP;
    REAL *L = work;
    struct M(pivot) pivot[ROWS];
    for (int s = 0; s < strips; s++) {
        const SCALAR *a = (const SCALAR *)A.data + s * ROWS * A.rs;
        int rows = M(smaller)(ROWS, n - s * ROWS);
        M(pack_strip)(rows, s * ROWS + rows, a, A.rs, A.cs, A.conjugate, L + s * apart);
    }
    if (n % ROWS != 0)
        M(clear_columns)(n, strips * ROWS, L + (strips - 1) * apart);
    for (int s = 0; s < strips && info == 0; s++) {
        int J = s * ROWS;
        SCALAR D[ROWS][ROWS];
        REAL *strip = L + s * apart;
        M(update_block)(J, M(conjugate), strip, strip, D);
        info = M(potrf_block)(M(smaller)(ROWS, n - J), D, pivot);
        M(put_block)(J, D, strip);
        if (info == 0)
            M(solve_strips)(strips - s - 1, J, true, strip + apart, apart, strip, pivot);
        info = info == 0 ? 0 : J + info;
    }
    for (int s = 0; s < strips; s++)
        M(unpack_lower)(n, s, A, L + s * apart);
    return info;
}

/* D = L U of the first n columns and rows. Returns the first zero pivot's 1-based column, or 0. */
TARGET static int M(getrf_block)(int n, SCALAR D[ROWS][ROWS], struct M(pivot) pivot[ROWS])
{
    int info = 0;
    for (int k = 0; k < n; k++) {
        SCALAR sum[ROWS] = { 0 };
        for (int l = 0; l < k; l++) {           /* u_lk, then the rest of column k */
            D[k][l] -= sum[l];
            for (int i = l + 1; i < ROWS; i++)
                sum[i] += D[l][i] * D[k][l];
        }
        D[k][k] -= sum[k];
        if (D[k][k] == 0 && info == 0)
            info = k + 1;
        pivot[k] = M(pivot_of)(D[k][k] == 0 ? 1 : D[k][k]);
        SCALAR reciprocal = MAKE_SCALAR(pivot[k].reciprocal[0], pivot[k].reciprocal[PARTS - 1]);
        for (int i = k + 1; i < ROWS && pivot[k].safe; i++)
            D[k][i] = (D[k][i] - sum[i]) * reciprocal;
        if (!pivot[k].safe)
            M(divide_column)(k, sum, pivot[k].value, D[k]);
    }
    return info;
}

static size_t M(getrf_bytes)(int n)
{
    return 2 * M(potrf_bytes)(n);
}

/* Strips of A hold L, strips of A^T hold U^T (Crout's order). */
static int M(getrf)(int n, void *tile, int lda, void *work)
{
    int strips = M(strips_of)(n), info = 0;
    ptrdiff_t apart = (ptrdiff_t)strips * ROWS * STEP;
    REAL *L = work, *U = L + strips * apart;
    SCALAR *A = tile;
    struct M(pivot) pivot[ROWS], ones[ROWS];
    for (int j = 0; j < ROWS; j++)
        ones[j] = M(pivot_of)(1);
    for (int s = 0; s < strips; s++) {
        int rows = M(smaller)(ROWS, n - s * ROWS);
        M(pack_strip)(rows, M(smaller)(n, (s + 1) * ROWS), A + s * ROWS, 1, lda, false, L + s * apart);
        M(pack_strip)(rows, s * ROWS, A + (ptrdiff_t)s * ROWS * lda, lda, 1, false, U + s * apart);
    }
    if (n % ROWS != 0)
        M(clear_columns)(n, strips * ROWS, L + (strips - 1) * apart);
    for (int s = 0; s < strips; s++) {
        int J = s * ROWS, columns = M(smaller)(ROWS, n - J), rest = strips - s - 1;
        SCALAR D[ROWS][ROWS], transposed[ROWS][ROWS];
        REAL *l = L + s * apart, *u = U + s * apart;
        M(update_block)(J, M(packed), l, u, D);
        int zero = M(getrf_block)(columns, D, pivot);
        info = info == 0 && zero != 0 ? J + zero : info;
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < ROWS; i++)
                transposed[i][j] = D[j][i];
        M(put_block)(J, D, l);
        M(put_block)(J, transposed, u);
        M(solve_strips)(rest, J, false, l + apart, apart, u, pivot);
        M(solve_strips)(rest, J, false, u + apart, apart, l, ones);
    }
    for (int s = 0; s < strips; s++) {
        int rows = M(smaller)(ROWS, n - s * ROWS);
        M(unpack_strip)(rows, M(smaller)(n, (s + 1) * ROWS), A + s * ROWS, 1, lda, L + s * apart);
        M(unpack_strip)(rows, s * ROWS, A + (ptrdiff_t)s * ROWS * lda, lda, 1, U + s * apart);
    }
    return info;
}
