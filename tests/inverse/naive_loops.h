/* What the tests of inverses and of triangular solves share: a grid, and dense matrices on every rank. */
#ifndef OMPFACT_TESTS_INVERSE_NAIVE_LOOPS_H
#define OMPFACT_TESTS_INVERSE_NAIVE_LOOPS_H

#include "tests/factoring.h"

enum { NB = 16 };

static ompfact_grid *grid;
static const char *const layouts[] = { "2dbc", "g2dbc", "auto" };
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static inline void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_TOURNAMENT });
}

static inline void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* ---- naive loops ----------------------------------------------------------------------------------------------------------- */

/* n x n, column-major; freed by the caller. */
typedef number element_function(const void *context, int64_t i, int64_t j);

static inline number *dense(int64_t n, element_function *element_of, const void *context)
{
    number *M = malloc((size_t)(n * n) * sizeof *M + 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            M[i + j * n] = element_of(context, i, j);
    return M;
}

/* The triangle of a matrix under op. */
struct triangle {
    const struct problem *p;
    bool upper, unit;
    ompfact_trans trans;
};

static inline number of_triangle(const void *context, int64_t i, int64_t j)
{
    const struct triangle *t = context;
    int64_t row = t->trans == OMPFACT_NO_TRANS ? i : j, col = t->trans == OMPFACT_NO_TRANS ? j : i;
    if (row != col && (row < col) != t->upper)
        return 0;
    number value = row == col && t->unit ? 1 : entry_of(t->p, row, col);
    return t->trans == OMPFACT_CONJ_TRANS ? conj(value) : value;
}

/* ---- triangular solves ------------------------------------------------------------------------------------------------- */

/* || alpha B - op(T) X || or || alpha B - X op(T) ||, over n ||T|| ||X|| eps. */
static inline double trsm_ratio(char type, bool left, int64_t m, int64_t n, number alpha, const number *T, const number *X,
                                const struct problem *b)
{
    number *R = calloc((size_t)(m * n) + 1, sizeof *R);
    int64_t order = left ? m : n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            R[i + j * m] = alpha * rhs_entry(b, i, j);
            for (int64_t k = 0; k < order; k++)
                R[i + j * m] -= left ? T[i + k * m] * X[k + j * m] : X[i + k * m] * T[k + j * n];
        }
    double scale = (double)order * dense_norm1(T, order, order) * dense_norm1(X, m, n) * precision_of(type)->eps;
    double ratio = dense_norm1(R, m, n) / scale;
    free(R);
    return ratio;
}

/* A is general, or Hermitian with the triangle that it stores. B has any width or height, in another layout. */
static inline void check_trsm(const struct problem *p, bool left, struct triangle t, const char *layout)
{
    enum { OTHER = 2 * NB + 5 };
    number alpha = is_complex(p->type) ? 0.5 - 2 * (number)I : -2;
    struct problem b = { .type = p->type, .m = left ? p->n : OTHER, .n = left ? OTHER : p->n, .seed = 5 };
    ompfact_shape shape = shape_of(p, NB, layout), other = shape_of(&b, NB, all_ranks_count() % 2 ? "2dbc" : "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_matrix(grid, &other);
    fill(A, p);
    fill_rhs(B, &b);
    assert_everywhere(ompfact_trsm(left ? OMPFACT_LEFT : OMPFACT_RIGHT, t.upper ? OMPFACT_UPPER : OMPFACT_LOWER, t.trans, t.unit,
                                   creal(alpha), cimag(alpha), A, B) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_last_report(B).transfers == ompfact_last_report(B).transfers_predicted);
    number *X = gather(B, NULL), *T = dense(p->n, of_triangle, &t);
    double ratio = trsm_ratio(p->type, left, b.m, b.n, alpha, T, X, &b);
    assert_everywhere_msg(ratio < 30, "trsm %c, %s, %s, %c, unit %d: ratio %g", p->type, left ? "left" : "right",
                          t.upper ? "upper" : "lower", t.trans, t.unit, ratio);
    free(X);
    free(T);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&B);
}

#endif
