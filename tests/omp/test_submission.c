/* From the loops to OpenMP: the names of a task, what it waits for, when it is published, and that no more tasks than allowed are
   in flight. */
#include "omp/help.h"
#include "tests/omp/own_tiles.h"

static struct rma_space *space;             /* tiles that act as another rank's; they are final */

static struct operand remote(int tile)
{
    struct operand o = own(tile, READ);
    o.mine = false;
    o.matrix = memory;
    o.data = NULL;
    o.address.space = space;
    o.address.disp = (MPI_Aint)sizeof memory[tile] * tile;
    return o;
}

/* Runs the loops. Each remote tile has the number 100 and more, or 0 if the tiles are not settled. */
static struct run_outcome run_with_others(struct run_plan plan, bool settled, int threads)
{
    ck_assert(rma_space_create(rma, sizeof memory, TILES, TILES, &space) == MPI_SUCCESS);
    for (int i = 0; i < TILES * NB * NB; i++)
        ((double *)rma_space_base(space))[i] = settled ? 100 + i / (NB * NB) : 0;
    plan.spaces[0] = space;
    plan.settled[0] = settled;
    plan.spaces_count = 1;
    plan.tile_bytes = sizeof memory[0];
    struct run_outcome outcome = run_once(&plan, (struct run_settings){ .threads = threads }, TILES);
    rma_space_destroy(&space);
    return outcome;
}

/* ---- names ----------------------------------------------------------------------------------------------------------------- */

static void name_operands(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    struct task *t = new_task(run, do_no_work, 3, (struct operand[]){ own(0, READ), own(1, READ), own(2, UPDATE) });
    expect(reads_names(run, memory[0], memory[1]) && writes_names(run, memory[2]));
    expect(t->tile[0].data == (char *)memory[0] && t->tile[2].data == (char *)memory[2]);
    expect(t->tile[2].mb == NB && t->tile[2].nb == NB && t->tile[2].slot == NULL);
    expect(t->lane == LANE_UPDATE && t->device == HOST && t->step == 0);
    task_submit(t);
    t = new_task(run, do_no_work, 3, (struct operand[]){ own(0, UPDATE), own(1, READ), own(2, FINAL) });
    expect(reads_names(run, memory[1]) && writes_names(run, memory[0], memory[2]));
    expect(t->lane == LANE_PANEL);
    task_submit(t);
    t = task_create(run, TASK_LASWP, do_no_work, 0, 1, (struct operand[]){ own(3, UPDATE) });
    expect(reads_nothing(run) && writes_names(run, memory[3]) && t->lane == LANE_PANEL);
    task_submit(t);
}

/* The names of a task are the memory that it reads, and the memory that it updates or makes final. */
START_TEST(names)
{
    run_once(&(struct run_plan){ .loops = name_operands }, (struct run_settings){ .threads = 1 }, 0);
}
END_TEST

static void look_at_remote(struct task *t)
{
    expect(*(double *)(void *)t->tile[0].data == 100 + t->with.k);
}

static struct task *read_remote(struct run *run, int tile, int output)
{
    struct task *t = new_task(run, look_at_remote, 2, (struct operand[]){ remote(tile), own(output, UPDATE) });
    t->with.k = tile;
    return t;
}

static struct rma_slot *slot_of(struct run *run, int step, int tile)
{
    return rma_cache_find(run->cache, step, &(struct rma_address){ .space = space, .id = tile });
}

static void read_from_others(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    struct task *first = read_remote(run, 1, 0);
    struct rma_slot *slot = first->tile[0].slot;
    expect(slot != NULL && slot == slot_of(run, 0, 1) && first->tile[0].data == slot->data);
    expect(reads_names(run, slot) && writes_names(run, memory[0]));
    expect(atomic_load(&slot->holds) == 2);         /* of the step and the task */
    task_submit(first);
    struct task *second = read_remote(run, 1, 2);
    expect(second->tile[0].slot == slot && reads_names(run, slot) && atomic_load(&slot->holds) >= 2);
    task_submit(second);
    run_step(run, 1, 0);
    expect(slot_of(run, 0, 1) == slot && slot_of(run, 1, 1) == NULL);
    struct task *third = read_remote(run, 1, 3);    /* the tile of another step has another slot */
    expect(third->tile[0].slot != slot);
    task_submit(third);
    run_step(run, 2, 2);
    expect(slot_of(run, 0, 1) == NULL && slot_of(run, 1, 1) == NULL && run->step->k == 2);
    run_wait(run);
    expect(atomic_load(&slot->holds) == 0 && atomic_load(&run->fetching) == 0);
}

/* The name of a remote tile is its slot. A step has one slot for the tile, which the step and its tasks hold. */
START_TEST(remote_tiles)
{
    run_with_others((struct run_plan){ .loops = read_from_others }, true, 1);
    run_with_others((struct run_plan){ .loops = read_from_others }, true, 3);
}
END_TEST

static void write_it(struct task *t)
{
    for (int i = 0; i < NB * NB; i++)
        ((double *)(void *)t->tile[0].data)[i] = 100 + t->with.k;
}

static int this_rank(const void *context, const struct operand *tile, int *ranks)
{
    (void)context, (void)tile;
    ranks[0] = 0;
    return 1;
}

/* A task reads a tile as if the tile were another rank's; the tile's own task is submitted later. */
static void read_before_published(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    task_submit(read_remote(run, 1, 0));
    struct operand o = own(1, FINAL);
    o.address = remote(1).address;
    o.data = (char *)rma_space_base(space) + o.address.disp;
    struct task *t = new_task(run, write_it, 1, &o);
    t->with.k = 1;
    task_submit(t);
}

/* A reader of a remote tile waits until the tile is computed, published and received. */
START_TEST(arrivals)
{
    ck_assert(rma_set_sums(rma, true) == MPI_SUCCESS);
    run_with_others((struct run_plan){ .loops = read_before_published, .readers = this_rank }, false, 1);
}
END_TEST

static void only_fetch(struct run *run, const void *context)
{
    (void)context;
    struct operand operands[] = { own(0, READ), remote(1), own(2, UPDATE) };
    run_step(run, 0, 0);
    run_fetch_only(run, true);
    expect(new_task(run, do_no_work, 3, operands) == NULL);
    expect(slot_of(run, 0, 1) != NULL && slot_of(run, 0, 0) == NULL && slot_of(run, 0, 2) == NULL);
    expect(run->submitted == 0 && run_in_flight(run) == 0);
    run_fetch_only(run, false);
    run_wait(run);
    expect(atomic_load(&run->fetching) == 0);
    struct task *t = new_task(run, do_no_work, 3, operands);
    expect(t->tile[1].slot == slot_of(run, 0, 1) && atomic_load(&run->fetching) == 0);     /* the tile is not fetched again */
    task_submit(t);
}

/* Loops in fetch-only mode submit no task, and later tasks find the fetched tiles. */
START_TEST(fetch_only)
{
    run_with_others((struct run_plan){ .loops = only_fetch }, true, 1);
}
END_TEST

/* ---- order ----------------------------------------------------------------------------------------------------------------- */

/* Tasks that share a tile run in the order of the loops, with any number of threads and any limit of tasks in flight. */
START_TEST(order_of_shared_tiles)
{
    static const int flight[] = { 1, 2, 5, 5, RUN_TASKS };
    double serial[TILES] = { 0 };
    struct run_settings settings = { .threads = 1 + _i, .max_tasks = flight[_i], .jitter = _i % 2 ? 50 : 0 };
    struct run_plan plan = { .loops = mixed_loops, .context = &settings, .in_order = _i == 3 };
    memset(memory, 0, sizeof memory);
    struct run_outcome outcome = run_once(&plan, settings, 0);
    ck_assert(outcome.tasks_peak <= settings.max_tasks);
    unsigned state = 7;
    for (int k = 0; k < MIXED; k++) {
        struct operand operands[TASK_OPERANDS];
        int outputs, count = mixed_operands(&state, operands, &outputs);
        struct task t = { .count = count, .with = { .k = k, .row = outputs } };
        for (int i = 0; i < t.count; i++)
            t.tile[i].data = (char *)&serial[operands[i].i];
        mix(&t);
    }
    for (int i = 0; i < TILES; i++)
        ck_assert_msg(serial[i] == memory[i][0], "tile %d: %g, not %g", i, memory[i][0], serial[i]);
}
END_TEST

static int ran[TILES], ran_count;

static void run_now(struct task *t)
{
    ran[ran_count++] = t->i;
}

static int64_t by_due(int due, int step, enum urgent what)
{
    return 100 * step + 2 * due - (what == URGENT_PANEL);
}

/* Each task is more urgent than the one before it. */
static void more_and_more_urgent(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 3, 3);
    for (int i = 0; i < TILES; i++) {
        struct operand o = own(i, i == 2 ? FINAL : UPDATE);
        o.due = i == 2 ? 4 : TILES - i;
        struct task *t = new_task(run, run_now, 1, &o);
        int64_t by_plan = run->plan->urgency == NULL ? 0 : by_due(o.due, 3, i == 2 ? URGENT_PANEL : URGENT_UPDATE);
        expect(t->urgency == (run->plan->in_order ? READY_IN_ORDER : by_plan));
        expect(t->number == i);
        task_submit(t);
    }
    run_wait(run);
}

/* Ready tasks run by urgency, the oldest of equal ones first, or in the order of the loops. */
START_TEST(urgency)
{
    static const int urgent_first[] = { 5, 4, 3, 2, 1, 0 };
    for (int way = 0; way < 3; way++) {
        struct run_plan plan = { .loops = more_and_more_urgent, .urgency = way == 1 ? NULL : by_due, .in_order = way == 2 };
        ran_count = 0;
        run_once(&plan, (struct run_settings){ .threads = 1 }, 0);
        ck_assert_int_eq(ran_count, TILES);
        for (int i = 0; i < TILES; i++)
            ck_assert_msg(ran[i] == (way == 0 ? urgent_first[i] : i), "way %d: %d runs as number %d", way, ran[i], i);
    }
}
END_TEST

/* ---- empty writers --------------------------------------------------------------------------------------------------------- */

/* The number of runtime tasks that have run when all are done. */
static int64_t gathered(struct run *run)
{
    run_wait(run);
    return run->worker[0].gathered;
}

static void read_often(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    for (int i = 0; i < 3; i++)
        task_submit(new_task(run, do_no_work, 3, (struct operand[]){ own(0, READ), remote(1), own(2 + i, UPDATE) }));
    task_submit(new_task(run, do_no_work, 2, (struct operand[]){ own(5, READ), own(2, UPDATE) }));
    expect(gathered(run) == 4 + 1);                 /* tasks, and the fetch */
    run_step(run, 1, 0);
    expect(gathered(run) == 5);                     /* step 0 is still open */
    run_step(run, 2, 2);
    expect(gathered(run) == 5 + 1);
    run_step(run, 3, 3);
    expect(gathered(run) == 6 && run->submitted == 4);
}

/* When a step ends, an empty task writes each of this rank's tiles that several of its tasks have read, and no other tile. */
START_TEST(empty_writers)
{
    run_with_others((struct run_plan){ .loops = read_often }, true, 1);
}
END_TEST

/* ---- publication ----------------------------------------------------------------------------------------------------------- */

static int queries, reading;      /* the number of calls of readers(), and its result */

static int readers(const void *context, const struct operand *tile, int *ranks)
{
    (void)context;
    expect(tile->access == FINAL);
    queries++;
    ranks[0] = 0;
    return reading;
}

static bool publishes(struct run *run, enum task_kind kind, struct operand output)
{
    struct task *t = task_create(run, kind, do_no_work, 0, 2, (struct operand[]){ own(0, READ), output });
    const struct rma_publication *p = t->publication;
    expect(p == NULL || (p->count == reading && p->reader[0] == 0 && p->tile.id == output.address.id && p->word != NULL));
    take_publication(t);
    task_submit(t);
    return p != NULL;
}

static void publish_final(struct run *run, const void *context)
{
    static const struct split split = { .device = HOST, .host = NB, .strip = 1 };
    struct operand in_parts = own(3, FINAL);
    (void)context;
    in_parts.split = &split;
    run_step(run, 0, 0);
    reading = 1;
    expect(!publishes(run, TASK_GEMM, own(1, UPDATE)) && queries == 0);
    expect(publishes(run, TASK_GEMM, own(1, FINAL)) && queries == 1);
    expect(!publishes(run, TASK_GEMM, in_parts) && queries == 1);
    expect(publishes(run, TASK_HAND_OVER, in_parts) && queries == 2);
    reading = 0;
    expect(!publishes(run, TASK_GEMM, own(2, FINAL)) && queries == 3);
    int64_t before = run->submitted;
    expect(task_create(run, TASK_HAND_OVER, do_no_work, 0, 1, &in_parts) == NULL && queries == 4 && run->submitted == before);
}

/* Final tiles with readers are published; a tile in parts is published by its hand-over. Without readers there is no hand-over.
   */
START_TEST(publications)
{
    queries = 0;
    run_once(&(struct run_plan){ .loops = publish_final, .readers = readers }, (struct run_settings){ .threads = 1 }, 0);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("submission");
    TCase *tests = tcase_create("submission");
    tcase_add_checked_fixture(tests, create_rma, destroy_rma);
    tcase_add_test(tests, names);
    tcase_add_test(tests, remote_tiles);
    tcase_add_test(tests, arrivals);
    tcase_add_test(tests, fetch_only);
    tcase_add_loop_test(tests, order_of_shared_tiles, 0, 5);
    tcase_add_test(tests, urgency);
    tcase_add_test(tests, empty_writers);
    tcase_add_test(tests, publications);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
