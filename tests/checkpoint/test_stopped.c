/*
 * Factorizations that one rank stops, before they begin or during the run. All ranks return the same status, and a second run
 * continues from the checkpoint. Delays keep ranks far apart.
 */
#include "tests/checkpoint/kept.h"
#include "tests/fixtures.h"

enum { NB = 8, KINDS = 6, NEVER = 3600 };

static struct kept kept;
static ompfact_grid *grid;
static int stopped;             /* factorizations that stopped during the run */

static const struct kind {
    struct problem problem;
    ompfact_pivot pivot;
} kinds[KINDS] = {
    { { .type = 'd', .hermitian = true, .m = 140, .n = 140 }, OMPFACT_PIVOT_NONE },
    { { .type = 'z', .m = 130, .n = 130, .pivots = true }, OMPFACT_PIVOT_PARTIAL },
    { { .type = 's', .m = 140, .n = 120, .pivots = true }, OMPFACT_PIVOT_TOURNAMENT },
    { { .type = 'c', .m = 130, .n = 120, .pivots = true }, OMPFACT_PIVOT_NONE },      /* QR */
    { { .type = 'z', .hermitian = true, .upper = true, .m = 140, .n = 140, .pivots = true }, OMPFACT_PIVOT_NONE },
    { { .type = 'c', .hermitian = true, .symmetric = true, .upper = true, .m = 140, .n = 140, .pivots = true },
      OMPFACT_PIVOT_NONE },
};

static bool is_qr(int kind)
{
    return kind == 3;
}

static ompfact_status factor(ompfact_matrix *A, int kind)
{
    int64_t info = 0;
    const struct problem *p = &kinds[kind].problem;
    ompfact_status status = is_qr(kind) ? ompfact_geqrf(A)
                            : !p->hermitian ? ompfact_getrf(A, &info)
                            : p->symmetric ? ompfact_sytrf(A, &info)
                            : p->pivots ? ompfact_hetrf(A, &info) : ompfact_potrf(A, &info);
    assert_everywhere(info == 0);
    return status;
}

static double ratio_of(ompfact_matrix *factors, int kind)
{
    double ratio;
    ompfact_matrix *A = new_like(factors);
    struct problem p = kinds[kind].problem;
    fill(A, &p);
    assert_everywhere((is_qr(kind) ? ompfact_residual_qr : ompfact_residual_factors)(A, factors, &ratio) == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&A);
    return ratio;
}

/* Stops on the last rank alone, when it has done a tenth of its work. */
static void stop_halfway(void *context, double done)
{
    (void)context;
    if (done > 0.1)
        ompfact_stop(grid);
}

static void begin(int kind, ompfact_schedule schedule, double interval, bool halfway)
{
    bool stops = halfway && my_rank() == all_ranks_count() - 1;
    grid = new_grid((ompfact_options){ .threads = 2, .pivot = kinds[kind].pivot, .schedule = schedule,
                                       .testing = &(ompfact_testing){ .jitter_us = 150 },
                                       .progress = stops ? stop_halfway : NULL });
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = interval, .tell = kept_record, .tell_context = &kept };
    kept_nothing(&kept);
    assert_everywhere_msg(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
}

static void stop_and_go_on(int kind, ompfact_schedule schedule, bool halfway)
{
    struct problem p = kinds[kind].problem;
    begin(kind, schedule, halfway ? 0.004 : NEVER, halfway);
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, &p);
    if (!halfway && my_rank() == all_ranks_count() - 1)
        ompfact_stop(grid);
    ompfact_status status = factor(A, kind);
    int steps = ompfact_tile_rows(A) < ompfact_tile_cols(A) ? ompfact_tile_rows(A) : ompfact_tile_cols(A);
    ompfact_restarted from;
    assert_everywhere_msg(status == OMPFACT_STOPPED ? is_one_line(ompfact_message(grid)) : halfway && status == OMPFACT_SUCCESS,
                          "status %d", (int)status);
    assert_everywhere(ompfact_restart_read(kept.place, 0, &from, NULL) == OMPFACT_SUCCESS);
    assert_everywhere_msg((from.step < steps) == (status == OMPFACT_STOPPED), "step %d of %d", from.step, steps);
    stopped += halfway && status == OMPFACT_STOPPED;
    ompfact_restarted_forget(&from);
    assert_everywhere(ompfact_checkpoint(grid, NULL) == OMPFACT_SUCCESS && ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS);
    status = factor(A, kind);
    assert_everywhere_msg(status == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    double ratio = ratio_of(A, kind);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    kept_remove(&kept);
}

START_TEST(before_it_begins)
{
    stop_and_go_on(_i % KINDS, (ompfact_schedule)(_i % 3), false);
}
END_TEST

START_TEST(on_its_way)
{
    stop_and_go_on(_i % KINDS, (ompfact_schedule)(_i % 3), true);
}
END_TEST

START_TEST(most_were_stopped)
{
    assert_everywhere_msg(stopped >= 4, "%d of them", stopped);
}
END_TEST

/* A stop ends one factorization: the next one is complete. */
START_TEST(not_the_next_one)
{
    struct problem p = kinds[0].problem;
    begin(0, OMPFACT_DYNAMIC, NEVER, false);
    ompfact_shape shape = shape_of(&p, NB, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    for (int round = 0; round < 4; round++) {
        bool stops = round % 2 == 0;
        fill(A, &p);
        if (stops)
            ompfact_stop(grid);         /* on all ranks */
        assert_everywhere(factor(A, 0) == (stops ? OMPFACT_STOPPED : OMPFACT_SUCCESS));
    }
    double ratio = ratio_of(A, 0);
    assert_everywhere(ratio < 30);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    kept_remove(&kept);
}
END_TEST

static double reported_s;

static void record_time(void *context, double seconds)
{
    (void)context;
    reported_s = seconds;
}

/* An interval of a microsecond cannot be kept, and that is reported once. */
START_TEST(too_slow)
{
    struct problem p = kinds[0].problem;
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 1e-6, .tell_time = record_time };
    grid = new_grid((ompfact_options){ .threads = 1, .testing = &(ompfact_testing){ .jitter_us = 300 } });
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS);
    ompfact_shape shape = shape_of(&p, NB, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, &p);
    assert_everywhere(factor(A, 0) == OMPFACT_SUCCESS);
    assert_everywhere(my_rank() > 0 || reported_s > how.interval_s);
    reported_s = 0;
    fill(A, &p);
    assert_everywhere(factor(A, 0) == OMPFACT_SUCCESS && reported_s == 0);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    kept_remove(&kept);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("stopped");
    TCase *tests = tcase_create("stopped");
    start_mpi(&argc, &argv);
    kept_name(&kept);
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, before_it_begins, 0, KINDS);
    tcase_add_loop_test(tests, on_its_way, 0, 2 * KINDS);
    tcase_add_test(tests, most_were_stopped);
    tcase_add_test(tests, not_the_next_one);
    tcase_add_test(tests, too_slow);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
