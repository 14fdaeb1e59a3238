/*
 * Factorizations in parts. The remaining part is the Schur complement, which callers can get as a matrix. To continue from it
 * gives the factors of one call, bit for bit where nothing pivots.
 */
#include "src/ompfact_plan.h"
#include "tests/factoring.h"

#include <lapacke.h>

enum { N = 83, NB = 16, FIRST = 20 };

static ompfact_status eliminate(ompfact_matrix *A, const struct problem *p, int64_t rows, int64_t *info)
{
    return p->hermitian ? ompfact_potrf_partial(A, rows, info) : ompfact_getrf_partial(A, rows, info);
}

/* Cut at FIRST, so that a tile begins also at FIRST + 2 NB. */
static ompfact_matrix *cut_matrix(ompfact_grid *grid, const struct problem *p, const char *layout)
{
    ompfact_shape shape = shape_of(p, NB, layout);
    shape.cut = FIRST;
    return new_matrix(grid, &shape);
}

static void assert_same(ompfact_matrix *A, ompfact_matrix *B, const struct problem *p)
{
    number *a = gather(A, p), *b = gather(B, p);
    bool same = true;
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = p->hermitian ? j : 0; i < p->m; i++) {
            int64_t at = p->upper ? j + i * p->m : i + j * p->m;
            same &= a[at] == b[at];
        }
    assert_everywhere_msg(same, "%c: parts and one call differ", p->type);
    free(a);
    free(b);
}

/* Two parts, and the rest, give the factors of one call in each schedule. */
START_TEST(parts)
{
    static const ompfact_schedule orders[] = { OMPFACT_DYNAMIC, OMPFACT_STATIC, OMPFACT_BASIC };
    const char *layouts[] = { "2dbc", "g2dbc", "auto" };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = orders[_i % 3], .pivot = OMPFACT_PIVOT_NONE,
                                                     .copy_on_node = _i % 2 });
    for (int kind = 0; kind < 12; kind++) {
        struct problem p = square("sdcz"[kind % 4], kind < 8, N);
        int64_t info = -1;
        p.upper = kind < 4;
        ompfact_matrix *A = cut_matrix(grid, &p, layouts[(kind + _i) % 3]), *B = new_like(A);
        fill(A, &p);
        fill(B, &p);
        assert_everywhere(eliminate(A, &p, FIRST, &info) == OMPFACT_SUCCESS && info == 0 && ompfact_eliminated(A) == FIRST);
        double flops = ompfact_last_report(A).flops;
        ompfact_report report = ompfact_last_report(A);
        assert_everywhere(report.transfers == report.transfers_predicted);
        assert_everywhere(eliminate(A, &p, FIRST + 2 * NB, &info) == OMPFACT_SUCCESS && info == 0);
        flops += ompfact_last_report(A).flops;
        assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == 0 && ompfact_eliminated(A) == 0);
        flops += ompfact_last_report(A).flops;
        assert_everywhere(factor(B, &p, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(fabs(flops / ompfact_last_report(B).flops - 1) < 1e-12);
        assert_same(A, B, &p);
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A copy of S equals the remaining part of A, and is factored the same way; with both triangles it is Hermitian. */
START_TEST(complement)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .pivot = OMPFACT_PIVOT_NONE });
    for (int kind = 0; kind < 6; kind++) {
        struct problem p = square("dz"[kind % 2], kind < 4, N), rest = p;
        int64_t info = -1, left = N - FIRST;
        p.upper = rest.upper = kind < 2;
        rest.m = rest.n = left;
        ompfact_matrix *A = cut_matrix(grid, &p, "g2dbc"), *S, *whole;
        fill(A, &p);
        assert_everywhere(ompfact_schur(A, false, &S) == OMPFACT_BAD_ARGUMENT);
        assert_everywhere(eliminate(A, &p, FIRST, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_schur(A, false, &S) == OMPFACT_SUCCESS && ompfact_rows(S) == left);
        assert_everywhere(ompfact_schur(A, true, &whole) == OMPFACT_SUCCESS && ompfact_cols(whole) == left);
        number *half = gather(S, &rest), *all = gather(whole, NULL);
        bool same = true;
        for (int64_t j = 0; j < left; j++)
            for (int64_t i = p.hermitian ? j : 0; i < left; i++) {
                number a = half[p.upper ? j + i * left : i + j * left], b = all[p.upper ? j + i * left : i + j * left];
                same &= a == b && (!p.hermitian || i == j || conj(b) == all[p.upper ? i + j * left : j + i * left]);
            }
        assert_everywhere(same);
        assert_everywhere(factor(S, &rest, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == 0);
        number *F = gather(A, &p), *G = gather(S, &rest);
        for (int64_t j = 0; j < left; j++)
            for (int64_t i = p.hermitian ? j : 0; i < left; i++) {
                int64_t r = p.upper ? j : i, c = p.upper ? i : j;
                same &= F[r + FIRST + (c + FIRST) * N] == G[r + c * left];
            }
        assert_everywhere(same);
        free(half);
        free(all);
        free(F);
        free(G);
        ompfact_matrix_destroy(&whole);
        ompfact_matrix_destroy(&S);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Pivots of a part are among its rows. The factorization continues to right factors, and only with pivoting. */
START_TEST(pivots)
{
    static const ompfact_pivot methods[] = { OMPFACT_PIVOT_PARTIAL, OMPFACT_PIVOT_TOURNAMENT };
    static const ompfact_schedule orders[] = { OMPFACT_DYNAMIC, OMPFACT_STATIC, OMPFACT_BASIC };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = methods[_i % 2], .schedule = orders[_i / 2] });
    struct problem p = { .type = 'd', .m = N, .n = N, .seed = 5, .pivots = true };
    ompfact_matrix *A = cut_matrix(grid, &p, "2dbc"), *F = new_like(A);
    int64_t info = -1, ipiv[N];
    double ratio = -1;
    fill(A, &p);
    fill(F, &p);
    assert_everywhere(ompfact_getrf_partial(F, FIRST + NB, &info) == OMPFACT_SUCCESS && info == 0);
    ompfact_ipiv(F, ipiv);
    for (int64_t i = 0; i < N; i++)
        assert_everywhere(i < FIRST + NB ? ipiv[i] > i && ipiv[i] <= FIRST + NB : ipiv[i] == i + 1);
    assert_everywhere(ompfact_getrf_partial(F, FIRST + 2 * NB, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_getrf(F, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Wrong calls are refused, and leave A as it is. Filling a matrix starts from the beginning. */
START_TEST(refusals)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct problem p = square('d', true, N);
    ompfact_matrix *A = cut_matrix(grid, &p, "g2dbc"), *B = new_like(A);
    int64_t info = -1;
    fill(A, &p);
    fill(B, &p);
    assert_everywhere(ompfact_potrf_partial(A, FIRST + 1, &info) == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "cut"));
    assert_everywhere(ompfact_potrf_partial(A, N + 1, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf_partial(A, -1, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_getrf_partial(A, FIRST, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf_partial(A, 0, &info) == OMPFACT_SUCCESS && ompfact_eliminated(A) == 0);
    assert_everywhere(ompfact_potrf_partial(A, FIRST + NB, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_potrf_partial(A, FIRST, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_eliminated(A) == FIRST + NB);
    fill(A, &p);
    assert_everywhere(ompfact_eliminated(A) == 0);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_potrf(B, &info) == OMPFACT_SUCCESS && info == 0);
    assert_same(A, B, &p);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- with signs ----------------------------------------------------------------------------------------------------------- */

static ompfact_status eliminate_signed(ompfact_matrix *A, const struct problem *p, int64_t rows, int64_t *info)
{
    return p->symmetric ? ompfact_sytrf_partial(A, rows, info) : ompfact_hetrf_partial(A, rows, info);
}

static ompfact_status factor_signed(ompfact_matrix *A, const struct problem *p, int64_t *info)
{
    return p->symmetric ? ompfact_sytrf(A, info) : ompfact_hetrf(A, info);
}

/* A real symmetric matrix is Hermitian, too. */
static struct problem signed_problem(int kind)
{
    return (struct problem){ .type = "sdcz"[kind % 4], .hermitian = true, .symmetric = kind / 4 % 2, .upper = kind / 8 % 2,
                             .m = N, .n = N, .seed = (unsigned)kind, .pivots = true };
}

static double growth_of(ompfact_matrix *A)
{
    ompfact_inertia_counts counts = { 0 };
    assert_everywhere(ompfact_inertia(A, &counts) == OMPFACT_SUCCESS);
    return 1 + counts.growth;
}

/* The largest |element| of S - (A_22 - A_21 A_11^-1 A_12), by LAPACK's LU, over that of the terms. */
static double error_of_complement(const number *S, const struct problem *p, int64_t rows)
{
    int n = (int)p->n, r = (int)rows, left = n - r, *ipiv = calloc((size_t)r + 1, sizeof *ipiv);
    number *A11 = calloc((size_t)(r * r), sizeof *A11), *X = calloc((size_t)(r * left), sizeof *X);
    double worst = 0, most = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < r; i++)
            *(j < r ? &A11[i + j * r] : &X[i + (j - r) * r]) = entry_of(p, i, j);
    ck_assert_int_eq(LAPACKE_zgesv(LAPACK_COL_MAJOR, r, left, A11, r, ipiv, X, r), 0);
    for (int j = 0; j < left; j++)
        for (int i = 0; i < left; i++) {
            number a = entry_of(p, r + i, r + j);
            for (int k = 0; k < r; k++) {
                number product = entry_of(p, r + i, k) * X[k + j * r];
                most = fmax(most, cabs(product));
                a -= product;
            }
            worst = fmax(worst, cabs(a - S[i + j * left]));
        }
    free(ipiv);
    free(A11);
    free(X);
    return worst / most;
}

/* Two parts, and the rest, on a grid that would mix rows, give the factors of one call without mixing. */
START_TEST(parts_with_signs)
{
    static const ompfact_schedule orders[] = { OMPFACT_DYNAMIC, OMPFACT_STATIC, OMPFACT_BASIC };
    const char *layouts[] = { "2dbc", "g2dbc", "auto" };
    const struct problem p = signed_problem(_i);
    ompfact_options options = { .threads = 2, .schedule = orders[_i % 3], .copy_on_node = _i % 2 };
    ompfact_grid *mixing = new_grid(options);
    options.butterfly = OMPFACT_BUTTERFLY_NONE;
    ompfact_grid *plain = new_grid(options);
    int64_t info = -1;
    ompfact_matrix *A = cut_matrix(mixing, &p, layouts[_i % 3]), *B = cut_matrix(plain, &p, layouts[_i % 3]);
    fill(A, &p);
    fill(B, &p);
    assert_everywhere(eliminate_signed(A, &p, FIRST, &info) == OMPFACT_SUCCESS && info == 0 && ompfact_eliminated(A) == FIRST);
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(report.transfers == report.transfers_predicted && rest_is_untouched(A, &p));
    double flops = report.flops;
    assert_everywhere(eliminate_signed(A, &p, FIRST + 2 * NB, &info) == OMPFACT_SUCCESS && info == 0);
    flops += ompfact_last_report(A).flops;
    assert_everywhere(factor_signed(A, &p, &info) == OMPFACT_SUCCESS && info == 0 && ompfact_eliminated(A) == 0);
    flops += ompfact_last_report(A).flops;
    assert_everywhere(factor_signed(B, &p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(fabs(flops / ompfact_last_report(B).flops - 1) < 1e-12 && rest_is_untouched(A, &p));
    assert_same(A, B, &p);
    ompfact_matrix *X = new_rhs(A, 2);
    fill_rhs(X, &p);
    assert_everywhere((p.symmetric ? ompfact_sytrs : ompfact_hetrs)(A, X) == OMPFACT_SUCCESS);
    number *x = gather(X, NULL);
    double ratio = solve_ratio(&p, x, 2), growth = growth_of(A);
    assert_everywhere_msg(ratio < 30 * growth, "ratio %g, growth %g", ratio, growth);
    free(x);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&plain);
    ompfact_grid_destroy(&mixing);
}
END_TEST

/* The remaining part is LAPACK's, and traffic is as forecast. Its inertia and that of the first rows add up to the whole
   matrix's. */
START_TEST(complement_with_signs)
{
    struct problem p = signed_problem(_i), rest = p;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .testing = &(ompfact_testing){ .jitter_us = 50 } });
    int64_t info = -1;
    rest.m = rest.n = N - FIRST - NB;
    ompfact_matrix *A = cut_matrix(grid, &p, "2dbc"), *S, *whole;
    fill(A, &p);
    assert_everywhere(eliminate_signed(A, &p, FIRST + NB, &info) == OMPFACT_SUCCESS && info == 0);
    ompfact_report report = ompfact_last_report(A);
    ompfact_inertia_counts first = { 0 }, last = { 0 }, all = { 0 };
    assert_everywhere(ompfact_inertia(A, &first) == OMPFACT_SUCCESS && first.perturbed == 0);
    assert_everywhere(ompfact_schur(A, true, &whole) == OMPFACT_SUCCESS);
    number *s = gather(whole, NULL);
    double error = error_of_complement(s, &p, FIRST + NB), unit = precision_of(p.type)->eps;
    assert_everywhere_msg(error < 30 * N * unit * (1 + first.growth), "error %g, growth %g", error, first.growth);
    free(s);

    ompfact_job job = { .routine = p.symmetric ? "sytrf" : "hetrf", .ranks = all_ranks_count(), .partial = FIRST + NB,
                        .shape = shape_of(&p, NB, "2dbc") };
    ompfact_plan *plan;
    job.shape.cut = FIRST;
    job.shape.node_of = ompfact_node_of(grid);
    job.shape.nodes = ompfact_nodes(grid);
    assert_everywhere(ompfact_plan_create(&job, &plan, NULL) == OMPFACT_SUCCESS);
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    assert_everywhere_msg(f->transfers == report.transfers && f->transfer_bytes == report.transfer_bytes,
                          "%lld transfers and %lld bytes, forecast %lld and %lld", (long long)report.transfers,
                          (long long)report.transfer_bytes, (long long)f->transfers, (long long)f->transfer_bytes);
    assert_everywhere(!ompfact_reads_in_place(grid) || f->wire_transfers == report.wire_transfers);
    ompfact_plan_destroy(&plan);

    assert_everywhere(ompfact_schur(A, false, &S) == OMPFACT_SUCCESS);
    assert_everywhere(factor_signed(S, &p, &info) == OMPFACT_SUCCESS && ompfact_inertia(S, &last) == OMPFACT_SUCCESS);
    assert_everywhere(factor_signed(A, &p, &info) == OMPFACT_SUCCESS && ompfact_inertia(A, &all) == OMPFACT_SUCCESS);
    bool has_signs = !p.symmetric || !is_complex(p.type);
    assert_everywhere(has_signs ? first.positive + first.negative == FIRST + NB && all.negative == first.negative + last.negative
                                : first.negative == -1 && all.negative == -1);
    ompfact_matrix_destroy(&S);
    ompfact_matrix_destroy(&whole);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

static void put_zero(void *context, int64_t i, int64_t j, void *value)
{
    (void)context, (void)i, (void)j;
    *(double *)value = 0;
}

/* A matrix of zeros is refused. A partly factored matrix cannot move, because signs are stored beside it. */
START_TEST(refusals_with_signs)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct problem p = signed_problem(1);
    ompfact_matrix *A = cut_matrix(grid, &p, "2dbc"), *B = new_like(A);
    int64_t info = -1;
    assert_everywhere(ompfact_fill_entries(A, put_zero, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_hetrf_partial(A, FIRST, &info) == OMPFACT_SUCCESS && info == 1 && ompfact_eliminated(A) == 0);
    fill(A, &p);
    assert_everywhere(ompfact_hetrf_partial(A, FIRST + 1, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_hetrf_partial(A, FIRST, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_redistribute(A, B) == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "_hetrf_partial()"));
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "ompfact_hetrf()"));
    assert_everywhere(ompfact_hesv(A, NULL, &info, &(int){ 0 }) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_hetrf_partial(A, FIRST + NB, &info) == OMPFACT_SUCCESS && ompfact_eliminated(A) == FIRST + NB);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("partial");
    TCase *tcase = tcase_create("partial");
    tcase_add_loop_test(tcase, parts, 0, 3);
    tcase_add_test(tcase, complement);
    tcase_add_loop_test(tcase, pivots, 0, 6);
    tcase_add_test(tcase, refusals);
    tcase_add_loop_test(tcase, parts_with_signs, 0, 16);
    tcase_add_loop_test(tcase, complement_with_signs, 0, 16);
    tcase_add_test(tcase, refusals_with_signs);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
