/* Butterflies of real numbers, also for the parts of complex numbers; included once for float and once for double. */

/* (x, y) becomes (a (x + y), b (x - y)), or with `back` (a x + b y, a x - b y). Products come first, so that sums of large
   numbers do not overflow. */
static void NAME(cross)(bool back, int count, const REAL *restrict a, const REAL *restrict b, REAL *restrict x, REAL *restrict y)
{
    if (back) {
        for (int i = 0; i < count; i++) {
            REAL u = a[i] * x[i], v = b[i] * y[i];
            x[i] = u + v;
            y[i] = u - v;
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        REAL u = x[i], v = y[i];
        x[i] = a[i] * u + a[i] * v;
        y[i] = b[i] * u - b[i] * v;
    }
}

/* The same with one a and one b for all. */
static void NAME(cross_columns)(bool back, int count, REAL a, REAL b, REAL *restrict x, REAL *restrict y)
{
    REAL xx = a, xy = back ? b : a, yx = back ? a : b, yy = -b;
    for (int i = 0; i < count; i++) {
        REAL u = x[i], v = y[i];
        x[i] = xx * u + xy * v;
        y[i] = yx * u + yy * v;
    }
}

static void NAME(mix_rows)(const struct butterfly *w, bool back, const struct crossing *crossings, int count, int parts,
                           int columns, void *B, int64_t ld)
{
    REAL a[LEVELS * LEVEL_PAIRS][2 * LONGEST_SPAN], b[LEVELS * LEVEL_PAIRS][2 * LONGEST_SPAN];
    int length = parts * w->size;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < length; i++) {
            a[k][i] = (REAL)w->first[crossings[k].level][crossings[k].pair][i / parts];
            b[k][i] = (REAL)w->second[crossings[k].level][crossings[k].pair][i / parts];
        }
    for (int j = 0; j < columns; j++) {
        REAL *x = (REAL *)B + parts * j * ld;
        for (int k = 0; k < count; k++)
            NAME(cross)(back, length, a[k], b[k], x + crossings[k].x * length, x + crossings[k].y * length);
    }
}

static void NAME(mix_columns)(const struct butterfly *w, bool back, const struct crossing *crossings, int count, int parts,
                              int rows, void *B, int64_t ld)
{
    for (int k = 0; k < count; k++) {
        const struct crossing *c = &crossings[k];
        for (int j = 0; j < w->size; j++)
            NAME(cross_columns)(back, parts * rows, (REAL)w->first[c->level][c->pair][j], (REAL)w->second[c->level][c->pair][j],
                                (REAL *)B + parts * ld * (c->x * w->size + j), (REAL *)B + parts * ld * (c->y * w->size + j));
    }
}
