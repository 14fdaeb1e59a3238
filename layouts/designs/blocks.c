/* From blocks to a pattern: the owners of cells that several ranks may own. */
#include "layouts/designs/blocks.h"

#include <stdlib.h>
#include <string.h>

int blocks_create(struct blocks *b, int ranks, int points, int64_t members)
{
    b->ranks = ranks;
    b->points = points;
    b->first = calloc((size_t)ranks + 1, sizeof *b->first);
    b->point = members <= INT32_MAX ? calloc((size_t)members + 1, sizeof *b->point) : NULL;
    if (b->first != NULL && b->point != NULL)
        return 0;
    blocks_destroy(b);
    return 1;
}

void blocks_destroy(struct blocks *b)
{
    free(b->first);
    free(b->point);
    b->first = b->point = NULL;
}

/* ---- the matching ------------------------------------------------------------------------------------------------------- */

/* Calls visit for every cell off the diagonal that rank p may own. */
static void each_cell(const struct blocks *b, int p, void (*visit)(struct matching *m, int p, int cell), struct matching *m)
{
    for (int s = b->first[p]; s < b->first[p + 1]; s++)
        for (int t = b->first[p]; t < b->first[p + 1]; t++)
            if (b->point[s] != b->point[t])
                visit(m, p, b->point[s] * b->points + b->point[t]);
}

static void count_candidate(struct matching *m, int p, int cell)
{
    m->first_rank[cell + 1]++;
    m->first_cell[p + 1]++;
}

/* first_rank and first_cell here count up from the start of each list; later they are moved back. */
static void add_candidate(struct matching *m, int p, int cell)
{
    m->rank[m->first_rank[cell]++] = p;
    m->cell[m->first_cell[p]++] = cell;
}

static void sum_up(int *first, int count)
{
    for (int k = 0; k < count; k++)
        first[k + 1] += first[k];
}

static void move_back(int *first, int count)
{
    for (int k = count; k > 0; k--)
        first[k] = first[k - 1];
    first[0] = 0;
}

static int list_candidates(struct matching *m, const struct blocks *b)
{
    for (int p = 0; p < b->ranks; p++)
        each_cell(b, p, count_candidate, m);
    sum_up(m->first_rank, m->cells);
    sum_up(m->first_cell, m->ranks);
    size_t candidates = (size_t)m->first_cell[m->ranks] + 1;
    m->rank = malloc(candidates * sizeof *m->rank);
    m->cell = malloc(candidates * sizeof *m->cell);
    if (m->rank == NULL || m->cell == NULL)
        return 1;
    for (int p = 0; p < b->ranks; p++)
        each_cell(b, p, add_candidate, m);
    move_back(m->first_rank, m->cells);
    move_back(m->first_cell, m->ranks);
    return 0;
}

int matching_create(struct matching *m, const struct blocks *b)
{
    memset(m, 0, sizeof *m);
    m->cells = b->points * b->points;
    m->ranks = b->ranks;
    size_t cells = (size_t)m->cells, ranks = (size_t)m->ranks;
    m->first_rank = calloc(cells + 1, sizeof *m->first_rank);
    m->first_cell = calloc(ranks + 1, sizeof *m->first_cell);
    m->owner = malloc(cells * sizeof *m->owner);
    m->load = calloc(ranks, sizeof *m->load);
    m->queue = malloc(ranks * sizeof *m->queue);
    m->from = malloc(ranks * sizeof *m->from);
    m->via = malloc(ranks * sizeof *m->via);
    m->full = malloc(ranks);
    if (m->first_rank == NULL || m->first_cell == NULL || m->owner == NULL || m->load == NULL || m->queue == NULL ||
        m->from == NULL || m->via == NULL || m->full == NULL || list_candidates(m, b)) {
        matching_destroy(m);
        return 1;
    }
    for (size_t c = 0; c < cells; c++)
        m->owner[c] = -1;
    return 0;
}

void matching_destroy(struct matching *m)
{
    free(m->first_rank);
    free(m->rank);
    free(m->first_cell);
    free(m->cell);
    free(m->owner);
    free(m->load);
    free(m->queue);
    free(m->from);
    free(m->via);
    free(m->full);
    memset(m, 0, sizeof *m);
}

enum { UNSEEN = -2, START = -1 };

/* Adds the ranks that may own cell to the search, reached from rank `from`. */
static int reach(struct matching *m, int cell, int from, int tail)
{
    for (int k = m->first_rank[cell]; k < m->first_rank[cell + 1]; k++) {
        int p = m->rank[k];
        if (m->from[p] != UNSEEN || m->full[p])
            continue;
        m->from[p] = from;
        m->via[p] = cell;
        m->queue[tail++] = p;
    }
    return tail;
}

/*
 * A shortest chain of ranks from a candidate of the cell to a rank with room, in which each rank passes a cell to the next.
 * Returns the last rank, or -1: then the ranks that the search reached own no cell that any other rank may take, and no later
 * chain can lead through them.
 */
static int find_room(struct matching *m, int cell, int capacity)
{
    for (int p = 0; p < m->ranks; p++)
        m->from[p] = UNSEEN;
    int tail = reach(m, cell, START, 0);
    for (int head = 0; head < tail; head++) {
        int p = m->queue[head];
        if (m->load[p] < capacity)
            return p;
        for (int k = m->first_cell[p]; k < m->first_cell[p + 1]; k++)
            if (m->owner[m->cell[k]] == p)
                tail = reach(m, m->cell[k], p, tail);
    }
    for (int k = 0; k < tail; k++)
        m->full[m->queue[k]] = 1;
    return -1;
}

/* The candidate with the least load; -1: none has room. */
static int least_loaded(const struct matching *m, int cell, int capacity)
{
    int best = -1;
    for (int k = m->first_rank[cell]; k < m->first_rank[cell + 1]; k++) {
        int p = m->rank[k];
        if (m->load[p] < capacity && (best < 0 || m->load[p] < m->load[best]))
            best = p;
    }
    return best;
}

/* Cells with few candidates come first, because a cell with one candidate has no choice. */
static void match_greedily(struct matching *m, int capacity)
{
    const int most = 4;
    for (int candidates = 1; candidates <= most; candidates++)
        for (int c = 0; c < m->cells; c++) {
            int here = m->first_rank[c + 1] - m->first_rank[c];
            if (m->owner[c] >= 0 || here < candidates || (here > candidates && candidates < most))
                continue;
            int p = least_loaded(m, c, capacity);
            if (p < 0)
                continue;
            m->owner[c] = p;
            m->load[p]++;
        }
}

int matching_grow(struct matching *m, int capacity)
{
    int left = 0, points = 0;
    while (points * points < m->cells)
        points++;

    memset(m->full, 0, (size_t)m->ranks);
    match_greedily(m, capacity);
    for (int c = 0; c < m->cells; c++) {
        if (c % (points + 1) == 0 || m->owner[c] >= 0)
            continue;
        int p = m->first_rank[c] < m->first_rank[c + 1] ? find_room(m, c, capacity) : -1;
        if (p < 0) {
            left++;
            continue;
        }
        m->load[p]++;
        for (; p != START; p = m->from[p])
            m->owner[m->via[p]] = p;
    }
    return left;
}

int matching_grow_by_one(struct matching *m)
{
    int kept = 0, *load = calloc((size_t)m->ranks, sizeof *load), *first = m->load;
    if (load == NULL)
        return -1;
    for (int p = 0, k = 0; p < m->ranks; p++) {         /* removes cells with an owner from the search */
        for (int end = m->first_cell[p + 1]; k < end; k++)
            if (m->owner[m->cell[k]] < 0)
                m->cell[kept++] = m->cell[k];
        m->first_cell[p + 1] = kept;
    }
    m->load = load;
    int left = matching_grow(m, 1);
    for (int p = 0; p < m->ranks; p++)
        first[p] += load[p];
    m->load = first;
    free(load);
    return left;
}

struct pattern *blocks_pattern(const struct blocks *b)
{
    int64_t cells = (int64_t)b->points * b->points;
    struct matching m;
    if (cells > INT32_MAX || matching_create(&m, b))
        return NULL;

    int most = (int)(cells / b->ranks), left = 1;
    for (int capacity = (int)((cells - b->points) / b->ranks); capacity <= most && left > 0; capacity++)
        left = matching_grow(&m, capacity);

    struct pattern *pattern = left == 0 ? pattern_alloc(b->ranks, b->points, b->points) : NULL;
    if (pattern != NULL)
        memcpy(pattern->cell, m.owner, (size_t)cells * sizeof *pattern->cell);    /* -1 is LAYOUT_FREE */
    matching_destroy(&m);
    return pattern;
}
