/* Triangular solves between a permutation and a combination of columns (struct pivoted_columns); a part of packed_body.h's
   code. Each strip is permuted and combined while it is in a cache. */

/* X = the columns of Y in this order. */
TARGET static void M(order_columns)(int n, const int *order, const REAL *restrict Y, REAL *restrict X)
{
    for (int j = 0; j < n; j++)
        memcpy(X + j * STEP, Y + order[j] * STEP, STEP * sizeof *X);
}

/* x += y weight, columns of a strip */
INLINED void M(add_multiple)(const REAL *restrict y, SCALAR weight, REAL *restrict x)
{
    REAL re = creal(weight), im = cimag(weight);
    for (int r = 0; r < ROWS; r++) {
        x[r] += y[r] * re;
        if (PARTS == 2) {
            x[r] -= y[(PARTS - 1) * ROWS + r] * im;
            x[(PARTS - 1) * ROWS + r] += y[(PARTS - 1) * ROWS + r] * re + y[r] * im;
        }
    }
}

TARGET static void M(combine_columns)(int n, const struct pivoted_columns *c, const REAL *restrict Y,
                                      REAL *restrict X)
{
    const SCALAR *weights = c->weights;
    for (int j = 0; j < n; j++, X += STEP) {
        REAL x[STEP] = { 0 };
        M(add_multiple)(Y + c->from[2 * j] * STEP, weights[2 * j], x);
        if (c->from[2 * j + 1] >= 0)
            M(add_multiple)(Y + c->from[2 * j + 1] * STEP, weights[2 * j + 1], x);
        memcpy(X, x, sizeof x);
    }
}

/* One strip more than for a solve. */
static size_t M(solve_pivoted_bytes)(int m, int n)
{
    return M(solve_bytes)(m + ROWS, n);
}

static void M(solve_pivoted)(int m, int n, struct triangle T, struct view B, const struct pivoted_columns *c, void *work, void *P)
{
    struct M(solver) t = M(solver_of)(n, &T, &B, work);
    ptrdiff_t apart = (ptrdiff_t)t.columns * STEP;
    REAL *strip = t.work, *X = strip + apart, *x = X;
    for (int first = 0, rows; first < m; first += rows, x += M(solved) * apart) {
        rows = M(next_rows)(&t, m);
        for (int r = 0; r < rows; r += ROWS) {
            M(pack_rows)(first + r, M(smaller)(ROWS, rows - r), n, &B, n, strip);
            M(order_columns)(n, c->order, strip, x + r / ROWS * apart);
            M(clear_columns)(n, t.columns, x + r / ROWS * apart);
        }
        M(solve_with)(&t, 0, t.columns, M(strips_of)(rows), x, (struct M(source)){ x, apart, STEP });
    }
    for (int s = 0; s < M(strips_of)(m); s++, X += apart) {
        REAL *to = (REAL *)P + (ptrdiff_t)s * n * STEP;
        int rows = M(smaller)(ROWS, m - s * ROWS);
        M(combine_columns)(n, c, X, rows == ROWS ? to : strip);
        if (rows < ROWS)
            M(narrow)(rows, n, strip, to);
    }
}
