/* Checks geqrf's results on gathered matrices: A = Q R, with Q formed and applied. */
#ifndef OMPFACT_TESTS_FACTOR_QR_CHECKS_H
#define OMPFACT_TESTS_FACTOR_QR_CHECKS_H

#include "src/matrix/matrix.h"
#include "tests/fixtures.h"

/* Collective: max |a - b| over all gathered elements; the function returns b. */
static inline double difference(ompfact_matrix *A, number (*entry)(const void *context, int64_t i, int64_t j),
                                const void *context)
{
    int64_t m = ompfact_rows(A), n = ompfact_cols(A);
    number *a = gather(A, NULL);
    double worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            worst = larger(worst, cabs(a[i + j * m] - entry(context, i, j)));
    free(a);
    largest(&worst, 1);
    return worst;
}

static inline number of_problem(const void *problem, int64_t i, int64_t j)
{
    return entry_of(problem, i, j);
}

static inline number of_identity(const void *context, int64_t i, int64_t j)
{
    (void)context;
    return i == j;
}

struct upper {
    const number *data;
    int64_t m;
};

static inline number of_upper(const void *upper, int64_t i, int64_t j)
{
    const struct upper *u = upper;
    return i <= j ? u->data[i + j * u->m] : 0;
}

static inline double bound(const struct problem *p)
{
    return 30 * (double)(p->m > p->n ? p->m : p->n) * precision_of(p->type)->eps;
}

/* Q^H A = R and Q Q^H A = A. */
static inline void check_factors(ompfact_matrix *A, const struct problem *p)
{
    number *F = gather(A, NULL);
    ompfact_matrix *C = new_like(A);
    fill(C, p);
    assert_everywhere(ompfact_unmqr(A, true, C) == OMPFACT_SUCCESS);
    double error = difference(C, of_upper, &(struct upper){ F, p->m });
    assert_everywhere_msg(error <= bound(p), "%c %lld x %lld, %s: Q^H A - R is %g", p->type, (long long)p->m, (long long)p->n,
                          ompfact_layout(A), error);
    assert_everywhere(ompfact_unmqr(A, false, C) == OMPFACT_SUCCESS);
    error = difference(C, of_problem, p);
    assert_everywhere_msg(error <= bound(p), "%c %lld x %lld, %s: Q Q^H A - A is %g", p->type, (long long)p->m, (long long)p->n,
                          ompfact_layout(A), error);
    ompfact_matrix_destroy(&C);
    free(F);
}

/* Q is formed in another layout. */
static inline void check_q(ompfact_grid *grid, ompfact_matrix *A, const struct problem *p)
{
    enum { WIDTH = 8 };
    int64_t n = p->m < p->n ? p->m : p->n;
    int *heights = tiling_sizes(&A->rows), *widths = malloc(((size_t)n + 1) * sizeof *widths), nt = 0;
    for (int64_t left = n; left > 0; left -= widths[nt++])
        widths[nt] = left < WIDTH ? (int)left : WIDTH;
    ompfact_shape shape = { .m = p->m, .n = n, .type = p->type, .nb = WIDTH, .layout = "2dbc" };
    if (A->mt > 0 && nt > 0) {
        shape.row_heights = heights;
        shape.mt = A->mt;
        shape.col_widths = widths;
        shape.nt = nt;
    }
    ompfact_matrix *Q = new_matrix(grid, &shape);
    assert_everywhere(ompfact_ungqr(A, Q) == OMPFACT_SUCCESS);
    number *q = gather(Q, NULL);
    double worst = 0;
    for (int64_t i = 0; i < shape.n; i++)
        for (int64_t j = 0; j < shape.n; j++) {
            number sum = -of_identity(NULL, i, j);
            for (int64_t r = 0; r < p->m; r++)
                sum += conj(q[r + i * p->m]) * q[r + j * p->m];
            worst = larger(worst, cabs(sum));
        }
    free(q);
    assert_everywhere_msg(worst <= bound(p), "%c %lld x %lld, %s: Q^H Q - I is %g", p->type, (long long)p->m, (long long)p->n,
                          ompfact_layout(A), worst);
    ompfact_matrix_destroy(&Q);
    free(heights);
    free(widths);
}

#endif
