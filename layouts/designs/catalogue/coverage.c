#include "layouts/designs/catalogue/coverage.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a block covers ------------------------------------------------------------------------------------------------ */

/* Adds pairs that only the block's rank covers. */
static void add_alone(struct coverage *c, int block, int pairs)
{
    int weight = coverage_is_fixed(c, block) ? 1 : c->n;
    int before = 2 * c->alone[block] - c->share, after = before + 2 * pairs;
    c->alone[block] += pairs;
    c->excess += (int64_t)weight * ((after > 0 ? after : 0) - (before > 0 ? before : 0));
}

/* Pairs of an orbit that one rank of the block's orbit covers. */
static int pairs_of_rank(const struct coverage *c, int block, int orbit)
{
    return coverage_is_fixed(c, block) ? c->pair_size[orbit] : 1;
}

static void cover_pair(struct coverage *c, int block, int orbit)
{
    int before = c->covers[orbit]++;
    c->coverers[orbit] += block;
    if (before == 0) {
        int at = c->uncovered_at[orbit], last = c->uncovered[--c->uncovered_count];
        c->uncovered[at] = last;
        c->uncovered_at[last] = at;
        c->missing -= c->pair_size[orbit];
        add_alone(c, block, pairs_of_rank(c, block, orbit));
    } else if (before == 1) {
        int other = (int)(c->coverers[orbit] - block);
        add_alone(c, other, -pairs_of_rank(c, other, orbit));
    }
}

static void uncover_pair(struct coverage *c, int block, int orbit)
{
    int before = c->covers[orbit]--;
    c->coverers[orbit] -= block;
    if (before == 1) {
        c->uncovered_at[orbit] = c->uncovered_count;
        c->uncovered[c->uncovered_count++] = orbit;
        c->missing += c->pair_size[orbit];
        add_alone(c, block, -pairs_of_rank(c, block, orbit));
    } else if (before == 2) {
        int other = (int)c->coverers[orbit];
        add_alone(c, other, pairs_of_rank(c, other, orbit));
    }
}

/* The orbits of the pairs that `point` makes with the other members of the block. */
static void each_pair(struct coverage *c, int block, int point, void (*visit)(struct coverage *c, int block, int orbit))
{
    const int *member = c->member + (size_t)block * (size_t)c->points, *pair = c->pair + (size_t)point * (size_t)c->points;
    if (!coverage_is_fixed(c, block)) {
        for (int k = 0; k < c->size[block]; k++)
            visit(c, block, pair[member[k]]);
        return;
    }
    int whole = point < c->moved;       /* a whole orbit is added: its inner pairs, and those with every other orbit */
    for (int t = 1; whole && t <= c->n / 2; t++)
        visit(c, block, pair[coverage_move(c, point, t)]);
    for (int k = 0; k < c->size[block]; k++)
        for (int t = 0; t < (whole && member[k] < c->moved ? c->n : 1); t++)
            visit(c, block, pair[coverage_move(c, member[k], t)]);
}

void coverage_insert(struct coverage *c, int block, int point)
{
    size_t row = (size_t)block * (size_t)c->points;
    each_pair(c, block, point, cover_pair);
    c->member_at[row + (size_t)point] = c->size[block];
    c->member[row + (size_t)c->size[block]++] = point;
    c->in[row + (size_t)point] = 1;
}

void coverage_erase(struct coverage *c, int block, int point)
{
    size_t row = (size_t)block * (size_t)c->points;
    int at = c->member_at[row + (size_t)point], last = c->member[row + (size_t)--c->size[block]];
    c->member[row + (size_t)at] = last;
    c->member_at[row + (size_t)last] = at;
    c->in[row + (size_t)point] = 0;
    each_pair(c, block, point, uncover_pair);
}

int coverage_members(const struct coverage *c)
{
    int count = 0;
    for (int block = 0; block < c->orbits; block++)
        for (int k = 0; k < c->size[block]; k++) {
            int point = c->member[(size_t)block * (size_t)c->points + (size_t)k];
            count += coverage_is_fixed(c, block) ? (point < c->moved ? c->n : 1) : c->n;
        }
    return count;
}

/* ---- create and destroy ------------------------------------------------------------------------------------------------- */

static void number_pairs(struct coverage *c)
{
    size_t r = (size_t)c->points;
    memset(c->pair, -1, r * r * sizeof *c->pair);
    for (int x = 0; x < c->points; x++)
        for (int y = 0; y < c->points; y++) {
            if (x == y || c->pair[(size_t)x * r + (size_t)y] >= 0)
                continue;
            int orbit = c->pairs++;
            c->pair_x[orbit] = x;
            c->pair_y[orbit] = y;
            for (int t = 0; t < c->n; t++) {
                size_t u = (size_t)coverage_move(c, x, t), v = (size_t)coverage_move(c, y, t);
                c->pair_size[orbit] += c->pair[u * r + v] < 0;
                c->pair[u * r + v] = c->pair[v * r + u] = orbit;
            }
        }
    for (int orbit = 0; orbit < c->pairs; orbit++) {
        c->uncovered[orbit] = c->uncovered_at[orbit] = orbit;
        c->missing += c->pair_size[orbit];
    }
    c->uncovered_count = c->pairs;
}

void coverage_destroy(struct coverage *c)
{
    void *all[] = { c->pair, c->pair_size, c->pair_x, c->pair_y, c->covers, c->coverers, c->uncovered, c->uncovered_at,
                    c->in, c->member, c->member_at, c->size, c->alone };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

int coverage_create(struct coverage *c)
{
    size_t r = (size_t)c->points, blocks = (size_t)c->orbits, pairs = r * r;
    c->pair = malloc(pairs * sizeof *c->pair);
    c->pair_size = calloc(pairs, sizeof *c->pair_size);
    c->pair_x = calloc(pairs, sizeof *c->pair_x);
    c->pair_y = calloc(pairs, sizeof *c->pair_y);
    c->covers = calloc(pairs, sizeof *c->covers);
    c->coverers = calloc(pairs, sizeof *c->coverers);
    c->uncovered = calloc(pairs, sizeof *c->uncovered);
    c->uncovered_at = calloc(pairs, sizeof *c->uncovered_at);
    c->in = calloc(blocks * r, 1);
    c->member = calloc(blocks * r, sizeof *c->member);
    c->member_at = calloc(blocks * r, sizeof *c->member_at);
    c->size = calloc(blocks, sizeof *c->size);
    c->alone = calloc(blocks, sizeof *c->alone);
    if (c->pair == NULL || c->pair_size == NULL || c->pair_x == NULL || c->pair_y == NULL || c->covers == NULL ||
        c->coverers == NULL || c->uncovered == NULL || c->uncovered_at == NULL || c->in == NULL || c->member == NULL ||
        c->member_at == NULL || c->size == NULL || c->alone == NULL)
        return 1;
    number_pairs(c);
    return 0;
}
