/*
 * QR of panels, all four types. The factors are multiplied in double precision, with a Q formed from V and T, and R is compared
 * with LAPACK's. Memory that must not be read or written contains NaNs. No MPI.
 */
#include "omp/kernels/panel_qr.h"
#include "omp/kernels/panel_tall.h"
#include "tests/omp/kernels/test_kernels.h"

#include <lapacke.h>

static atomic_int idle;

/* ---- explicit matrices -------------------------------------------------------------------------------------------------- */

/* C (m x n) += alpha A B, with inner dimension `inner`, column-major without gaps. Real arithmetic compiles to vectors. */
static void multiply(int m, int n, int inner, double alpha, const number *A, const number *B, number *C)
{
    for (int c = 0; c < n; c++)
        for (int i = 0; i < inner; i++) {
            const double *a = (const double *)(A + (size_t)i * m);
            double *to = (double *)(C + (size_t)c * m), re = alpha * creal(B[i + (size_t)c * inner]),
                   im = alpha * cimag(B[i + (size_t)c * inner]);
            if (re == 0 && im == 0)
                continue;
            for (int r = 0; r < m; r++) {
                to[2 * r] += a[2 * r] * re - a[2 * r + 1] * im;
                to[2 * r + 1] += a[2 * r] * im + a[2 * r + 1] * re;
            }
        }
}

static number *zeros(int m, int n)
{
    number *A = calloc((size_t)m * (size_t)n + 1, sizeof *A);
    ck_assert_ptr_nonnull(A);
    return A;
}

static double *ones(int n)
{
    double *scale = malloc((size_t)n * sizeof *scale);
    for (int c = 0; c < n; c++)
        scale[c] = 1;
    return scale;
}

/* A^H of the first `rows` of A's m rows. */
static number *conj_transpose(int m, int rows, int n, const number *A)
{
    number *B = zeros(n, rows);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < rows; r++)
            B[c + (size_t)r * n] = conj(A[r + (size_t)c * m]);
    return B;
}

/* The columns of `have` equal those of `want` in units of scale[c], down to the diagonal or to the end. One assertion checks
   the worst element, because Check writes each assertion to a file. */
static void check_all(int m, int n, bool upper, const number *have, const number *want, int ld, const double *scale, double terms,
                      const char *what)
{
    double worst = -1;
    int row = 0, col = 0;
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m && (!upper || r <= c); r++) {
            double error = cabs(have[r + (size_t)c * m] - want[r + (size_t)c * ld]) / scale[c];
            if (!(error <= worst) && !isnan(worst)) {
                worst = error;
                row = r;
                col = c;
            }
        }
    if (n > 0 && m > 0)
        check_close(worst, 0, terms, what, row, col);
}

/* The first q columns of I - V T V^H, V m x q; T's lower triangle is zero. */
static number *make_q(int m, int q, const number *V, const ompfact_tile *T)
{
    number *Q = zeros(m, q), *factor = zeros(q, q), *full = zeros(q, q), *top = conj_transpose(m, q, q, V);
    int wrong = 0;
    for (int c = 0; c < q; c++)
        for (int r = 0; r < q; r++) {
            full[r + c * q] = at(T, r, c);
            wrong += r > c && full[r + c * q] != 0;
        }
    ck_assert_int_eq(wrong, 0);
    multiply(q, q, q, 1, full, top, factor);
    for (int c = 0; c < q; c++)
        Q[c + (size_t)c * m] = 1;
    multiply(m, q, q, -1, V, factor, Q);
    free(factor);
    free(top);
    free(full);
    return Q;
}

/* A (m x n) = Q R, column by column in units of `scale`, and Q^H Q = I. Q is freed. */
static void check_factors(int m, int n, int q, const number *A, number *Q, const number *R, const double *scale)
{
    number *product = zeros(m, n), *gram = zeros(q, q), *adjoint = conj_transpose(m, m, q, Q);
    multiply(m, n, q, 1, Q, R, product);
    multiply(q, q, m, 1, adjoint, Q, gram);
    number *unit = zeros(q, q);
    double *one = ones(q);
    for (int c = 0; c < q; c++)
        unit[c + c * q] = 1;
    check_all(m, n, false, product, A, m, scale, m + n, "QR");
    check_all(q, q, false, gram, unit, q, one, m + n, "Q^H Q");
    free(one);
    free(unit);
    free(product);
    free(gram);
    free(adjoint);
    free(Q);
}

static ompfact_tile new_factor(int q)
{
    ompfact_tile T = new_tile(q, q, 1);
    for (int c = 0; c < q; c++)
        for (int r = 0; r < q; r++)
            set(&T, r, c, NAN);
    return T;
}

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

static const int blocks[] = { 1, 5, 8, 32 };

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

/* ---- two triangles ------------------------------------------------------------------------------------------------------ */

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
    Suite *suite = suite_create("panels");
    TCase *panels = tcase_create("panels");
    const TTest *const tests[] = { geqrt,     geqrt_shared,      geqrt_dependent,       geqrt_scaled, geqrt_tiny_rest,
                                   geqrt_nan, geqrt_of_products, geqrt_not_of_products, tpqrt,        tpqrt_scaled };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        add_turns(panels, tests[i], 4, 3);
    tcase_add_test(panels, tpqrt_shared);
    suite_add_tcase(suite, panels);
    blas_select_kernels();
    return run_serial_suite(suite);
}
