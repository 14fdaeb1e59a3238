/* Transfers in the model of execution: how many there are, and when each tile arrives, computed by hand. */
#include "src/factor/signs.h"
#include "tests/model/situations.h"

/* ---- counts ---------------------------------------------------------------------------------------------------------------- */

/* The graph of a matrix in copies has as many transfers as the count. */
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

/* ---- one transfer by hand -------------------------------------------------------------------------------------------------- */

/* 2 x 2 tiles on two ranks: potrf on the first, a flag, a request and the tile, then trsm, syrk and potrf on the second. */
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

/* Factors with signs are sent with their signs, before or after the tile, one transfer after the other. */
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

/* On one node the tile is read in place. */
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

/* 3 x 3 tiles, one tile row on each rank, and the last two ranks on one node: tile 00 arrives on the node once, and at the same
   time for both readers. */
START_TEST(a_node_reads_once)
{
    struct model_machine machine = seconds_machine(1);
    struct clear_wire wire;
    machine.wire = clear_wire(&wire, 0.25, 1.5);
    struct situation c = { .ranks = 3, .nt = 3, .nb = NB, .layout = "2dbc:3x1", .bcast = RMA_FLAT,
                           .node_of = (int[]){ 0, 1, 1 }, .nodes = 2 };
    struct model_rank ranks[3];
    struct model_outcome o = outcome_of(&c, &machine, ranks);
    /* potrf ends at 1, tile 00 arrives at 3, both trsm end at 4, syrk of tile 11 and potrf at 6, trsm of tile 21 at 7, and two
       more tasks at 9 */
    assert_near(o.makespan, 9.0);
    ck_assert_int_eq(ranks[1].transfers + ranks[2].transfers, 4);
    c.node_of = NULL;
    assert_near(outcome_of(&c, &machine, NULL).makespan, 9.0 + 2.0);    /* tile 11 is sent, too */
    free(wire.ends.entry);
}
END_TEST

/* Every rank is a node, with `threads` threads. A message takes 0.25 seconds, a tile 2. */
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

/* All tiles of column 0 are final after one second. The other rank reads them for column 1. */
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

/* The flags arrive at 1.25. One tile at a time is read from one rank, although the wire has room for more: they arrive at 3.5,
   5.75, 8, 10.25 and 12.5. */
START_TEST(one_read_of_one_rank)
{
    struct situation c = { .ranks = 2, .nt = 5, .layout = "2dbc:1x2", .schedule = OMPFACT_DYNAMIC };
    assert_near(seconds_to_read(read_column, c, ENDLESS), 1 + 0.25 + 5 * (0.25 + 2) + 1);
}
END_TEST

/* The same column for row 0, all of whose tiles are on one rank. */
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

/* One tile of each of sixteen ranks is read at once, and that of a seventeenth rank when a read has ended. */
START_TEST(sixteen_reads)
{
    struct situation c = { .ranks = 17, .nt = 17, .layout = "2dbc:17x1", .schedule = OMPFACT_DYNAMIC, .bcast = RMA_FLAT };
    assert_near(seconds_to_read(read_into_row, c, ENDLESS), 1 + 0.25 + (0.25 + 2) + 1);
    c = (struct situation){ .ranks = 18, .nt = 18, .layout = "2dbc:18x1", .schedule = OMPFACT_DYNAMIC, .bcast = RMA_FLAT };
    assert_near(seconds_to_read(read_into_row, c, ENDLESS), 1 + 0.25 + 2 * (0.25 + 2) + 1);
}
END_TEST

/* Four tasks read the last tile of the column, one after the other, and update the tile that is due first. */
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

/* Of three tiles whose flags arrive together the most urgent is read first: it arrives at 3.5, and its tasks end at 7.5, before
   the last tile arrives at 8. */
START_TEST(urgent_reads_first)
{
    struct situation c = { .ranks = 2, .nt = 4, .layout = "2dbc:1x2", .schedule = OMPFACT_DYNAMIC };
    assert_near(seconds_to_read(read_urgent_last, c, ENDLESS), 1 + 0.25 + 3 * (0.25 + 2) + 1);
}
END_TEST

/* Three tasks precede the one that reads tile 00. */
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

/* In order, on one thread, the third task is submitted at 2. Its slot exists from then on, long after the flag has arrived. */
START_TEST(flag_before_slot)
{
    struct situation c = { .ranks = 2, .nt = 3, .layout = "2dbc:1x2", .schedule = OMPFACT_STATIC };
    assert_near(seconds_to_read(read_late, c, 1), 2 + (0.25 + 2) + 1);
}
END_TEST

/* Every other rank has a task that reads tile 00. */
static void read_corner(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    for (int i = 0; i < A->mt && k == 0; i++)
        if (owns(A, i, 0))
            task_add(run, 1, fetch(A, 0, i == 0 ? 1 : 0), i == 0 ? final(A, 0, 0) : tile(A, i, 0));
}

/* In a chain a rank that has read a tile sends the flag to the next rank. */
START_TEST(flags_go_on)
{
    struct situation c = { .ranks = 4, .nt = 4, .layout = "2dbc:4x1", .schedule = OMPFACT_DYNAMIC, .bcast = RMA_FLAT };
    assert_near(seconds_to_read(read_corner, c, ENDLESS), 1 + (0.25 + 0.25 + 2) + 1);
    c.bcast = RMA_CHAIN;
    assert_near(seconds_to_read(read_corner, c, ENDLESS), 1 + 3 * (0.25 + 0.25 + 2) + 1);
}
END_TEST

static Suite *model_suite(void)
{
    Suite *suite = suite_create("transfers of the model");
    TCase *tests = tcase_create("transfers of the model");
    tcase_add_loop_test(tests, copies, 0, sizeof schedules / sizeof *schedules);
    tcase_add_test(tests, one_transfer);
    tcase_add_test(tests, transfers_with_signs);
    tcase_add_test(tests, no_transfer_on_a_node);
    tcase_add_test(tests, a_node_reads_once);
    tcase_add_test(tests, one_read_of_one_rank);
    tcase_add_test(tests, sixteen_reads);
    tcase_add_test(tests, urgent_reads_first);
    tcase_add_test(tests, flag_before_slot);
    tcase_add_test(tests, flags_go_on);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(model_suite());
}
