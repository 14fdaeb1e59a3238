/* The watchdog: if a rank does not arrive, or does not reply, another rank reports it repeatedly. When the rank arrives the run
   continues. */
#include "tests/rma/captured.h"
#include "tests/rma/rma_tiles.h"

static const double LIMIT = 2, ABSENCE = 8;       /* seconds: longer than a busy machine delays a reply; longer than two reports
                                                     */

static void be_away(bool polling)
{
    for (double end = MPI_Wtime() + ABSENCE; MPI_Wtime() < end;) {
        if (polling)
            rma_progress(rma, true);
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
}

/* ---- where ranks wait for a late one --------------------------------------------------------------------------------------- */

static void come_to_a_call(bool late, bool polling)
{
    if (late)
        be_away(polling);
    assert_everywhere(rma_barrier(rma) == MPI_SUCCESS);
}

/* In a run without work each rank is done at once, except the late one. */
static void come_to_the_end_of_a_run(bool late, bool polling)
{
    struct rma_space *space;
    assert_everywhere(rma_space_create(rma, 8, all_ranks_count(), all_ranks_count(), &space) == MPI_SUCCESS);
    assert_everywhere(rma_open(rma, &space, &(bool){ false }, 1, NULL) == MPI_SUCCESS);
    if (late)
        be_away(polling);
    rma_finish(rma);
    rma_space_destroy(&space);
}

static void (*const comings[])(bool late, bool polling) = { come_to_a_call, come_to_the_end_of_a_run };
enum { COMINGS = sizeof comings / sizeof comings[0] };

/* ---- tests ----------------------------------------------------------------------------------------------------------------- */

/* The late rank does not poll. */
START_TEST(who_hangs_is_named)
{
    int away = _i % all_ranks_count();
    char line[60];
    snprintf(line, sizeof line, "rank %d has not answered", away);
    rma_set_watchdog(rma, LIMIT);
    capture();
    comings[_i](my_rank() == away, false);
    int named = captured(line);
    stop_capture();
    assert_everywhere_msg(named > 0 && named <= 3, "%d lines have '%s'", named, line);
}
END_TEST

/* A late rank that polls is reported as one that has not entered the call. At the end of a run it is at work, so nothing is
   reported. */
START_TEST(who_polls_is_there)
{
    rma_set_watchdog(rma, LIMIT);
    capture();
    comings[_i](my_rank() == 0, true);
    int hanging = captured("has not answered"), late = captured("rank 0 answers, but has not entered");
    stop_capture();
    assert_everywhere(hanging == 0);
    assert_everywhere_msg((late > 0) == (comings[_i] == come_to_a_call), "%d lines", late);
}
END_TEST

/* Within the limit, and without one, nothing is reported. A rank without a watchdog replies all the same. */
START_TEST(patience)
{
    rma_set_watchdog(rma, _i == 0 ? 100 : my_rank() == 0 ? LIMIT : 0);
    capture();
    comings[0](my_rank() == all_ranks_count() - 1 && _i == 0, false);
    comings[1](my_rank() == 1, true);
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
    tcase_add_loop_test(tests, who_hangs_is_named, 0, COMINGS);
    tcase_add_loop_test(tests, who_polls_is_there, 0, COMINGS);
    tcase_add_loop_test(tests, patience, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, watch_suite());
}
