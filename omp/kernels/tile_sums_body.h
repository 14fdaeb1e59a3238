/* Sums of real numbers in one precision, for complex ones part by part; included by tile_sums.c. */

enum { NAME(lanes) = 64 };      /* of the maxima */

/* s0 += sum of `count` columns, s1 += that with weights, rows first .. first + rows - 1. */
INLINED void NAME(add_up)(int rows, int count, const REAL *a, ptrdiff_t ld, const REAL *w, REAL *s0, REAL *s1, REAL *most)
{
    for (int i = 0; i < rows; i++) {
        REAL sum = 0, weighed = 0, largest = most[i];
        UNROLLED
        for (int j = 0; j < count; j++) {
            REAL x = a[i + j * ld], modulus = x < 0 ? -x : x;
            sum += x;
            weighed += w[j] * x;
            largest = modulus > largest ? modulus : largest;
        }
        s0[i] += sum;
        s1[i] += weighed;
        most[i] = largest;
    }
}

/* Four columns at a time, so that sums are written once for each four elements. Returns the largest modulus but for NaN. */
INLINED REAL NAME(sum_columns)(int widest, int rows, int n, const REAL *A, ptrdiff_t ld, REAL *S)
{
    enum { AT_ONCE = 4, LANES = NAME(lanes) };
    REAL most[LANES] = { 0 }, w[AT_ONCE], largest = 0;
    memset(S, 0, (size_t)rows * SUMS * sizeof *S);
    for (int j = 0, count; j < n; j += count) {
        count = n - j >= AT_ONCE ? AT_ONCE : 1;
        for (int c = 0; c < count; c++)
            w[c] = 1 + (REAL)(j + c + 1) / (REAL)widest;
        const REAL *a = A + j * ld;
        for (int i = 0; i < rows; i += LANES) {
            int height = rows - i < LANES ? rows - i : LANES;
            if (count == AT_ONCE && height == LANES)
                NAME(add_up)(LANES, AT_ONCE, a + i, ld, w, S + i, S + rows + i, most);
            else if (count == AT_ONCE)
                NAME(add_up)(height, AT_ONCE, a + i, ld, w, S + i, S + rows + i, most);
            else
                NAME(add_up)(height, 1, a + i, ld, w, S + i, S + rows + i, most);
        }
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
        scale.sum = modulus <= scale.sum ? scale.sum : modulus;
    }
    return scale;
}

/* Of a strip column follows column, of complex numbers real parts before imaginary ones. */
static double NAME(strip_norm)(int height, int parts, int n, const REAL *strip)
{
    enum { HIGH = 64 / sizeof(REAL) };
    REAL sum[HIGH] = { 0 }, most[HIGH] = { 0 }, norm = 0;
    for (int j = 0; j < parts * n; j++)
        for (int i = 0; i < height; i++) {
            REAL x = strip[(ptrdiff_t)j * height + i], modulus = x < 0 ? -x : x;
            sum[i] += modulus;
            most[i] = modulus > most[i] ? modulus : most[i];
        }
    for (int i = 0; i < height; i++) {
        REAL bound = (REAL)(sqrt((double)sum[i]) * sqrt((double)most[i]));
        norm = bound > norm ? bound : norm;
    }
    return norm;
}

static double NAME(packed_row_norm)(int m, int parts, int n, const void *P)
{
    enum { HIGH = 64 / sizeof(REAL) };
    double norm = 0;
    for (int i = 0; i < m; i += HIGH) {
        const REAL *strip = (const REAL *)P + (ptrdiff_t)i * parts * n;
        double bound = m - i >= HIGH ? NAME(strip_norm)(HIGH, parts, n, strip) : NAME(strip_norm)(m - i, parts, n, strip);
        norm = bound > norm ? bound : norm;
    }
    return norm;
}
