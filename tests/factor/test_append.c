/*
 * Rows and columns are appended to a factor. The result is the factor of the whole matrix, its old rows are unchanged, and
 * transfers are those counted. If the larger matrix is indefinite the factor stays as it was.
 */
#include "tests/factoring.h"

enum { NB = 16, BATCHES = 9, TOGETHER = 3 };        /* TOGETHER: this many batches are merged into one piece, with tiles of NB */
static const int64_t rows[BATCHES] = { 50, 64, 71, 112, 113, 114, 115, 120, 140 };        /* rows of the matrix after each
                                                                                             batch */

/* Tiles of the rows before and after each of the first appends. */
static int cut_as_appended(int batches, int *heights)
{
    int count = 0;
    for (int b = 0; b < batches; b++)
        for (int64_t at = b == 0 ? 0 : rows[b - 1]; at < rows[b]; at += NB)
            heights[count++] = (int)(rows[b] - at < NB ? rows[b] - at : NB);
    return count;
}

static ompfact_matrix *first_batch(ompfact_grid *grid, const struct problem *p, const char *layout)
{
    struct problem first = *p;
    int64_t info = -1;
    first.m = first.n = rows[0];
    ompfact_shape shape = shape_of(&first, NB, layout);
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere(ompfact_fill_tiles(A, fill_tile, (void *)p) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    return A;
}

static bool same_triangle(const number *a, int64_t lda, const number *b, int64_t ldb, int64_t n, bool upper)
{
    bool same = true;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++)
            same &= upper ? a[j + i * lda] == b[j + i * ldb] : a[i + j * lda] == b[i + j * ldb];
    return same;
}

/* The whole matrix factored in one call, with the tiles that appends have made. */
static ompfact_matrix *at_once(ompfact_grid *grid, const struct problem *p, int batches)
{
    struct problem q = *p;
    int64_t info = -1;
    int heights[64];
    q.m = q.n = rows[batches - 1];
    ompfact_shape shape = shape_of(&q, NB, "2dbc");
    shape.row_heights = shape.col_widths = heights;
    shape.mt = shape.nt = cut_as_appended(batches, heights);
    ompfact_matrix *whole = new_matrix(grid, &shape);
    fill(whole, p);
    assert_everywhere(ompfact_potrf(whole, &info) == OMPFACT_SUCCESS && info == 0);
    return whole;
}

/* While tiles are those of a single call, factors are the same bits, with as many operations. */
static void check_tiles_of_batches(ompfact_matrix *A, const struct problem *p, double flops)
{
    ompfact_matrix *whole = at_once(ompfact_grid_of(A), p, TOGETHER + 1);
    const int64_t n = rows[TOGETHER];
    assert_everywhere(fabs(flops / ompfact_last_report(whole).flops - 1) < 1e-12);
    number *a = gather(A, p), *b = gather(whole, p);
    assert_everywhere_msg(same_triangle(a, n, b, n, n, p->upper), "%c, %s: appended rows and one call differ", p->type,
                          ompfact_layout(A));
    assert_everywhere(ompfact_tile_rows(A) == (n + NB - 1) / NB);       /* pieces have been merged */
    free(a);
    free(b);
    ompfact_matrix_destroy(&whole);
}

/* Appends one more batch; returns its operations. */
static double append(ompfact_matrix *A, const struct problem *p, int batch)
{
    const int64_t old = rows[batch - 1];
    int64_t info = -1;
    number *before = gather(A, p);
    assert_everywhere(ompfact_potrf_append(A, rows[batch] - old, fill_tile, (void *)p, &info) == OMPFACT_SUCCESS && info == 0);
    number *after = gather(A, p);
    assert_everywhere(same_triangle(before, old, after, rows[batch], old, p->upper));
    assert_everywhere(batch >= TOGETHER || rest_is_untouched(A, p));
    free(before);
    free(after);
    assert_everywhere(ompfact_rows(A) == rows[batch] && ompfact_cols(A) == rows[batch]);
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(report.transfers == report.transfers_predicted);
    return report.flops;
}

/* Batches are right in four types, both triangles, each schedule, and layouts with and without free cells. */
START_TEST(batches)
{
    static const ompfact_schedule orders[] = { OMPFACT_DYNAMIC, OMPFACT_STATIC, OMPFACT_BASIC };
    const char *layouts[] = { "2dbc", "g2dbc", "auto" };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = orders[_i % 3], .copy_on_node = _i % 2 });
    for (int kind = 0; kind < 8; kind++) {
        struct problem p = square("sdcz"[kind % 4], true, rows[BATCHES - 1]);
        p.upper = kind < 4;
        ompfact_matrix *A = first_batch(grid, &p, layouts[(kind + _i) % 3]);
        double flops = ompfact_last_report(A).flops;
        for (int b = 1; b < BATCHES; b++) {
            flops += append(A, &p, b);
            if (b == TOGETHER)
                check_tiles_of_batches(A, &p, flops);
        }
        number *F = gather(A, &p);
        double ratio = factor_ratio(&p, F);
        assert_everywhere_msg(ratio < 30, "%c: ratio %g", p.type, ratio);
        free(F);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* The row of a failing pivot counts from the first row of the whole matrix, and the old factor stays. It also stays if a call is
   refused. */
START_TEST(failures)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct problem p = square('d', true, rows[BATCHES - 1]), bad = p;
    int64_t info = -1, n = rows[0];
    bad.fails = n + 23;
    p.upper = bad.upper = _i == 1;
    ompfact_matrix *A = first_batch(grid, &p, "g2dbc");
    number *before = gather(A, &p);
    assert_everywhere(ompfact_potrf_append(A, -1, fill_tile, &p, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf_append(A, 0, fill_tile, &p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_potrf_append(A, 40, fill_tile, &bad, &info) == OMPFACT_SUCCESS);
    assert_everywhere_msg(info == bad.fails, "info %lld", (long long)info);
    number *after = gather(A, &p);
    assert_everywhere(ompfact_rows(A) == n && same_triangle(before, n, after, n, n, p.upper));
    assert_everywhere(ompfact_potrf_append(A, 40, fill_tile, &p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_fill_tiles(A, fill_tile, &p) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_potrf_append(A, 1, fill_tile, &p, &info) == OMPFACT_BAD_ARGUMENT);
    free(before);
    free(after);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* The factor of p, of several pieces. */
static ompfact_matrix *grown(ompfact_grid *grid, const struct problem *p, const char *layout)
{
    ompfact_matrix *F = first_batch(grid, p, layout);
    int64_t info = -1;
    for (int64_t next = rows[0] + 10; ompfact_rows(F) < p->n; next += 10)
        assert_everywhere(ompfact_potrf_append(F, (next < p->n ? next : p->n) - ompfact_rows(F), fill_tile, (void *)p, &info) ==
                              OMPFACT_SUCCESS && info == 0);
    return F;
}

/* Other calls take the factor like any matrix: it is redistributed, factored again, and solves. */
START_TEST(calls)
{
    const bool devices = _i % 2 == 1;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .devices = devices, .copy_on_node = _i > 1,
                                                     .device_backend = devices ? "host" : NULL, .host_share = 0.4 });
    struct problem p = square('d', true, 77);
    int64_t info = -1;
    ompfact_matrix *F = grown(grid, &p, "g2dbc"), *A;
    ompfact_shape shape = shape_of(&p, 11, "2dbc");
    number *before = gather(F, &p);
    A = new_matrix(grid, &shape);
    assert_everywhere_msg(ompfact_redistribute(F, A) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    number *moved = gather(A, &p);
    assert_everywhere(same_triangle(before, p.n, moved, p.n, p.n, false));
    fill(A, &p);
    assert_everywhere(ompfact_redistribute(A, F) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_potrf(F, &info) == OMPFACT_SUCCESS && info == 0);
    number *again = gather(F, &p);
    double ratio = factor_ratio(&p, again);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    free(before);
    free(moved);
    free(again);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Solves work with the larger factor. */
START_TEST(solves)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct problem p = square('z', true, rows[1]);
    double ratio = -1;
    ompfact_matrix *F = grown(grid, &p, "2dbc"), *A, *X, *B;
    A = new_like(F);
    fill(A, &p);
    assert_everywhere(ompfact_matrix_create_rhs(F, 3, &X) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_matrix_create_rhs(A, 3, &B) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_tiles(X, fill_rhs_tile, &p) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_tiles(B, fill_rhs_tile, &p) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_potrs(F, X) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS && ratio < 30);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
    ompfact_grid_destroy(&grid);
}
END_TEST

static void check_solution(ompfact_matrix *F, const struct problem *p,
                           ompfact_status (*solve)(ompfact_matrix *A, ompfact_matrix *B))
{
    ompfact_matrix *B = new_rhs(F, 1);
    fill_rhs(B, p);
    assert_everywhere(solve(F, B) == OMPFACT_SUCCESS);
    number *X = gather(B, NULL);
    double ratio = solve_ratio(p, X, 1);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    free(X);
    ompfact_matrix_destroy(&B);
}

/* Data that another factorization has left beside the matrix are discarded, and the larger factor gets its own. */
START_TEST(beside)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .butterfly = OMPFACT_BUTTERFLY_NONE });
    struct problem p = square('d', true, rows[1]), first = p;
    int64_t info = -1;
    first.m = first.n = rows[0];
    ompfact_shape shape = shape_of(&first, NB, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    for (int round = 0; round < 2; round++) {
        fill(A, &p);
        assert_everywhere(ompfact_hetrf(A, &info) == OMPFACT_SUCCESS && info == 0);
        fill(A, &p);
        assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
        if (round == 0)
            assert_everywhere(ompfact_potrf_append(A, rows[1] - rows[0], fill_tile, &p, &info) == OMPFACT_SUCCESS && info == 0);
        check_solution(A, &p, ompfact_potrs);
    }
    fill(A, &p);
    assert_everywhere(ompfact_hetrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    check_solution(A, &p, ompfact_hetrs);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("append");
    TCase *tcase = tcase_create("append");
    tcase_add_loop_test(tcase, batches, 0, 3);
    tcase_add_loop_test(tcase, failures, 0, 2);
    tcase_add_loop_test(tcase, calls, 0, 4);
    tcase_add_test(tcase, solves);
    tcase_add_test(tcase, beside);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
