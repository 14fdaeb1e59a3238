/*
 * Problems whose answers every rank can check: matrices given by their entries, and LAPACK's test ratios computed naively from
 * gathered results, so that nothing of the library but its tiles is trusted.
 */
#ifndef OMPFACT_TESTS_PROBLEM_H
#define OMPFACT_TESTS_PROBLEM_H

#include "omp/kernels/kernels.h"
#include "src/ompfact.h"
#include "tests/ranks.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef double complex number;

/* A matrix of random numbers. It is Hermitian positive definite or general, and diagonally dominant unless it needs pivoting. */
struct problem {
    char type;
    bool hermitian;
    bool symmetric;     /* `hermitian` means A = A^T, which is not Hermitian for complex types */
    bool upper;         /* of a Hermitian matrix the upper triangle is given and factored into U^H U */
    int64_t m, n;
    unsigned seed;
    int64_t fails;      /* the first pivot that fails, as LAPACK's info; 0: none */
    int64_t fails_too;  /* a later pivot that fails, too; 0: none */
    bool pivots;        /* the diagonal does not dominate, and a Hermitian matrix is indefinite; `fails` is a column of zeros */
    const int64_t *rows;        /* [m] row i of the factors' product is row rows[i] of the matrix; NULL: row i */
    int64_t zero;       /* a column of zeros, and in a Hermitian matrix also that row, counted from 1; 0: none */
};

/* ---- entries ------------------------------------------------------------------------------------------------------------ */

/* A number in (-1, 1). The mixer is splitmix64's. */
static inline double noise(unsigned seed, int64_t i, int64_t j, unsigned part)
{
    uint64_t x = ((uint64_t)seed << 1 | part) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i * UINT64_C(0xd1b54a32d192ed03) +
                 (uint64_t)j * UINT64_C(0x8cb92ba72f3d8dd7);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((int64_t)(x ^ x >> 31) >> 11) * 0x1p-52;
}

static inline bool is_complex(char type)
{
    return type == 'c' || type == 'z';
}

/* Rounds a number to the type. */
static inline number rounded(char type, number value)
{
    double re = creal(value), im = is_complex(type) ? cimag(value) : 0;
    return type == 's' || type == 'c' ? (float)re + (float)im * (number)I : re + im * (number)I;
}

static inline number random_number(char type, unsigned seed, int64_t i, int64_t j)
{
    return rounded(type, noise(seed, i, j, 0) + noise(seed, i, j, 1) * (number)I);
}

static inline bool row_fails(const struct problem *p, int64_t i)
{
    return i + 1 == p->fails || i + 1 == p->fails_too;
}

static inline bool has_real_diagonal(const struct problem *p)
{
    return p->hermitian && !p->symmetric;
}

/* For LU, row k is zero up to the diagonal, so U(k,k) is exactly zero in any arithmetic. For Cholesky, A(k,k) = -1. */
static inline number entry_of(const struct problem *p, int64_t i, int64_t j)
{
    if (p->hermitian && i < j)
        return p->symmetric ? entry_of(p, j, i) : conj(entry_of(p, j, i));
    if (p->pivots && row_fails(p, j))
        return 0;
    if (p->pivots)
        return rounded(p->type, has_real_diagonal(p) && i == j ? noise(p->seed, i, j, 0) : random_number(p->type, p->seed, i, j));
    if (row_fails(p, i) && (p->hermitian ? i == j : j <= i))
        return p->hermitian ? -1 : 0;
    if (j + 1 == p->zero || (p->hermitian && i + 1 == p->zero))
        return 0;
    number value = random_number(p->type, p->seed, i, j);
    if (i != j)
        return value;
    int64_t order = p->m > p->n ? p->m : p->n;
    return rounded(p->type, (has_real_diagonal(p) ? creal(value) : value) + 2 * (double)order + 1);
}

/* The exponent of a power of two near an end of the type's range: near the largest numbers, or, with `tiny`, near the smallest.
   */
static inline int extreme_exponent(char type, bool tiny)
{
    bool single = type == 's' || type == 'c';
    return tiny ? (single ? -120 : -1019) : single ? 120 : 1017;
}

/* Whether (i,j) is in the triangle of a Hermitian matrix that the library must neither read nor write. */
static inline bool is_beyond(const struct problem *p, int64_t i, int64_t j)
{
    return p->hermitian && (p->upper ? i > j : i < j);
}

/* ---- tiles -------------------------------------------------------------------------------------------------------------- */

static inline void *element(const ompfact_tile *t, char type, int r, int c)
{
    return (char *)t->data + precision_of(type)->size * (size_t)(r + (int64_t)c * t->ld);
}

static inline void put(const ompfact_tile *t, char type, int r, int c, number value)
{
    precision_of(type)->set(element(t, type, r, c), creal(value), cimag(value));
}

static inline number get(const ompfact_tile *t, char type, int r, int c)
{
    double re, im;
    precision_of(type)->get(element(t, type, r, c), &re, &im);
    return re + im * (number)I;
}

/* Fills the unused triangle with NaNs. */
static inline void fill_tile(void *problem, const ompfact_tile *t)
{
    const struct problem *p = problem;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, p->type, r, c, is_beyond(p, t->row + r, t->col + c) ? NAN : entry_of(p, t->row + r, t->col + c));
}

/* Random numbers for right-hand sides and solutions. */
static inline number rhs_entry(const struct problem *p, int64_t i, int64_t j)
{
    return random_number(p->type, p->seed + 1, i, j);
}

static inline void fill_rhs_tile(void *problem, const ompfact_tile *t)
{
    const struct problem *p = problem;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, p->type, r, c, rhs_entry(p, t->row + r, t->col + c));
}

/* Whether the unused triangle of a Hermitian matrix still has fill_tile()'s NaNs, on this rank. */
static inline bool rest_is_untouched(ompfact_matrix *A, const struct problem *p)
{
    bool untouched = true;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        if (ompfact_tile_get(A, i, j, &t) != OMPFACT_SUCCESS)
            return false;
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                untouched &= !is_beyond(p, t.row + r, t.col + c) || isnan(creal(get(&t, p->type, r, c)));
        ompfact_tile_restore(A, &t);
    }
    return untouched;
}

/* Collective: all of A on every rank, column-major; of a Hermitian matrix its triangle, and zeros beside it. The caller frees
   it. */
static inline number *gather(ompfact_matrix *A, const struct problem *p)
{
    int64_t m = ompfact_rows(A), n = ompfact_cols(A);
    number *dense = calloc((size_t)(m * n) + 1, sizeof *dense);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        if (ompfact_tile_get(A, i, j, &t) != OMPFACT_SUCCESS)
            continue;
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                if (p == NULL || !is_beyond(p, t.row + r, t.col + c))
                    dense[t.row + r + (t.col + c) * m] = get(&t, ompfact_type(A), r, c);
        ompfact_tile_restore(A, &t);
    }
    reduce(dense, (int)(2 * m * n), MPI_DOUBLE, MPI_SUM);
    return dense;
}

/* ---- test ratios, on gathered matrices ---------------------------------------------------------------------------------- */

/* Element (i,j) of L L^H, of U^H U or of L U. */
static inline number product_of_factors(const struct problem *p, const number *F, int64_t i, int64_t j)
{
    number sum = 0;
    int64_t last = i < j ? i : j;
    for (int64_t k = 0; k <= last && k < p->m && k < p->n; k++)
        sum += p->upper ? conj(F[k + i * p->m]) * F[k + j * p->m] :
               p->hermitian ? F[i + k * p->m] * conj(F[j + k * p->m]) : (k == i ? 1 : F[i + k * p->m]) * F[k + j * p->m];
    return sum;
}

/* Collective, in place: the largest values of all ranks. NaN is larger than infinity. */
static inline void largest(double *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = isfinite(values[i]) ? values[i] : INFINITY;
    reduce(values, count, MPI_DOUBLE, MPI_MAX);
}

/* The larger of two numbers. NaN is larger than all numbers. */
static inline double larger(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

/* The 1-norm of an m x n matrix, column-major. */
static inline double dense_norm1(const number *M, int64_t m, int64_t n)
{
    double norm = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += cabs(M[i + j * m]);
        norm = larger(norm, sum);
    }
    return norm;
}

/* Collective: || A - F || / (n ||A|| eps) in the 1-norm, F the product of the gathered factors. The ranks share the columns. */
static inline double factor_ratio(const struct problem *p, const number *F)
{
    double norms[2] = { 0, 0 };     /* ||A||, ||A - F|| */
    for (int64_t j = my_rank(); j < p->n; j += all_ranks_count()) {
        double sums[2] = { 0, 0 };
        for (int64_t i = 0; i < p->m; i++) {
            number a = entry_of(p, p->rows != NULL ? p->rows[i] : i, j);
            sums[0] += cabs(a);
            sums[1] += cabs(a - product_of_factors(p, F, i, j));
        }
        for (int k = 0; k < 2; k++)
            norms[k] = larger(norms[k], sums[k]);
    }
    largest(norms, 2);
    return norms[1] == 0 ? 0 : norms[1] / ((double)p->n * norms[0] * precision_of(p->type)->eps);
}

/* Collective: the largest || b - A x || / (||A|| ||x|| n eps) of all columns, in the 1-norm; X is gathered, b is of
   rhs_entry(). */
static inline double solve_ratio(const struct problem *p, const number *X, int64_t nrhs)
{
    int64_t n = p->n;
    double norm = 0, worst = 0;
    for (int64_t j = my_rank(); j < n; j += all_ranks_count()) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += cabs(entry_of(p, i, j));
        norm = larger(norm, sum);
    }
    largest(&norm, 1);
    for (int64_t c = my_rank(); c < nrhs; c += all_ranks_count()) {
        double error = 0, size = 0;
        for (int64_t i = 0; i < n; i++) {
            number b = rhs_entry(p, i, c);
            for (int64_t k = 0; k < n; k++)
                b -= entry_of(p, i, k) * X[k + c * n];
            error += cabs(b);
            size += cabs(X[i + c * n]);
        }
        double ratio = error / (norm * size * (double)n * precision_of(p->type)->eps);
        worst = larger(worst, ratio);
    }
    largest(&worst, 1);
    return worst;
}

/* ---- shapes and layouts ------------------------------------------------------------------------------------------------- */

/* The shape of a problem's matrix. The caller may add to it. */
static inline ompfact_shape shape_of(const struct problem *p, int nb, const char *layout)
{
    static const ompfact_structure triangle[2][2] = { { OMPFACT_HERMITIAN_LOWER, OMPFACT_HERMITIAN_UPPER },
                                                      { OMPFACT_SYMMETRIC_LOWER, OMPFACT_SYMMETRIC_UPPER } };
    static const int no_rows[1];
    return (ompfact_shape){ .m = p->m, .n = p->n, .row_heights = p->m == 0 && p->n > 0 ? no_rows : NULL, .type = p->type,
                            .nb = nb, .layout = layout,
                            .structure = p->hermitian ? triangle[p->symmetric][p->upper] : OMPFACT_GENERAL };
}

/* Collective: the layout "file:..." of rows x cols cells, whose rank rank_of() gives. Rank 0 creates and removes the file. */
static inline void write_map(char layout[64], int rows, int cols, int (*rank_of)(int cell))
{
    strcpy(layout, "file:/tmp/ompfact-map-XXXXXX");
    if (my_rank() == 0) {
        FILE *file = fdopen(mkstemp(layout + strlen("file:")), "w");
        fprintf(file, "%d %d\n", rows, cols);
        for (int cell = 0; cell < rows * cols; cell++)
            fprintf(file, "%d\n", rank_of(cell));
        fclose(file);
    }
    MPI_Bcast(layout, 64, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static inline void remove_map(const char *layout)
{
    if (my_rank() == 0)
        unlink(layout + strlen("file:"));
}

#endif
