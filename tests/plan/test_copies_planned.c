/*
 * Plans of matrices in copies are compared with counts from the owners on all layers, step by step and tile by tile. A step's
 * panel is summed up on the layer that computes the step, and is sent to the owners of later tiles on that layer. No MPI.
 */
#include "src/ompfact_plan.h"
#include "tests/suite.h"

#include <math.h>

enum { NB = 10, MOST_RANKS = 256 };

struct counted {
    int64_t transfers, sums, elements, wire;
    double work[MOST_RANKS];
};

/* A plan, and properties that all its tiles share. */
struct planned {
    const ompfact_plan *plan;
    const ompfact_forecast *f;
    bool lu;
    int64_t n;
    int together;               /* the number of ranks on a node */
    enum { AS_PLANNED, IN_A_ROW, IN_TURN } placed;      /* the plan's owners, or a grid of rows x cols on each */
    int rows, cols;                                     /* layer, whose ranks follow one another or take turns */
    const double *speeds;       /* NULL: equal */
};

static int owner_of(const struct planned *p, int layer, int i, int j)
{
    int there = i % p->rows * p->cols + j % p->cols;
    int owner = p->placed == AS_PLANNED ? ompfact_plan_owner_in(p->plan, layer, i, j)
                : p->placed == IN_A_ROW ? layer * p->rows * p->cols + there : there * p->f->copies + layer;
    ck_assert_msg(owner >= 0 && owner < p->f->ranks, "tile (%d,%d) of layer %d is rank %d's", i, j, layer, owner);
    return owner;
}

static int64_t width(const struct planned *p, int i)
{
    int64_t left = p->n - (int64_t)i * NB;
    return left < NB ? left : NB;
}

/* Sends a tile from its owner to the marked ranks, and clears the marks. */
static void send(const struct planned *p, int i, int j, int owner, bool *reads, struct counted *c)
{
    bool node[MOST_RANKS] = { false };
    reads[owner] = false;
    node[owner / p->together] = true;
    for (int rank = 0; rank < p->f->ranks; rank++)
        if (reads[rank]) {
            reads[rank] = false;
            c->transfers++;
            c->elements += width(p, i) * width(p, j);
            c->wire += !node[rank / p->together];
            node[rank / p->together] = true;
        }
}

/* Marks the owners of tiles that the final tile updates. */
static void mark_readers(const struct planned *p, int layer, int i, int j, bool *reads)
{
    int nt = p->f->nt;
    for (int n = j + 1; n < (p->lu ? nt : i + 1) && (i >= j || !p->lu); n++)
        reads[owner_of(p, layer, i, n)] = true;
    for (int m = i + 1; m < nt && (i <= j || !p->lu); m++)
        reads[owner_of(p, layer, m, p->lu ? j : i)] = true;
}

static void count_tile(const struct planned *p, int i, int j, const int *done, struct counted *c)
{
    bool reads[MOST_RANKS] = { false };
    int k = i < j ? i : j, layer = ompfact_plan_layer_of_step(p->plan, k), owner = owner_of(p, layer, i, j);
    for (int q = 0; q < p->f->copies; q++) {
        int64_t before = c->transfers;
        if (q == layer || (q > 0 && done[q] == 0))
            continue;
        reads[owner] = true;
        send(p, i, j, owner_of(p, q, i, j), reads, c);
        c->sums += c->transfers - before;
        ck_assert_int_eq(c->transfers - before, 1);
    }
    mark_readers(p, layer, i, j, reads);
    send(p, i, j, owner, reads, c);
    c->work[owner] += i != j ? 1 : p->lu ? 2.0 / 3 : 1.0 / 3;
    for (int q = 0; q < p->f->copies; q++)
        if (done[q] > 0)
            c->work[owner_of(p, q, i, j)] += done[q] * (i == j && !p->lu ? 1 : 2);
}

static struct counted count(const struct planned *p)
{
    struct counted c = { 0 };
    int done[MOST_RANKS] = { 0 };
    for (int k = 0; k < p->f->nt; k++) {
        for (int i = k; i < p->f->nt; i++)
            count_tile(p, i, k, done, &c);
        for (int j = k + 1; j < p->f->nt && p->lu; j++)
            count_tile(p, k, j, done, &c);
        done[ompfact_plan_layer_of_step(p->plan, k)]++;
    }
    return c;
}

static double balance(const struct planned *p, const struct counted *c)
{
    double most = 0, all = 0;
    for (int rank = 0; rank < p->f->ranks; rank++) {
        most = fmax(most, c->work[rank]);
        all += c->work[rank];
    }
    return most * p->f->ranks / all;
}

/* The longest time of a rank over the time of an even share. */
static double balance_of_times(const struct planned *p, const struct counted *c)
{
    double most = 0, all = 0, together = 0;
    for (int rank = 0; rank < p->f->ranks; rank++) {
        most = fmax(most, c->work[rank] / p->speeds[rank]);
        all += c->work[rank];
        together += p->speeds[rank];
    }
    return most * together / all;
}

/* No rank is on two layers, and the forecast has the largest and the smallest number of tiles. */
static void check_tiles(const struct planned *p)
{
    int64_t tiles[MOST_RANKS] = { 0 }, most = 0, least = INT64_MAX;
    int layer_of[MOST_RANKS];
    memset(layer_of, -1, sizeof layer_of);
    for (int l = 0; l < p->f->copies; l++)
        for (int i = 0; i < p->f->nt; i++)
            for (int j = 0; j < (p->lu ? p->f->nt : i + 1); j++) {
                int owner = owner_of(p, l, i, j);
                ck_assert(layer_of[owner] < 0 || layer_of[owner] == l);
                layer_of[owner] = l;
                tiles[owner]++;
            }
    for (int rank = 0; rank < p->f->ranks; rank++) {
        most = tiles[rank] > most ? tiles[rank] : most;
        least = tiles[rank] < least ? tiles[rank] : least;
    }
    ck_assert_int_eq(p->f->tiles_max, most);
    ck_assert_int_eq(p->f->tiles_min, least);
}

static ompfact_job job_of(bool lu, int ranks, int copies, const char *layout, int nt)
{
    return (ompfact_job){ .routine = lu ? "getrf" : "potrf", .ranks = ranks, .options = { .pivot = OMPFACT_PIVOT_NONE },
                          .shape = { .m = nt * NB - 3, .n = nt * NB - 3, .nb = NB, .layout = layout, .copies = copies,
                                     .structure = lu ? OMPFACT_GENERAL : OMPFACT_HERMITIAN_LOWER } };
}

static void check_plan(const ompfact_job *job, int together)
{
    char why[OMPFACT_MESSAGE] = "";
    ompfact_plan *plan;
    ck_assert_msg(ompfact_plan_create(job, &plan, why) == OMPFACT_SUCCESS, "%d ranks, %d copies: %s", job->ranks,
                  (int)job->shape.copies, why);
    struct planned p = { .plan = plan, .f = ompfact_plan_forecast(plan), .lu = job->shape.structure == OMPFACT_GENERAL,
                         .n = job->shape.n, .together = together, .rows = 1, .cols = 1, .speeds = job->shape.speeds };
    struct counted c = count(&p);
    ck_assert_int_eq(p.f->copies, job->shape.copies);
    ck_assert_msg(p.f->transfers == c.transfers && p.f->transfers_sums == c.sums, "%s, %d ranks, %d copies, %s: %lld, sums %lld; "
                  "counted %lld and %lld", job->routine, job->ranks, p.f->copies, p.f->layout, (long long)p.f->transfers,
                  (long long)p.f->transfers_sums, (long long)c.transfers, (long long)c.sums);
    ck_assert_int_eq(p.f->transfer_bytes, c.elements * (int64_t)sizeof(double));
    ck_assert_int_eq(p.f->wire_transfers, c.wire);
    ck_assert_double_eq_tol(p.f->flops_max_over_mean, balance(&p, &c), 1e-9);
    if (p.speeds != NULL)
        ck_assert_double_eq_tol(p.f->abe_max_over_mean, balance_of_times(&p, &c), 1e-9);
    check_tiles(&p);
    ompfact_plan_destroy(&plan);
}

static const int rank_counts[] = { 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 23, 31, 47, 64, 101, 127, 256 };
enum { RANK_COUNTS = sizeof rank_counts / sizeof *rank_counts };

/* Counts for one to four copies on any number of ranks: transfers and sums, bytes, balance and tiles. */
START_TEST(counts)
{
    static const char *const layouts[] = { "auto", "2dbc", "g2dbc", "auto" };
    int ranks = rank_counts[_i];
    for (int copies = 1; copies <= 4 && copies <= ranks; copies++)
        for (int lu = 0; lu < 2; lu++) {
            ompfact_job job = job_of(lu, ranks, copies, layouts[(copies + _i) % 4], 24 + _i % 5);
            check_plan(&job, 1);
        }
}
END_TEST

/* Counts of tiles that cross between nodes, with layers of whole nodes and others. */
START_TEST(nodes)
{
    static const int ranks[] = { 12, 12, 16, 15, 7 }, together[] = { 4, 3, 2, 5, 3 };
    for (int copies = 2; copies <= 3; copies++)
        for (int lu = 0; lu < 2; lu++) {
            ompfact_job job = job_of(lu, ranks[_i], copies, "auto", 26);
            job.ranks_per_node = together[_i];
            check_plan(&job, together[_i]);
        }
}
END_TEST

/* Equal layers take turns. Larger ones execute more steps, in proportion as far as whole steps allow. */
START_TEST(turns)
{
    static const int ranks[] = { 8, 9, 13, 7 }, copies[] = { 2, 3, 2, 3 };
    ompfact_job job = job_of(false, ranks[_i], copies[_i], "auto", 60);
    ompfact_plan *plan;
    int done[4] = { 0 };
    ck_assert_int_eq(ompfact_plan_create(&job, &plan, NULL), OMPFACT_SUCCESS);
    for (int k = 0; k < 60; k++) {
        int layer = ompfact_plan_layer_of_step(plan, k);
        ck_assert(ranks[_i] % copies[_i] != 0 || layer == k % copies[_i]);
        done[layer]++;
    }
    for (int l = 0; l < copies[_i]; l++) {
        int own = ranks[_i] / copies[_i] + (l < ranks[_i] % copies[_i]);
        ck_assert_msg(fabs(done[l] - 60.0 * own / ranks[_i]) <= 1, "layer %d executes %d steps", l, done[l]);
    }
    ompfact_plan_destroy(&plan);
}
END_TEST

/* With ranks of unequal speed layers execute steps in proportion to their speeds, and take turns where these are equal. The
   unit of speeds does not matter. */
START_TEST(speeds)
{
    static const int ranks[] = { 6, 8, 9, 13, 12, 4 }, copies[] = { 2, 2, 3, 2, 4, 2 };
    double speed[MOST_RANKS], of_layer[4] = { 0 }, all = 0;
    for (int lu = 0; lu < 2; lu++) {
        ompfact_job job = job_of(lu, ranks[_i], copies[_i], "auto", 60);
        ompfact_plan *plan;
        int done[4] = { 0 };
        for (int rank = 0; rank < ranks[_i]; rank++)
            speed[rank] = _i == 5 ? 0.1 : rank < ranks[_i] / 2 ? 3 : 1 + rank % 2;
        job.shape.speeds = speed;
        check_plan(&job, 1);
        ck_assert_int_eq(ompfact_plan_create(&job, &plan, NULL), OMPFACT_SUCCESS);
        memset(of_layer, 0, sizeof of_layer);
        all = 0;
        for (int rank = 0, l = 0, left = 0; rank < ranks[_i]; rank++, left--) {
            if (left == 0 && rank > 0)
                l++;
            left = left == 0 ? ranks[_i] / copies[_i] + (l < ranks[_i] % copies[_i]) : left;
            of_layer[l] += speed[rank];
            all += speed[rank];
        }
        for (int k = 0; k < 60; k++) {
            int layer = ompfact_plan_layer_of_step(plan, k);
            ck_assert(_i != 5 || layer == k % 2);
            done[layer]++;
        }
        for (int l = 0; l < copies[_i]; l++)
            ck_assert_msg(fabs(done[l] - 60 * of_layer[l] / all) <= 1, "layer %d of speed %g executes %d steps", l, of_layer[l],
                          done[l]);
        double abe = ompfact_plan_forecast(plan)->abe_max_over_mean;
        ck_assert_msg(abe < 1.4, "%g", abe);
        ompfact_plan_destroy(&plan);
    }
}
END_TEST

/* The placement of layers minimizes the tiles that cross between nodes: each layer is on few nodes, or on all. */
START_TEST(placed)
{
    static const struct {
        int rows, cols, copies, together;
        bool in_turn;
    } cases[] = { { 2, 2, 2, 2, false }, { 2, 4, 2, 4, true }, { 2, 3, 3, 3, false }, { 5, 6, 2, 2, false },
                  { 4, 4, 4, 4, false }, { 6, 6, 2, 3, false } };
    for (int lu = 0; lu < 2; lu++) {
        char layout[32];
        int ranks = cases[_i].rows * cases[_i].cols * cases[_i].copies;
        ompfact_plan *plan;
        snprintf(layout, sizeof layout, "2dbc:%dx%d", cases[_i].rows, cases[_i].cols);
        ompfact_job job = job_of(lu, ranks, cases[_i].copies, layout, 30);
        job.ranks_per_node = cases[_i].together;
        check_plan(&job, cases[_i].together);
        ck_assert_int_eq(ompfact_plan_create(&job, &plan, NULL), OMPFACT_SUCCESS);
        struct planned p = { .plan = plan, .f = ompfact_plan_forecast(plan), .lu = lu, .n = job.shape.n, .rows = cases[_i].rows,
                             .cols = cases[_i].cols, .together = cases[_i].together, .placed = IN_A_ROW };
        int64_t in_a_row = count(&p).wire;
        p.placed = IN_TURN;
        int64_t in_turn = count(&p).wire;
        ck_assert_msg(p.f->wire_transfers == (in_turn < in_a_row ? in_turn : in_a_row), "%s: %lld, in a row %lld, in turn %lld",
                      layout, (long long)p.f->wire_transfers, (long long)in_a_row, (long long)in_turn);
        ompfact_layer_nodes order = ompfact_plan_layer_nodes(plan);
        ck_assert(order.compared && order.in_turn == (in_turn < in_a_row) && order.wire_transfers_in_a_row == in_a_row &&
                  order.wire_transfers_in_turn == in_turn);
        ck_assert_msg((in_turn < in_a_row) == cases[_i].in_turn || lu, "%s: in a row %lld, in turn %lld", layout,
                      (long long)in_a_row, (long long)in_turn);
        ompfact_plan_destroy(&plan);
    }
}
END_TEST

/* Upper triangles have the counts of lower ones, with each tile at its mirrored place. */
START_TEST(upper)
{
    ompfact_job job = job_of(false, 7, 2, "auto", 30);
    ompfact_plan *lower, *other;
    ck_assert_int_eq(ompfact_plan_create(&job, &lower, NULL), OMPFACT_SUCCESS);
    job.shape.structure = OMPFACT_HERMITIAN_UPPER;
    ck_assert_int_eq(ompfact_plan_create(&job, &other, NULL), OMPFACT_SUCCESS);
    ck_assert_int_eq(ompfact_plan_forecast(lower)->transfers, ompfact_plan_forecast(other)->transfers);
    for (int l = 0; l < 2; l++)
        ck_assert(ompfact_plan_owner_in(lower, l, 9, 4) == ompfact_plan_owner_in(other, l, 4, 9) &&
                  ompfact_plan_owner_in(other, l, 9, 4) == -1);
    ompfact_plan_destroy(&lower);
    ompfact_plan_destroy(&other);
}
END_TEST

static void assert_refused(const ompfact_job *job, const char *word)
{
    char why[OMPFACT_MESSAGE] = "";
    ompfact_plan *plan;
    ck_assert(ompfact_plan_create(job, &plan, why) != OMPFACT_SUCCESS);
    ck_assert_ptr_null(plan);
    ck_assert_msg(strstr(why, "copies") != NULL && strstr(why, word) != NULL, "%s", why);
}

/* Routines that do not support copies refuse them with a message. */
START_TEST(refused)
{
    ompfact_job job = job_of(true, 4, 5, "auto", 20), good = job_of(true, 4, 2, "auto", 20);
    assert_refused(&job, "4 ranks");
    job = good;
    job.shape.copies = -1;
    assert_refused(&job, "1 to 4");
    job = good;
    job.options.pivot = OMPFACT_PIVOT_TOURNAMENT;
    assert_refused(&job, "pivoting");
    job = good;
    job.routine = "geqrf";
    assert_refused(&job, "potrf");
    job = good;
    job.routine = "getri";
    assert_refused(&job, "potrf");
    job = good;
    job.partial = 20;
    assert_refused(&job, "parts");
    job = good;
    job.options.abft = true;
    assert_refused(&job, "abft");
    job = good;
    job.shape.accuracy = 1e-3;
    assert_refused(&job, "accuracy");
}
END_TEST

/* Slow wires lead to more copies where memory allows them. Unknown or fast wires lead to one. */
START_TEST(choice)
{
    ompfact_job job = job_of(false, 64, 0, "auto", 100);
    ompfact_copies c;
    ck_assert_int_eq(ompfact_plan_copies(&job, &c, NULL), OMPFACT_SUCCESS);
    ck_assert(c.copies == 1);
    job.wire_rate = 1e5;
    ck_assert_int_eq(ompfact_plan_copies(&job, &c, NULL), OMPFACT_SUCCESS);
    ck_assert(c.copies > 1 && c.seconds < c.seconds_of_one);
    job.memory = 1 << 20;
    ck_assert_int_eq(ompfact_plan_copies(&job, &c, NULL), OMPFACT_SUCCESS);
    ck_assert(c.copies == 1 && c.seconds == c.seconds_of_one);
    job.memory = 0;
    job.wire_rate = 1e12;
    ck_assert_int_eq(ompfact_plan_copies(&job, &c, NULL), OMPFACT_SUCCESS);
    ck_assert_int_eq(c.copies, 1);
    job.routine = "posv";
    job.nrhs = 1;
    job.refined = true;
    job.wire_rate = 1e5;
    ck_assert_int_eq(ompfact_plan_copies(&job, &c, NULL), OMPFACT_SUCCESS);
    ck_assert(c.copies == 1 && isnan(c.seconds));
    job.routine = "potrf";
    job.refined = false;
    job.ranks_per_node = 64;
    ck_assert_int_eq(ompfact_plan_copies(&job, &c, NULL), OMPFACT_SUCCESS);
    ck_assert_int_eq(c.copies, 1);
    job.ranks_per_node = 1;
    job.routine = "geqrf";
    job.shape.structure = OMPFACT_GENERAL;
    ck_assert_int_eq(ompfact_plan_copies(&job, &c, NULL), OMPFACT_SUCCESS);
    ck_assert_int_eq(c.copies, 1);
}
END_TEST

/* With sums the chain of steps is longer than without, at most by a transfer of a tile and an addition in each step. */
START_TEST(chains)
{
    for (int lu = 0; lu < 2; lu++) {
        double of_one = NAN;
        for (int copies = 1; copies <= 3; copies++) {
            ompfact_job job = job_of(lu, 12, copies, "2dbc", 40);
            ompfact_plan *plan;
            job.bounds = true;
            job.wire_rate = 1e6;
            job.wire_latency = 1e-3;
            ck_assert_int_eq(ompfact_plan_create(&job, &plan, NULL), OMPFACT_SUCCESS);
            double chain = ompfact_plan_forecast(plan)->chain_bound_s, way = 1e-3 + NB * NB * 8 / 1e6;
            of_one = copies == 1 ? chain : of_one;
            ck_assert_msg(copies == 1 ? chain > 0 : chain > of_one && chain < of_one + 40 * 1.5 * way,
                          "%d copies: %g, one %g, transfer %g", copies, chain, of_one, way);
            ompfact_plan_destroy(&plan);
        }
    }
}
END_TEST

/* Copies send fewer tiles than any layout of one copy. */
START_TEST(fewer)
{
    ompfact_job one = job_of(false, 64, 1, "auto", 150), two = job_of(false, 64, 2, "auto", 150);
    ompfact_plan *a, *b;
    ck_assert_int_eq(ompfact_plan_create(&one, &a, NULL), OMPFACT_SUCCESS);
    ck_assert_int_eq(ompfact_plan_create(&two, &b, NULL), OMPFACT_SUCCESS);
    ck_assert((double)ompfact_plan_forecast(b)->transfers < 0.83 * (double)ompfact_plan_forecast(a)->transfers);
    ck_assert(ompfact_plan_forecast(b)->flops_max_over_mean < 1.05);
    ompfact_plan_destroy(&a);
    ompfact_plan_destroy(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("copies");
    TCase *tcase = tcase_create("copies");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, counts, 0, RANK_COUNTS);
    tcase_add_loop_test(tcase, nodes, 0, 5);
    tcase_add_loop_test(tcase, turns, 0, 4);
    tcase_add_loop_test(tcase, speeds, 0, 6);
    tcase_add_loop_test(tcase, placed, 0, 6);
    tcase_add_test(tcase, upper);
    tcase_add_test(tcase, refused);
    tcase_add_test(tcase, choice);
    tcase_add_test(tcase, chains);
    tcase_add_test(tcase, fewer);
    suite_add_tcase(suite, tcase);
    return run_serial_suite(suite);
}
