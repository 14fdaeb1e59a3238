/* Checks of the soak: small matrices element by element, large ones by the library's own functions. */
#include "tests/soak.h"

ompfact_status fill_matrix(ompfact_matrix *A, const struct setup *c)
{
    struct smooth smooth = smooth_of(c);
    struct problem p = c->problem;
    return c->compressed ? ompfact_fill_tiles(A, fill_smooth_tile, &smooth) : ompfact_fill_tiles(A, fill_tile, &p);
}

/* [m]: the row of the matrix that the interchanges have moved to row i. The caller frees it. */
static int64_t *rows_after(const ompfact_matrix *A)
{
    int64_t m = ompfact_rows(A), n = ompfact_cols(A), count = m < n ? m : n;
    int64_t *rows = calloc((size_t)(m + count) + 1, sizeof *rows), *ipiv = rows + m;
    for (int64_t i = 0; i < m; i++)
        rows[i] = i;
    ompfact_ipiv(A, ipiv);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = rows[i];
        rows[i] = rows[ipiv[i] - 1];
        rows[ipiv[i] - 1] = row;
    }
    return rows;
}

/* LAPACK's ratio of the factors F, by the library's own function; infinite where the function fails. */
typedef ompfact_status residual_function(ompfact_matrix *A, ompfact_matrix *factors, double *ratio);
static double own_ratio(ompfact_matrix *F, const struct problem *p, residual_function *residual)
{
    ompfact_matrix *A = NULL;
    double ratio = INFINITY;
    if (ompfact_matrix_create_like(F, &A) != OMPFACT_SUCCESS || ompfact_fill_tiles(A, fill_tile, (void *)p) != OMPFACT_SUCCESS ||
        residual(A, F, &ratio) != OMPFACT_SUCCESS)
        ratio = INFINITY;
    ompfact_matrix_destroy(&A);
    return ratio;
}

static double naive_ratio(ompfact_matrix *A, const struct problem *p)
{
    int64_t *rows = rows_after(A);
    struct problem permuted = *p;
    permuted.rows = p->hermitian ? NULL : rows;
    number *F = gather(A, p);
    double ratio = factor_ratio(&permuted, F);
    free(F);
    free(rows);
    return ratio;
}

/* ||A - F||_F in units of the accuracy's bound for ||A||_F. */
static double compressed_ratio(ompfact_matrix *A, const struct setup *c)
{
    struct smooth smooth = smooth_of(c);
    number *F = gather_compressed(A, &c->problem);
    struct distance d = distance_of(&smooth, F, true);
    free(F);
    return d.error / ((accuracy_of(&c->problem, c->accuracy) + c->precision) * d.norm);
}

/* Uses the library's own function, because these factors are no product of two triangles. */
static const char *indefinite_check(ompfact_matrix *A, const struct setup *c, double *growth)
{
    ompfact_inertia_counts counts;
    bool has_signs = !(c->problem.symmetric && is_complex(c->problem.type));
    EXPECT(ompfact_inertia(A, &counts) == OMPFACT_SUCCESS &&
               (has_signs ? counts.positive + counts.negative == c->problem.n : counts.positive == -1),
           "the inertia is wrong");
    *growth = 1 + counts.growth;
    EXPECT(own_ratio(A, &c->problem, ompfact_residual_factors) < 30 * *growth, "the factors with signs are wrong");
    EXPECT(rest_is_untouched(A, &c->problem), "something beyond the diagonal was written");
    return NULL;
}

/* Whether the third append moved the matrix into new memory, whose unused triangle nobody has filled. */
static bool is_in_new_memory(const struct setup *c)
{
    enum { TOGETHER = 3 };
    return c->grows && c->parts >= TOGETHER;
}

const char *factors_check(ompfact_matrix *A, const struct setup *c, double *growth)
{
    const struct problem *p = &c->problem;
    ompfact_report report = ompfact_last_report(A);
    EXPECT(report.transfers == report.transfers_predicted, "transfers are not as predicted");
    if (c->indefinite)
        return indefinite_check(A, c, growth);
    if (c->compressed) {
        EXPECT(compressed_ratio(A, c) <= 10, "the compressed factors are wrong");
        EXPECT(diagonal_is_untouched(A, p), "something beyond the diagonal was written");
        return NULL;
    }
    double ratio = c->large ? own_ratio(A, p, ompfact_residual_factors) : 0;    /* with copies these factors are spread over the
                                                                                   layers */
    EXPECT(ompfact_bring_home(A) == OMPFACT_SUCCESS, "the factors could not be brought to their owners");
    if (!c->large)
        ratio = naive_ratio(A, p);
    EXPECT(ratio < 30, "the factors are wrong");
    EXPECT(is_in_new_memory(c) || rest_is_untouched(A, p), "something beyond the diagonal was written");
    return NULL;
}

const char *solution_check(ompfact_matrix *B, const struct setup *c, double growth)
{
    const struct problem *p = &c->problem;
    ompfact_report report = ompfact_last_report(B);
    EXPECT(report.transfers == report.transfers_predicted, "the solve's transfers are not as predicted");
    if (c->compressed) {
        struct smooth smooth = smooth_of(c);
        double limit = 10 * (c->accuracy + c->precision + (double)p->n * precision_of(p->type)->eps);
        EXPECT(smooth_residual(&smooth, B, false) <= limit, "the solution by compressed factors is wrong");
        return NULL;
    }
    number *X = gather(B, NULL);
    double ratio = solve_ratio(p, X, ompfact_cols(B));
    free(X);
    EXPECT(ratio < 30 * growth, "the solution is wrong");
    return NULL;
}

const char *inverse_check(ompfact_matrix *A, const struct setup *c)
{
    ompfact_matrix *before = NULL;
    int64_t info = -1;
    double ratio = NAN;
    EXPECT((c->problem.hermitian ? ompfact_potri(A, &info) : ompfact_getri(A, &info)) == OMPFACT_SUCCESS && info == 0,
           "the inverse returned an error");
    ompfact_report report = ompfact_last_report(A);
    EXPECT(report.transfers == report.transfers_predicted, "the inverse's transfers are not as predicted");
    bool made = ompfact_matrix_create_like(A, &before) == OMPFACT_SUCCESS && fill_matrix(before, c) == OMPFACT_SUCCESS &&
                ompfact_residual_inverse(before, A, false, &ratio) == OMPFACT_SUCCESS;
    ompfact_matrix_destroy(&before);
    EXPECT(made && ratio < 30, "the inverse is wrong");
    return NULL;
}

/* R^H R = A^H A, element by element, in units of max(m,n) eps; |A| <= sqrt(2). */
static double naive_qr_ratio(ompfact_matrix *A, const struct problem *p, double unit)
{
    double worst = 0;
    number *R = gather(A, NULL);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = my_rank(); j <= i; j += all_ranks_count()) {
            number sum = 0;
            for (int64_t k = 0; k < p->m; k++)
                sum += conj(entry_of(p, k, i)) * entry_of(p, k, j) - (k <= j ? conj(R[k + i * p->m]) * R[k + j * p->m] : 0);
            worst = larger(worst, cabs(sum) / (unit * (double)p->m));
        }
    free(R);
    return worst;
}

/* Also Q Q^H B = B. */
const char *qr_check(ompfact_matrix *A, ompfact_matrix *B, const struct setup *c)
{
    const struct problem *p = &c->problem;
    double worst[2] = { 0, 0 }, unit = 2 * (double)(p->m > p->n ? p->m : p->n) * precision_of(p->type)->eps;
    ompfact_report report = ompfact_last_report(A);
    EXPECT(report.transfers == report.transfers_predicted, "transfers are not as predicted");
    worst[0] = c->large ? own_ratio(A, p, ompfact_residual_qr) : naive_qr_ratio(A, p, unit);
    if (B != NULL) {
        EXPECT(ompfact_unmqr(A, true, B) == OMPFACT_SUCCESS && ompfact_unmqr(A, false, B) == OMPFACT_SUCCESS,
               "unmqr returned an error");
        number *X = gather(B, NULL);
        for (int64_t j = 0; j < ompfact_cols(B); j++)
            for (int64_t i = 0; i < p->m; i++)
                worst[1] = larger(worst[1], cabs(X[i + j * p->m] - rhs_entry(p, i, j)) / unit);
        free(X);
    }
    largest(worst, 2);
    EXPECT(worst[0] < 30, "R is wrong");
    EXPECT(worst[1] < 30, "Q Q^H is not the unit matrix");
    return NULL;
}
