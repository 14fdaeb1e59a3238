/* The watchdog: if a rank does not arrive, or does not reply, another rank reports it repeatedly. When the rank arrives the run
   continues. */
#include "tests/rma/captured.h"
#include "tests/rma/rma_tiles.h"

static const double LIMIT = 2, DELAY = 8;       /* seconds: longer than a busy machine delays a reply; longer than two reports
                                                     */

static void delay(bool polling)
{
    for (double end = MPI_Wtime() + DELAY; MPI_Wtime() < end;) {
        if (polling)
            rma_progress(rma, true);
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
}

/* ---- where ranks wait for a late one --------------------------------------------------------------------------------------- */

static void enter_call(bool late, bool polling)
{
    if (late)
        delay(polling);
    assert_everywhere(rma_barrier(rma) == MPI_SUCCESS);
}

/* In a run without work each rank is done at once, except the late one. */
static void end_run(bool late, bool polling)
{
    struct rma_space *space;
    assert_everywhere(rma_space_create(rma, 8, all_ranks_count(), all_ranks_count(), &space) == MPI_SUCCESS);
    assert_everywhere(rma_open(rma, &space, &(bool){ false }, 1, NULL) == MPI_SUCCESS);
    if (late)
        delay(polling);
    rma_finish(rma);
    rma_space_destroy(&space);
}

static void (*const calls[])(bool late, bool polling) = { enter_call, end_run };
enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- tests ----------------------------------------------------------------------------------------------------------------- */

/* The late rank does not poll. */
START_TEST(hanging_rank_is_reported)
{
    int late_rank = _i % all_ranks_count();
    char line[60];
    snprintf(line, sizeof line, "rank %d has not answered", late_rank);
    rma_set_watchdog(rma, LIMIT);
    capture();
    calls[_i](my_rank() == late_rank, false);
    int named = captured(line);
    stop_capture();
    assert_everywhere_msg(named > 0 && named <= 3, "%d lines have '%s'", named, line);
}
END_TEST

/* A late rank that polls is reported as one that has not entered the call. At the end of a run it is at work, so nothing is
   reported. */
START_TEST(polling_rank_is_late)
{
    rma_set_watchdog(rma, LIMIT);
    capture();
    calls[_i](my_rank() == 0, true);
    int hanging = captured("has not answered"), late = captured("rank 0 answers, but has not entered");
    stop_capture();
    assert_everywhere(hanging == 0);
    assert_everywhere_msg((late > 0) == (calls[_i] == enter_call), "%d lines", late);
}
END_TEST

/* Within the limit, and without one, nothing is reported. A rank without a watchdog replies all the same. */
START_TEST(within_the_limit)
{
    rma_set_watchdog(rma, _i == 0 ? 100 : my_rank() == 0 ? LIMIT : 0);
    capture();
    calls[0](my_rank() == all_ranks_count() - 1 && _i == 0, false);
    calls[1](my_rank() == 1, true);
    int lines = captured("ompfact");
    stop_capture();
    assert_everywhere_msg(lines == 0, "%d lines", lines);
}
END_TEST

static Suite *watch_suite(void)
{
    Suite *suite = suite_create("watch");
    TCase *tests = tcase_create("watch");
    tcase_add_checked_fixture(tests, create_in_place, destroy_rma);
    tcase_add_loop_test(tests, hanging_rank_is_reported, 0, CALLS);
    tcase_add_loop_test(tests, polling_rank_is_late, 0, CALLS);
    tcase_add_loop_test(tests, within_the_limit, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, watch_suite());
}
