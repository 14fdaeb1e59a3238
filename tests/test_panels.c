/*
 * QR of panels, all four types: the factors multiplied out in double precision, with a Q made of V and T, and R against LAPACK's. What
 * must not be read or written is NaN. No MPI.
 */
#include "omp/panel_qr.h"
#include "tests/test_kernels.h"

#include <lapacke.h>

static atomic_int idle;

/* ---- explicit matrices ------------------------------------------------------------------------------------------------------------ */

/* C (m x n) += alpha op(A) B, inner dimension `inner`, all column-major without gaps. */
static void multiply(bool conj_trans, int m, int n, int inner, double alpha, const number *A, const number *B, number *C)
{
    for (int c = 0; c < n; c++)
        for (int i = 0; i < inner; i++) {
            number b = conj_trans ? 0 : alpha * B[i + (size_t)c * inner];
            for (int r = 0; !conj_trans && r < m && b != 0; r++)
                C[r + (size_t)c * m] += A[r + (size_t)i * m] * b;
        }
    for (int c = 0; conj_trans && c < n; c++)
        for (int r = 0; r < m; r++)
            for (int i = 0; i < inner; i++)
                C[r + (size_t)c * m] += alpha * conj(A[i + (size_t)r * inner]) * B[i + (size_t)c * inner];
}

/* The first q columns of I - V T V^H, V m x q; T's lower triangle is zero. */
static number *make_q(int m, int q, const number *V, const ompfact_tile *T)
{
    number *Q = calloc((size_t)m * (size_t)q, sizeof *Q), *factor = calloc((size_t)q * (size_t)q, sizeof *factor);
    number *top = calloc((size_t)q * (size_t)q, sizeof *top), *full = calloc((size_t)q * (size_t)q, sizeof *full);
    for (int c = 0; c < q; c++)
        for (int r = 0; r < q; r++) {
            if (r > c)
                ck_assert(at(T, r, c) == 0);
            full[r + c * q] = at(T, r, c);
            top[r + c * q] = conj(V[c + (size_t)r * m]);
        }
    multiply(false, q, q, q, 1, full, top, factor);
    for (int c = 0; c < q; c++)
        Q[c + (size_t)c * m] = 1;
    multiply(false, m, q, q, -1, V, factor, Q);
    free(factor);
    free(top);
    free(full);
    return Q;
}

/* A (m x n) = Q R, column by column in units of `scale`, and Q^H Q = I. Q is freed. */
static void check_factors(int m, int n, int q, const number *A, number *Q, const number *R, const double *scale)
{
    number *product = calloc((size_t)m * (size_t)n, sizeof *product), *gram = calloc((size_t)q * (size_t)q, sizeof *gram);
    multiply(false, m, n, q, 1, Q, R, product);
    multiply(true, q, q, m, 1, Q, Q, gram);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++)
            check_close(product[r + (size_t)c * m] / scale[c], A[r + (size_t)c * m] / scale[c], 2 * (m + n), "QR", r, c);
    for (int c = 0; c < q; c++)
        for (int r = 0; r < q; r++)
            check_close(gram[r + c * q], r == c, 2 * (m + n), "Q^H Q", r, c);
    free(product);
    free(gram);
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

static double *ones(int n)
{
    double *scale = malloc((size_t)n * sizeof *scale);
    for (int c = 0; c < n; c++)
        scale[c] = 1;
    return scale;
}

/* ---- one panel ---------------------------------------------------------------------------------------------------------------------- */

/* R's upper trapezoid is LAPACK's. */
static void check_r(int m, int n, int q, number *A, const number *R)
{
    number *tau = malloc((size_t)q * sizeof *tau), *work = malloc((size_t)n * sizeof *work);
    ck_assert_int_eq(LAPACKE_zgeqr2_work(LAPACK_COL_MAJOR, m, n, A, m, tau, work), 0);
    for (int c = 0; c < n; c++)
        for (int r = 0; r <= c && r < q; r++)
            check_close(R[r + (size_t)c * q], A[r + (size_t)c * m], 20.0 * (m + n), "R", r, c);
    free(tau);
    free(work);
}

/* Factors a tile and checks everything; `lapack`: R too. */
static void try_geqrt(ompfact_tile *A, int ib, const double *scale, bool lapack)
{
    int m = A->mb, n = A->nb, q = m < n ? m : n;
    ompfact_tile T = new_factor(q);
    number *before = calloc((size_t)m * (size_t)n, sizeof *before), *V = calloc((size_t)m * (size_t)q, sizeof *V);
    number *R = calloc((size_t)q * (size_t)n, sizeof *R);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++)
            before[r + (size_t)c * m] = at(A, r, c);
    ck_assert_int_eq(geqrt_panel(k, &idle, m, n, ib, A->data, A->ld, T.data, T.ld), 0);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++)
            if (r <= c)
                R[r + (size_t)c * q] = at(A, r, c);
            else
                V[r + (size_t)c * m] = at(A, r, c);
    for (int c = 0; c < q; c++) {
        V[c + (size_t)c * m] = 1;
        ck_assert(cimag(at(A, c, c)) == 0);
    }
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
    k = host_kernels("sdcz"[_i]);
    for (int b = 0; b < 4; b++)
        for (int s = 0; s < SIZES; s++) {
            int n = sizes[s];
            try_random(n, n, blocks[b]);
            try_random(2 * n + 1, n, blocks[b]);
            try_random(n, n + 7, blocks[b]);
            try_random(n, 2 * n + 3, blocks[b]);
            try_random(700 + n, 1 + n / 3, blocks[b]);
        }
}
END_TEST

/* The threads of a team share a long panel. */
START_TEST(geqrt_shared)
{
    k = host_kernels("sdcz"[_i]);
    idle = 1;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        try_random(9000, 50, 16);
        try_random(5003, 100, 32);
        try_random(400, 1300, 32);
    }
}
END_TEST

/* Columns of zeros and equal columns: H = I, or a column of roundings. */
START_TEST(geqrt_dependent)
{
    k = host_kernels("sdcz"[_i]);
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
    k = host_kernels("sdcz"[_i]);
    double large = k->eps > 1e-10 ? 1e36 : 1e300, factors[] = { 1, large, 1 / large };
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

/* A reflector for what is tiny beside the diagonal is LAPACK's: tau = 2, and the sign of R's diagonal changes. */
START_TEST(geqrt_tiny_rest)
{
    k = host_kernels("sdcz"[_i]);
    double tiny = k->eps > 1e-10 ? 1e-36 : 1e-300;
    ompfact_tile A = new_tile(9, 1, 1), T = new_factor(1);
    for (int r = 0; r < 9; r++)
        set(&A, r, 0, r == 0 ? 1 : tiny);
    ck_assert_int_eq(geqrt_panel(k, &idle, 9, 1, 8, A.data, A.ld, T.data, T.ld), 0);
    ck_assert(at(&A, 0, 0) == -1 && at(&T, 0, 0) == 2);
    for (int r = 1; r < 9; r++)
        check_close(at(&A, r, 0) / tiny, 0.5, 1, "v", r, 0);
    FREE(&A, &T);
}
END_TEST

/* A NaN or an infinity spreads, and nothing hangs. */
START_TEST(geqrt_nan)
{
    k = host_kernels("sdcz"[_i]);
    for (int variant = 0; variant < 2; variant++) {
        ompfact_tile A = new_tile(60, 40, 1), T = new_factor(40);
        set(&A, 50, 20, variant == 0 ? NAN : INFINITY);
        ck_assert_int_eq(geqrt_panel(k, &idle, 60, 40, 8, A.data, A.ld, T.data, T.ld), 0);
        ck_assert(isnan(creal(at(&A, 39, 39))));
        ck_assert(!isnan(creal(at(&A, 19, 19))));
        FREE(&A, &T);
    }
}
END_TEST

/* ---- two triangles ---------------------------------------------------------------------------------------------------------------- */

/* The trapezoid of a tile, in rows `row` and below of a matrix that is `height` high. */
static void put_trapezoid(const ompfact_tile *t, int row, int height, number *to)
{
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++) {
            if (r <= c)
                to[row + r + (size_t)c * height] = at(t, r, c);
            else
                ck_assert(isnan(creal(at(t, r, c))));
        }
}

static void try_tpqrt(int m, int n, int ib, double factor)
{
    ompfact_tile R = new_tile(n, n, (unsigned)(m + n)), B = new_tile(m, n, (unsigned)(m + 2 * n)), T = new_factor(n);
    number *before = calloc((size_t)(m + n) * (size_t)n, sizeof *before), *V = calloc((size_t)(m + n) * (size_t)n, sizeof *V);
    number *after = calloc((size_t)n * (size_t)n, sizeof *after);
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
    ck_assert_int_eq(tpqrt_panel(k, &idle, m, n, ib, R.data, R.ld, B.data, B.ld, T.data, T.ld), 0);
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

/* Triangles and trapezoids of all heights on each other. */
START_TEST(tpqrt)
{
    k = host_kernels("sdcz"[_i]);
    for (int b = 0; b < 4; b++)
        for (int s = 0; s < SIZES; s++) {
            int n = sizes[s];
            try_tpqrt(n, n, blocks[b], 1);
            try_tpqrt(1, n, blocks[b], 1);
            try_tpqrt((n + 1) / 2, n, blocks[b], 1);
            try_tpqrt(n > 40 ? n - 3 : n, n, blocks[b], 1);
            try_tpqrt(0, n, blocks[b], 1);
        }
}
END_TEST

START_TEST(tpqrt_scaled)
{
    k = host_kernels("sdcz"[_i]);
    double large = k->eps > 1e-10 ? 1e36 : 1e300;
    for (int b = 0; b < 4; b++) {
        try_tpqrt(40, 50, blocks[b], large);
        try_tpqrt(40, 50, blocks[b], 1 / large);
    }
}
END_TEST

/* Large enough to be shared. */
START_TEST(tpqrt_shared)
{
    k = host_kernels('d');
    idle = 1;
#pragma omp parallel num_threads(3)
#pragma omp single
    try_tpqrt(540, 540, 32, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("panels");
    TCase *panels = tcase_create("panels");
    tcase_set_timeout(panels, 120);
    const TTest *const tests[] = { geqrt, geqrt_shared, geqrt_dependent, geqrt_scaled, geqrt_tiny_rest, geqrt_nan, tpqrt, tpqrt_scaled };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_loop_test(panels, tests[i], 0, 4);
    tcase_add_test(panels, tpqrt_shared);
    suite_add_tcase(suite, panels);
    blas_select_kernels();
    return run_serial_suite(suite);
}
