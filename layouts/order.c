/*
 * The order of a symmetric pattern's colrows. Any order has the same cost T, but on a finite matrix not the same balance: a tile's
 * work grows with the step in which it becomes final, and a pattern that repeats only a few times does not even that out.
 *
 * Iterated local search: exchange two colrows wherever that lowers the sum of squares of the work that ranks have above the mean
 * (ranks below it can still be given free diagonal tiles); then shake the best order a little, and again.
 */
#include <string.h>

#include "layouts/internal.h"
#include "layouts/random.h"

struct order {
    struct pattern *pattern;
    int r, ranks;
    double *weight;             /* r x r: work of all the tiles that a cell stands for */
    double *work;               /* of each rank */
    double mean;                /* of all work, free cells included */
    double *change;             /* of each rank, by the exchange at hand; zero between exchanges */
    struct rank_set changed;    /* the ranks that it is not zero for, */
    int *touched;               /*   in the order in which they were met */
};

/* The tiles (i,j), i >= j, with i = a and j = b modulo r. */
static void weigh(struct order *o, int nt)
{
    double total = 0;
    for (int j = 0; j < nt; j++)
        for (int i = j; i < nt; i++) {
            double here = (double)layout_work(LAYOUT_CHOLESKY, i, j);
            o->weight[(int64_t)(i % o->r) * o->r + j % o->r] += here;
            total += here;
        }
    o->mean = total / o->ranks;
    for (int64_t c = 0; c < (int64_t)o->r * o->r; c++)
        if (o->pattern->cell[c] != LAYOUT_FREE) o->work[o->pattern->cell[c]] += o->weight[c];
}

static void change(struct order *o, int a, int b, double amount)
{
    int rank = o->pattern->cell[(int64_t)a * o->r + b];
    if (rank == LAYOUT_FREE) return;
    if (!rank_set_has(&o->changed, rank)) o->touched[o->changed.count] = rank;
    rank_set_add(&o->changed, rank);
    o->change[rank] += amount;
}

/* What the ranks gain when colrows x and y change places: each cell keeps its rank and gets the other cell's weight. */
static void collect(struct order *o, int x, int y)
{
    const double *w = o->weight;
    int64_t r = o->r;
    rank_set_clear(&o->changed);
    for (int k = 0; k < o->r; k++) {
        if (k == x || k == y) continue;
        double row = w[y * r + k] - w[x * r + k], col = w[k * r + y] - w[k * r + x];
        change(o, x, k, row);
        change(o, y, k, -row);
        change(o, k, x, col);
        change(o, k, y, -col);
    }
    double inside = w[y * r + x] - w[x * r + y], diagonal = w[y * (r + 1)] - w[x * (r + 1)];
    change(o, x, y, inside);
    change(o, y, x, -inside);
    change(o, x, x, diagonal);
    change(o, y, y, -diagonal);
}

static double excess(const struct order *o, double work)
{
    return work > o->mean ? (work - o->mean) * (work - o->mean) : 0;
}

/* Makes the changes, and forgets them. */
static void apply(struct order *o)
{
    for (int k = 0; k < o->changed.count; k++) {
        int rank = o->touched[k];
        o->work[rank] += o->change[rank];
        o->change[rank] = 0;
    }
}

/* Makes the changes where the sum of squares falls, by more than rounding. Returns whether they were made. */
static int settle(struct order *o)
{
    double gain = 0;
    for (int k = 0; k < o->changed.count; k++) {
        int rank = o->touched[k];
        gain += excess(o, o->work[rank]) - excess(o, o->work[rank] + o->change[rank]);
    }
    int falls = gain > 1e-9 * o->mean * o->mean;
    if (falls) apply(o);
    for (int k = 0; k < o->changed.count; k++)
        o->change[o->touched[k]] = 0;
    return falls;
}

static void exchange(struct pattern *p, int x, int y)
{
    int r = p->cols;
    for (int k = 0; k < r; k++) {
        int keep = p->cell[(int64_t)x * r + k];
        p->cell[(int64_t)x * r + k] = p->cell[(int64_t)y * r + k];
        p->cell[(int64_t)y * r + k] = keep;
    }
    for (int k = 0; k < r; k++) {
        int keep = p->cell[(int64_t)k * r + x];
        p->cell[(int64_t)k * r + x] = p->cell[(int64_t)k * r + y];
        p->cell[(int64_t)k * r + y] = keep;
    }
}

/* Sweeps over all pairs until none helps, or so many cells have been looked at. Returns how many were. */
static int64_t descend(struct order *o, int64_t most_cells)
{
    int64_t looked = 0;
    for (int any = 1; any && looked < most_cells;) {
        any = 0;
        for (int x = 0; x < o->r; x++)
            for (int y = x + 1; y < o->r && looked < most_cells; y++, looked += 4 * (int64_t)o->r) {
                collect(o, x, y);
                if (!settle(o)) continue;
                exchange(o->pattern, x, y);
                any = 1;
            }
    }
    return looked;
}

static double total_excess(const struct order *o)
{
    double sum = 0;
    for (int rank = 0; rank < o->ranks; rank++)
        sum += excess(o, o->work[rank]);
    return sum;
}

/* Some colrows change places at random, whatever it costs. */
static void shake(struct order *o, uint64_t *random)
{
    enum { EXCHANGES = 3 };
    for (int k = 0; k < EXCHANGES; k++) {
        int x = random_below(random, o->r), y = random_below(random, o->r);
        if (x == y) continue;
        collect(o, x, y);
        apply(o);
        exchange(o->pattern, x, y);
    }
}

/* Descends, and again from neighbours of the best order so far, until so many cells have been looked at. 1: no memory. */
static int search(struct order *o, int64_t most_cells)
{
    size_t cells = (size_t)o->r * (size_t)o->r * sizeof *o->pattern->cell, ranks = (size_t)o->ranks * sizeof *o->work;
    int *cell = malloc(cells);
    double *work = malloc(ranks);
    int failed = !cell || !work;
    uint64_t random = 1;
    int64_t looked = failed ? most_cells : descend(o, most_cells);
    double best = total_excess(o);
    while (looked < most_cells && best > 0) {
        memcpy(cell, o->pattern->cell, cells);
        memcpy(work, o->work, ranks);
        shake(o, &random);
        looked += descend(o, most_cells - looked);
        if (total_excess(o) < best) {
            best = total_excess(o);
        } else {
            memcpy(o->pattern->cell, cell, cells);
            memcpy(o->work, work, ranks);
        }
    }
    free(cell);
    free(work);
    return failed;
}

int pattern_order(struct pattern *pattern, int nt)
{
    const int64_t least = 4000000, most = 60000000;     /* cells to look at: some 10 ms, and 150 ms for hundreds of colrows */
    struct order o = {.pattern = pattern, .r = pattern->rows, .ranks = pattern->ranks};
    size_t cells = (size_t)pattern->rows * (size_t)pattern->cols, ranks = (size_t)pattern->ranks;
    if (pattern->rows != pattern->cols || pattern->rows < 2) return 0;
    o.weight = calloc(cells, sizeof *o.weight);
    o.work = calloc(ranks, sizeof *o.work);
    o.change = calloc(ranks, sizeof *o.change);
    o.touched = calloc(ranks, sizeof *o.touched);
    int failed = rank_set_create(&o.changed, pattern->ranks) || !o.weight || !o.work || !o.change || !o.touched;
    if (!failed) {
        weigh(&o, nt);
        int64_t sweep = 2 * (int64_t)o.r * o.r * o.r, budget = 4 * sweep < least ? least : 4 * sweep;
        failed = search(&o, budget < most ? budget : most);
    }
    free(o.weight);
    free(o.work);
    free(o.change);
    free(o.touched);
    rank_set_destroy(&o.changed);
    return failed;
}
