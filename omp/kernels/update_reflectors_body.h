/* The parts of update_reflectors.c that compute with elements, in one precision; included once for each. */

/* l becomes l', and v^H in u becomes the u of the reflector, whose q is stored in *q. False: l' is not positive and finite. */
static bool NAME(turn)(bool subtracts, int k, void *diagonal, void *row, void *q)
{
    SCALAR *u = row, *lower = diagonal;
    REAL l = creal(*lower);
    double length = 0;
    for (int i = 0; i < k; i++) {
        u[i] /= l;
        double re = creal(u[i]), im = cimag(u[i]);
        length += re * re + im * im;
    }
    double by = subtracts ? sqrt(1 - length) : sqrt(1 + length);     /* l' / l */
    REAL turned = l * (REAL)by, part = (REAL)(1 / (1 + by));
    if (!(turned > 0 && isfinite(turned)))
        return false;
    for (int i = 0; i < k; i++)
        u[i] *= part;
    *lower = turned;
    *(SCALAR *)q = (REAL)(subtracts ? by : 1 / by);
    return true;
}

/* Updates a column of L, and in y one of Y: l becomes l', y becomes l + l'. For L^H it is a row, with elements `step` apart. */
static void NAME(turn_column)(bool subtracts, bool conjugate, int m, const void *of, void *column, int64_t step, void *with)
{
    SCALAR *l = column, *y = with;
    REAL q = creal(*(const SCALAR *)of);
    for (int i = 0; i < m; i++, l += step) {
        SCALAR before = conjugate ? CONJUGATE(*l) : *l;
        SCALAR after = subtracts ? (before - y[i]) / q - y[i] : (before + y[i]) * q + y[i];
        *l = conjugate ? CONJUGATE(after) : after;
        y[i] = before + after;
    }
}

/* Computes the columns of C from their diagonal and G = U^H U: c_r = -(1 + q_r) (I + C) g_r, for the rows above r. */
static void NAME(join)(int n, const void *products, int ldg, void *triangle, int ldc)
{
    const SCALAR *G = products;
    SCALAR *C = triangle;
    for (int r = 0; r < n; r++) {
        const SCALAR *g = G + (size_t)r * (size_t)ldg;
        SCALAR *c = C + (size_t)r * (size_t)ldc;
        for (int i = 0; i < r; i++)
            c[i] = g[i];
        for (int j = 0; j < r; j++)
            for (int i = 0; i <= j; i++)
                c[i] += C[i + (size_t)j * (size_t)ldc] * g[j];
        for (int i = 0; i < r; i++)
            c[i] *= -(1 + c[r]);
        for (int i = r + 1; i < n; i++)
            c[i] = 0;
    }
}
