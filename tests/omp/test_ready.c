/* Ready tasks between threads: the order in which they are taken, that each is taken once, and that the memory of a task is
   used once. */
#include "omp/ready.h"
#include "omp/reserve.h"
#include "tests/suite.h"

#include <omp.h>
#include <sched.h>

enum { TASKS = 6, THREADS = 4, ROUNDS = 2000, MOST = 50 };

static void at_hand(struct at_hand *mine, struct task *task, int64_t urgency, int64_t number)
{
    *task = (struct task){ .urgency = urgency, .number = number };
    at_hand_add(mine, task);
}

/* ready_exchange() returns the most urgent task, and the oldest of equal ones, from the shared tasks or from those at hand. The
   rest at hand become shared. */
START_TEST(most_urgent_first)
{
    static const int64_t urgency[TASKS] = { 5, 3, 7, 3, 1, 9 };
    struct task task[TASKS];
    struct at_hand mine = { 0 };
    struct ready ready;
    ck_assert(ready_init(&ready, 0, 0, 0));
    ck_assert(ready_exchange(&ready, &mine) == NULL && ready_pop(&ready) == NULL);
    at_hand(&mine, &task[0], 5, 0);
    ck_assert(ready_exchange(&ready, &mine) == &task[0] && mine.root == NULL && ready_count(&ready) == 0);
    for (int i = 0; i < TASKS; i++) {
        at_hand(&mine, &task[i], urgency[i], i);
        if (i < 3)
            ready_add(&ready, &mine);
    }
    ck_assert(ready_count(&ready) == 3 && mine.count == 3);
    ck_assert(ready_exchange(&ready, &mine) == &task[4]);           /* the task was at hand */
    ck_assert(mine.root == NULL && mine.count == 0 && ready_count(&ready) == TASKS - 1);
    ck_assert(ready_pop(&ready) == &task[1] && ready_pop(&ready) == &task[3]);
    at_hand(&mine, &task[1], 6, 6);
    ck_assert(ready_exchange(&ready, &mine) == &task[0]);           /* the task was shared */
    ck_assert(ready_pop(&ready) == &task[1] && ready_pop(&ready) == &task[2] && ready_pop(&ready) == &task[5]);
    ck_assert(ready_pop(&ready) == NULL && ready_count(&ready) == 0);
    ready_destroy(&ready);
}
END_TEST

/* In a window of the order a task at hand does not start earlier than a shared one. */
START_TEST(window)
{
    struct task task[3];
    struct at_hand mine = { 0 };
    struct ready ready;
    ck_assert(ready_init(&ready, 1, TASKS, 0));
    at_hand(&mine, &task[1], READY_IN_ORDER, 1);
    ck_assert(ready_exchange(&ready, &mine) == NULL && mine.root == NULL && ready_count(&ready) == 1);
    at_hand(&mine, &task[0], READY_IN_ORDER, 0);
    ck_assert(ready_exchange(&ready, &mine) == &task[0] && ready_pop(&ready) == NULL);
    ready_done(&ready, 0);
    ck_assert(ready_pop(&ready) == &task[1]);
    ready_destroy(&ready);
}
END_TEST

/* ---- by several threads ---------------------------------------------------------------------------------------------------- */

static struct reserve reserve;
static struct ready ready;
static atomic_int made, taken, done;

static void make_task(struct at_hand *mine, unsigned *state)
{
    struct task *task = reserve_new_task(&reserve);
    *task = (struct task){ .urgency = rand_r(state) % 5, .number = made++, .count = 1 };
    if (rand_r(state) % 2)
        at_hand_add(mine, task);
    else
        ready_push(&ready, task);
}

/* Runs a task. Returns whether this is the first time; a second time its count is 0. */
static bool is_run(struct task *task, struct freed *freed)
{
    bool was_made = task->count == 1;
    task->count = 0;
    taken++;
    reserve_free_task(&reserve, freed, task);
    done++;
    return was_made;
}

static bool take_tasks(bool first)
{
    unsigned state = (unsigned)omp_get_thread_num() + 1;
    struct at_hand mine = { 0 };
    struct freed freed = { 0 };
    bool good = true;
    while (done < ROUNDS) {
        if (first && made < ROUNDS && made - done < MOST)
            make_task(&mine, &state);
        struct task *task = ready_exchange(&ready, &mine);
        good &= mine.root == NULL && (task == NULL || is_run(task, &freed));
        if (task == NULL) {
            reserve_return(&reserve, &freed);
            sched_yield();
        }
    }
    return good;
}

/* Each task that one thread makes and several threads take is taken once, and its memory is reused only after it is freed. */
START_TEST(each_task_once)
{
    bool good = true;
    made = taken = done = 0;
    ck_assert(ready_init(&ready, 0, 0, _i ? 7 : 0) && reserve_create(&reserve, 1));
#pragma omp parallel num_threads(THREADS) reduction(&& : good)
    good = take_tasks(omp_get_thread_num() == 0);
    ck_assert(good && made == ROUNDS && taken == ROUNDS && ready_count(&ready) == 0 && ready_pop(&ready) == NULL);
    int blocks = 0;
    for (const struct task_block *b = reserve.blocks; b != NULL; b = b->next)
        blocks++;
    ck_assert_int_le(blocks, (MOST + THREADS * FREED_TASKS) / BLOCK_TASKS + 1);
    reserve_destroy(&reserve);
    ready_destroy(&ready);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ready");
    TCase *tests = tcase_create("ready");
    tcase_add_test(tests, most_urgent_first);
    tcase_add_test(tests, window);
    tcase_add_loop_test(tests, each_task_once, 0, 2);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
