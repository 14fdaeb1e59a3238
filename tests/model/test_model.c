/* The model of execution: tasks whose times are computed by hand, bounds that no schedule may cross, and a published table. */
#include "tests/model/situations.h"

/* The rates of the four kernels on the cluster of Gustavson, Karlsson and Kagstrom, from the flops and times of their Table I. */
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

/* ---- tasks by hand --------------------------------------------------------------------------------------------------------- */

/* One rank with one thread is busy from start to end for the sum of all times, in any order. */
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

/* With one thread, submission adds to the work. With many threads it bounds the time from below: the bound is sharp where tasks
   take no time, and costs nothing where one submission is shorter than the first task. */
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

/* One tile is one task, and an empty matrix has no task. */
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

/* 3 x 3 tiles on two threads: the path potrf trsm syrk potrf trsm syrk potrf has seven tasks. The waits of the basic schedule
   cost one second more. */
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

/* The chain of many tiles is extrapolated from that of the leading tiles, exactly: potrf, trsm and syrk of each step. */
START_TEST(long_chain)
{
    struct model_machine machine = seconds_machine(1);
    struct situation c = { .ranks = 6, .nt = CHAIN_STEPS + 41, .nb = NB, .layout = "2dbc:3x2" };
    assert_near(chain_of(&c, &machine), 3.0 * c.nt - 2);
}
END_TEST

/* 3 x 3 tiles in two copies, one rank each: a step ends with a syrk, its sum goes to the other layer, and that layer adds the sum
   and continues with potrf and trsm. The chain of many tiles is extrapolated exactly. */
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

static void read_then_write(struct run *run, const struct job *job, int k)
{
    if (k > 0)
        return;
    task_add(run, 1, fetch(job->A, 0, 0), tile(job->A, 1, 0));
    task_add(run, 1, fetch(job->A, 0, 0), tile(job->A, 1, 1));
    task_add(run, 1, fetch(job->A, 0, 1), tile(job->A, 0, 0));
}

/* A task that writes a tile waits for the readers of the tile, and these run in parallel. */
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

/* Of two ready tasks the one whose tile is due sooner runs first, although the loops create it second. With tasks in order it
   runs second. */
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

/* Of two equally long paths to the end, the one whose column is due first is more urgent, for any number of columns. Panels
   precede updates. */
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

/* ---- bounds for every situation -------------------------------------------------------------------------------------------- */

static double close_to(double bound)
{
    return bound - 1e-9 * (1 + bound);
}

/* All work is done, every tile is sent once, and no run is faster than the work, the chain or the bound from idle time. */
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

/* With knowledge of all ranks all work is done as well, and no run is faster than its chain. With links that are never full no
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

/* With unlimited threads and no contention a run takes the critical path, and the loops delay no task. */
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

/* With one thread, waits cost time and look-ahead saves it. A slower network never makes a fixed order faster. */
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

/* The model gives the same results each time, to the last bit. */
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

/* Table III of the paper, on a 4 x 4 mesh: simulated time and least idle time. The static loop of the paper interleaves updates
   and scaling. */
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
    tcase_add_test(tests, one_thread);
    tcase_add_test(tests, submission_takes_time);
    tcase_add_test(tests, one_tile);
    tcase_add_test(tests, three_tiles);
    tcase_add_test(tests, long_chain);
    tcase_add_test(tests, chain_of_sums);
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
