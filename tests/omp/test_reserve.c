/* Runs without memory for tasks: they continue with the reserve, and compute the same. */
#include "omp/reserve.h"
#include "tests/omp/own_tiles.h"

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static atomic_bool no_memory;
static size_t publication_bytes;

void *__wrap_malloc(size_t bytes)
{
    return atomic_load(&no_memory) && bytes == publication_bytes ? NULL : __real_malloc(bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return atomic_load(&no_memory) && bytes == sizeof(struct task_block) ? NULL : __real_aligned_alloc(alignment, bytes);
}

/* Without memory there are as many tasks as the reserve has, and one publication for all ranks. Returned tasks can be used
   again. */
START_TEST(reserve_lasts)
{
    struct reserve reserve;
    struct task *task[RESERVE_TASKS];
    struct freed freed = { 0 };
    publication_bytes = sizeof(struct rma_publication) + 3 * (sizeof(int) + sizeof(struct rma_word));
    ck_assert(reserve_create(&reserve, 3));
    atomic_store(&no_memory, true);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < RESERVE_TASKS; i++) {
            task[i] = reserve_new_task(&reserve);
            ck_assert(task[i] != NULL);
            task[i]->number = i;
        }
        struct rma_publication *p = reserve_new_publication(&reserve, 3), *q = reserve_new_publication(&reserve, 3);
        ck_assert(reserve_new_task(&reserve) == NULL && p != NULL && q == NULL);
        for (int i = 0; i < RESERVE_TASKS; i++) {
            ck_assert_int_eq(task[i]->number, i);       /* the task was given out once */
            reserve_free_task(&reserve, &freed, task[i]);
        }
        ck_assert(reserve_new_task(&reserve) == NULL);
        reserve_return(&reserve, &freed);
        reserve_free_publication(&reserve, p);
    }
    atomic_store(&no_memory, false);
    reserve_destroy(&reserve);
}
END_TEST

static void starving_loops(struct run *run, const void *context)
{
    atomic_store(&no_memory, true);
    mixed_loops(run, context);
    atomic_store(&no_memory, false);
}

/* A run without memory for tasks continues with those of the reserve, and its results are right. */
START_TEST(run_without_memory)
{
    double enough[TILES];
    struct run_settings settings = { .threads = 2, .max_tasks = RUN_TASKS };
    for (int way = 0; way < 2; way++) {
        memset(memory, 0, sizeof memory);
        struct run_plan plan = { .loops = way ? starving_loops : mixed_loops, .context = &settings };
        struct run_outcome outcome = run_once(&plan, settings, 0);
        ck_assert(way == 0 || outcome.tasks_peak <= RESERVE_TASKS + TILES);     /* and empty writers */
        for (int i = 0; i < TILES; i++) {
            ck_assert(way == 0 || enough[i] == memory[i][0]);
            enough[i] = memory[i][0];
        }
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("reserve");
    TCase *tests = tcase_create("reserve");
    tcase_add_checked_fixture(tests, create_rma, destroy_rma);
    tcase_add_test(tests, reserve_lasts);
    tcase_add_test(tests, run_without_memory);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
