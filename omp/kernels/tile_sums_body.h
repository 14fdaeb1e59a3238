/* Sums of real numbers in one precision, for complex ones part by part; included by tile_sums.c. */

enum { NAME(lanes) = 64 };      /* of the maxima */

/* s0 += a, s1 += w a, `rows` of them, at most as many as there are lanes. */
INLINED void NAME(add_up)(int rows, const REAL *a, REAL w, REAL *s0, REAL *s1, REAL *most)
{
    for (int i = 0; i < rows; i++) {
        REAL x = a[i], modulus = x < 0 ? -x : x;
        s0[i] += x;
        s1[i] += w * x;
        most[i] = modulus > most[i] ? modulus : most[i];
    }
}

/* Column by column, as memory has them: of several at once a processor would not know what comes next. Returns the largest
   modulus but for NaN. */
INLINED REAL NAME(sum_columns)(int widest, int rows, int n, const REAL *A, ptrdiff_t ld, REAL *S)
{
    enum { LANES = NAME(lanes) };
    REAL most[LANES] = { 0 }, largest = 0;
    memset(S, 0, (size_t)rows * SUMS * sizeof *S);
    for (int j = 0; j < n; j++) {
        const REAL *a = A + j * ld;
        REAL w = 1 + (REAL)(j + 1) / (REAL)widest;
        int i = 0;
        for (; i + LANES <= rows; i += LANES)
            NAME(add_up)(LANES, a + i, w, S + i, S + rows + i, most);
        NAME(add_up)(rows - i, a + i, w, S + i, S + rows + i, most);
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

enum { NAME(strip) = 64 / sizeof(REAL) };       /* rows of a packed tile's strips */

/* What is known of a packed tile after some strips: its weighted sums, part by part as a strip of SUMS rows, and its rows. */
struct NAME(packed_pass) {
    int parts, n;
    REAL *V, norm;
};

/* Of a strip column follows column, of complex numbers real parts before imaginary ones. w: weights of its rows. */
INLINED void NAME(add_strip)(int height, const REAL *strip, const REAL *w, struct NAME(packed_pass) *p)
{
#pragma clang fp reassociate(on)
    REAL moduli[NAME(strip)] = { 0 }, most[NAME(strip)] = { 0 };
    for (int j = 0; j < p->n; j++)
        for (int part = 0; part < p->parts; part++) {
            const REAL *x = strip + ((ptrdiff_t)j * p->parts + part) * height;
            REAL *v = p->V + ((ptrdiff_t)j * p->parts + part) * SUMS, sum = 0, weighed = 0;
            for (int i = 0; i < height; i++) {
                REAL modulus = x[i] < 0 ? -x[i] : x[i];
                sum += x[i];
                weighed += w[i] * x[i];
                moduli[i] += modulus;
                most[i] = modulus > most[i] ? modulus : most[i];
            }
            v[0] += sum;
            v[1] += weighed;
        }
    for (int i = 0; i < height; i++) {
        REAL bound = (REAL)(sqrt((double)moduli[i]) * sqrt((double)most[i]));
        p->norm = bound > p->norm ? bound : p->norm;
    }
}

INLINED void NAME(add_strips)(int widest, int m, const REAL *P, struct NAME(packed_pass) *p)
{
    for (int i = 0; i < m; i += NAME(strip)) {
        const REAL *strip = P + (ptrdiff_t)i * p->parts * p->n;
        REAL w[NAME(strip)];
        for (int r = 0; r < NAME(strip); r++)
            w[r] = 1 + (REAL)(i + r + 1) / (REAL)widest;
        if (m - i >= NAME(strip))
            NAME(add_strip)(NAME(strip), strip, w, p);
        else
            NAME(add_strip)(m - i, strip, w, p);
    }
}

TARGET_WIDE static void NAME(pack_wide)(int widest, int m, const REAL *P, struct NAME(packed_pass) *p)
{
    NAME(add_strips)(widest, m, P, p);
}

TARGET_MIDDLE static void NAME(pack_middle)(int widest, int m, const REAL *P, struct NAME(packed_pass) *p)
{
    NAME(add_strips)(widest, m, P, p);
}

static void NAME(pack_plain)(int widest, int m, const REAL *P, struct NAME(packed_pass) *p)
{
    NAME(add_strips)(widest, m, P, p);
}

static struct tile_scale NAME(packed_sums)(int widest, int m, int parts, int n, const void *P, void *V)
{
    static void (*const pass[VECTORS_COUNT])(int, int, const REAL *, struct NAME(packed_pass) *) = {
        [VECTORS_WIDE] = NAME(pack_wide), [VECTORS_MIDDLE] = NAME(pack_middle), [VECTORS_PLAIN] = NAME(pack_plain)
    };
    struct NAME(packed_pass) p = { .parts = parts, .n = n, .V = V };
    double norm[SUMS] = { 0 };
    memset(V, 0, (size_t)(SUMS * parts * n) * sizeof(REAL));
    pass[vectors()](widest, m, P, &p);
    for (int j = 0; j < parts * n; j++)
        for (int s = 0; s < SUMS; s++)
            norm[s] = hypot(norm[s], (double)p.V[SUMS * j + s]);
    return (struct tile_scale){ .element = p.norm, .sum = fmax(norm[0], norm[1]) };
}
