/* Panels of QR: A = Q R with the explicit Q, in all four types, tall, square and wide, and of extreme numbers. No MPI. */
#include "omp/kernels/panel_qr.h"
#include "omp/kernels/panel_tall.h"
#include "tests/omp/kernels/explicit_q.h"

#include <lapacke.h>

/* ---- one panel ---------------------------------------------------------------------------------------------------------- */

/* R's upper trapezoid is LAPACK's. */
static void check_r(int m, int n, int q, number *A, const number *R)
{
    number *tau = malloc((size_t)q * sizeof *tau), *work = malloc((size_t)n * sizeof *work);
    ck_assert_int_eq(LAPACKE_zgeqr2_work(LAPACK_COL_MAJOR, m, n, A, m, tau, work), 0);
    double *one = ones(n);
    check_all(q, n, true, R, A, m, one, 20.0 * (m + n), "R");
    free(one);
    free(tau);
    free(work);
}

/* Factors a tile and checks the factors; with `lapack` R, too. */
static void try_geqrt(ompfact_tile *A, int ib, const double *scale, bool lapack)
{
    int m = A->mb, n = A->nb, q = m < n ? m : n;
    ompfact_tile T = new_factor(q);
    number *before = zeros(m, n), *V = zeros(m, q), *R = zeros(q, n);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++)
            before[r + (size_t)c * m] = at(A, r, c);
    ck_assert_int_eq(geqrt_panel(precision, &idle, m, n, ib, A->data, A->ld, T.data, T.ld), 0);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++)
            if (r <= c)
                R[r + (size_t)c * q] = at(A, r, c);
            else
                V[r + (size_t)c * m] = at(A, r, c);
    int wrong = 0;
    for (int c = 0; c < q; c++) {
        V[c + (size_t)c * m] = 1;
        wrong += cimag(at(A, c, c)) != 0;
    }
    ck_assert_int_eq(wrong, 0);
    check_padding(A);
    check_padding(&T);
    check_factors(m, n, q, before, make_q(m, q, V, &T), R, scale);
    if (lapack)
        check_r(m, n, q, before, R);
    free(before);
    free(V);
    free(R);
    FREE(&T);
}

static void try_random(int m, int n, int ib)
{
    ompfact_tile A = new_tile(m, n, (unsigned)(m + 3 * n + ib));
    double *scale = ones(n);
    try_geqrt(&A, ib, scale, true);
    free(scale);
    FREE(&A);
}

/* Tall, square and wide panels. */
START_TEST(geqrt)
{
    use_type("sdcz"[_i]);
    for (int b = 0; b < 4; b++)
        for (int s = 0; s < SIZES; s++) {
            int n = sizes[s];
            try_random(2 * n + 1, n, blocks[b]);
            try_random(n, n, blocks[(b + s) % 4]);
            if (b == s % 4) {
                try_random(n, n + 7, blocks[b]);
                try_random(n, 2 * n + 3, blocks[_i]);
                try_random(700 + n, 1 + n / 3, blocks[b]);
            }
        }
}
END_TEST

/* The threads of a team share a long panel. */
START_TEST(geqrt_shared)
{
    use_type("sdcz"[_i]);
    idle = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        try_random(9000, 50, 16);
        try_random(1503, 200, 32);
        try_random(17000, 60, 16);
    }
    idle = 0;
}
END_TEST

/* Columns of zeros, and equal columns: H = I, or a column of roundings. */
START_TEST(geqrt_dependent)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 16; variant++)
        for (int b = 0; b < 4; b++) {
            int m = variant & 8 ? 40 : 90, n = 40;
            double *scale = ones(n);
            ompfact_tile A = new_tile(m, n, 5);
            for (int r = 0; r < m; r++) {
                if (variant & 1)
                    set(&A, r, 0, 0);
                if (variant & 2)
                    set(&A, r, 17, variant & 1 ? 0 : at(&A, r, 3));
                for (int c = 0; (variant & 4) && c < n; c++)
                    if (r > 2)
                        set(&A, r, c, 0);
            }
            try_geqrt(&A, blocks[b], scale, false);
            free(scale);
            FREE(&A);
        }
}
END_TEST

/* Columns, all or some, near overflow and underflow, at once and mixed. */
START_TEST(geqrt_scaled)
{
    use_type("sdcz"[_i]);
    double large = precision->eps > 1e-10 ? 1e36 : 1e300, factors[] = { 1, large, 1 / large };
    for (int variant = 1; variant < 9; variant++)
        for (int b = 0; b < 4; b++) {
            int m = 75, n = 40;
            double *scale = ones(n);
            ompfact_tile A = new_tile(m, n, 6);
            for (int c = 0; c < n; c++) {
                scale[c] = factors[variant < 3 ? variant : (c * variant / 2) % 3];
                for (int r = 0; r < m; r++)
                    set(&A, r, c, at(&A, r, c) * scale[c]);
            }
            try_geqrt(&A, blocks[b], scale, false);
            free(scale);
            FREE(&A);
        }
}
END_TEST

/* A reflector for elements that are tiny beside the diagonal is LAPACK's: tau = 2, and the sign of R's diagonal changes. */
START_TEST(geqrt_tiny_rest)
{
    use_type("sdcz"[_i]);
    double tiny = precision->eps > 1e-10 ? 1e-36 : 1e-300;
    ompfact_tile A = new_tile(9, 1, 1), T = new_factor(1);
    for (int r = 0; r < 9; r++)
        set(&A, r, 0, r == 0 ? 1 : tiny);
    ck_assert_int_eq(geqrt_panel(precision, &idle, 9, 1, 8, A.data, A.ld, T.data, T.ld), 0);
    ck_assert(at(&A, 0, 0) == -1 && at(&T, 0, 0) == 2);
    for (int r = 1; r < 9; r++)
        check_close(at(&A, r, 0) / tiny, 0.5, 1, "v", r, 0);
    FREE(&A, &T);
}
END_TEST

/* A NaN or an infinity spreads, and the kernel ends. */
START_TEST(geqrt_nan)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 2; variant++) {
        ompfact_tile A = new_tile(60, 40, 1), T = new_factor(40);
        set(&A, 50, 20, variant == 0 ? NAN : INFINITY);
        ck_assert_int_eq(geqrt_panel(precision, &idle, 60, 40, 8, A.data, A.ld, T.data, T.ld), 0);
        ck_assert(isnan(creal(at(&A, 39, 39))));
        ck_assert(!isnan(creal(at(&A, 19, 19))));
        FREE(&A, &T);
    }
}
END_TEST

/* Panels much taller than wide with random columns are factored by large products, and R is the same. */
START_TEST(geqrt_of_products)
{
    static const int shapes[][2] = { { 768, 48 }, { 1603, 100 }, { 9000, 65 }, { 2100, 130 } };
    use_type("sdcz"[_i]);
    for (int s = 0; s < 4; s++) {
        int m = shapes[s][0], n = shapes[s][1];
        ompfact_tile A = new_tile(m, n, 3), T = new_factor(n);
        ck_assert(geqrt_tall(geqrt_panel, precision, &idle, m, n, 16, A.data, A.ld, T.data, T.ld));
        FREE(&A, &T);
        try_random(m, n, 16);
    }
}
END_TEST

/* Makes a panel that geqrt_tall must leave to recursion unchanged. The scale of column 7 becomes `scale`. */
static void make_difficult(ompfact_tile *A, int variant, double *scale)
{
    bool single = precision->eps > 1e-10;
    int n = A->nb;
    *scale = variant == 4 ? single ? 1e30 : 1e250 : variant == 5 ? single ? 1e-21 : 1e-157 : variant == 6 ? 1e6 : 1;
    for (int r = 0; r < A->mb; r++) {
        number sum = 0, third = at(A, r, 3), seventh = at(A, r, 7) * *scale;
        for (int c = 0; c < n; c++) {
            sum += c > 0 ? at(A, r, c) : 0;
            if (variant == 0)       /* a mean */
                set(A, r, c, at(A, r, c) + 0.5);
        }
        if (variant == 1 || variant == 2)       /* at a small angle to it, or equal */
            set(A, r, 20, third + (variant == 1 ? at(A, r, 20) / 16 : 0));
        if (variant == 3)           /* near the sum of all others, and far from each of them */
            set(A, r, 0, sum / sqrt(n) + at(A, r, 0) / 4);
        if (variant == 4 || variant == 5)       /* squares overflow, or lose digits */
            set(A, r, 7, seventh);
        if (variant == 6 && r > 10 * n) {       /* at a moderate angle, but not in the first rows */
            set(A, r, 7, seventh);
            set(A, r, 8, (seventh + at(A, r, 8) * *scale) / 2);
        }
    }
    if (variant == 7)
        set(A, 5 * n, 20, NAN);
}

/* Columns near each other or near the span of others, of extreme size, or with a NaN: the kernel uses recursion. */
START_TEST(geqrt_not_of_products)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 8; variant++) {
        int m = 1100, n = 64;
        double *scale = ones(n);
        ompfact_tile A = new_tile(m, n, 8), T = new_factor(n);
        make_difficult(&A, variant, &scale[7]);
        scale[8] = variant == 6 ? scale[7] : 1;
        ompfact_tile before = copy_of(&A);
        ck_assert(!geqrt_tall(geqrt_panel, precision, &idle, m, n, 16, A.data, A.ld, T.data, T.ld));
        ck_assert_int_eq(memcmp(A.data, before.data, (size_t)A.ld * (size_t)n * precision->size), 0);
        if (variant < 7)
            try_geqrt(&A, 16, scale, false);
        free(scale);
        FREE(&A, &T, &before);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("panels");
    TCase *panels = tcase_create("panels");
    const TTest *const tests[] = { geqrt, geqrt_shared, geqrt_dependent, geqrt_scaled, geqrt_tiny_rest, geqrt_nan,
                                   geqrt_of_products, geqrt_not_of_products };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        add_turns(panels, tests[i], 4, 3);
    suite_add_tcase(suite, panels);
    blas_select_kernels();
    return run_serial_suite(suite);
}
