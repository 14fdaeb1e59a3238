/*
 * QR of a few long columns; a part of kernels_strips.h. Left-looking, with one sweep over the rows for each column. For each
 * piece of rows the sweep applies the former reflectors to the column, and then multiplies the former columns and the column
 * itself by this column and by the next one. So one read of a piece of V serves three products: V w, V^H x for T, and V^H
 * times the next column.
 */
enum { STRIPS(sweep) = 2048 / sizeof(SCALAR) };    /* rows of a piece, so that it stays in the first-level cache if there are
                                                      few columns */

#undef SHUFFLE_PAIRS
#if VECTOR_BYTES / REAL_BYTES == 16
#define SHUFFLE_PAIRS 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#elif VECTOR_BYTES / REAL_BYTES == 8
#define SHUFFLE_PAIRS 1, 0, 3, 2, 5, 4, 7, 6
#else
#define SHUFFLE_PAIRS 1, 0, 3, 2
#endif

/* Loads `count` numbers and zeros behind them. */
INLINED void STRIPS(load)(STRIPS(vector) *v, const REAL *from, int count)
{
    *v = (STRIPS(vector)){ 0 };
    memcpy(v, from, (size_t)count * sizeof *from);
}

/* Sums of conj(v) times a column for each lane: products of equal parts, and products of different parts. */
struct STRIPS(sums) {
    STRIPS(vector) with_x[PARTS], with_next[PARTS];
};

INLINED SCALAR STRIPS(total)(const STRIPS(vector) sums[PARTS])
{
    REAL re = 0, im = 0;
    for (int lane = 0; lane < LANES; lane++) {
        re += sums[0][lane];
        im += lane % 2 == 0 ? sums[PARTS - 1][lane] : -sums[PARTS - 1][lane];
    }
    return (SCALAR)MAKE_SCALAR(re, im);
}

/* Adds one vector, of `count` numbers, to `columns` products. */
INLINED void STRIPS(multiply_vector)(int columns, int count, const REAL *V, ptrdiff_t ldv, const REAL *x, const REAL *next,
                                   struct STRIPS(sums) *sums)
{
    STRIPS(vector) vx, vn, v;
    STRIPS(load)(&vx, x, count);
    STRIPS(load)(&vn, next, count);
    UNROLLED
    for (int c = 0; c < columns; c++) {
        STRIPS(load)(&v, V + c * ldv, count);
        sums[c].with_x[0] += v * vx;
        sums[c].with_next[0] += v * vn;
        if (PARTS == 2) {
            sums[c].with_x[PARTS - 1] += v * __builtin_shufflevector(vx, vx, SHUFFLE_PAIRS);
            sums[c].with_next[PARTS - 1] += v * __builtin_shufflevector(vn, vn, SHUFFLE_PAIRS);
        }
    }
}

/* Adds V^H x and V^H next for a constant number of columns of V. A few vectors are summed separately: if all rows are equal,
   rounding errors are equal as well, and grow with the length of the longest sum. */
INLINED void STRIPS(multiply_columns)(int columns, int rows, const SCALAR *V, ptrdiff_t ldv, const SCALAR *x, const SCALAR *next,
                                    struct STRIPS(sums) *sums)
{
    enum { MOST = 4, VECTORS = 12 };
    const REAL *v = (const REAL *)V, *vx = (const REAL *)x, *vn = (const REAL *)next;
    int count = rows * PARTS;
    for (int i = 0; i < count;) {
        struct STRIPS(sums) s[MOST] = { 0 };
        int end = count - i < VECTORS * LANES ? count : i + VECTORS * LANES;
        for (; i + LANES <= end; i += LANES)
            STRIPS(multiply_vector)(columns, LANES, v + i, ldv * PARTS, vx + i, vn + i, s);
        if (i < end)
            STRIPS(multiply_vector)(columns, end - i, v + i, ldv * PARTS, vx + i, vn + i, s);
        i = end;
        for (int c = 0; c < columns; c++)
            for (int part = 0; part < PARTS; part++) {
                sums[c].with_x[part] += s[c].with_x[part];
                sums[c].with_next[part] += s[c].with_next[part];
            }
    }
}

/* V^H x and V^H next, where V has the columns up to x, which is column j. */
INLINED void STRIPS(multiply)(int rows, int j, int next, const SCALAR *V, ptrdiff_t ldv, struct STRIPS(sums) *sums)
{
    enum { GROUP = 4 / PARTS };
    int c = 0;
    for (; c + GROUP <= j + 1; c += GROUP)
        STRIPS(multiply_columns)(GROUP, rows, V + c * ldv, ldv, V + j * ldv, V + next * ldv, sums + c);
    for (; c <= j; c++)
        STRIPS(multiply_columns)(1, rows, V + c * ldv, ldv, V + j * ldv, V + next * ldv, sums + c);
}

INLINED void STRIPS(subtract_all)(int rows, int count, const SCALAR *V, ptrdiff_t ldv, const SCALAR *w, SCALAR *column)
{
    int p = 0;
    for (; PARTS == 1 && p + 4 <= count; p += 4)
        STRIPS(subtract_four)(rows, V + p * ldv, ldv, w + p, column);
    STRIPS(subtract_columns)(rows, count - p, V + p * ldv, ldv, w + p, column);
}

INLINED void STRIPS(scale_by)(int rows, SCALAR factor, SCALAR *column)
{
    REAL *a = (REAL *)column, re = creal(factor), im = cimag(factor);
    if (PARTS == 1)
        for (int i = 0; i < rows; i++)
            a[i] *= re;
    else
        for (int i = 0; i < rows; i++) {
            REAL r = a[2 * i], c = a[2 * i + 1];
            a[2 * i] = r * re - c * im;
            a[2 * i + 1] = r * im + c * re;
        }
}

/* The columns that are factored: `top` rows in Z, where V is stored with its ones and zeros, above `rows` rows of B. */
struct STRIPS(columns) {
    int n, top, rows;
    ptrdiff_t ldb;
    SCALAR *Z, *B;
    SCALAR with_x[FEW_COLUMNS], with_next[FEW_COLUMNS];
};

/* Computes the products of column j and of the next column with V and with column j. Before that B -= V w on column j, unless w
   is NULL. */
INLINED void STRIPS(sweep_column)(struct STRIPS(columns) *p, int j, const SCALAR *w)
{
    struct STRIPS(sums) sums[FEW_COLUMNS];
    int next = j + 1 < p->n ? j + 1 : j;
    memset(sums, 0, (size_t)(j + 1) * sizeof *sums);
    STRIPS(multiply)(p->top, j, next, p->Z, p->top, sums);
    for (int i = 0; i < p->rows; i += STRIPS(sweep)) {
        int rows = p->rows - i < STRIPS(sweep) ? p->rows - i : STRIPS(sweep);
        if (w != NULL)
            STRIPS(subtract_all)(rows, j, p->B + i, p->ldb, w, p->B + i + j * p->ldb);
        STRIPS(multiply)(rows, j, next, p->B + i, p->ldb, sums);
    }
    for (int c = 0; c <= j; c++) {
        p->with_x[c] = STRIPS(total)(sums[c].with_x);
        p->with_next[c] = STRIPS(total)(sums[c].with_next);
    }
}

INLINED REAL STRIPS(larger)(REAL a, REAL b)
{
    return a > b ? a : b;
}

/*
 * LAPACK's larfg: H^H (alpha, x) = (beta, 0), where x is column j; beta replaces alpha. Returns tau, and the factor for x. If
 * the squares leave the range in which they are accurate, or a product is not finite, alpha and x are first scaled by a power
 * of two.
 */
INLINED SCALAR STRIPS(make_reflector)(struct STRIPS(columns) *p, int j, SCALAR *alpha, SCALAR *scale)
{
    const REAL low = REAL_SMALLEST / REAL_EPSILON / REAL_EPSILON;
    SCALAR *z = p->Z + j * (ptrdiff_t)p->top, *b = p->B + j * p->ldb, a = *alpha;
    REAL back = 1, square = creal(p->with_x[j]);
    bool safe = square >= low && square <= 1 / low;
    for (int c = 0; safe && c <= j; c++)
        safe = isfinite(MODULUS1(p->with_x[c])) && isfinite(MODULUS1(p->with_next[c]));
    if (!safe) {
        REAL size = STRIPS(larger)(STRIPS(largest)(p->top, z), STRIPS(largest)(p->rows, b));
        *scale = 1;
        if (size == 0 && square == 0 && cimag(a) == 0)
            return 0;
        size = STRIPS(larger)(size, MODULUS1(a));
        int exponent = 0;
        frexp(size, &exponent);
        REAL power = size > 1 / REAL_SMALLEST ? REAL_SMALLEST
                     : size < REAL_SMALLEST   ? 1 / REAL_SMALLEST
                                              : (REAL)ldexp(1, -exponent);
        back = 1 / power;
        a *= power;
        STRIPS(scale_by)(p->top, power, z);
        STRIPS(scale_by)(p->rows, power, b);
        STRIPS(sweep_column)(p, j, NULL);
    }
    REAL norm = (REAL)hypot(hypot(creal(a), cimag(a)), sqrt(creal(p->with_x[j])));
    REAL beta = creal(a) >= 0 ? -norm : norm;
    *scale = NAME(quotient)(1, a - beta);
    *alpha = beta * back;
    return NAME(quotient)(beta - a, beta);
}

/* Column j of T from V^H v, with zeros below: T_j = -tau T V^H v. */
INLINED void STRIPS(make_column_of_t)(int n, int j, SCALAR tau, const SCALAR *restrict z, SCALAR *restrict T, ptrdiff_t ldt)
{
    SCALAR *restrict t = T + j * ldt;
    memset(t, 0, (size_t)n * sizeof *t);
    for (int c = 0; c < j; c++)
        STRIPS(subtract_columns)(c + 1, 1, T + c * ldt, ldt, &(SCALAR){ tau * z[c] }, t);
    t[j] = tau;
}

/* w = T^H (V^H a), in place. */
INLINED void STRIPS(multiply_by_t)(int n, const SCALAR *T, ptrdiff_t ldt, SCALAR *w)
{
    for (int c = n - 1; c >= 0; c--) {
        SCALAR sum = 0;
        for (int r = 0; r <= c; r++)
            sum += CONJUGATE(T[r + c * ldt]) * w[r];
        w[c] = sum;
    }
}

/* R, upper triangular, of Z above B. V replaces B. */
INLINED void STRIPS(reflect_columns)(struct STRIPS(columns) *p, SCALAR *R, ptrdiff_t ldr, SCALAR *T, ptrdiff_t ldt)
{
    ptrdiff_t ldz = p->top;
    for (int j = 0; j < p->n; j++) {
        SCALAR w[FEW_COLUMNS], *z = p->Z + j * ldz, *r = R + j * ldr, scale;
        memcpy(w, p->with_next, (size_t)j * sizeof *w);
        STRIPS(multiply_by_t)(j, T, ldt, w);
        STRIPS(subtract_all)(p->top, j, p->Z, ldz, w, z);
        memcpy(r, z, (size_t)(j + 1) * sizeof *r);
        memset(z, 0, (size_t)(j + 1) * sizeof *z);
        STRIPS(sweep_column)(p, j, w);
        SCALAR tau = STRIPS(make_reflector)(p, j, &r[j], &scale);
        STRIPS(scale_by)(p->top, scale, z);
        STRIPS(scale_by)(p->rows, scale, p->B + j * p->ldb);
        z[j] = 1;
        for (int c = 0; c < j; c++)
            w[c] = CONJUGATE(p->Z[j + c * ldz]) + scale * p->with_x[c];
        STRIPS(make_column_of_t)(p->n, j, tau, w, T, ldt);
        if (j + 1 < p->n)
            p->with_next[j] = z[ldz + j] + CONJUGATE(scale) * p->with_next[j];
    }
}

/* n <= m */
TARGET static void STRIPS(geqrt_columns)(int m, int n, SCALAR *A, int lda, SCALAR *T, int ldt)
{
    SCALAR Z[FEW_COLUMNS * FEW_COLUMNS];
    struct STRIPS(columns) p = { .n = n, .top = n, .rows = m - n, .ldb = lda, .Z = Z, .B = A + n };
    for (int j = 0; j < n; j++)
        memcpy(Z + j * n, A + (size_t)j * lda, (size_t)n * sizeof *A);
    STRIPS(reflect_columns)(&p, A, lda, T, ldt);
    for (int j = 0; j < n; j++)
        memcpy(A + j + 1 + (size_t)j * lda, Z + j + 1 + j * n, (size_t)(n - j - 1) * sizeof *A);
}

/* The last l <= n of B's m rows are an upper trapezoid. */
TARGET static void STRIPS(tpqrt_columns)(int m, int l, int n, SCALAR *R, int ldr, SCALAR *B, int ldb, SCALAR *T, int ldt)
{
    SCALAR Z[2 * FEW_COLUMNS * FEW_COLUMNS];
    int top = n + l;
    struct STRIPS(columns) p = { .n = n, .top = top, .rows = m - l, .ldb = ldb, .Z = Z, .B = B };
    memset(Z, 0, (size_t)(top * n) * sizeof *Z);
    for (int j = 0; j < n; j++) {
        memcpy(Z + j * top, R + (size_t)j * ldr, (size_t)(j + 1) * sizeof *Z);
        memcpy(Z + n + j * top, B + m - l + (size_t)j * ldb, (size_t)(j < l ? j + 1 : l) * sizeof *Z);
    }
    STRIPS(reflect_columns)(&p, R, ldr, T, ldt);
    for (int j = 0; j < n; j++)
        memcpy(B + m - l + (size_t)j * ldb, Z + n + j * top, (size_t)(j < l ? j + 1 : l) * sizeof *Z);
}
