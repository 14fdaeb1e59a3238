/* Sums of real numbers in one precision, also for the parts of complex numbers; tile_sums.c includes this file. */

enum { NAME(lanes) = 64 };      /* lanes of the maxima */

/* The columns of W except the first, which has ones. period: sums_period(widest). */
INLINED REAL NAME(coarse)(int widest, int j)
{
    return 1 + (REAL)(j + 1) / (REAL)widest;
}

INLINED REAL NAME(fine)(int period, int j)
{
    return 1 + (REAL)(j % period + 1) / (REAL)period;
}

/* S += a w for `rows` rows, at most as many as there are lanes. apart: distance between columns of S. */
INLINED void NAME(add_up)(int rows, const REAL *a, const REAL *w, REAL *S, int apart, REAL *most)
{
    for (int i = 0; i < rows; i++) {
        REAL x = a[i], modulus = x < 0 ? -x : x;
        S[i] += x;
        S[i + apart] += w[1] * x;
        S[i + 2 * apart] += w[2] * x;
        most[i] = modulus > most[i] ? modulus : most[i];
    }
}

/* Works column by column, because several columns at once defeat the processor's prefetching. Returns the largest modulus,
   ignoring NaN. */
INLINED REAL NAME(sum_columns)(int widest, int rows, int n, const REAL *A, ptrdiff_t ld, REAL *S)
{
    enum { LANES = NAME(lanes) };
    REAL most[LANES] = { 0 }, largest = 0;
    int period = sums_period(widest);
    memset(S, 0, (size_t)rows * SUMS * sizeof *S);
    for (int j = 0; j < n; j++) {
        const REAL *a = A + j * ld;
        const REAL w[SUMS] = { 1, NAME(coarse)(widest, j), NAME(fine)(period, j) };
        int i = 0;
        for (; i + LANES <= rows; i += LANES)
            NAME(add_up)(LANES, a + i, w, S + i, rows, most);
        NAME(add_up)(rows - i, a + i, w, S + i, rows, most);
    }
    for (int i = 0; i < LANES; i++)
        largest = most[i] > largest ? most[i] : largest;
    return largest;
}

TARGET_WIDE static REAL NAME(sum_wide)(int widest, int rows, int n, const REAL *A, ptrdiff_t ld, REAL *S)
{
    return NAME(sum_columns)(widest, rows, n, A, ld, S);
}

TARGET_MIDDLE static REAL NAME(sum_middle)(int widest, int rows, int n, const REAL *A, ptrdiff_t ld, REAL *S)
{
    return NAME(sum_columns)(widest, rows, n, A, ld, S);
}

static REAL NAME(sum_plain)(int widest, int rows, int n, const REAL *A, ptrdiff_t ld, REAL *S)
{
    return NAME(sum_columns)(widest, rows, n, A, ld, S);
}

static struct tile_scale NAME(tile_sums)(int widest, int rows, int n, const void *A, ptrdiff_t ld, void *S)
{
    static REAL (*const sum[VECTORS_COUNT])(int, int, int, const REAL *, ptrdiff_t, REAL *) = {
        [VECTORS_WIDE] = NAME(sum_wide), [VECTORS_MIDDLE] = NAME(sum_middle), [VECTORS_PLAIN] = NAME(sum_plain)
    };
    struct tile_scale scale = { .element = sum[vectors()](widest, rows, n, A, ld, S) };
    const REAL *s = S;
    for (int i = 0; i < SUMS * rows; i++) {
        double modulus = fabs((double)s[i]);
        scale.sum = isnan(scale.sum) || modulus <= scale.sum ? scale.sum : modulus;
    }
    return scale;
}

enum { NAME(strip) = 64 / sizeof(REAL), NAME(at_once) = 4 };    /* rows of a packed tile's strips; strips in one pass */
/* A column of a strip. */
typedef REAL NAME(column) __attribute__((ext_vector_type(64 / sizeof(REAL)), aligned(sizeof(REAL))));

/* The state after some strips of a packed tile: its weighted sums, part by part in a strip of SUMS rows, and the norm of its
   rows. */
struct NAME(packed_pass) {
    int widest, period, columns;    /* for complex numbers, real parts and imaginary parts are separate columns */
    REAL *V, norm;
};

INLINED void NAME(load)(int height, const REAL *from, NAME(column) *x)
{
    if (height == NAME(strip))
        *x = *(const NAME(column) *)from;
    else
        memcpy(x, from, (size_t)height * sizeof *from);
}

INLINED REAL NAME(add_lanes)(const NAME(column) *x)
{
#pragma clang fp reassociate(on)
    REAL sum = 0;
    for (int i = 0; i < NAME(strip); i++)
        sum += (*x)[i];
    return sum;
}

/* Adds `count` strips from row `row` on, column by column, of `height` rows each. */
INLINED void NAME(add_strips)(int count, int height, int row, const REAL *P, struct NAME(packed_pass) *p)
{
    NAME(column) moduli[NAME(at_once)], most[NAME(at_once)], coarse[NAME(at_once)], fine[NAME(at_once)], x = 0;
    for (int s = 0; s < count; s++) {
        moduli[s] = most[s] = 0;
        for (int r = 0; r < NAME(strip); r++) {
            coarse[s][r] = NAME(coarse)(p->widest, row + s * NAME(strip) + r);
            fine[s][r] = NAME(fine)(p->period, row + s * NAME(strip) + r);
        }
    }
    for (int j = 0; j < p->columns; j++) {
        NAME(column) sum[SUMS] = { 0 };
        UNROLLED
        for (int s = 0; s < count; s++) {
            NAME(load)(height, P + ((ptrdiff_t)s * p->columns + j) * height, &x);
            NAME(column) modulus = x < 0 ? -x : x;
            sum[0] += x;
            sum[1] += coarse[s] * x;
            sum[2] += fine[s] * x;
            moduli[s] += modulus;
            most[s] = modulus > most[s] ? modulus : most[s];
        }
        UNROLLED
        for (int s = 0; s < SUMS; s++)
            p->V[j * SUMS + s] += NAME(add_lanes)(&sum[s]);
    }
    for (int s = 0; s < count; s++)
        for (int r = 0; r < NAME(strip); r++) {
            REAL bound = (REAL)(sqrt((double)moduli[s][r]) * sqrt((double)most[s][r]));
            p->norm = bound > p->norm ? bound : p->norm;
        }
}

INLINED void NAME(add_all_strips)(int m, const REAL *P, struct NAME(packed_pass) *p)
{
    enum { ROWS = NAME(strip), MANY = NAME(at_once) };
    int row = 0;
    for (; m - row >= MANY * ROWS; row += MANY * ROWS)
        NAME(add_strips)(MANY, ROWS, row, P + (ptrdiff_t)row * p->columns, p);
    for (; m - row >= ROWS; row += ROWS)
        NAME(add_strips)(1, ROWS, row, P + (ptrdiff_t)row * p->columns, p);
    if (row < m)
        NAME(add_strips)(1, m - row, row, P + (ptrdiff_t)row * p->columns, p);
}

TARGET_WIDE static void NAME(pack_wide)(int m, const REAL *P, struct NAME(packed_pass) *p)
{
    NAME(add_all_strips)(m, P, p);
}

TARGET_MIDDLE static void NAME(pack_middle)(int m, const REAL *P, struct NAME(packed_pass) *p)
{
    NAME(add_all_strips)(m, P, p);
}

static void NAME(pack_plain)(int m, const REAL *P, struct NAME(packed_pass) *p)
{
    NAME(add_all_strips)(m, P, p);
}

/* The largest 2-norm of V's rows. */
static double NAME(norm_of_rows)(int columns, const REAL *V)
{
    double largest = 0, squares[SUMS] = { 0 };
    for (int i = 0; i < SUMS * columns; i++)
        largest = fabs((double)V[i]) > largest ? fabs((double)V[i]) : largest;
    if (largest == 0 || isinf(largest))
        return largest;
    for (int i = 0; i < SUMS * columns; i++)
        squares[i % SUMS] += V[i] / largest * (V[i] / largest);
    return largest * sqrt(fmax(squares[0], fmax(squares[1], squares[2])));
}

static struct tile_scale NAME(packed_sums)(int widest, int m, int columns, const void *P, void *V)
{
    static void (*const pass[VECTORS_COUNT])(int, const REAL *, struct NAME(packed_pass) *) = {
        [VECTORS_WIDE] = NAME(pack_wide), [VECTORS_MIDDLE] = NAME(pack_middle), [VECTORS_PLAIN] = NAME(pack_plain)
    };
    struct NAME(packed_pass) p = { .widest = widest, .period = sums_period(widest), .columns = columns, .V = V };
    memset(V, 0, (size_t)(SUMS * columns) * sizeof(REAL));
    pass[vectors()](m, P, &p);
    return (struct tile_scale){ .element = p.norm, .sum = NAME(norm_of_rows)(columns, V) };
}
