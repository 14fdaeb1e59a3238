/*
 * GCR&M, greedy colrow and matching: symmetric patterns for any number of ranks. Beaumont et al., IPDPS 2023, Algorithm 1 and
 * section V-B. Greedily give colrows to the least loaded rank until every cell is covered; then match cells with ranks.
 *
 * Interpretations that give the paper's figures: a covered pair takes both its cells; the load of a rank is the number of
 * cells that it covered first; the least loaded rank is drawn among equals; a result whose diagonal cannot be distributed is
 * discarded.
 */
#include "layouts/builders.h"
#include "layouts/designs/blocks.h"
#include "layouts/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct greedy {
    int ranks, r;
    uint64_t random;
    unsigned char *has;     /* ranks x r: whether colrow i is in A[p] */
    unsigned char *open;    /* r x r: whether the cell is not covered yet (the set U) */
    int *load;              /* number of cells that the rank covered first */
    int *usage;             /* number of ranks that have the colrow */
    int left;               /* number of cells in U */
};

/* ---- phase one: colrows ------------------------------------------------------------------------------------------------- */

/* The number of cells of colrow b that rank p would cover first. */
static int gain(const struct greedy *g, int p, int b)
{
    const unsigned char *has = g->has + (int64_t)p * g->r, *open = g->open + (int64_t)b * g->r;
    int cells = 0;
    for (int i = 0; i < g->r; i++)
        cells += has[i] & open[i];
    return 2 * cells;
}

static void add_colrow(struct greedy *g, int p, int b)
{
    unsigned char *has = g->has + (int64_t)p * g->r;
    for (int i = 0; i < g->r; i++) {
        if (!has[i] || !g->open[(int64_t)b * g->r + i])
            continue;
        g->open[(int64_t)b * g->r + i] = g->open[(int64_t)i * g->r + b] = 0;
        g->load[p] += 2;
        g->left -= 2;
    }
    has[b] = 1;
    g->usage[b]++;
}

static int least_loaded_rank(struct greedy *g)
{
    int best = 0, equals = 1;
    for (int p = 1; p < g->ranks; p++) {
        if (g->load[p] > g->load[best])
            continue;
        equals = g->load[p] < g->load[best] ? 1 : equals + 1;
        if (equals == 1 || random_below(&g->random, equals) == 0)
            best = p;
    }
    return best;
}

/* The colrow that covers most new cells, among these the least used one, drawn among equals. */
static int best_colrow(struct greedy *g, int p)
{
    int best = -1, best_gain = 0, equals = 0;
    for (int b = 0; b < g->r; b++) {
        if (g->has[(int64_t)p * g->r + b])
            continue;
        int here = gain(g, p, b);
        bool better = best < 0 || here > best_gain || (here == best_gain && g->usage[b] < g->usage[best]);
        bool equal = !better && here == best_gain && g->usage[b] == g->usage[best];
        if (!better && !equal)
            continue;
        equals = better ? 1 : equals + 1;
        if (!better && random_below(&g->random, equals) != 0)
            continue;
        best = b;
        best_gain = here;
    }
    return best;
}

static void assign_colrows(struct greedy *g)
{
    size_t r = (size_t)g->r, ranks = (size_t)g->ranks;
    memset(g->has, 0, ranks * r);
    memset(g->open, 1, r * r);
    memset(g->load, 0, ranks * sizeof *g->load);
    memset(g->usage, 0, r * sizeof *g->usage);
    g->left = (int)(r * r - r);
    for (int i = 0; i < g->r; i++)
        g->open[(int64_t)i * (g->r + 1)] = 0;
    for (int i = 0; i < g->r; i++)
        add_colrow(g, i % g->ranks, i);
    while (g->left > 0) {
        int p = least_loaded_rank(g);
        add_colrow(g, p, best_colrow(g, p));
    }
}

/* ---- phase two: cells --------------------------------------------------------------------------------------------------- */

static int list_blocks(const struct greedy *g, struct blocks *b)
{
    int members = 0;
    for (int i = 0; i < g->r; i++)
        members += g->usage[i];
    if (blocks_create(b, g->ranks, g->r, members))
        return 1;
    int count = 0;
    for (int p = 0; p < g->ranks; p++) {
        for (int i = 0; i < g->r; i++)
            if (g->has[(int64_t)p * g->r + i])
                b->point[count++] = i;
        b->first[p + 1] = count;
    }
    return 0;
}

/* Line 14: a cell that neither matching assigned goes to the least loaded rank that has one of its colrows. */
static void assign_rest(struct greedy *g, struct matching *m)
{
    for (int i = 0; i < g->r; i++)
        for (int j = 0; j < g->r; j++) {
            int c = i * g->r + j, best = -1;
            if (i == j || m->owner[c] >= 0)
                continue;
            for (int p = 0; p < g->ranks; p++) {
                const unsigned char *has = g->has + (int64_t)p * g->r;
                if ((has[i] || has[j]) && (best < 0 || m->load[p] < m->load[best]))
                    best = p;
            }
            m->owner[c] = best;
            m->load[best]++;
            g->has[(int64_t)best * g->r + i] = g->has[(int64_t)best * g->r + j] = 1;
        }
}

/* Fills the cells of pattern (r x r). Returns 0, or 1 without memory. */
static int draw_pattern(struct greedy *g, uint64_t seed, struct pattern *pattern)
{
    struct blocks b;
    struct matching m;
    g->random = seed;
    assign_colrows(g);
    if (list_blocks(g, &b))
        return 1;
    int failed = matching_create(&m, &b);
    blocks_destroy(&b);
    if (failed)
        return 1;

    int left = matching_grow(&m, g->r * (g->r - 1) / g->ranks);
    if (left > 0)
        left = matching_grow_by_one(&m);
    if (left > 0)
        assign_rest(g, &m);
    memcpy(pattern->cell, m.owner, (size_t)m.cells * sizeof *pattern->cell);
    matching_destroy(&m);
    return left < 0;
}

/* ---- the best of many tries --------------------------------------------------------------------------------------------- */

static int create(struct greedy *g, int ranks, int r)
{
    *g = (struct greedy){ .ranks = ranks, .r = r };
    g->has = malloc((size_t)ranks * (size_t)r);
    g->open = malloc((size_t)r * (size_t)r);
    g->load = malloc((size_t)ranks * sizeof *g->load);
    g->usage = malloc((size_t)r * sizeof *g->usage);
    return g->has == NULL || g->open == NULL || g->load == NULL || g->usage == NULL;
}

static void destroy(struct greedy *g)
{
    free(g->has);
    free(g->open);
    free(g->load);
    free(g->usage);
}

/* Tries seeds 0 .. seeds-1 with one size; a pattern of less cost replaces *best. Returns 0, or 1 without memory. */
static int try_size(int ranks, int r, int seeds, struct pattern **best, double *best_cost)
{
    struct greedy g;
    struct pattern *trial = pattern_alloc(ranks, r, r);
    int failed = create(&g, ranks, r) || trial == NULL;
    for (int seed = 0; seed < seeds && !failed; seed++) {
        failed = draw_pattern(&g, (uint64_t)seed, trial);
        double cost = failed ? 0 : pattern_cost_cholesky(trial);
        if (failed || cost >= *best_cost)
            continue;
        int balanced = pattern_is_balanced(trial);
        failed = isnan(cost) || balanced < 0;
        if (failed || !balanced)
            continue;
        snprintf(trial->name, sizeof trial->name, "gcrm:r=%d,seeds=%d", r, seeds);
        *best_cost = cost;
        pattern_destroy(best);
        *best = trial;
        trial = pattern_alloc(ranks, r, r);
        failed = trial == NULL;
    }
    pattern_destroy(&trial);
    destroy(&g);
    return failed;
}

/* Equation (3), without which no r x r pattern is balanced. */
static int may_balance(int ranks, int64_t r)
{
    return (r * (r - 1) + ranks - 1) / ranks <= r * r / ranks;
}

int pattern_gcrm(int ranks, int r, int seeds, struct pattern **pattern)
{
    int first = r > 0 ? r : 2, last = r;
    double cost = 1e300;
    *pattern = NULL;
    if (ranks == 1 && r <= 1) {         /* the rank owns all cells; a free diagonal would only suit packed matrices */
        *pattern = pattern_2dbc(1, 1);
        if (*pattern != NULL)
            snprintf((*pattern)->name, sizeof (*pattern)->name, "gcrm:r=1,seeds=%d", seeds);
        return *pattern == NULL;
    }
    while (r == 0 && (int64_t)last * last <= 36 * (int64_t)ranks)
        last++;       /* r <= 6 sqrt(P) */
    if (r == 0)
        last--;
    for (int size = first; size <= last; size++)
        if (may_balance(ranks, size) && try_size(ranks, size, seeds, pattern, &cost)) {
            pattern_destroy(pattern);
            return 1;
        }
    return 0;
}
