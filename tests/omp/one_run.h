/* Tests that are the loops of a run, on one rank. They check each task between its creation and its submission. */
#ifndef OMPFACT_TESTS_OMP_ONE_RUN_H
#define OMPFACT_TESTS_OMP_ONE_RUN_H

#include "omp/execution.h"
#include "omp/team/team.h"
#include "tests/suite.h"

/* The first condition that failed, in loops or tasks. It is reported after the run, because a thread must not leave its team. */
static char fault[200];

static inline void note(bool holds, const char *what, int line)
{
    if (!holds && fault[0] == '\0')
        snprintf(fault, sizeof fault, "line %d: %s", line, what);
}
#define expect(condition) note(condition, #condition, __LINE__)

static struct rma *rma;

static inline void create_rma(void)
{
    char text[256];
    ck_assert_msg(rma_create(MPI_COMM_WORLD, true, RMA_FLAT, RMA_ONE_SIDED, &rma, text, sizeof text) == MPI_SUCCESS, "%s", text);
    rma_set_watchdog(rma, 20);
}

static inline void destroy_rma(void)
{
    rma_destroy(&rma);
}

/* Walks the plan's loops, executes their tasks, and checks the order of the tasks. */
static inline struct run_outcome run_once(struct run_plan *plan, struct run_settings settings, int tiles)
{
    const struct run_tally tally = { .tiles = tiles, .step_tiles = tiles, .step_tiles_next = tiles };
    struct run_outcome outcome;
    fault[0] = '\0';
    settings.checks = true;
    int code = run_execute(rma, plan, &tally, &settings, &outcome);
    ck_assert_msg(fault[0] == '\0', "%s", fault);
    ck_assert_msg(code == MPI_SUCCESS, "%s", outcome.failure);
    return outcome;
}

/* ---- names: lists that end with NULL --------------------------------------------------------------------------------------- */

static inline bool are(char *const *names, int count, const void *const *wanted)
{
    int n = 0;
    while (wanted[n] != NULL && n < count && names[n] == wanted[n])
        n++;
    return n == count && wanted[n] == NULL;
}
#define reads_names(run, ...) are((run)->names.in, (run)->names.in_count, (const void *const[]){ __VA_ARGS__, NULL })
#define writes_names(run, ...) are((run)->names.out, (run)->names.out_count, (const void *const[]){ __VA_ARGS__, NULL })
#define reads_nothing(run) ((run)->names.in_count == 0)
#define writes_nothing(run) ((run)->names.out_count == 0)

static inline void do_no_work(struct task *t)
{
    (void)t;
}

/* Removes the publication of a task, so that nobody publishes it. */
static inline void take_publication(struct task *t)
{
    if (t->publication != NULL)
        reserve_free_publication(&t->run->reserve, t->publication);
    t->publication = NULL;
}

#endif
