/* The check of the order of tasks: it requires exactly the order that the bytes require which tasks touch. A run that breaks
   the order ends with a report. */
#include "omp/team/team.h"
#include "omp/order.h"
#include "omp/order_memory.h"
#include "rma/state.h"
#include "tests/suite.h"

#include <omp.h>

/* ---- a run without tasks --------------------------------------------------------------------------------------------------- */

enum { TASKS = 40, BYTES = 12 };

static struct rma nobody;
static struct run paper;
static struct task tasks[TASKS];
static char memory[BYTES];

static void new_paper(void)
{
    paper = (struct run){ .rma = &nobody, .order = order_create(), .device_lock = PTHREAD_MUTEX_INITIALIZER,
                          .step = &paper.open[0] };
    ck_assert(paper.order != NULL);
}

static void forget_paper(void)
{
    order_destroy(&paper.order);
}

static struct task *new_task(int n, enum task_kind kind)
{
    tasks[n] = (struct task){ .run = &paper, .kind = kind, .i = n, .j = 0, .precision = precision_of('d') };
    order_enter(&paper, &tasks[n]);
    return &tasks[n];
}

/* Uses columns of one row of so many bytes, with an element size of one byte. */
static void use(struct task *t, bool writes, int first, int count)
{
    static struct precision bytes = { .size = 1 };
    const struct task_tile columns = { .data = memory + first, .mb = 1, .nb = count };
    t->precision = &bytes;
    order_use_tile(&paper, t, writes, &columns, memory);
}

/* Whether the task would break the order if it began now. */
static bool breaks(const struct task *t)
{
    int out = dup(STDERR_FILENO);
    if (freopen("/dev/null", "w", stderr) == NULL)
        return false;
    atomic_store(&paper.broken, false);
    paper.fault[0] = '\0';
    order_begin(t);
    fflush(stderr);
    dup2(out, STDERR_FILENO);
    close(out);
    return atomic_load(&paper.broken);
}

/* A task that reads memory that another task is still writing is reported with both tasks. */
START_TEST(read_too_early)
{
    new_paper();
    paper.step->k = 3;
    struct task *writer = new_task(5, TASK_POTRF), *reader = new_task(7, TASK_GEMM);
    use(writer, true, 0, 4);
    use(reader, false, 2, 1);
    ck_assert(breaks(reader));
    ck_assert_str_eq(paper.fault, "out of order: gemm of tile (7,0) in step 3 begins before the end of potrf of tile (5,0) in "
                                  "step 3, which writes what it uses");
    order_end(writer);
    ck_assert(!breaks(reader));
    forget_paper();
}
END_TEST

/* A write waits for all tasks that read the current contents, but neither for readers of other bytes nor for tasks before the
   last write. */
START_TEST(write_overtakes_readers)
{
    new_paper();
    struct task *first = new_task(0, TASK_TRSM), *here = new_task(1, TASK_GEMM), *there = new_task(2, TASK_GEMM),
                *writer = new_task(3, TASK_TRSM), *last = new_task(4, TASK_SYRK);
    use(first, true, 0, 8);
    use(here, false, 0, 4);
    use(there, false, 4, 4);
    use(writer, true, 0, 4);
    use(last, false, 0, 4);
    order_end(first);
    ck_assert(breaks(writer));
    ck_assert(strstr(paper.fault, "trsm of tile (3,0)") != NULL && strstr(paper.fault, "gemm of tile (1,0)") != NULL &&
              strstr(paper.fault, "reads") != NULL);
    order_end(here);
    ck_assert(!breaks(writer));
    ck_assert(breaks(last));
    order_end(writer);
    ck_assert(!breaks(last));
    forget_paper();
}
END_TEST

/* The readers of a slot wait for its tile, and the next tile waits for the readers. */
START_TEST(slots)
{
    new_paper();
    struct rma_slot slot = { .from = { .what = "pivots" }, .context = &(struct fetched){ 0 } };
    struct task *reader = new_task(1, TASK_LASWP);
    order_fetch(&paper, &slot);
    reader->tile[0].slot = &slot;
    reader->count = 1;
    order_use_operand(&paper, reader, 0, &(struct operand){ .access = READ });
    ck_assert(breaks(reader));
    ck_assert(strstr(paper.fault, "before the end of pivots in step 0") != NULL);
    order_arrive(&paper, &slot);
    ck_assert(!breaks(reader));
    order_fetch(&paper, &slot);
    atomic_store(&paper.broken, false);
    order_arrive(&paper, &slot);        /* the reader has not ended */
    ck_assert(atomic_load(&paper.broken));
    forget_paper();
}
END_TEST

/* The check requires the last write of each byte and, before a write, the reads since then. The pieces are random, like strips
   cut in many ways. */
START_TEST(all_bytes)
{
    struct { int first, count; bool writes; } pieces[TASKS][2];
    unsigned state = 1;
    for (int trial = 0; trial < 200; trial++) {
        new_paper();
        for (int n = 0; n < TASKS; n++) {
            struct task *t = new_task(n, TASK_GEMM);
            for (int p = 0; p < 2; p++) {
                pieces[n][p].first = rand_r(&state) % BYTES;
                pieces[n][p].count = 1 + rand_r(&state) % (BYTES - pieces[n][p].first);
                pieces[n][p].writes = rand_r(&state) % 3 == 0;
                use(t, pieces[n][p].writes, pieces[n][p].first, pieces[n][p].count);
            }
        }
        for (int n = 0; n < TASKS; n++)
            order_end(&tasks[n]);
        for (int n = TASKS - 8; n < TASKS; n++)
            for (int before = 0; before < n; before++) {
                bool needed = false;
                for (int byte = 0; byte < BYTES; byte++) {
                    bool touches[TASKS] = { 0 }, writes[TASKS] = { 0 };
                    int last = -1;
                    for (int k = 0; k <= n; k++)
                        for (int p = 0; p < 2; p++)
                            if (pieces[k][p].first <= byte && byte < pieces[k][p].first + pieces[k][p].count) {
                                touches[k] = true;
                                writes[k] |= pieces[k][p].writes;
                            }
                    for (int k = 0; k < n; k++)
                        last = writes[k] ? k : last;
                    needed |= touches[n] && (before == last || (writes[n] && touches[before] && before > last));
                }
                atomic_store(order_ended(tasks[before].record), false);
                bool breaks_it = breaks(&tasks[n]);
                atomic_store(order_ended(tasks[before].record), true);
                ck_assert_msg(breaks_it == needed, "trial %d: task %d %s for %d", trial, n, needed ? "does not wait" : "waits",
                              before);
            }
        forget_paper();
    }
}
END_TEST

/* A task that needs another one, but shares no written name with it, is reported at once. */
START_TEST(no_common_name)
{
    new_paper();
    struct task *writer = new_task(0, TASK_POTRF), *reader = new_task(1, TASK_GEMM), *other = new_task(2, TASK_GEMM);
    use(writer, true, 0, 4);
    paper.names = (struct names){ .out_count = 1, .out = { memory } };
    order_submit(writer);
    use(reader, false, 0, 4);
    paper.names = (struct names){ .in_count = 2, .in = { memory + 1, memory }, .out_count = 1, .out = { memory + 2 } };
    order_submit(reader);
    ck_assert(paper.fault[0] == '\0');
    use(other, false, 0, 4);
    paper.names = (struct names){ .in_count = 1, .in = { memory + 1 }, .out_count = 1, .out = { memory + 2 } };
    order_submit(other);
    ck_assert_str_eq(paper.fault, "out of order: gemm of tile (2,0) in step 0 has no dependence on potrf of tile (0,0) in "
                                  "step 0, which writes what it uses");
    forget_paper();
}
END_TEST

/* A task that does not declare a write of its output has no order at all. */
START_TEST(output_is_read)
{
    new_paper();
    struct task *t = new_task(1, TASK_GEMM);
    order_output(&paper, t, UPDATE);
    order_output(&paper, t, FINAL);
    ck_assert(paper.fault[0] == '\0');
    order_output(&paper, t, READ);
    ck_assert_str_eq(paper.fault, "out of order: gemm of tile (1,0) in step 0 declares that it only reads its output");
    forget_paper();
}
END_TEST

/* ---- a run that loses a dependence ----------------------------------------------------------------------------------------- */

struct losing {
    int rank;
    double numbers[2];
};

static void wait_a_little(struct task *t)
{
    (void)t;
    double end = omp_get_wtime() + 0.05;
    while (omp_get_wtime() < end)
        ;
}

/* Two writes of the same number. On the first rank the second one lacks the number's name. */
static void losing_loops(struct run *run, const void *context)
{
    const struct losing *l = context;
    struct operand o = { .access = UPDATE, .mine = true, .mb = 1, .nb = 1, .data = (void *)l->numbers,
                         .precision = precision_of('d'), .address = { .rank = l->rank, .bytes = sizeof l->numbers[0] } };
    run_step(run, 0, 0);
    for (int i = 0; i < 2; i++) {
        struct task *t = task_create(run, TASK_GEMM, wait_a_little, 0, 1, &o);
        if (t == NULL)
            continue;
        if (i == 1 && l->rank == 0)
            run->names.out[0] = (char *)&l->numbers[1];
        task_submit(t);
    }
}

/* The run ends with an error on all ranks, and the rank with the fault reports it. */
START_TEST(lost_dependence)
{
    struct rma *rma;
    char text[256];
    assert_everywhere(rma_create(MPI_COMM_WORLD, true, RMA_FLAT, RMA_ONE_SIDED, &rma, text, sizeof text) == MPI_SUCCESS);
    struct losing l = { .rank = rma_rank(rma) };
    struct run_plan plan = { .loops = losing_loops, .context = &l };
    struct run_tally tally;
    struct run_outcome outcome;
    run_count(&plan, NULL, &tally);
    int code = run_execute(rma, &plan, &tally, &(struct run_settings){ .threads = 2, .checks = true }, &outcome);
    assert_everywhere(code != MPI_SUCCESS);
    assert_everywhere(outcome.broken == (l.rank == 0));
    const char *expected = "out of order: gemm of tile (0,0) in step 0 has no dependence on gemm";
    assert_everywhere(l.rank > 0 || strstr(outcome.failure, expected) != NULL);
    struct run_settings unchecked = { .threads = 2 };
    assert_everywhere(run_execute(rma, &plan, &tally, &unchecked, &outcome) == MPI_SUCCESS);
    rma_destroy(&rma);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("order");
    TCase *tests = tcase_create("order");
    tcase_add_test(tests, read_too_early);
    tcase_add_test(tests, write_overtakes_readers);
    tcase_add_test(tests, slots);
    tcase_add_test(tests, all_bytes);
    tcase_add_test(tests, no_common_name);
    tcase_add_test(tests, output_is_read);
    tcase_add_test(tests, lost_dependence);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
