/* What the tests of low rank share: matrices of numbers, and products U V^H. */
#ifndef OMPFACT_TESTS_OMP_KERNELS_LOW_RANK_PRODUCTS_H
#define OMPFACT_TESTS_OMP_KERNELS_LOW_RANK_PRODUCTS_H

#include "tests/omp/kernels/test_kernels.h"

static const struct { int m, n; } shapes[] = { { 1, 1 }, { 1, 40 }, { 40, 1 }, { 16, 16 }, { 33, 20 }, { 20, 33 }, { 64, 64 },
                                               { 400, 12 }, { 12, 300 } };
enum { SHAPES = sizeof shapes / sizeof shapes[0], SEEDS = 2 };

/* ---- matrices of numbers, column-major without gaps ------------------------------------------------------------------------ */

static inline number *zeros(int m, int n)
{
    number *A = calloc((size_t)m * (size_t)n + 1, sizeof *A);
    ck_assert_ptr_nonnull(A);
    return A;
}

/* Stores A in the precision under test, with memory for more elements. */
static inline char *stored(int m, int n, const number *A, int more)
{
    char *data = malloc((size_t)(m * n + more + 1) * precision->size);
    ck_assert_ptr_nonnull(data);
    for (int k = 0; k < m * n; k++)
        precision->set(data + (size_t)k * precision->size, creal(A[k]), cimag(A[k]));
    return data;
}

static inline number number_at(const char *data, size_t k)
{
    double re, im;
    precision->get(data + k * precision->size, &re, &im);
    return re + im * (number)I;
}

/* U V^H of columns in one piece. */
static inline number *product_of(int m, int n, int columns, const char *UV)
{
    number *A = zeros(m, n);
    size_t ld = (size_t)(m + n);
    for (int q = 0; q < columns; q++)
        for (int c = 0; c < n; c++) {
            number v = conj(number_at(UV, (size_t)(m + c) + (size_t)q * ld));
            for (int r = 0; r < m; r++)
                A[r + (size_t)c * m] += number_at(UV, (size_t)r + (size_t)q * ld) * v;
        }
    return A;
}

/* Random columns. After `repeat` columns the first ones repeat. */
static inline char *random_columns(int ld, int columns, int repeat, unsigned seed)
{
    number *A = zeros(ld, columns);
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < ld; r++)
            A[r + (size_t)c * ld] = random_number(precision->type, seed, r, c % repeat);
    char *data = stored(ld, columns, A, 0);
    free(A);
    return data;
}

#endif
