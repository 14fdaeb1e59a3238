/* Problems whose off-diagonal tiles have low rank: their compressed matrices are gathered and compared. This header does not
   need Check. */
#ifndef OMPFACT_TESTS_SMOOTH_H
#define OMPFACT_TESTS_SMOOTH_H

#include "src/matrix/matrix.h"
#include "tests/problem.h"

/*
 * An entry is a smooth function of the distance of i and j (an inverse multiquadric), with more on the diagonal, so the matrix is
 * positive definite. In complex types the phase of an entry depends on i and j. A general matrix has rows and columns of unequal
 * size.
 */
struct smooth {
    struct problem p;       /* `fails`: that element of the diagonal is -1; for LU, that row is 0 up to the diagonal */
    double length;          /* the function falls within this distance; a longer one gives lower ranks */
    double scale;           /* a factor of all elements; 0 stands for 1 */
    int64_t nan, infinity;  /* the place i + j m of such an element, counted from 1; 0: none */
};

static inline number smooth_entry(const struct smooth *s, int64_t i, int64_t j)
{
    const struct problem *p = &s->p;
    double d = (double)(i - j) / s->length, value = 1 / sqrt(1 + d * d) + 2 * (i == j);
    if (i + j * p->m + 1 == s->nan)
        return NAN;
    if (i + j * p->m + 1 == s->infinity)
        return INFINITY;
    if (row_fails(p, i) && (p->hermitian ? i == j : j <= i))
        return p->hermitian ? -1 : 0;
    value *= s->scale == 0 ? 1 : s->scale;
    if (!p->hermitian)
        value *= (1 + 0.25 * sin((double)i)) * (1 - 0.25 * cos((double)j));
    number turn = is_complex(p->type) ? cexp((number)I * (0.1 * (double)i - (p->hermitian ? 0.1 : 0.2) * (double)j)) : 1;
    return rounded(p->type, value * turn);
}

static inline struct smooth smooth_problem(char type, bool hermitian, bool upper, int64_t n)
{
    return (struct smooth){ .p = { .type = type, .hermitian = hermitian, .upper = upper, .m = n, .n = n, .seed = 3 },
                            .length = (double)n / 3 };
}

/* Fills the unused triangle with NaNs. */
static inline void fill_smooth_tile(void *smooth, const ompfact_tile *t)
{
    const struct smooth *s = smooth;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, s->p.type, r, c, is_beyond(&s->p, t->row + r, t->col + c) ? NAN : smooth_entry(s, t->row + r, t->col + c));
}

/* Whether the unused triangles of diagonal tiles still have fill_smooth_tile()'s NaNs, on this rank. Unused tiles must not
   exist. */
static inline bool diagonal_is_untouched(ompfact_matrix *A, const struct problem *p)
{
    bool untouched = true;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        if (i != j || ompfact_tile_get(A, i, j, &t) != OMPFACT_SUCCESS)
            continue;
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                untouched &= !is_beyond(p, t.row + r, t.col + c) || isnan(creal(get(&t, p->type, r, c)));
        ompfact_tile_restore(A, &t);
    }
    return untouched;
}

/* Collective: all of A on every rank, with tiles of low rank multiplied out; of a Hermitian matrix its triangle, and zeros
   beside it. */
static inline number *gather_compressed(ompfact_matrix *A, const struct problem *p)
{
    number *dense = calloc((size_t)(p->m * p->n) + 1, sizeof *dense);
    void *scratch = malloc((size_t)ompfact_tile_height(A) * (size_t)ompfact_tile_width(A) * A->precision->size + 1);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        matrix_read(A, i, j, scratch, &t);
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                if (!is_beyond(p, t.row + r, t.col + c))
                    dense[t.row + r + (t.col + c) * p->m] = get(&t, p->type, r, c);
    }
    free(scratch);
    reduce(dense, (int)(2 * p->m * p->n), MPI_DOUBLE, MPI_SUM);
    return dense;
}

/* ||A||_F, and ||A - F||_F, where F is the gathered matrix or the product of its factors. The ranks share the columns.
   Collective. */
struct distance {
    double norm, error;
};

static inline struct distance distance_of(const struct smooth *s, const number *F, bool factors)
{
    const struct problem *p = &s->p;
    double sums[2] = { 0, 0 };
    for (int64_t j = my_rank(); j < p->n; j += all_ranks_count())
        for (int64_t i = 0; i < p->m; i++) {
            if (is_beyond(p, i, j))
                continue;
            number a = smooth_entry(s, i, j), f = factors ? product_of_factors(p, F, i, j) : F[i + j * p->m];
            double twice = p->hermitian && i != j ? 2 : 1;
            sums[0] += twice * (creal(a) * creal(a) + cimag(a) * cimag(a));
            sums[1] += twice * (creal(a - f) * creal(a - f) + cimag(a - f) * cimag(a - f));
        }
    reduce(sums, 2, MPI_DOUBLE, MPI_SUM);
    return (struct distance){ sqrt(sums[0]), sqrt(sums[1]) };
}

/* The largest ||b - op(A) x||_2 / (||A||_F ||x||_2) of all columns; b is of rhs_entry(). Collective. */
static inline double smooth_residual(const struct smooth *s, ompfact_matrix *B, bool conj_trans)
{
    const struct problem *p = &s->p;
    number *X = gather(B, NULL);
    int64_t n = p->n;
    double norm = 0, worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            norm += pow(cabs(smooth_entry(s, i, j)), 2);
    for (int64_t c = my_rank(); c < ompfact_cols(B); c += all_ranks_count()) {
        double error = 0, size = 0;
        for (int64_t i = 0; i < n; i++) {
            number b = rhs_entry(p, i, c);
            for (int64_t k = 0; k < n; k++)
                b -= (conj_trans ? conj(smooth_entry(s, k, i)) : smooth_entry(s, i, k)) * X[k + c * n];
            error += pow(cabs(b), 2);
            size += pow(cabs(X[i + c * n]), 2);
        }
        worst = larger(worst, sqrt(error / size / norm));
    }
    free(X);
    largest(&worst, 1);
    return worst;
}

/* The accuracy, but not finer than rounding allows. */
static inline double accuracy_of(const struct problem *p, double accuracy)
{
    double least = (double)p->n * precision_of(p->type)->eps;
    return accuracy > least ? accuracy : least;
}

#endif
