/* What the tests of QR panels share: explicit matrices, and checks of Q and R. */
#ifndef OMPFACT_TESTS_OMP_KERNELS_EXPLICIT_Q_H
#define OMPFACT_TESTS_OMP_KERNELS_EXPLICIT_Q_H

#include "tests/omp/kernels/test_kernels.h"

static atomic_int idle;

/* ---- explicit matrices -------------------------------------------------------------------------------------------------- */

/* C (m x n) += alpha A B, with inner dimension `inner`, column-major without gaps. Real arithmetic compiles to vectors. */
static inline void multiply(int m, int n, int inner, double alpha, const number *A, const number *B, number *C)
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

static inline number *zeros(int m, int n)
{
    number *A = calloc((size_t)m * (size_t)n + 1, sizeof *A);
    ck_assert_ptr_nonnull(A);
    return A;
}

static inline double *ones(int n)
{
    double *scale = malloc((size_t)n * sizeof *scale);
    for (int c = 0; c < n; c++)
        scale[c] = 1;
    return scale;
}

/* A^H of the first `rows` of A's m rows. */
static inline number *conj_transpose(int m, int rows, int n, const number *A)
{
    number *B = zeros(n, rows);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < rows; r++)
            B[c + (size_t)r * n] = conj(A[r + (size_t)c * m]);
    return B;
}

/* The columns of `have` equal those of `want` in units of scale[c], down to the diagonal or to the end. One assertion checks
   the worst element, because Check writes each assertion to a file. */
static inline void check_all(int m, int n, bool upper, const number *have, const number *want, int ld, const double *scale,
                             double terms, const char *what)
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
static inline number *make_q(int m, int q, const number *V, const ompfact_tile *T)
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
static inline void check_factors(int m, int n, int q, const number *A, number *Q, const number *R, const double *scale)
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

static inline ompfact_tile new_factor(int q)
{
    ompfact_tile T = new_tile(q, q, 1);
    for (int c = 0; c < q; c++)
        for (int r = 0; r < q; r++)
            set(&T, r, c, NAN);
    return T;
}

static const int blocks[] = { 1, 5, 8, 32 };

#endif
