/* Shared by all test programs: a main for a suite on one process or on all ranks, and assertions that leave no rank in a
   collective call. */
#ifndef OMPFACT_TESTS_SUITE_H
#define OMPFACT_TESTS_SUITE_H

#include "tests/ranks.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- tiers -------------------------------------------------------------------------------------------------------------- */

/* Without OMPFACT_TEST_TIER=full the tier is quick, as in tests/limit.sh. */
static inline bool in_full_tier(void)
{
    const char *tier = getenv("OMPFACT_TEST_TIER");
    return tier != NULL && strcmp(tier, "full") == 0;
}

/* Adds a test of COUNT similar turns. The quick tier runs the first one and every STEP-th one after it. A step that has no
   factor in common with the numbers of types, layouts and so on covers all of them. */
static inline void add_turns(TCase *tcase, const TTest *test, int count, int step)
{
    for (int i = 0; i < count; i += in_full_tier() ? 1 : step)
        tcase_add_loop_test(tcase, test, i, i + 1);
}

/* ---- running a suite ---------------------------------------------------------------------------------------------------- */

static inline int run_serial_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Prints Check's lines, with the rank in them. */
static inline void print_failures(SRunner *runner)
{
    TestResult **results = srunner_failures(runner);
    for (int i = 0; i < srunner_ntests_failed(runner); i++)
        printf("%s:%d:F:%s: rank %d: %s\n", tr_lfile(results[i]), tr_lno(results[i]), tr_tcname(results[i]), my_rank(),
               tr_msg(results[i]));
    free(results);
}

/* Every rank runs every test in its own process. Rank 0 prints the results, the other ranks print their failures. */
static inline int run_suite(int argc, char **argv, Suite *suite)
{
    start_mpi(&argc, &argv);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, my_rank() == 0 ? CK_NORMAL : CK_SILENT);
    if (my_rank() > 0)
        print_failures(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    fflush(stdout);
    reduce(&failed, 1, MPI_INT, MPI_MAX);
    if (failed)
        _exit(EXIT_FAILURE);    /* MPI_Finalize would abort over windows that failed tests left, and hide the lines */
    MPI_Finalize();
    return EXIT_SUCCESS;
}

/* ---- assertions --------------------------------------------------------------------------------------------------------- */

/* Collective. A failed assertion leaves the test by longjmp; on one rank alone this would leave the others in a collective
   call. */
#define assert_everywhere(condition)                                                                                            \
    do {                                                                                                                        \
        bool holds_here = (condition);                                                                                          \
        ck_assert_msg(everywhere(holds_here), "%s: %s", #condition, holds_here ? "not on another rank" : "not here");           \
    } while (0)

/* assert_everywhere() with a message that each rank formats. */
#define assert_everywhere_msg(condition, ...)                                                                                   \
    do {                                                                                                                        \
        char words[400];                                                                                                        \
        bool holds_here = (condition);                                                                                          \
        snprintf(words, sizeof words, __VA_ARGS__);                                                                             \
        ck_assert_msg(everywhere(holds_here), "%s: %s: %s", #condition, holds_here ? "not on another rank" : "not here", words); \
    } while (0)

#endif
