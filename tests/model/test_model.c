/* The model of execution: cases computed by hand, bounds that no schedule may cross, and a table that was published. */
#include "src/choose/choose.h"
#include "src/factor/signs.h"
#include "src/matrix/layers.h"
#include "src/model/chain.h"
#include "src/model/heap.h"
#include "src/model/model.h"
#include "tests/suite.h"

#include <math.h>

enum { NB = 10, ENDLESS = 1000000 };

/* ---- cases ----------------------------------------------------------------------------------------------------------------- */

struct situation {
    bool lu;
    const struct algorithm *algorithm;      /* NULL: what lu says */
    int ranks, nt, nb;
    const char *layout;
    ompfact_schedule schedule;
    enum rma_bcast bcast;
    const int *node_of;                     /* NULL: each rank is a node */
    int nodes, copies;
};

static const struct algorithm *loops_of(const struct situation *c)
{
    return c->algorithm != NULL ? c->algorithm : c->lu ? &lu : &cholesky;
}

static const ompfact_schedule schedules[] = { OMPFACT_BASIC, OMPFACT_STATIC, OMPFACT_DYNAMIC };

static ompfact_matrix *paper(const struct situation *c)
{
    ompfact_shape shape = { .nb = c->nb, .m = (int64_t)c->nb * c->nt, .n = (int64_t)c->nb * c->nt, .layout = c->layout,
                            .structure = c->lu ? OMPFACT_GENERAL : OMPFACT_HERMITIAN_LOWER, .copies = c->copies };
    ompfact_matrix *A;
    char why[MESSAGE];
    ck_assert_msg(shape_on_paper(&shape, c->ranks, 0, 0, &A, why) == OMPFACT_SUCCESS, "%s", why);
    return A;
}

/* ranks: NULL, or room for each. */
static struct model_outcome outcome_of(const struct situation *c, const struct model_machine *machine, struct model_rank *ranks)
{
    ompfact_matrix *A = paper(c);
    struct rma_nodes nodes = { .ranks = c->ranks, .node_of = c->node_of, .count = c->node_of != NULL ? c->nodes : c->ranks,
                               .in_place = true, .bcast = c->bcast };
    struct model_graph *graph = model_graph_create(A, loops_of(c), c->schedule, &nodes);
    struct model_outcome o;
    ck_assert_ptr_nonnull(graph);
    ck_assert_int_eq(model_run(graph, machine, &o, ranks, NULL), 0);
    ck_assert_int_eq(A->me, 0);
    model_graph_destroy(&graph);
    ck_assert_ptr_null(graph);
    ompfact_matrix_destroy(&A);
    return o;
}

static double chain_of(const struct situation *c, const struct model_machine *machine)
{
    ompfact_matrix *A = paper(c);
    double chain = chain_seconds(A, loops_of(c), c->node_of, machine);
    ompfact_matrix_destroy(&A);
    return chain;
}

/* Of a matrix in copies the graph has the transfers that are counted. */
START_TEST(copies)
{
    enum { NT = 9 };
    for (int lu = 0; lu < 2; lu++)
        for (int ranks = 2; ranks <= 9; ranks++) {
            struct situation c = { .nb = 8, .nt = NT, .layout = "auto", .ranks = ranks, .lu = lu, .schedule = schedules[_i],
                                   .copies = 2 };
            struct rma_nodes nodes = { .ranks = ranks, .count = ranks, .in_place = true };
            struct layers_moves moves;
            ompfact_matrix *A = paper(&c);
            ck_assert(layers_moved(A, NULL, ranks, &moves));
            struct model_graph *graph = model_graph_create(A, loops_of(&c), c.schedule, &nodes);
            ck_assert_ptr_nonnull(graph);
            ck_assert_int_eq(graph->transfers, moves.transfers);
            ck_assert_int_eq(A->me, 0);
            model_graph_destroy(&graph);
            ompfact_matrix_destroy(&A);
        }
}
END_TEST

/* ---- a wire on which nobody is in anybody's way ---------------------------------------------------------------------------- */

struct clear_wire {
    double latency, seconds;        /* of a message, and of a tile, whatever its size */
    double now;
    struct heap ends;               /* of tiles on their way */
    struct model_wire wire;
};

static double clear_latency(void *context, int from, int to)
{
    (void)from, (void)to;
    return ((struct clear_wire *)context)->latency;
}

static double clear_alone(void *context, int from, int to, int64_t bytes)
{
    (void)from, (void)to, (void)bytes;
    return ((struct clear_wire *)context)->seconds;
}

static bool clear_start(void *context, double now, int transfer, int from, int to, int64_t bytes)
{
    struct clear_wire *w = context;
    return heap_push(&w->ends, (struct entry){ now + clear_alone(w, from, to, bytes), transfer });
}

static double clear_wait(void *context, double until)
{
    struct clear_wire *w = context;
    ck_assert_int_gt(w->ends.count, 0);
    w->now = fmin(until, w->ends.entry[0].first);
    return w->now;
}

static int clear_arrived(void *context)
{
    struct clear_wire *w = context;
    return w->ends.count > 0 && w->ends.entry[0].first <= w->now ? (int)heap_pop(&w->ends).second : -1;
}

static const struct model_wire *clear_wire(struct clear_wire *w, double latency, double seconds)
{
    *w = (struct clear_wire){ .latency = latency, .seconds = seconds,
                              .wire = { .context = w, .latency = clear_latency, .alone = clear_alone, .start = clear_start,
                                        .wait = clear_wait, .arrived = clear_arrived } };
    return &w->wire;
}

/* Every kernel takes one second on tiles of NB x NB. */
static struct model_machine seconds_machine(int threads)
{
    double cube = 1e-9 * NB * NB * NB;
    return (struct model_machine){ .threads = threads,
                                   .rates.gflops = { [TASK_POTRF] = cube / 3, [TASK_SYTRF] = cube / 3,
                                                     [TASK_GETRF] = 2 * cube / 3, [TASK_TRSM] = cube, [TASK_SYRK] = cube,
                                                     [TASK_GEMM] = 2 * cube, [TASK_ADD] = 2 * cube / NB } };
}

/* The rates of the four kernels on the cluster of Gustavson, Karlsson, Kagstrom: their Table I, from flops and times. */
static struct model_machine published_machine(void)
{
    return (struct model_machine){ .rates.gflops = { [TASK_POTRF] = 1e-3 / 3 / 192e-6, [TASK_TRSM] = 1e-3 / 350e-6,
                                               [TASK_SYRK] = 1e-3 / 318e-6, [TASK_GEMM] = 2e-3 / 565e-6, [TASK_GETRF] = 1.74 } };
}

static const struct situation situations[] = {
    { .ranks = 1, .nt = 1 }, { .ranks = 1, .nt = 7 }, { .ranks = 2, .nt = 2 }, { .ranks = 4, .nt = 9, .layout = "2dbc:2x2" },
    { .ranks = 6, .nt = 14, .layout = "sbc" }, { .ranks = 7, .nt = 12, .layout = "g2dbc" }, { .ranks = 23, .nt = 25,
                                                                                              .layout = "design" },
    { .ranks = 5, .nt = 3, .layout = "2dbc:5x1" }, { .lu = true, .ranks = 1, .nt = 6 }, { .lu = true, .ranks = 4, .nt = 9 },
    { .lu = true, .ranks = 6, .nt = 8, .layout = "2dbc:2x3" }, { .lu = true, .ranks = 9, .nt = 4, .layout = "g2dbc" },
    { .ranks = 2, .nt = 5, .copies = 2 }, { .ranks = 7, .nt = 9, .copies = 3 }, { .ranks = 12, .nt = 10, .copies = 2 },
    { .lu = true, .ranks = 5, .nt = 6, .copies = 2 }, { .lu = true, .ranks = 8, .nt = 7, .copies = 4 },
};
enum { SITUATIONS = sizeof situations / sizeof situations[0] };

static struct situation situation(int index, ompfact_schedule schedule)
{
    struct situation c = situations[index];
    c.schedule = schedule;
    c.nb = NB;
    return c;
}

#define assert_near(a, b) ck_assert_double_eq_tol(a, b, 1e-9 * (1 + fabs(b)))

/* ---- by hand --------------------------------------------------------------------------------------------------------------- */

/* One rank of one thread is busy from start to end with the sum of all times, whatever the order. */
START_TEST(one_thread)
{
    struct model_machine machine = published_machine();
    for (int s = 0; s < 3; s++) {
        struct situation c = { .ranks = 1, .nt = 12, .nb = 100, .schedule = schedules[s] };
        struct model_outcome o = outcome_of(&c, &machine, NULL);
        double sum = 12 * 192e-6 + 66 * 350e-6 + 66 * 318e-6 + 220 * 565e-6;
        assert_near(o.makespan, sum);
        assert_near(o.work, sum);
        assert_near(o.max_compute, sum);
        assert_near(o.min_idle, 0.0);
        ck_assert_int_eq(o.tasks, 12 + 66 + 66 + 220);
        ck_assert_int_eq(o.transfers, 0);
    }
}
END_TEST

/* Submission is one more part of a single thread's work; of many threads it is a bound, where tasks themselves take no time the
   only one, and none of the other's time where it takes no longer than the first task. */
START_TEST(submission_takes_time)
{
    const int tasks = 12 * 13 * 14 / 6;
    struct situation c = { .ranks = 1, .nt = 12, .nb = NB, .schedule = OMPFACT_DYNAMIC };
    struct model_machine machine = seconds_machine(1), idle = { .threads = 64, .task_s = 0.25 };
    double alone = outcome_of(&c, &machine, NULL).makespan;
    machine.task_s = 0.25;
    assert_near(outcome_of(&c, &machine, NULL).makespan, alone + 0.25 * tasks);
    machine.max_tasks = 3;
    assert_near(outcome_of(&c, &machine, NULL).makespan, alone + 0.25 * tasks);
    assert_near(outcome_of(&c, &idle, NULL).makespan, 0.25 * tasks);
    machine = seconds_machine(65);
    machine.task_s = 1e-6;
    double many = outcome_of(&c, &machine, NULL).makespan;
    ck_assert(many > chain_of(&c, &machine) && many < chain_of(&c, &machine) + 1e-6 * tasks);
}
END_TEST

/* One tile is one task, an empty matrix none. */
START_TEST(one_tile)
{
    struct model_machine machine = seconds_machine(3);
    for (int s = 0; s < 3; s++)
        for (int nt = 0; nt < 2; nt++) {
            struct situation c = { .ranks = 2, .nt = nt, .nb = NB, .schedule = schedules[s], .lu = s == 1 };
            struct model_outcome o = outcome_of(&c, &machine, NULL);
            assert_near(o.makespan, (double)nt);
            assert_near(chain_of(&c, &machine), (double)nt);
            assert_near(o.max_compute, nt / 3.0);
            ck_assert_int_eq(o.tasks, nt);
        }
}
END_TEST

/* 3 x 3 tiles on two threads: the path potrf trsm syrk potrf trsm syrk potrf has seven tasks; waits cost one second more. */
START_TEST(three_tiles)
{
    static const double expected[] = { 8, 7, 7 };
    struct model_machine machine = seconds_machine(2);
    for (int s = 0; s < 3; s++) {
        struct situation c = { .ranks = 1, .nt = 3, .nb = NB, .schedule = schedules[s] };
        struct model_outcome o = outcome_of(&c, &machine, NULL);
        assert_near(o.makespan, expected[s]);
        assert_near(chain_of(&c, &machine), 7.0);
        assert_near(o.work, 10.0);
        assert_near(o.max_compute, 5.0);
    }
}
END_TEST

/* Of many tiles the chain is that of the leading ones, drawn out: here potrf, trsm and syrk of each step, exactly. */
START_TEST(long_chain)
{
    struct model_machine machine = seconds_machine(1);
    struct situation c = { .ranks = 6, .nt = CHAIN_STEPS + 41, .nb = NB, .layout = "2dbc:3x2" };
    assert_near(chain_of(&c, &machine), 3.0 * c.nt - 2);
}
END_TEST

/* 3 x 3 tiles in two copies, a rank each: each step ends with a syrk, then its sum goes to the other layer, which adds it and
   goes on with potrf and trsm. Of many tiles the chain is drawn out, exactly. */
START_TEST(chain_of_sums)
{
    struct model_machine machine = seconds_machine(3);
    struct clear_wire wire;
    machine.wire = clear_wire(&wire, 0.25, 0.5);
    struct situation c = { .ranks = 2, .nt = 3, .nb = NB, .schedule = OMPFACT_DYNAMIC, .copies = 2 };
    double chain = 3 + 0.5 + 1 + 3 + 0.5 + 1 + 1;
    assert_near(chain_of(&c, &machine), chain);
    assert_near(outcome_of(&c, &machine, NULL).makespan, chain + 2 * (0.25 + 0.25));
    c.node_of = (int[]){ 0, 0 };
    c.nodes = 1;
    assert_near(chain_of(&c, &machine), chain - 2 * 0.5);
    c = (struct situation){ .ranks = 6, .nt = CHAIN_STEPS + 41, .nb = NB, .layout = "2dbc:3x1", .copies = 2 };
    machine.wire = NULL;
    assert_near(chain_of(&c, &machine), 4.0 * c.nt - 3);
    free(wire.ends.entry);
}
END_TEST

/* 2 x 2 tiles on two ranks: potrf here, a flag, a request and the tile, then trsm, syrk and potrf there. */
START_TEST(one_transfer)
{
    struct model_machine machine = seconds_machine(1);
    struct clear_wire wire;
    machine.wire = clear_wire(&wire, 0.25, 1.5);
    for (int s = 0; s < 3; s++) {
        struct situation c = { .ranks = 2, .nt = 2, .nb = NB, .layout = "2dbc:2x1", .schedule = schedules[s] };
        struct model_rank ranks[2];
        struct model_outcome o = outcome_of(&c, &machine, ranks);
        assert_near(o.makespan, 1 + 0.25 + 0.25 + 1.5 + 3);
        assert_near(chain_of(&c, &machine), 1 + 1.5 + 3);
        assert_near(ranks[0].compute, 1.0);
        assert_near(ranks[0].idle, 5.0);
        assert_near(ranks[1].compute, 3.0);
        ck_assert_int_eq(ranks[0].transfers, 0);
        ck_assert_int_eq(ranks[1].transfers, 1);
        ck_assert_int_eq(ranks[1].transfer_bytes, NB * NB * 8);
    }
    free(wire.ends.entry);
}
END_TEST

/* Of factors with signs the signs come, too, behind the tile or before: one after the other. */
START_TEST(transfers_with_signs)
{
    struct model_machine machine = seconds_machine(1);
    struct clear_wire wire;
    machine.wire = clear_wire(&wire, 0.25, 1.5);
    for (int s = 0; s < 3; s++) {
        struct situation c = { .ranks = 2, .nt = 2, .nb = NB, .layout = "2dbc:2x1", .schedule = schedules[s],
                               .algorithm = &indefinite };
        struct model_rank ranks[2];
        struct model_outcome o = outcome_of(&c, &machine, ranks);
        assert_near(o.makespan, 1 + 0.25 + 2 * (0.25 + 1.5) + 3);
        assert_near(chain_of(&c, &machine), 1 + 1.5 + 3);
        ck_assert_int_eq(ranks[1].transfers, 2);
        ck_assert_int_eq(ranks[1].transfer_bytes, NB * NB * 8 + (int64_t)signed_block_bytes(NB, 8));
    }
    free(wire.ends.entry);
}
END_TEST

/* On one node the tile is read where it is. */
START_TEST(no_transfer_on_a_node)
{
    struct model_machine machine = seconds_machine(1);
    struct clear_wire wire;
    machine.wire = clear_wire(&wire, 0.25, 1.5);
    struct situation c = { .ranks = 2, .nt = 2, .nb = NB, .layout = "2dbc:2x1", .node_of = (int[]){ 0, 0 }, .nodes = 1 };
    struct model_outcome o = outcome_of(&c, &machine, NULL);
    assert_near(o.makespan, 4.0);
    assert_near(chain_of(&c, &machine), 4.0);
    ck_assert_int_eq(o.transfers, 1);
}
END_TEST

/* 3 x 3 tiles, a tile row a rank, the last two of which share a node: tile 00 comes to it once, and the second reader has it when
   the first one does. */
START_TEST(a_node_reads_once)
{
    struct model_machine machine = seconds_machine(1);
    struct clear_wire wire;
    machine.wire = clear_wire(&wire, 0.25, 1.5);
    struct situation c = { .ranks = 3, .nt = 3, .nb = NB, .layout = "2dbc:3x1", .bcast = RMA_FLAT,
                           .node_of = (int[]){ 0, 1, 1 }, .nodes = 2 };
    struct model_rank ranks[3];
    struct model_outcome o = outcome_of(&c, &machine, ranks);
    /* potrf 1, tile 00 over there at 3, both trsm till 4, syrk of 11 and potrf till 6, trsm of 21 till 7, two more */
    assert_near(o.makespan, 9.0);
    ck_assert_int_eq(ranks[1].transfers + ranks[2].transfers, 4);
    c.node_of = NULL;
    assert_near(outcome_of(&c, &machine, NULL).makespan, 9.0 + 2.0);    /* tile 11 crosses, too */
    free(wire.ends.entry);
}
END_TEST

static void nothing(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    (void)run, (void)job, (void)k, (void)n, (void)from, (void)to;
}

/* On nodes of their own, with threads without end; a message takes 0.25 seconds, a tile 2. */
static double seconds_to_read(void (*panel)(struct run *run, const struct job *job, int k), struct situation c, int threads)
{
    struct algorithm algorithm = { .panel = panel, .update = nothing, .urgency = longest_path, .layout = LAYOUT_LU };
    struct model_machine machine = seconds_machine(threads);
    struct clear_wire wire;
    machine.wire = clear_wire(&wire, 0.25, 2);
    c.lu = true;
    c.algorithm = &algorithm;
    c.nb = NB;
    double seconds = outcome_of(&c, &machine, NULL).makespan;
    free(wire.ends.entry);
    return seconds;
}

/* Column 0, whose tiles are all final after a second, for column 1, on another rank. */
static void read_column(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    for (int i = 0; i < A->mt && k == 0; i++) {
        if (owns(A, i, 0))
            task_add(run, 1, fetch(A, i, 2), final(A, i, 0));
        if (owns(A, i, 1))
            task_add(run, 1, fetch(A, i, 0), tile(A, i, 1));
    }
}

/* Flags are there at 1.25. Of one rank one tile is read at a time, though the wire has room for more: they come at 3.5, 5.75, 8,
   10.25 and 12.5. */
START_TEST(one_read_of_one_rank)
{
    struct situation c = { .ranks = 2, .nt = 5, .layout = "2dbc:1x2", .schedule = OMPFACT_DYNAMIC };
    assert_near(seconds_to_read(read_column, c, ENDLESS), 1 + 0.25 + 5 * (0.25 + 2) + 1);
}
END_TEST

/* The same column for row 0, whose tiles are all on one rank. */
static void read_into_row(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    for (int i = 1; i < A->mt && k == 0; i++) {
        if (owns(A, i, 0))
            task_add(run, 1, fetch(A, i, 2), final(A, i, 0));
        if (owns(A, 0, i))
            task_add(run, 1, fetch(A, i, 0), tile(A, 0, i));
    }
}

/* A tile of each of sixteen ranks is read at once, that of a seventeenth when there is room. */
START_TEST(sixteen_reads)
{
    struct situation c = { .ranks = 17, .nt = 17, .layout = "2dbc:17x1", .schedule = OMPFACT_DYNAMIC, .bcast = RMA_FLAT };
    assert_near(seconds_to_read(read_into_row, c, ENDLESS), 1 + 0.25 + (0.25 + 2) + 1);
    c = (struct situation){ .ranks = 18, .nt = 18, .layout = "2dbc:18x1", .schedule = OMPFACT_DYNAMIC, .bcast = RMA_FLAT };
    assert_near(seconds_to_read(read_into_row, c, ENDLESS), 1 + 0.25 + 2 * (0.25 + 2) + 1);
}
END_TEST

/* The last tile of the column is for four tasks, one after the other, on a tile that is due first. */
static void read_urgent_last(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    for (int i = 0; i < 3 && k == 0; i++) {
        if (owns(A, i, 0))
            task_add(run, 1, fetch(A, i, 2), final(A, i, 0));
        for (int times = i < 2 ? 1 : 4; owns(A, 0, 1) && times > 0; times--)
            task_add(run, 1, fetch(A, i, 0), i < 2 ? tile(A, 2, 3) : tile(A, 0, 1));
    }
}

/* Of three tiles whose flags come together the most urgent is read first: it is there at 3.5, and its tasks are done at 7.5,
   before the last one comes at 8. */
START_TEST(urgent_reads_first)
{
    struct situation c = { .ranks = 2, .nt = 4, .layout = "2dbc:1x2", .schedule = OMPFACT_DYNAMIC };
    assert_near(seconds_to_read(read_urgent_last, c, ENDLESS), 1 + 0.25 + 3 * (0.25 + 2) + 1);
}
END_TEST

/* Three tasks before the one that reads tile 00. */
static void read_late(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (k == 0 && owns(A, 0, 0))
        task_add(run, 1, fetch(A, 0, 2), final(A, 0, 0));
    for (int times = 0; k == 0 && owns(A, 0, 1) && times < 3; times++)
        task_add(run, 1, fetch(A, 1, 1), tile(A, 0, 1));
    if (k == 0 && owns(A, 0, 1))
        task_add(run, 1, fetch(A, 0, 0), tile(A, 0, 1));
}

/* In order, on one thread, the third task is submitted at 2, and then there is a slot: long after the flag. */
START_TEST(flag_before_slot)
{
    struct situation c = { .ranks = 2, .nt = 3, .layout = "2dbc:1x2", .schedule = OMPFACT_STATIC };
    assert_near(seconds_to_read(read_late, c, 1), 2 + (0.25 + 2) + 1);
}
END_TEST

/* Tile 00, for a task of each other rank. */
static void read_corner(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    for (int i = 0; i < A->mt && k == 0; i++)
        if (owns(A, i, 0))
            task_add(run, 1, fetch(A, 0, i == 0 ? 1 : 0), i == 0 ? final(A, 0, 0) : tile(A, i, 0));
}

/* Down a chain, who has read a tile sends the flag to the next one. */
START_TEST(flags_go_on)
{
    struct situation c = { .ranks = 4, .nt = 4, .layout = "2dbc:4x1", .schedule = OMPFACT_DYNAMIC, .bcast = RMA_FLAT };
    assert_near(seconds_to_read(read_corner, c, ENDLESS), 1 + (0.25 + 0.25 + 2) + 1);
    c.bcast = RMA_CHAIN;
    assert_near(seconds_to_read(read_corner, c, ENDLESS), 1 + 3 * (0.25 + 0.25 + 2) + 1);
}
END_TEST

static void read_then_write(struct run *run, const struct job *job, int k)
{
    if (k > 0)
        return;
    task_add(run, 1, fetch(job->A, 0, 0), tile(job->A, 1, 0));
    task_add(run, 1, fetch(job->A, 0, 0), tile(job->A, 1, 1));
    task_add(run, 1, fetch(job->A, 0, 1), tile(job->A, 0, 0));
}

/* A task that writes a tile waits for those that read it, which run side by side. */
START_TEST(writers_wait_for_readers)
{
    static const struct algorithm algorithm = { .panel = read_then_write, .update = nothing, .urgency = longest_path };
    struct model_machine machine = seconds_machine(3);
    struct situation c = { .lu = true, .algorithm = &algorithm, .ranks = 1, .nt = 2, .nb = NB, .schedule = OMPFACT_DYNAMIC };
    struct model_outcome o = outcome_of(&c, &machine, NULL);
    assert_near(o.makespan, 2.0);
    ck_assert_int_eq(o.tasks, 3);
}
END_TEST

static void less_urgent_first(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (k == 0 && owns(A, 2, 2)) {
        task_add(run, 1, fetch(A, 0, 0), tile(A, 2, 2));
        task_add(run, 1, fetch(A, 0, 0), final(A, 2, 0));
    }
    if (k == 0 && owns(A, 1, 1))
        task_add(run, 1, fetch(A, 2, 0), tile(A, 1, 1));
}

/* Of two tasks that are ready, the one whose tile is due sooner comes first, though the loops name it second;
   in order it does not. */
START_TEST(urgent_tasks_first)
{
    static const struct algorithm algorithm = { .panel = less_urgent_first, .update = nothing, .urgency = longest_path };
    struct model_machine machine = seconds_machine(1);
    struct situation c = { .algorithm = &algorithm, .ranks = 2, .nt = 3, .nb = NB, .layout = "2dbc:2x1",
                           .schedule = OMPFACT_DYNAMIC };
    assert_near(outcome_of(&c, &machine, NULL).makespan, 2.0);
    c.schedule = OMPFACT_STATIC;
    assert_near(outcome_of(&c, &machine, NULL).makespan, 3.0);
}
END_TEST

/* Of ways to the end as long, the one whose column is due first goes first, however many columns there are; panels before. */
START_TEST(ways_as_long)
{
    enum { MANY = 1 << 23 };
    for (int n = 4; n <= MANY; n *= 2) {
        ck_assert_int_lt(longest_path(n - 1, 2, URGENT_UPDATE), longest_path(n, 1, URGENT_UPDATE));
        ck_assert_int_lt(longest_path(n, 1, URGENT_UPDATE), longest_path(3, n - 1, URGENT_UPDATE));
        ck_assert_int_lt(longest_path(n, 1, URGENT_PANEL), longest_path(n - 1, 2, URGENT_UPDATE));
    }
}
END_TEST

/* ---- whatever the case ----------------------------------------------------------------------------------------------------- */

static double close_to(double bound)
{
    return bound - 1e-9 * (1 + bound);
}

/* All work is done, every tile is carried once, and nobody is faster than the work, the path or the bound from idle time. */
START_TEST(bounds)
{
    for (int threads = 1; threads <= 4; threads += 3)
        for (int s = 0; s < 3; s++) {
            struct situation c = situation(_i, schedules[s]);
            struct model_machine machine = published_machine();
            struct model_rank ranks[32];
            machine.threads = threads;
            struct clear_wire wire;
            machine.wire = clear_wire(&wire, s * 1e-6, s * 1e-5);
            struct model_outcome o = outcome_of(&c, &machine, ranks);
            ompfact_matrix *A = paper(&c);
            double work = 0;
            for (int k = 0; k < c.ranks; k++) {
                work += threads * ranks[k].compute;
                assert_near(ranks[k].compute + ranks[k].idle, o.makespan);
                ck_assert_double_ge(ranks[k].idle, -1e-12);
            }
            assert_near(work, o.work);
            assert_near(o.makespan, o.max_compute + o.min_idle);
            ck_assert_double_ge(o.makespan, close_to(chain_of(&c, &machine)));
            ck_assert_double_ge(o.makespan, close_to(o.work / c.ranks / threads));
            struct layers_moves moves;
            ck_assert(layers_moved(A, NULL, c.ranks, &moves));
            ck_assert_int_eq(o.transfers, moves.transfers);
            double n = NB * c.nt, sums = 2.0 * NB * NB * (double)layers_sums(A);
            assert_near(o.flops - sums, c.lu ? 2 * n * n * n / 3
                                             : NB * NB * NB * (c.nt / 3.0 + c.nt * (c.nt - 1) +
                                                               c.nt * (c.nt - 1) * (c.nt - 2) / 3.0));
            ompfact_matrix_destroy(&A);
            free(wire.ends.entry);
        }
}
END_TEST

/* With knowledge of all ranks, too, all work is done, and nothing is faster than its chain; with links that are never full no
   order of reads is faster. */
START_TEST(ideal_order)
{
    struct situation c = situation(_i, OMPFACT_DYNAMIC);
    struct model_machine machine = published_machine();
    struct clear_wire wire;
    double chain, real, narrow, wide;
    machine.threads = ENDLESS;
    c.bcast = RMA_FLAT;
    machine.wire = clear_wire(&wire, 1e-6, 1e-5);
    chain = chain_of(&c, &machine);
    real = outcome_of(&c, &machine, NULL).makespan;
    machine.ideal = &(struct model_ideal){ 1, 1 };
    narrow = outcome_of(&c, &machine, NULL).makespan;
    machine.ideal = &(struct model_ideal){ ENDLESS, ENDLESS };
    wide = outcome_of(&c, &machine, NULL).makespan;
    assert_near(wide, chain);
    ck_assert_double_ge(narrow, close_to(wide));
    ck_assert_double_ge(real, close_to(wide));
    free(wire.ends.entry);
}
END_TEST

/* Threads without end, and nothing in a message's way: the critical path, where nobody waits for the loops. */
START_TEST(endless_threads)
{
    struct situation c = situation(_i, OMPFACT_DYNAMIC);
    struct model_machine machine = published_machine();
    machine.threads = ENDLESS;
    struct model_outcome o = outcome_of(&c, &machine, NULL);
    assert_near(o.makespan, chain_of(&c, &machine));
    struct clear_wire wire;
    machine.wire = clear_wire(&wire, 1e-5, 0);
    ck_assert_double_ge(outcome_of(&c, &machine, NULL).makespan, close_to(chain_of(&c, &machine)));
    free(wire.ends.entry);
}
END_TEST

/* On one thread, waits cost time and look-ahead saves it; a slower network never helps a fixed order. */
START_TEST(orders_and_networks)
{
    struct model_machine machine = published_machine();
    struct situation basic = situation(_i, OMPFACT_BASIC), in_order = situation(_i, OMPFACT_STATIC);
    struct model_outcome b = outcome_of(&basic, &machine, NULL), s = outcome_of(&in_order, &machine, NULL);
    ck_assert_double_ge(b.makespan, close_to(s.makespan));
    struct clear_wire wire;
    for (double seconds = 1e-6; seconds < 1e-2; seconds *= 4) {
        machine.wire = clear_wire(&wire, seconds / 4, seconds);
        struct model_outcome slower_b = outcome_of(&basic, &machine, NULL), slower_s = outcome_of(&in_order, &machine, NULL);
        ck_assert_double_ge(slower_b.makespan, close_to(b.makespan));
        ck_assert_double_ge(slower_s.makespan, close_to(s.makespan));
        b = slower_b;
        s = slower_s;
        free(wire.ends.entry);
    }
}
END_TEST

/* The model's answer to a question is always the same, to the last bit. */
START_TEST(deterministic)
{
    for (int s = 0; s < 3; s++) {
        struct situation c = situation(_i, schedules[s]);
        struct model_machine machine = published_machine();
        machine.threads = 2;
        struct clear_wire wire;
        machine.wire = clear_wire(&wire, 1e-6, 1e-5);
        struct model_rank ranks[2][32] = { 0 };
        struct model_outcome once = outcome_of(&c, &machine, ranks[0]), again = outcome_of(&c, &machine, ranks[1]);
        ck_assert_mem_eq(&once, &again, sizeof once);
        ck_assert_mem_eq(ranks[0], ranks[1], sizeof ranks[0]);
        free(wire.ends.entry);
    }
}
END_TEST

/* Table III of the paper, on a 4 x 4 mesh: simulated time and least idle time.
   Its static loop interleaves updates and scaling. */
START_TEST(published_table)
{
    static const struct {
        int n;
        double basic, basic_idle, in_order;
    } rows[] = { { 5000, 1.0, 0.1135, 0.9 }, { 10000, 6.8, 0.4409, 6.4 } };
    struct model_machine machine = published_machine();
    for (int i = 0; i < 2; i++) {
        struct situation c = { .ranks = 16, .nt = rows[i].n / 100, .nb = 100, .layout = "2dbc:4x4", .schedule = OMPFACT_BASIC };
        struct model_outcome o = outcome_of(&c, &machine, NULL);
        ck_assert_double_eq_tol(o.makespan, rows[i].basic, 0.05);
        ck_assert_double_eq_tol(o.min_idle, rows[i].basic_idle, 0.0002);
        c.schedule = OMPFACT_STATIC;
        o = outcome_of(&c, &machine, NULL);
        ck_assert_double_eq_tol(o.makespan, rows[i].in_order, 0.05);
        ck_assert_double_lt(o.min_idle, 0.002);
    }
}
END_TEST

static Suite *model_suite(void)
{
    Suite *suite = suite_create("model");
    TCase *tests = tcase_create("model");
    tcase_add_loop_test(tests, copies, 0, sizeof schedules / sizeof *schedules);
    tcase_add_test(tests, one_thread);
    tcase_add_test(tests, submission_takes_time);
    tcase_add_test(tests, one_tile);
    tcase_add_test(tests, three_tiles);
    tcase_add_test(tests, long_chain);
    tcase_add_test(tests, chain_of_sums);
    tcase_add_test(tests, one_transfer);
    tcase_add_test(tests, transfers_with_signs);
    tcase_add_test(tests, no_transfer_on_a_node);
    tcase_add_test(tests, a_node_reads_once);
    tcase_add_test(tests, one_read_of_one_rank);
    tcase_add_test(tests, sixteen_reads);
    tcase_add_test(tests, urgent_reads_first);
    tcase_add_test(tests, flag_before_slot);
    tcase_add_test(tests, flags_go_on);
    tcase_add_test(tests, writers_wait_for_readers);
    tcase_add_test(tests, urgent_tasks_first);
    tcase_add_test(tests, ways_as_long);
    tcase_add_loop_test(tests, bounds, 0, SITUATIONS);
    tcase_add_loop_test(tests, endless_threads, 0, SITUATIONS);
    tcase_add_loop_test(tests, ideal_order, 0, SITUATIONS);
    tcase_add_loop_test(tests, orders_and_networks, 0, SITUATIONS);
    tcase_add_loop_test(tests, deterministic, 0, SITUATIONS);
    tcase_add_test(tests, published_table);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(model_suite());
}
