/*
 * Whether all ranks can have the same share of a pattern with free diagonal cells. Equation (3) of Beaumont et al., IPDPS
 * 2023, is necessary for that, but not sufficient; a maximum flow decides it.
 */
#include "layouts/designs/blocks.h"

#include <stdlib.h>

/* In units of 1/P cell: a free cell d offers P, and rank p has room for r^2 - P * (its cells). */
struct sharing {
    const struct pattern *pattern;
    int r, ranks;
    int64_t *room;              /* room of each rank */
    int64_t *flow;              /* r x ranks: flow from each cell to each rank */
    unsigned char *in;          /* r x ranks: whether the rank is in the colrow */
    int *queue, *from;          /* nodes: ranks 0 .. P-1, then cells */
};

static void fill(struct sharing *s)
{
    const struct pattern *p = s->pattern;
    for (int q = 0; q < s->ranks; q++)
        s->room[q] = (int64_t)s->r * s->r;
    for (int i = 0; i < s->r; i++)
        for (int j = 0; j < s->r; j++) {
            int q = p->cell[(int64_t)i * s->r + j];
            if (q == LAYOUT_FREE)
                continue;
            s->room[q] -= s->ranks;
            s->in[(int64_t)i * s->ranks + q] = s->in[(int64_t)j * s->ranks + q] = 1;
        }
}

/* Searches breadth first from cell d for a rank with room. Returns the rank, or -1. */
static int find_room(struct sharing *s, int d)
{
    for (int node = 0; node < s->ranks + s->r; node++)
        s->from[node] = -2;
    int head = 0, tail = 0;
    s->queue[tail++] = s->ranks + d;
    s->from[s->ranks + d] = -1;
    while (head < tail) {
        int node = s->queue[head++], is_cell = node >= s->ranks;
        for (int other = is_cell ? 0 : s->ranks; other < (is_cell ? s->ranks : s->ranks + s->r); other++) {
            int open = is_cell ? s->in[(int64_t)(node - s->ranks) * s->ranks + other]
                               : s->flow[(int64_t)(other - s->ranks) * s->ranks + node] > 0;
            if (!open || s->from[other] != -2)
                continue;
            s->from[other] = node;
            if (is_cell && s->room[other] > 0)
                return other;
            s->queue[tail++] = other;
        }
    }
    return -1;
}

/* Sends up to `amount` along the path that ends at rank `end`. Returns the amount sent. */
static int64_t push(struct sharing *s, int end, int64_t amount)
{
    if (s->room[end] < amount)
        amount = s->room[end];
    for (int node = end; s->from[node] >= 0; node = s->from[node]) {
        int64_t there = node < s->ranks ? INT64_MAX : s->flow[(int64_t)(node - s->ranks) * s->ranks + s->from[node]];
        if (there < amount)
            amount = there;
    }
    for (int node = end; s->from[node] >= 0; node = s->from[node])
        if (node < s->ranks)
            s->flow[(int64_t)(s->from[node] - s->ranks) * s->ranks + node] += amount;
        else
            s->flow[(int64_t)(node - s->ranks) * s->ranks + s->from[node]] -= amount;
    s->room[end] -= amount;
    return amount;
}

/* Returns 1 if all free cells could be distributed and no rank has room left or too many cells. */
static int distribute(struct sharing *s)
{
    fill(s);
    for (int q = 0; q < s->ranks; q++)
        if (s->room[q] < 0)
            return 0;
    for (int d = 0; d < s->r; d++) {
        if (s->pattern->cell[(int64_t)d * (s->r + 1)] != LAYOUT_FREE)
            continue;
        for (int64_t left = s->ranks; left > 0;) {
            int end = find_room(s, d);
            if (end < 0)
                return 0;
            left -= push(s, end, left);
        }
    }
    for (int q = 0; q < s->ranks; q++)
        if (s->room[q] > 0)
            return 0;
    return 1;
}

int pattern_is_balanced(const struct pattern *pattern)
{
    if (pattern->rows != pattern->cols)
        return 0;
    struct sharing s = { .pattern = pattern, .r = pattern->rows, .ranks = pattern->ranks };
    size_t r = (size_t)s.r, ranks = (size_t)s.ranks;
    s.room = calloc(ranks, sizeof *s.room);
    s.flow = calloc(r * ranks, sizeof *s.flow);
    s.in = calloc(r * ranks, 1);
    s.queue = calloc(r + ranks, sizeof *s.queue);
    s.from = calloc(r + ranks, sizeof *s.from);
    int result = s.room != NULL && s.flow != NULL && s.in != NULL && s.queue != NULL && s.from != NULL ? distribute(&s) : -1;
    free(s.room);
    free(s.flow);
    free(s.in);
    free(s.queue);
    free(s.from);
    return result;
}
