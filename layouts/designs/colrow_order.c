/*
 * The order of a symmetric pattern's colrows. All orders have the same cost T, but on a finite matrix not the same balance:
 * the work of a tile increases with the step in which it becomes final, and a pattern that repeats only a few times does not
 * balance this.
 *
 * Iterated local search: exchange two colrows if that lowers the sum of squares of the work that ranks have above the mean
 * (ranks below it can still get free diagonal tiles); then change the best order slightly, and repeat. The best order is the
 * one whose most loaded rank, with its free tiles, has the least work.
 */
#include "layouts/arithmetic.h"
#include "layouts/builders.h"
#include "layouts/free_cells.h"
#include "layouts/random.h"
#include "layouts/rank_set.h"
#include "layouts/work.h"

#include <stdlib.h>
#include <string.h>

struct order {
    struct pattern *pattern;
    int r, ranks;
    int64_t *weight;            /* r x r: work of all tiles of a cell */
    int64_t *work;              /* work of each rank, without free tiles */
    int64_t mean;               /* mean of all work, including free tiles */
    int64_t *change;            /* change of each rank by the present exchange; zero between exchanges */
    struct rank_set changed;    /* the ranks whose change is not zero */
    int *touched;               /* these ranks in the order in which they were added */
    struct free_tile *free;
    int free_count;
};

static void weigh(struct order *o, int nt)
{
    int64_t total = 0;
    for (int a = 0; a < o->r; a++)
        for (int b = 0; b < o->r; b++)
            total += o->weight[(int64_t)a * o->r + b] = layout_work_of_cell(a, b, o->r, nt);
    o->mean = total / o->ranks;
    add_work_of_cells(o->pattern, nt, o->work);
}

static void change(struct order *o, int a, int b, int64_t amount)
{
    int rank = o->pattern->cell[(int64_t)a * o->r + b];
    if (rank == LAYOUT_FREE)
        return;
    if (!rank_set_has(&o->changed, rank))
        o->touched[o->changed.count] = rank;
    rank_set_add(&o->changed, rank);
    o->change[rank] += amount;
}

/* Computes the changes when colrows x and y are exchanged: each cell keeps its rank and gets the other cell's weight. */
static void collect(struct order *o, int x, int y)
{
    const int64_t *w = o->weight;
    int64_t r = o->r;
    rank_set_clear(&o->changed);
    for (int k = 0; k < o->r; k++) {
        if (k == x || k == y)
            continue;
        int64_t row = w[y * r + k] - w[x * r + k], col = w[k * r + y] - w[k * r + x];
        change(o, x, k, row);
        change(o, y, k, -row);
        change(o, k, x, col);
        change(o, k, y, -col);
    }
    int64_t inside = w[y * r + x] - w[x * r + y], diagonal = w[y * (r + 1)] - w[x * (r + 1)];
    change(o, x, y, inside);
    change(o, y, x, -inside);
    change(o, x, x, diagonal);
    change(o, y, y, -diagonal);
}

static double excess(const struct order *o, int64_t work)
{
    double above = work > o->mean ? (double)(work - o->mean) : 0;
    return above * above;
}

/* Applies the changes, and sets them to zero. */
static void apply(struct order *o)
{
    for (int k = 0; k < o->changed.count; k++) {
        int rank = o->touched[k];
        o->work[rank] += o->change[rank];
        o->change[rank] = 0;
    }
}

/* Applies the changes if the sum of squares decreases. Returns whether it did. */
static bool settle(struct order *o)
{
    double gain = 0;
    for (int k = 0; k < o->changed.count; k++) {
        int rank = o->touched[k];
        gain += excess(o, o->work[rank]) - excess(o, o->work[rank] + o->change[rank]);
    }
    bool falls = gain > 0;
    if (falls)
        apply(o);
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

/* Exchanges colrows at a distance of `step`, around the pattern, if that helps. Returns whether any exchange did. */
static bool exchange_apart(struct order *o, int step, int64_t most_cells, int64_t *examined)
{
    /* Larger steps are the same pairs in the other direction. */
    bool any = false;
    int pairs = 2 * step < o->r ? o->r : 2 * step == o->r ? step : 0;
    for (int x = 0; x < pairs && *examined < most_cells; x++, *examined += 4 * (int64_t)o->r) {
        int y = (x + step) % o->r;
        collect(o, x, y);
        if (!settle(o))
            continue;
        exchange(o->pattern, x, y);
        any = true;
    }
    return any;
}

/*
 * Sweeps over all pairs until no exchange helps, or the limit of examined cells is reached. Returns the number of examined
 * cells. For a large pattern the limit allows less than one sweep: pairs are ordered by their distance, with small and large
 * distances in turn, so that every colrow can move early.
 */
static int64_t descend(struct order *o, int64_t most_cells)
{
    int64_t examined = 0;
    int stride = o->r * 3 / 8 + 1;
    while (gcd(stride, o->r) != 1)
        stride++;
    for (bool any = true; any && examined < most_cells;) {
        any = false;
        for (int k = 1, step = stride; k < o->r; k++, step = (step + stride) % o->r)
            any |= exchange_apart(o, step, most_cells, &examined);
    }
    return examined;
}

/* The work of the most loaded rank after the free tiles are distributed, as a layout does it. */
static int64_t most_loaded(struct order *o)
{
    int64_t most = 0;
    memcpy(o->change, o->work, (size_t)o->ranks * sizeof *o->change);
    for (const struct free_tile *t = o->free; t < o->free + o->free_count; t++)
        o->change[least_loaded_of_colrow(o->pattern, t->i % o->r, o->change)] += t->work;
    for (int rank = 0; rank < o->ranks; rank++) {
        if (o->change[rank] > most)
            most = o->change[rank];
        o->change[rank] = 0;
    }
    return most;
}

/* Exchanges some random colrows, at any cost. */
static void shake(struct order *o, uint64_t *random)
{
    enum { EXCHANGES = 3 };
    for (int k = 0; k < EXCHANGES; k++) {
        int x = random_below(random, o->r), y = random_below(random, o->r);
        if (x == y)
            continue;
        collect(o, x, y);
        apply(o);
        exchange(o->pattern, x, y);
    }
}

static double total_excess(const struct order *o)
{
    double sum = 0;
    for (int rank = 0; rank < o->ranks; rank++)
        sum += excess(o, o->work[rank]);
    return sum;
}

/* An order to which the search may return. */
struct place {
    int *cell;
    int64_t *work;
};

static int place_create(struct place *place, const struct order *o)
{
    place->cell = malloc((size_t)o->r * (size_t)o->r * sizeof *place->cell);
    place->work = malloc((size_t)o->ranks * sizeof *place->work);
    return place->cell == NULL || place->work == NULL;
}

static void place_destroy(struct place *place)
{
    free(place->cell);
    free(place->work);
}

static void leave_mark(const struct order *o, struct place *place)
{
    memcpy(place->cell, o->pattern->cell, (size_t)o->r * (size_t)o->r * sizeof *place->cell);
    memcpy(place->work, o->work, (size_t)o->ranks * sizeof *place->work);
}

static void come_back(struct order *o, const struct place *place)
{
    memcpy(o->pattern->cell, place->cell, (size_t)o->r * (size_t)o->r * sizeof *place->cell);
    memcpy(o->work, place->work, (size_t)o->ranks * sizeof *place->work);
}

/* Descends, and descends again from neighbours of the order with the least sum of squares so far, until the limit of examined
   cells is reached. Ends with the order whose most loaded rank had the least work. Returns 0, or 1 without memory. */
static int search(struct order *o, int64_t most_cells)
{
    struct place here, best;
    int failed = place_create(&here, o) | place_create(&best, o);
    uint64_t random = 1;
    int64_t examined = 0, best_load = INT64_MAX;
    double sum = 0;
    while (!failed && examined < most_cells && best_load > o->mean) {
        bool first = best_load == INT64_MAX;
        if (!first)
            shake(o, &random);
        examined += descend(o, most_cells - examined);
        int64_t load = most_loaded(o);
        examined += 2 * (int64_t)o->free_count * o->r;
        if (load < best_load) {
            best_load = load;
            leave_mark(o, &best);
        }
        double there = total_excess(o);
        if (first || there <= sum) {
            sum = there;
            leave_mark(o, &here);
        } else {
            come_back(o, &here);
        }
    }
    if (!failed)
        come_back(o, &best);
    place_destroy(&here);
    place_destroy(&best);
    return failed;
}

static int create(struct order *o, int given, int nt)
{
    size_t cells = (size_t)o->r * (size_t)o->r, ranks = (size_t)o->ranks;
    o->weight = calloc(cells, sizeof *o->weight);
    o->work = calloc(ranks, sizeof *o->work);
    o->change = calloc(ranks, sizeof *o->change);
    o->touched = calloc(ranks, sizeof *o->touched);
    o->free = list_free_tiles(o->pattern, given, nt, &o->free_count);
    return rank_set_create(&o->changed, o->ranks) || o->weight == NULL || o->work == NULL || o->change == NULL ||
           o->touched == NULL || o->free == NULL;
}

/* The number of leading free tiles that are distributed one by one when orders are compared; the other tiles repeat them. */
static int tiles_to_assign(int nt, int r)
{
    enum { REPETITIONS = 8, FEW = 128 };
    return nt <= REPETITIONS * r || nt <= FEW ? nt : REPETITIONS * r;
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int pattern_order(struct pattern *pattern, int nt)
{
    enum { MOST_COLROWS = 2048 };       /* for more, only few pairs could be examined */
    /* Cells to examine: some 10 ms, with hundreds of colrows up to 250 ms, and for few tiles no longer than their tasks take,
       75 us each. */
    const int64_t usual = 4000000, most = 100000000, per_task = 30000, few = least(nt, 100);
    struct order o = { .pattern = pattern, .r = pattern->rows, .ranks = pattern->ranks };
    if (pattern->rows != pattern->cols || pattern->rows < 2 || pattern->rows > MOST_COLROWS || nt < 1)
        return 0;
    int failed = create(&o, tiles_to_assign(nt, o.r), nt);
    if (!failed) {
        weigh(&o, nt);
        int64_t sweeps = 24 * (int64_t)o.r * o.r * o.r, tasks = few * few * few / 6 + 1;
        failed = search(&o, least_of(least_of(sweeps > usual ? sweeps : usual, most), per_task * tasks));
    }
    free(o.weight);
    free(o.work);
    free(o.change);
    free(o.touched);
    free(o.free);
    rank_set_destroy(&o.changed);
    return failed;
}
