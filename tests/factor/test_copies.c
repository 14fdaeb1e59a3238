/*
 * Matrices in copies: factors, solutions and info are right, and transfers as predicted, for every way of running, with delays
 * and little room; the matrix stays what it is to its callers; what has one copy is refused.
 */
#include "src/ompfact_plan.h"
#include "tests/fixtures.h"

enum { NB = 16, SCHEDULES = 3, TYPES_OF_NUMBERS = 4 };

static ompfact_status factor(ompfact_matrix *A, const struct problem *p, int64_t *info)
{
    return p->hermitian ? ompfact_potrf(A, info) : ompfact_getrf(A, info);
}

/* As a plan, which is not the run's count, has it; its other counts are tested against owners. */
static void check_counts(const ompfact_matrix *A, const struct problem *p)
{
    ompfact_report report = ompfact_last_report(A);
    ompfact_job job = { .routine = p->hermitian ? "potrf" : "getrf", .shape = ompfact_shape_of(A), .ranks = all_ranks_count(),
                        .options = { .pivot = OMPFACT_PIVOT_NONE } };
    ompfact_plan *plan = NULL;
    bool planned = ompfact_plan_of_matrix(&job, A, &plan, NULL) == OMPFACT_SUCCESS;
    assert_everywhere(planned);
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    bool same = report.transfers == f->transfers && report.transfers_predicted == f->transfers &&
                report.transfers_sums == f->transfers_sums && report.wire_transfers == report.wire_transfers_predicted;
    assert_everywhere_msg(same, "%lld transfers, predicted %lld, planned %lld; %lld sums, planned %lld",
                          (long long)report.transfers, (long long)report.transfers_predicted, (long long)f->transfers,
                          (long long)report.transfers_sums, (long long)f->transfers_sums);
    int64_t tile = NB * NB * (int64_t)precision_of(p->type)->size;
    assert_everywhere(p->m % NB != 0 || p->n % NB != 0 || report.transfer_bytes == report.transfers * tile);
    assert_everywhere(report.cache_peak_tiles <= report.cache_tiles);
    ompfact_plan_destroy(&plan);
}

/* Steps of other layers than the first one bring their tiles home. */
static int64_t tiles_to_bring(const ompfact_matrix *A, const struct problem *p)
{
    int mt = ompfact_tile_rows(A), nt = ompfact_tile_cols(A), ranks = all_ranks_count();
    int copies = (int)ompfact_shape_of(A).copies;
    int64_t tiles = 0;
    for (int k = 0; k < mt && k < nt && ranks % copies == 0; k++)
        tiles += k % copies == 0 ? 0 : mt - k + (p->hermitian ? 0 : nt - k - 1);
    return ranks % copies == 0 ? tiles : -1;
}

static void check_factors(ompfact_matrix *A, const struct problem *p)
{
    int64_t info = -1, tiles = tiles_to_bring(A, p);
    fill(A, p);
    assert_everywhere_msg(factor(A, p, &info) == OMPFACT_SUCCESS && info == 0, "info %lld", (long long)info);
    assert_everywhere(rest_is_untouched(A, p));
    check_counts(A, p);
    assert_everywhere(tiles < 0 || ompfact_last_report(A).transfers_home == tiles);
    number *F = gather(A, p);
    double ratio = factor_ratio(p, F);
    free(F);
    assert_everywhere_msg(ratio < 30, "%c %lld x %lld in %d copies, %s: ratio %g", p->type, (long long)p->m, (long long)p->n,
                          (int)ompfact_shape_of(A).copies, ompfact_layout(A), ratio);
}

/* Twice: layers begin with zeros again. */
static void check_shape(ompfact_grid *grid, const struct problem *p, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    check_factors(A, p);
    check_factors(A, p);
    ompfact_matrix_destroy(&A);
}

static int most_copies(void)
{
    return all_ranks_count() < 4 ? all_ranks_count() : 4;
}

static struct problem square(char type, bool hermitian, int64_t n)
{
    return (struct problem){ .type = type, .hermitian = hermitian, .m = n, .n = n, .seed = (unsigned)n };
}

/* One to four copies, of all types, triangles and storages, and more rows than columns or fewer. */
START_TEST(factors)
{
    static const char *const layouts[] = { "auto", "2dbc", "g2dbc" };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int copies = 1; copies <= most_copies(); copies++)
        for (int kind = 0; kind < 4; kind++) {
            struct problem p = square("sdcz"[_i], kind < 2, 5 * NB + (kind == 0 ? 0 : 2 + kind));
            p.upper = kind == 1;
            p.m += kind == 3 ? (copies % 2 ? 2 * NB : -2 * NB) : 0;
            ompfact_shape shape = shape_of(&p, NB, layouts[(copies + kind + _i) % 3]);
            shape.copies = copies;
            shape.full_storage = kind < 2 && copies % 2;
            check_shape(grid, &p, &shape);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Every schedule, with each broadcast, in place and copied, the least room that is asked for, and delays. */
START_TEST(little_room)
{
    for (int bcast = 0; bcast < 4; bcast++) {
        ompfact_testing testing = { .jitter_us = 300 };
        ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + bcast % 2, .schedule = (ompfact_schedule)_i,
                                                         .bcast = (ompfact_bcast)bcast, .copy_on_node = bcast != 1,
                                                         .cache_tiles = 1, .max_tasks = 1 + bcast % 3, .testing = &testing });
        for (int hermitian = 0; hermitian < 2; hermitian++) {
            struct problem p = square("dz"[bcast % 2], hermitian, 6 * NB + 3);
            ompfact_shape shape = shape_of(&p, NB, "auto");
            p.upper = hermitian && bcast / 2;
            shape.structure = p.upper ? OMPFACT_HERMITIAN_UPPER : shape.structure;
            shape.copies = 1 + (bcast + _i) % most_copies();
            check_shape(grid, &p, &shape);
        }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* A failing pivot is the same info everywhere, whichever layer does its step, and nobody waits for ever. */
START_TEST(failing_pivots)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = (ompfact_schedule)_i, .copy_on_node = true });
    for (int step = 0; step < 4; step++)
        for (int hermitian = 0; hermitian < 2; hermitian++) {
            struct problem p = square('d', hermitian, 4 * NB + 3);
            int64_t info = -1;
            p.fails = step * NB + 5;
            ompfact_shape shape = shape_of(&p, NB, "g2dbc");
            shape.copies = most_copies();
            ompfact_matrix *A = new_matrix(grid, &shape);
            fill(A, &p);
            assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == p.fails);
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* To its callers the matrix is on the first layer: others own no tile, and what follows works with it: solves, more rows behind
   the factor, another matrix like it, which has one copy. */
START_TEST(afterwards)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct problem p = square('d', _i == 0, 5 * NB + 1);
    ompfact_shape shape = shape_of(&p, NB, "auto");
    shape.copies = most_copies();
    ompfact_matrix *A = new_matrix(grid, &shape), *like = new_like(A);
    int own = (all_ranks_count() - 1) / most_copies() + 1, i = -1, j = -1;
    int64_t info = -1;
    bool owns = ompfact_next_tile(A, &i, &j);
    assert_everywhere(ompfact_shape_of(A).copies == most_copies() && ompfact_shape_of(like).copies == 1);
    assert_everywhere(my_rank() < own || !owns);
    for (int t = 0; t < ompfact_tile_rows(A); t++)
        assert_everywhere(ompfact_owner(A, t, 0) >= 0 && ompfact_owner(A, t, 0) < own);
    ompfact_matrix *B = new_rhs(A, 3);
    fill(A, &p);
    fill_rhs(B, &p);
    assert_everywhere((_i == 0 ? ompfact_posv(A, B, &info) : ompfact_gesv(A, B, &info)) == OMPFACT_SUCCESS && info == 0);
    number *X = gather(B, NULL);
    assert_everywhere(solve_ratio(&p, X, 3) < 30);
    free(X);
    double ratio = -1;
    fill(like, &p);
    assert_everywhere(ompfact_residual_factors(like, A, &ratio) == OMPFACT_SUCCESS && ratio < 30);
    fill(like, &p);
    assert_everywhere(factor(like, &p, &info) == OMPFACT_SUCCESS && ompfact_last_report(like).transfers_sums == 0);
    assert_everywhere((_i == 0 ? ompfact_potri(A, &info) : ompfact_getri(A, &info)) == OMPFACT_SUCCESS && info == 0);
    fill(like, &p);
    assert_everywhere(ompfact_residual_inverse(like, A, false, &ratio) == OMPFACT_SUCCESS && ratio < 30);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&like);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Rows behind a factor that was made in copies: of a matrix with one. */
START_TEST(appended)
{
    enum { MORE = 2 * NB + 5 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct problem whole = square('d', true, 4 * NB + MORE), p = whole;
    int64_t info = -1;
    p.m = p.n = 4 * NB;
    ompfact_shape shape = shape_of(&p, NB, "auto");
    shape.copies = most_copies();
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, &whole);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_potrf_append(A, MORE, fill_tile, &whole, &info) == OMPFACT_SUCCESS && info == 0);
    number *F = gather(A, &whole);
    assert_everywhere(factor_ratio(&whole, F) < 30 && ompfact_shape_of(A).copies == 1);
    free(F);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

static void assert_refused(ompfact_grid *grid, ompfact_status status)
{
    assert_everywhere_msg(status == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "copies of a matrix") != NULL, "%d: %s",
                          (int)status, ompfact_message(grid));
}

/* What has one copy says so, before it touches anything; and there are no more copies than ranks. */
START_TEST(refused)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .pivot = OMPFACT_PIVOT_TOURNAMENT });
    struct problem p = square('d', false, 4 * NB), hermitian = square('d', true, 4 * NB);
    ompfact_shape shape = shape_of(&p, NB, "auto"), other = shape_of(&hermitian, NB, "auto");
    ompfact_matrix *A = NULL;
    int64_t info = -1;
    shape.copies = all_ranks_count() + 1;
    assert_refused(grid, ompfact_matrix_create(grid, &shape, &A));
    assert_everywhere(A == NULL);
    shape.copies = other.copies = most_copies();
    if (most_copies() > 1) {
        double speeds[64];
        for (int rank = 0; rank < all_ranks_count(); rank++)
            speeds[rank] = 1 + rank % 2;
        shape.speeds = speeds;
        assert_refused(grid, ompfact_matrix_create(grid, &shape, &A));
        shape.speeds = NULL;
        A = new_matrix(grid, &shape);
        fill(A, &p);
        assert_refused(grid, ompfact_getrf(A, &info));
        assert_refused(grid, ompfact_geqrf(A));
        ompfact_matrix_destroy(&A);
        A = new_matrix(grid, &other);
        fill(A, &hermitian);
        assert_refused(grid, ompfact_hetrf(A, &info));
        assert_refused(grid, ompfact_potrf_partial(A, 2 * NB, &info));
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* The choice for a grid is the same everywhere, and one copy on one node. */
START_TEST(choice)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct problem p = square('d', true, 8 * NB);
    ompfact_job job = { .routine = "potrf", .shape = shape_of(&p, NB, "auto"), .wire_rate = 1e4 };
    ompfact_copies c;
    assert_everywhere(ompfact_grid_copies(grid, &job, &c) == OMPFACT_SUCCESS && c.copies >= 1 && c.copies <= all_ranks_count());
    assert_everywhere(agreed(c.copies) && (ompfact_nodes(grid) > 1 || c.copies == 1));
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("copies of a matrix");
    TCase *tcase = tcase_create("copies");
    tcase_set_timeout(tcase, 0);
    add_turns(tcase, factors, TYPES_OF_NUMBERS, 3);
    tcase_add_loop_test(tcase, little_room, 0, SCHEDULES);
    tcase_add_loop_test(tcase, failing_pivots, 0, SCHEDULES);
    tcase_add_loop_test(tcase, afterwards, 0, 2);
    tcase_add_test(tcase, appended);
    tcase_add_test(tcase, refused);
    tcase_add_test(tcase, choice);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
