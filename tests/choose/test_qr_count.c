/* The counts of QR, from one column of each kind, compared with a walk over all tasks of every rank. */
#include "src/choose/choose.h"
#include "src/factor/reflectors.h"
#include "tests/suite.h"

#include <math.h>

enum { NB = 10 };

static const struct { int64_t m, n; } sizes[] = { { 200, 200 }, { 203, 197 }, { 350, 64 }, { 95, 95 }, { 64, 350 },
                                                        { 10, 300 }, { 300, 10 }, { 7, 5 } };
static const char *const layouts[] = { "g2dbc", "2dbc", "1d1d" };
static const int rank_counts[] = { 1, 2, 5, 6, 11, 23 };
enum { SIZES = sizeof sizes / sizeof sizes[0], LAYOUTS = 3, RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0], TREES = 4,
       MOST_RANKS = 23 };

/* Counts task by task, like a run. nodes: NULL if each rank is a node. */
static struct run_tally walk(ompfact_matrix *A, ompfact_tree tree, const struct rma_nodes *nodes)
{
    struct reflectors Q;
    struct travel t;
    struct run_tally tally;
    ck_assert(reflectors_plan(A, tree, 0, &Q) && travel_plan(&Q, A, &t));
    struct job job = { .A = A, .algorithm = &qr, .reflectors = &Q, .travel = &t, .trans = CONJ_TRANS,
                       .first = A->done, .seen = calloc((size_t)A->ranks, 1) };
    struct run_plan plan = { .loops = factor_loops, .context = &job, .readers = job_readers, .routes = true };
    run_count(&plan, nodes, &tally);
    ck_assert(!tally.no_memory);
    free(job.seen);
    travel_free(&t);
    reflectors_free(&Q);
    return tally;
}

/* done: all steps except the last one. */
static void check_counts(const ompfact_shape *shape, int ranks, ompfact_tree tree, int done)
{
    struct pattern *pattern;
    ompfact_matrix *A;
    struct task_counts counts;
    char text[MESSAGE] = "";
    int64_t transfers = 0, bytes = 0, wire = 0, wire_bytes = 0;
    double flops = 0, most = 0;
    int node_of[MOST_RANKS];
    for (int rank = 0; rank < ranks; rank++)
        node_of[rank] = rank / 3;
    struct rma_nodes nodes = { .ranks = ranks, .node_of = node_of, .count = (ranks + 2) / 3, .in_place = true };
    ck_assert_msg(shape_pattern(shape, ranks, 0, &pattern, text) == OMPFACT_SUCCESS, "%s", text);
    ck_assert_msg(matrix_on_paper(shape, pattern, 0, &A, text) == OMPFACT_SUCCESS, "%s", text);
    A->done = done < steps_of(A) ? done : steps_of(A) - 1;
    for (A->me = 0; A->me < ranks; A->me++) {
        nodes.rank = A->me;
        struct run_tally tally = walk(A, tree, &nodes);
        struct run_needs needs;
        ck_assert(qr_needs(A, tree, 0, &needs));
        ck_assert_msg(needs.tally.tasks == tally.tasks && needs.tally.transfers == tally.transfers &&
                          needs.tally.step_tiles == tally.step_tiles && needs.tally.step_tiles_next == tally.step_tiles_next,
                      "rank %d: %lld tasks, %lld transfers, %d and %d tiles, not %lld, %lld, %d, %d", A->me,
                      (long long)needs.tally.tasks, (long long)needs.tally.transfers, needs.tally.step_tiles,
                      needs.tally.step_tiles_next, (long long)tally.tasks, (long long)tally.transfers, tally.step_tiles,
                      tally.step_tiles_next);
        transfers += tally.transfers;
        bytes += tally.transfer_bytes;
        wire += tally.wire_transfers;
        wire_bytes += tally.wire_bytes;
        flops += tally.flops;
        most = tally.flops > most ? tally.flops : most;
    }
    A->me = 0;
    ck_assert(qr_count(A, tree, 0, NULL, NULL, &counts));
    ck_assert_msg(counts.transfers == transfers && counts.transfer_bytes == bytes, "%lld transfers of %lld bytes, not %lld, %lld",
                  (long long)counts.transfers, (long long)counts.transfer_bytes, (long long)transfers, (long long)bytes);
    ck_assert(counts.wire_transfers == transfers && counts.wire_bytes == bytes);
    ck_assert_msg(fabs(counts.flops_max_over_mean - most * ranks / flops) < 1e-12, "%g", counts.flops_max_over_mean);
    ck_assert(qr_count(A, tree, 0, &nodes, NULL, &counts));
    ck_assert(counts.transfers == transfers && counts.wire_transfers == wire && counts.wire_bytes == wire_bytes);
    ompfact_matrix_destroy(&A);
}

/* Counts are right for several sizes, layouts, numbers of ranks and trees. */
START_TEST(like_the_walk)
{
    for (int s = 0; s < SIZES; s++)
        for (int l = 0; l < LAYOUTS; l++)
            check_counts(&(ompfact_shape){ .m = sizes[s].m, .n = sizes[s].n, .nb = NB, .layout = layouts[l],
                                           .purpose = OMPFACT_FOR_QR },
                         rank_counts[_i % RANK_COUNTS], (ompfact_tree)(_i / RANK_COUNTS), (_i + s + l) % 3 * 4);
}
END_TEST

/* Tile columns of several widths are of several kinds, and counts are right. */
START_TEST(uneven_tiles)
{
    enum { TILES = 30 };
    int heights[TILES];
    int64_t size = 0;
    for (int i = 0; i < TILES; i++)
        size += heights[i] = 3 + i % 7 % 3;
    check_counts(&(ompfact_shape){ .m = size, .n = size, .row_heights = heights, .col_widths = heights, .mt = TILES, .nt = TILES,
                                   .layout = "g2dbc" },
                 rank_counts[_i], OMPFACT_TREE_AUTO, 0);
}
END_TEST

static void look(void *context, double done)
{
    double *last = context;
    ck_assert(done >= *last && done <= 1 + 1e-12);
    *last = done;
}

/* The progress callback gets rising numbers that end at 1. */
START_TEST(watched)
{
    struct pattern *pattern;
    ompfact_matrix *A;
    struct task_counts counts;
    char text[MESSAGE];
    double last = 0;
    ompfact_shape shape = { .m = 20 * NB, .n = 20 * NB, .nb = NB, .layout = "g2dbc" };
    ck_assert(shape_pattern(&shape, 3, 0, &pattern, text) == OMPFACT_SUCCESS);
    ck_assert(matrix_on_paper(&shape, pattern, 0, &A, text) == OMPFACT_SUCCESS);
    ck_assert(qr_count(A, OMPFACT_TREE_AUTO, 0, NULL, &(struct watcher){ look, &last }, &counts));
    ck_assert_msg(fabs(last - 1) < 1e-12, "%g", last);
    ompfact_matrix_destroy(&A);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("qr_count");
    TCase *tests = tcase_create("qr_count");
    tcase_add_loop_test(tests, like_the_walk, 0, TREES * RANK_COUNTS);
    tcase_add_loop_test(tests, uneven_tiles, 0, RANK_COUNTS);
    tcase_add_test(tests, watched);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
