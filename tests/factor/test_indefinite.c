/*
 * Hermitian and symmetric indefinite matrices on any number of ranks. LAPACK's test ratio of a solve, || b - A x || / ( ||A||
 * ||x|| n eps ), is below 30 times the growth. Inertia agrees with LAPACK's eigenvalues. Transfers are Cholesky's tiles, and
 * blocks of signs.
 */
#include "src/butterfly/butterfly.h"
#include "src/ompfact_plan.h"
#include "tests/factoring.h"
#include "tests/maps.h"

#include <lapacke.h>

enum { NB = 16 };

static ompfact_grid *delayed_grid(ompfact_schedule schedule, bool abft, bool copy_on_node, ompfact_butterfly butterfly)
{
    return new_grid((ompfact_options){ .threads = 2, .schedule = schedule, .abft = abft, .copy_on_node = copy_on_node,
                                       .butterfly = butterfly,
                                       .testing = &(ompfact_testing){ .jitter_us = 50 } });
}

static struct problem indefinite_of(char type, bool upper, int64_t n)
{
    return (struct problem){ .type = type, .hermitian = true, .upper = upper, .m = n, .n = n, .seed = (unsigned)n,
                             .pivots = true };
}

static bool is_complex_symmetric(const struct problem *p)
{
    return p->symmetric && is_complex(p->type);
}

static ompfact_status factor_indefinite(ompfact_matrix *A, const struct problem *p, int64_t *info)
{
    return p->symmetric ? ompfact_sytrf(A, info) : ompfact_hetrf(A, info);
}

static ompfact_status solve_indefinite(ompfact_matrix *A, const struct problem *p, ompfact_matrix *B)
{
    return p->symmetric ? ompfact_sytrs(A, B) : ompfact_hetrs(A, B);
}

/* The number of negative eigenvalues by LAPACK. */
static int64_t eigenvalues(const struct problem *p)
{
    int n = (int)p->n;
    number *A = calloc((size_t)(n * n) + 1, sizeof *A);
    double *w = calloc((size_t)n + 1, sizeof *w);
    int64_t negative = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[i + j * n] = entry_of(p, i, j);
    ck_assert_int_eq(LAPACKE_zheev(LAPACK_COL_MAJOR, 'N', 'L', n, A, n > 0 ? n : 1, w), 0);
    for (int i = 0; i < n; i++)
        negative += w[i] < 0;
    free(w);
    free(A);
    return negative;
}

/* The logarithm of the determinant's modulus, and its phase, by LAPACK's LU. */
static double log_determinant(const struct problem *p, number *phase)
{
    int n = (int)p->n, *ipiv = calloc((size_t)n + 1, sizeof *ipiv);
    number *A = calloc((size_t)(n * n) + 1, sizeof *A);
    double log_modulus = 0;
    *phase = 1;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[i + j * n] = entry_of(p, i, j);
    ck_assert_int_eq(LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, A, n, ipiv), 0);
    for (int i = 0; i < n; i++) {
        number u = A[i + i * n];
        log_modulus += log(cabs(u));
        *phase *= ipiv[i] != i + 1 ? -u / cabs(u) : u / cabs(u);
    }
    free(ipiv);
    free(A);
    return log_modulus;
}

static void check_inertia(ompfact_matrix *A, const struct problem *p, ompfact_inertia_counts *counts)
{
    assert_everywhere(ompfact_inertia(A, counts) == OMPFACT_SUCCESS);
    if (is_complex_symmetric(p)) {
        assert_everywhere(counts->negative == -1 && counts->positive == -1 && counts->zero == -1 && counts->perturbed == 0);
        return;
    }
    int64_t negative = eigenvalues(p);
    assert_everywhere_msg(counts->negative == negative && counts->positive == p->n - negative && counts->zero == 0 &&
                              counts->perturbed == 0,
                          "inertia %lld - %lld, not %lld", (long long)counts->positive, (long long)counts->negative,
                          (long long)negative);
}

/* The reciprocal condition from the inverse of LAPACK's LU. */
static double true_rcond(const struct problem *p, double norm)
{
    int n = (int)p->n, *ipiv = calloc((size_t)n + 1, sizeof *ipiv);
    number *A = calloc((size_t)(n * n) + 1, sizeof *A);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[i + j * n] = entry_of(p, i, j);
    ck_assert_int_eq(LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, A, n, ipiv), 0);
    ck_assert_int_eq(LAPACKE_zgetri(LAPACK_COL_MAJOR, n, A, n, ipiv), 0);
    double inverse = LAPACKE_zlange(LAPACK_COL_MAJOR, '1', n, n, A, n);
    free(ipiv);
    free(A);
    return 1 / norm / inverse;
}

static void check_what_factors_tell(ompfact_matrix *A, const struct problem *p, double growth)
{
    double logabs, re, im, pivot, norm, rcond, ratio;
    int64_t k;
    ompfact_matrix *B = new_like(A);
    fill(B, p);
    assert_everywhere(ompfact_norm1(B, &norm) == OMPFACT_SUCCESS && ompfact_rcond(A, norm, &rcond) == OMPFACT_SUCCESS);
    double right = true_rcond(p, norm), wrong = precision_of(p->type)->eps * (double)p->n * 1e3 / right;
    assert_everywhere_msg(rcond > 0.8 * right && rcond < 3.5 * right, "rcond %g, not %g", rcond, right);
    assert_everywhere(ompfact_determinant(A, &logabs, &re, &im) == OMPFACT_SUCCESS);
    number phase;
    double log_modulus = log_determinant(p, &phase);
    assert_everywhere_msg(cabs(re + im * (number)I - phase) < wrong, "phase %g %g, not %g %g", re, im, creal(phase),
                          cimag(phase));
    assert_everywhere_msg(fabs(logabs - log_modulus) < wrong, "log %g, not %g", logabs, log_modulus);
    assert_everywhere(ompfact_smallest_pivot(A, &pivot, &k) == OMPFACT_SUCCESS && pivot > 0 && k >= 0 && k < p->n);
    assert_everywhere(ompfact_residual_factors(B, A, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30 * (1 + growth), "%c n %lld: ratio of factors %g, growth %g", p->type, (long long)p->n,
                          ratio, growth);
    ompfact_matrix_destroy(&B);
}

/* The library's own residual of a solution. */
static void check_residual(ompfact_matrix *factors, const struct problem *p, ompfact_matrix *X, double growth)
{
    ompfact_matrix *A = new_like(factors), *B = new_rhs(A, ompfact_cols(X));
    double ratio;
    fill(A, p);
    fill_rhs(B, p);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30 * (1 + growth), "%c n %lld: residual %g, growth %g", p->type, (long long)p->n, ratio,
                          growth);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}

static void check_solution(ompfact_matrix *A, const struct problem *p, double growth)
{
    enum { NRHS = 3 };
    ompfact_matrix *B = new_rhs(A, NRHS);
    fill_rhs(B, p);
    assert_everywhere(solve_indefinite(A, p, B) == OMPFACT_SUCCESS);
    number *X = gather(B, NULL);
    double ratio = solve_ratio(p, X, NRHS);
    assert_everywhere_msg(ratio < 30 * (1 + growth), "%c n %lld, %s: ratio %g, growth %g", p->type, (long long)p->n,
                          ompfact_layout(A), ratio, growth);
    free(X);
    if (p->symmetric)
        check_residual(A, p, B, growth);
    ompfact_matrix_destroy(&B);
}

/* Transfers are Cholesky's tiles, at most one block for each step and each rank but its owner, and those of a butterfly. */
static void check_transfers(ompfact_matrix *A, const struct problem *p, bool packed)
{
    ompfact_report report = ompfact_last_report(A);
    struct butterfly_moves moves;
    ck_assert(butterfly_count(A, butterfly_depth(A->grid->butterfly), NULL, &moves));
    int64_t tiles = moves.transfers + (p->n == 0 ? 0 : transfers_of(A, p, packed));
    int64_t blocks = (int64_t)(all_ranks_count() - 1) * ompfact_tile_cols(A);
    assert_everywhere_msg(report.transfers == report.transfers_predicted && report.transfers >= tiles &&
                              report.transfers <= tiles + blocks,
                          "%lld transfers, predicted %lld, of tiles %lld", (long long)report.transfers,
                          (long long)report.transfers_predicted, (long long)tiles);
}

/* A forecast agrees with the run, except for the bytes of checksums. */
static void check_forecast(ompfact_matrix *A, const struct problem *p, const ompfact_shape *shape)
{
    ompfact_job job = { .routine = p->symmetric ? "sytrf" : "hetrf", .ranks = all_ranks_count(), .shape = *shape,
                        .options.butterfly = A->grid->butterfly };
    job.shape.node_of = ompfact_node_of(A->grid);
    job.shape.nodes = ompfact_nodes(A->grid);
    ompfact_report report = ompfact_last_report(A);
    ompfact_plan *plan;
    char why[OMPFACT_MESSAGE] = "";
    assert_everywhere_msg(ompfact_plan_create(&job, &plan, why) == OMPFACT_SUCCESS, "%s", why);
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    assert_everywhere_msg(f->transfers == report.transfers && (A->has_sums || f->transfer_bytes == report.transfer_bytes),
                          "%lld transfers and %lld bytes, forecast %lld and %lld", (long long)report.transfers,
                          (long long)report.transfer_bytes, (long long)f->transfers, (long long)f->transfer_bytes);
    assert_everywhere(report.wire_transfers == report.wire_transfers_predicted);
    assert_everywhere_msg(!ompfact_reads_in_place(A->grid) || A->has_sums ||
                              (f->wire_transfers == report.wire_transfers && f->wire_bytes == report.wire_bytes),
                          "%lld wire transfers and %lld bytes, forecast %lld and %lld", (long long)report.wire_transfers,
                          (long long)report.wire_bytes, (long long)f->wire_transfers, (long long)f->wire_bytes);
    ompfact_plan_destroy(&plan);
}

/* M := W^T M for one level of the butterfly, with n rows and columns. */
static void mix_rows(const ompfact_ldl_row *rows, int level, int64_t n, number *M)
{
    for (int64_t x = 0; x < n; x++) {
        const int64_t y = rows[x].partner[level] - 1;
        for (int64_t j = 0; j < n && x < y; j++) {
            const number above = M[x + j * n], below = M[y + j * n];
            M[x + j * n] = rows[x].weight[level] * (above + below);
            M[y + j * n] = rows[y].weight[level] * (above - below);
        }
    }
}

/* M := P M. */
static void exchange_rows(const ompfact_ldl_row *rows, int64_t n, number *M)
{
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0, other = llabs(rows[k].pivot) - 1; j < n; j++) {
            const number row = M[k + j * n];
            M[k + j * n] = M[other + j * n];
            M[other + j * n] = row;
        }
}

/* x for ^T, conj(x) for ^H. */
static number adjoint(const struct problem *p, number x)
{
    return p->symmetric ? x : conj(x);
}

static void transpose(const struct problem *p, number *M)
{
    const int64_t n = p->n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            const number below = M[j + i * n];
            M[j + i * n] = adjoint(p, M[i + j * n]);
            M[i + j * n] = adjoint(p, below);
        }
}

/* P W^T A W P^T */
static number *mixed_and_permuted(const struct problem *p, const ompfact_ldl_row *rows)
{
    number *M = calloc((size_t)(p->n * p->n) + 1, sizeof *M);
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->n; i++)
            M[i + j * p->n] = entry_of(p, i, j);
    for (int side = 0; side < 2; side++) {
        mix_rows(rows, 0, p->n, M);
        mix_rows(rows, 1, p->n, M);
        exchange_rows(rows, p->n, M);
        transpose(p, M);
    }
    return M;
}

/* M := M - L_k D_k L_k^H of the lower triangle; block k of D has this order. */
static void subtract_step(const struct problem *p, const number *L, int64_t k, int order, number *M)
{
    const int64_t n = p->n;
    const number e = order == 2 ? L[k + 1 + k * n] : 0, last = order == 2 ? L[k + 1 + (k + 1) * n] : 0;
    const number D[2][2] = { { L[k + k * n], adjoint(p, e) }, { e, last } };
    for (int64_t i = k; i < n; i++)
        for (int64_t j = k; j <= i; j++)
            for (int a = 0; a < order; a++)
                for (int b = 0; b < order; b++) {
                    const number left = i < k + order ? i == k + a : L[i + (k + a) * n];
                    const number right = j < k + order ? j == k + b : L[j + (k + b) * n];
                    M[i + j * n] -= left * D[a][b] * adjoint(p, right);
                }
}

/* Factors in LAPACK's form multiply to the matrix, mixed by the W and permuted by the P that are returned with them. */
static void check_ldl(ompfact_matrix *A, const struct problem *p, double growth)
{
    const int64_t n = p->n;
    ompfact_ldl_row *rows = calloc((size_t)n + 1, sizeof *rows);
    assert_everywhere(ompfact_ldl(A, rows) == OMPFACT_SUCCESS);
    number *L = gather(A, p), *M = mixed_and_permuted(p, rows);
    double largest = 0, worst = 0;
    if (p->upper)
        transpose(p, L);
    for (int64_t k = 0; k < n; k += rows[k].pivot < 0 ? 2 : 1)
        subtract_step(p, L, k, rows[k].pivot < 0 ? 2 : 1, M);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            largest = fmax(largest, cabs(entry_of(p, i, j)));
            worst = fmax(worst, cabs(M[i + j * n]));
        }
    assert_everywhere_msg(worst <= 30 * precision_of(p->type)->eps * (double)n * largest * (1 + growth),
                          "%c n %lld: |P W^T A W P^T - L D L^H| is %g", p->type, (long long)n, worst);
    free(rows);
    free(L);
    free(M);
}

static void check_indefinite(ompfact_grid *grid, const struct problem *p, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    ompfact_inertia_counts counts;
    int64_t info = -1;
    for (int again = 0; again < 2; again++) {
        fill(A, p);
        assert_everywhere_msg(factor_indefinite(A, p, &info) == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
        assert_everywhere(rest_is_untouched(A, p));
        check_transfers(A, p, !shape->full_storage);
        check_forecast(A, p, shape);
    }
    check_inertia(A, p, &counts);
    if (p->n > 0) {
        check_solution(A, p, counts.growth);
        check_what_factors_tell(A, p, counts.growth);
        check_ldl(A, p, counts.growth);
        assert_everywhere(ompfact_inertia(A, &counts) == OMPFACT_BAD_ARGUMENT);
    }
    ompfact_matrix_destroy(&A);
}

/* Each type with each layout is right, packed and full, of either triangle, in each schedule. */
START_TEST(types_and_layouts)
{
    static const char *const layouts[] = { "2dbc", "g2dbc", "gcrm", map, free_map, "design" };
    ompfact_grid *grid = delayed_grid((ompfact_schedule)(_i % 3), _i / 6 == 1, _i / 3 % 2 == 1, (ompfact_butterfly)(_i / 2 % 4));
    struct problem p = indefinite_of("sdcz"[_i % 4], _i / 4 % 2, 5 * NB + 7);
    for (int l = _i % 2; l < 6; l += 2) {
        ompfact_shape shape = shape_of(&p, NB, layouts[l]);
        shape.full_storage = l == 3;
        check_indefinite(grid, &p, &shape);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Complex symmetric matrices are right, and real ones declared symmetric. */
START_TEST(symmetric)
{
    static const char *const layouts[] = { "2dbc", free_map, "design", map };
    ompfact_grid *grid = delayed_grid((ompfact_schedule)(_i % 3), _i / 2 % 2 == 1, _i / 3 % 2 == 1,
                                      (ompfact_butterfly)((_i + 1) % 4));
    struct problem p = indefinite_of("zczcd"[_i % 5], _i / 2 % 2, _i == 6 ? NB - 3 : 5 * NB + 7);
    ompfact_shape shape;
    p.symmetric = true;
    shape = shape_of(&p, NB, layouts[_i % 4]);
    shape.full_storage = _i == 3;
    check_indefinite(grid, &p, &shape);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Sizes around a tile, more ranks than tiles, and no rows at all are right. */
START_TEST(sizes)
{
    static const int64_t n[] = { 0, 1, 2, NB - 1, NB, NB + 1, 2 * NB };
    ompfact_grid *grid = delayed_grid(OMPFACT_DYNAMIC, false, true, OMPFACT_BUTTERFLY_AUTO);
    for (int i = 0; i < 7; i++) {
        struct problem p = indefinite_of('d', i % 2, n[i]);
        ompfact_shape shape = shape_of(&p, NB, "g2dbc");
        check_indefinite(grid, &p, &shape);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

static void fill_zeros(void *context, const ompfact_tile *t)
{
    const struct problem *p = context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, p->type, r, c, 0);
}

static number zero_row(const struct problem *p, int64_t i, int64_t j)
{
    return i == p->n / 2 || j == p->n / 2 ? 0 : entry_of(p, i, j);
}

static void fill_but_a_row(void *context, const ompfact_tile *t)
{
    const struct problem *p = context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, p->type, r, c, zero_row(p, t->row + r, t->col + c));
}

/* A matrix of zeros gives info, and one with a row of zeros a replaced pivot. */
START_TEST(singular)
{
    ompfact_grid *grid = delayed_grid(OMPFACT_DYNAMIC, false, true, OMPFACT_BUTTERFLY_NONE);
    struct problem p = indefinite_of("sdczcz"[_i], _i % 2, 3 * NB + 5);
    p.symmetric = _i > 3;
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_inertia_counts counts;
    int64_t info;
    assert_everywhere(ompfact_fill_tiles(A, fill_zeros, &p) == OMPFACT_SUCCESS);
    assert_everywhere(factor_indefinite(A, &p, &info) == OMPFACT_SUCCESS && info == 1);
    assert_everywhere(ompfact_inertia(A, &counts) == OMPFACT_SUCCESS && counts.zero == (p.symmetric ? -1 : p.n));
    assert_everywhere(counts.positive == (p.symmetric ? -1 : 0));
    assert_everywhere(ompfact_fill_tiles(A, fill_but_a_row, &p) == OMPFACT_SUCCESS);
    assert_everywhere(factor_indefinite(A, &p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_inertia(A, &counts) == OMPFACT_SUCCESS && counts.perturbed == 1 && isfinite(counts.growth));
    assert_everywhere(p.symmetric || counts.positive + counts.negative == p.n);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* hetrf takes Hermitian matrices and sytrf symmetric ones; the same holds for solves. Other routines refuse symmetric
   matrices. */
START_TEST(refuses)
{
    ompfact_grid *grid = delayed_grid(OMPFACT_DYNAMIC, false, false, OMPFACT_BUTTERFLY_AUTO);
    struct problem hermitian = indefinite_of('z', _i, 2 * NB), symmetric = hermitian;
    int64_t info;
    double ratio;
    symmetric.symmetric = true;
    ompfact_shape shapes[] = { shape_of(&hermitian, NB, "2dbc"), shape_of(&symmetric, NB, "2dbc") };
    ompfact_matrix *H = new_matrix(grid, &shapes[0]), *S = new_matrix(grid, &shapes[1]), *B = new_rhs(S, 2), *X = new_rhs(S, 2);
    fill(H, &hermitian);
    fill(S, &symmetric);
    assert_everywhere(ompfact_sytrf(H, &info) == OMPFACT_BAD_ARGUMENT && ompfact_hetrf(S, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf(S, &info) == OMPFACT_BAD_ARGUMENT && ompfact_trtri(S, false, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_trsm(OMPFACT_LEFT, _i ? OMPFACT_UPPER : OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, S, B) ==
                      OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_residual_triangle(S, X, B, &ratio) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_residual_factors(S, S, &ratio) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_sytrf(S, &info) == OMPFACT_SUCCESS && ompfact_hetrs(S, B) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_hetrf(H, &info) == OMPFACT_SUCCESS && ompfact_sytrs(H, B) == OMPFACT_BAD_ARGUMENT);
    shapes[1].accuracy = 1e-4;
    ompfact_matrix *C = NULL;
    assert_everywhere(ompfact_matrix_create(grid, &shapes[1], &C) == OMPFACT_BAD_ARGUMENT && C == NULL);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&S);
    ompfact_matrix_destroy(&H);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *indefinite_suite(void)
{
    Suite *suite = suite_create("indefinite");
    TCase *tests = tcase_create("indefinite");
    tcase_add_unchecked_fixture(tests, create_maps, destroy_maps);
    tcase_add_loop_test(tests, types_and_layouts, 0, 12);
    tcase_add_test(tests, sizes);
    add_turns(tests, symmetric, 10, 3);
    tcase_add_loop_test(tests, singular, 0, 6);
    tcase_add_loop_test(tests, refuses, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, indefinite_suite());
}
