/* Peri-Sum by columns, and the virtual rows of the resulting partition. */
#include "layouts/rank_speeds.h"
#include "layouts/unequal/plan.h"

#include <math.h>
#include <stdlib.h>

#define SAME 1e-9       /* shares with a smaller relative difference are equal: they come from sums */

/* ---- the partition --------------------------------------------------------------------------------------------------------- */

struct by_speed {
    double speed;
    int rank;
};

static int slowest_first(const void *left, const void *right)
{
    const struct by_speed *a = left, *b = right;
    if (a->speed != b->speed)
        return a->speed < b->speed ? -1 : 1;
    return a->rank - b->rank;
}

/* The best partition of a number of slowest ranks into columns. */
struct cut {
    double cost;
    int columns, last;          /* number of columns, and of ranks in the last one */
    int64_t squares;            /* sum of squares of the numbers of ranks: least if they are most equal */
};

static bool is_better(const struct cut *a, const struct cut *b)
{
    if (fabs(a->cost - b->cost) > SAME)
        return a->cost < b->cost;
    if (a->columns != b->columns)
        return a->columns < b->columns;
    return a->squares < b->squares;
}

/* cut[e] for the slowest e ranks, whose speeds have the sum sum[e]. */
static void cut_columns(const double *sum, int ranks, struct cut *cut)
{
    cut[0] = (struct cut){ .cost = 0 };
    for (int e = 1; e <= ranks; e++) {
        cut[e].cost = HUGE_VAL;
        for (int count = 1; count <= e; count++) {
            const struct cut *rest = &cut[e - count];
            struct cut here = { .cost = rest->cost + (sum[e] - sum[e - count]) * count + 1, .columns = rest->columns + 1,
                                .last = count, .squares = rest->squares + (int64_t)count * count };
            if (is_better(&here, &cut[e]))
                cut[e] = here;
        }
    }
}

/* Orders the ranks; sum[e] is the sum for the slowest e ranks, with a total of 1. */
static void order_ranks(const double *speeds, struct by_speed *order, struct partition *p, double *sum)
{
    double total = 0;
    for (int rank = 0; rank < p->ranks; rank++)
        order[rank] = (struct by_speed){ speeds[rank], rank };
    qsort(order, (size_t)p->ranks, sizeof *order, slowest_first);
    for (int e = 0; e < p->ranks; e++)
        total += order[e].speed;
    for (int e = 0; e < p->ranks; e++) {
        p->rank[e] = order[e].rank;
        sum[e + 1] = sum[e] + order[e].speed / total;
    }
}

static void take_columns(const struct cut *cut, const double *sum, struct partition *p)
{
    p->columns = cut[p->ranks].columns;
    p->perisum = 0;
    int end = p->ranks;
    p->first[p->columns] = end;
    for (int c = p->columns - 1; c >= 0; c--) {
        int first = end - cut[end].last;
        p->first[c] = first;
        p->width[c] = sum[end] - sum[first];
        p->perisum += p->width[c] * cut[end].last + 1;
        end = first;
    }
}

int partition_create(const double *speeds, int ranks, struct partition *p)
{
    size_t count = (size_t)ranks + 1;
    *p = (struct partition){ .ranks = ranks, .rank = calloc(count, sizeof *p->rank), .first = calloc(count, sizeof *p->first),
                             .width = calloc(count, sizeof *p->width) };
    struct by_speed *order = calloc(count, sizeof *order);
    struct cut *cut = calloc(count, sizeof *cut);
    double *sum = calloc(count, sizeof *sum);
    int failed = p->rank == NULL || p->first == NULL || p->width == NULL || order == NULL || cut == NULL || sum == NULL;
    if (!failed) {
        order_ranks(speeds, order, p, sum);
        cut_columns(sum, ranks, cut);
        take_columns(cut, sum, p);
    }
    free(order);
    free(cut);
    free(sum);
    return failed;
}

void partition_free(struct partition *p)
{
    free(p->rank);
    free(p->first);
    free(p->width);
    *p = (struct partition){ 0 };
}

double layout_perisum(const double *speeds, int ranks)
{
    struct partition p = { 0 };
    double *speed = speeds_of_ranks(speeds, ranks);
    double perisum = speed == NULL || partition_create(speed, ranks, &p) ? NAN : p.perisum;
    partition_free(&p);
    free(speed);
    return perisum;
}

/* ---- virtual rows ---------------------------------------------------------------------------------------------------------- */

static int upwards(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* The lower ends of all rectangles, each once, from the top. Returns their number. */
static int list_ends(const struct partition *p, const double *speeds, double *end)
{
    int count = 0, kept = 0;
    for (int c = 0; c < p->columns; c++) {
        double sum = 0, total = 0;
        for (int e = p->first[c]; e < p->first[c + 1]; e++)
            total += speeds[p->rank[e]];
        for (int e = p->first[c]; e < p->first[c + 1]; e++) {
            sum += speeds[p->rank[e]];
            end[count++] = e + 1 == p->first[c + 1] ? 1 : sum / total;
        }
    }
    qsort(end, (size_t)count, sizeof *end, upwards);
    for (int k = 0; k < count; k++)
        if (kept == 0 || end[k] - end[kept - 1] > SAME)
            end[kept++] = end[k];
    return kept;
}

/* Column c of the owners. The ends of its rectangles are among all ends. */
static void fill_owners(const struct partition *p, const double *speeds, int c, const double *end, struct virtual_rows *rows)
{
    double sum = 0, total = 0;
    int e = p->first[c], last = p->first[c + 1] - 1;
    for (int k = e; k <= last; k++)
        total += speeds[p->rank[k]];
    for (int v = 0; v < rows->count; v++) {
        rows->owner[(int64_t)v * p->columns + c] = p->rank[e];
        for (; e < last && end[v] > (sum + speeds[p->rank[e]]) / total - 2 * SAME; e++)
            sum += speeds[p->rank[e]];
    }
}

int virtual_rows_create(const struct partition *p, const double *speeds, struct virtual_rows *rows)
{
    double *end = calloc((size_t)p->ranks, sizeof *end);
    *rows = (struct virtual_rows){ .count = end != NULL ? list_ends(p, speeds, end) : 0 };
    rows->height = calloc((size_t)rows->count + 1, sizeof *rows->height);
    rows->owner = calloc((size_t)rows->count * (size_t)p->columns + 1, sizeof *rows->owner);
    int failed = end == NULL || rows->height == NULL || rows->owner == NULL;
    for (int v = 0; !failed && v < rows->count; v++)
        rows->height[v] = end[v] - (v == 0 ? 0 : end[v - 1]);
    for (int c = 0; !failed && c < p->columns; c++)
        fill_owners(p, speeds, c, end, rows);
    free(end);
    return failed;
}

void virtual_rows_free(struct virtual_rows *rows)
{
    free(rows->height);
    free(rows->owner);
    *rows = (struct virtual_rows){ 0 };
}

/* ---- Algorithm 1 ----------------------------------------------------------------------------------------------------------- */

int deal_next(const double *share, const unsigned char *active, int count, int *taken)
{
    int best = -1;
    double least = HUGE_VAL;
    for (int j = 0; j < count; j++) {
        if (active != NULL && !active[j])
            continue;
        double time = (taken[j] + 1) / share[j];
        if (best < 0 || time < least * (1 - SAME)) {
            best = j;
            least = time;
        }
    }
    taken[best]++;
    return best;
}
