/* QR of two triangles on each other, with the explicit Q, in all four types. No MPI. */
#include "omp/kernels/panel_qr.h"
#include "tests/omp/kernels/explicit_q.h"

/* Writes the trapezoid of a tile to rows `row` and below of a matrix with `height` rows. */
static void put_trapezoid(const ompfact_tile *t, int row, int height, number *to)
{
    int wrong = 0;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++) {
            if (r <= c)
                to[row + r + (size_t)c * height] = at(t, r, c);
            else
                wrong += !isnan(creal(at(t, r, c)));
        }
    ck_assert_int_eq(wrong, 0);
}

static void try_tpqrt(int m, int n, int ib, double factor)
{
    ompfact_tile R = new_tile(n, n, (unsigned)(m + n)), B = new_tile(m, n, (unsigned)(m + 2 * n)), T = new_factor(n);
    number *before = zeros(m + n, n), *V = zeros(m + n, n), *after = zeros(n, n);
    double *scale = ones(n);
    hide_rest(&R, UPPER, NON_UNIT);
    hide_rest(&B, UPPER, NON_UNIT);
    for (int c = 0; c < n; c++) {
        scale[c] = factor;
        V[c + (size_t)c * (m + n)] = 1;
        for (int r = 0; r < n || r < m; r++) {
            if (r < n)
                set(&R, r, c, at(&R, r, c) * factor);
            if (r < m)
                set(&B, r, c, at(&B, r, c) * factor);
        }
    }
    put_trapezoid(&R, 0, m + n, before);
    put_trapezoid(&B, n, m + n, before);
    ck_assert_int_eq(tpqrt_panel(precision, &idle, m, n, ib, R.data, R.ld, B.data, B.ld, T.data, T.ld), 0);
    put_trapezoid(&R, 0, n, after);
    put_trapezoid(&B, n, m + n, V);
    check_padding(&R);
    check_padding(&B);
    check_padding(&T);
    check_factors(m + n, n, n, before, make_q(m + n, n, V, &T), after, scale);
    free(before);
    free(V);
    free(after);
    free(scale);
    FREE(&R, &B, &T);
}

/* Pairs of triangles and trapezoids of all heights. */
START_TEST(tpqrt)
{
    use_type("sdcz"[_i]);
    for (int b = 0; b < 4; b++)
        for (int s = 0; s < SIZES; s++) {
            int n = sizes[s];
            try_tpqrt((n + 1) / 2, n, blocks[b], 1);
            if (b == s % 4) {
                try_tpqrt(n, n, blocks[b], 1);
                try_tpqrt(n > 40 ? n - 3 : n, n, blocks[_i], 1);
                try_tpqrt(1, n, blocks[b], 1);
                try_tpqrt(0, n, blocks[b], 1);
            }
        }
}
END_TEST

START_TEST(tpqrt_scaled)
{
    use_type("sdcz"[_i]);
    double large = precision->eps > 1e-10 ? 1e36 : 1e300;
    for (int b = 0; b < 4; b++) {
        try_tpqrt(40, 50, blocks[b], large);
        try_tpqrt(40, 50, blocks[b], 1 / large);
    }
}
END_TEST

/* Tiles that are large enough for a team of threads. */
START_TEST(tpqrt_shared)
{
    use_type('d');
    idle = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
    try_tpqrt(540, 540, 32, 1);
    idle = 0;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("panels of two triangles");
    TCase *panels = tcase_create("panels of two triangles");
    const TTest *const tests[] = { tpqrt, tpqrt_scaled };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        add_turns(panels, tests[i], 4, 3);
    tcase_add_test(panels, tpqrt_shared);
    suite_add_tcase(suite, panels);
    blas_select_kernels();
    return run_serial_suite(suite);
}
