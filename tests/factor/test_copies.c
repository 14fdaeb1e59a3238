/*
 * Matrices in copies: factors and info are right, and transfers as predicted, in every schedule, with delays and little memory.
 * Calls for matrices in one copy refuse others.
 */
#include "src/ompfact_plan.h"
#include "tests/factor/in_copies.h"

/* Checks counts by a plan, which does not use the run's counts. Other tests compare the plan's with owners. */
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

static void check_factors(ompfact_matrix *A, const struct problem *p)
{
    int64_t info = -1;
    fill(A, p);
    assert_everywhere_msg(factor(A, p, &info) == OMPFACT_SUCCESS && info == 0, "info %lld", (long long)info);
    check_counts(A, p);
    bring_home(A, p);
    assert_everywhere(rest_is_untouched(A, p));
    number *F = gather(A, p);
    double ratio = factor_ratio(p, F);
    free(F);
    assert_everywhere_msg(ratio < 30, "%c %lld x %lld in %d copies, %s: ratio %g", p->type, (long long)p->m, (long long)p->n,
                          (int)ompfact_shape_of(A).copies, ompfact_layout(A), ratio);
}

/* Factors twice: the layers begin with zeros again. */
static void check_twice(ompfact_grid *grid, const struct problem *p, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    check_factors(A, p);
    check_factors(A, p);
    ompfact_matrix_destroy(&A);
}

/* One to four copies are right in all types, triangles and storages, and with more rows than columns or fewer. */
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
            check_twice(grid, &p, &shape);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Every schedule is right, with each broadcast, tiles in place and copied, the least memory, and delays. */
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
            check_twice(grid, &p, &shape);
        }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* With ranks of unequal speed layers do different numbers of steps, in layouts for such ranks. */
START_TEST(speeds)
{
    double speed[64];
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = (ompfact_schedule)_i });
    for (int rank = 0; rank < all_ranks_count(); rank++)
        speed[rank] = 1 + (rank + _i) % 3;
    for (int copies = 2; copies <= most_copies(); copies++)
        for (int hermitian = 0; hermitian < 2; hermitian++) {
            struct problem p = square("dz"[copies % 2], hermitian, 7 * NB + 3);
            ompfact_shape shape = shape_of(&p, NB, _i == 1 ? "1d1d-c:cpb=2" : "auto");
            int64_t info = -1;
            shape.copies = copies;
            shape.speeds = speed;
            ompfact_matrix *A = new_matrix(grid, &shape);
            fill(A, &p);
            assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == 0);
            ompfact_report report = ompfact_last_report(A);
            assert_everywhere(report.transfers == report.transfers_predicted && report.transfers_sums > 0);
            assert_everywhere(ompfact_bring_home(A) == OMPFACT_SUCCESS);
            number *F = gather(A, &p);
            double ratio = factor_ratio(&p, F);
            free(F);
            assert_everywhere_msg(ratio < 30, "%d copies, %s: ratio %g", copies, ompfact_layout(A), ratio);
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A failing pivot gives the same info on all ranks, whichever layer does its step, and no rank waits for ever. */
START_TEST(failing_pivots)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = (ompfact_schedule)_i, .copy_on_node = true });
    for (int step = 0; step < 4; step++)
        for (int hermitian = 0; hermitian < 2; hermitian++) {
            struct problem p = square('d', hermitian, 4 * NB + 3);
            p.fails = step * NB + 5;
            ompfact_shape shape = shape_of(&p, NB, "g2dbc");
            shape.copies = most_copies();
            check_failing_pivot(grid, &p, &shape);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- refusals and choice --------------------------------------------------------------------------------------------------- */

static void assert_refused(ompfact_grid *grid, ompfact_status status)
{
    assert_everywhere_msg(status == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "copies of a matrix") != NULL, "%d: %s",
                          (int)status, ompfact_message(grid));
}

/* Calls for one copy refuse others before they change anything. There are at most as many copies as ranks. */
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

/* The choice for a grid is the same on all ranks, and is one copy on one node. */
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
    tcase_add_loop_test(tcase, speeds, 0, SCHEDULES);
    tcase_add_loop_test(tcase, failing_pivots, 0, SCHEDULES);
    tcase_add_test(tcase, refused);
    tcase_add_test(tcase, choice);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
