/*
 * Simulated annealing over the members of blocks, at constant temperature, with a fixed number of members. A move exchanges
 * one member of a block for another point, or moves a membership from a larger block to a smaller one. The energy counts the
 * pairs that no block covers, and the cells that only one rank can own beyond its share. When the energy is zero and the
 * matching distributes the cells, the blocks are stored, one membership is removed, and the search continues.
 *
 * Half of the moves take an uncovered pair and a block with one of its points, and add the other point.
 *
 * All arithmetic is in integers, except for a table of logarithms rounded to integers, so a seed gives the same blocks on all
 * machines.
 */
#include "layouts/designs/catalogue/cover.h"
#include "layouts/designs/catalogue/coverage.h"
#include "layouts/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1024, LOGS = 1 << 12 };

struct search {
    struct coverage blocks;
    int uneven;
    uint64_t random;
    int64_t temperature;
    int logs[LOGS];             /* -log of uniform numbers, in 1/UNIT */
};

static int below(struct search *s, int limit)
{
    return random_below(&s->random, limit);
}

static int any_member(struct search *s, int block)
{
    struct coverage *c = &s->blocks;
    return c->member[(size_t)block * (size_t)c->points + (size_t)below(s, c->size[block])];
}

/* ---- moves -------------------------------------------------------------------------------------------------------------- */

/* Metropolis: whether a move from energy `before` to the present energy is accepted. */
static int accept(struct search *s, int64_t before)
{
    struct coverage *c = &s->blocks;
    int64_t worse = coverage_energy(c) - before;
    return worse <= 0 || worse * UNIT * UNIT <= s->temperature * s->logs[random_bits(&s->random) % LOGS];
}

/* `from` loses a point and `to` gains one, unless the move is rejected. */
static void try_move(struct search *s, int from, int lost, int to, int gained)
{
    struct coverage *c = &s->blocks;
    int64_t before = coverage_energy(c);
    coverage_erase(c, from, lost);
    coverage_insert(c, to, gained);
    if (accept(s, before))
        return;
    coverage_erase(c, to, gained);
    coverage_insert(c, from, lost);
}

/* A fixed block exchanges orbits of the same size. */
static void move_fixed(struct search *s)
{
    struct coverage *c = &s->blocks;
    int block = c->free_ranks + below(s, c->orbits - c->free_ranks);
    if (c->size[block] == 0)
        return;
    int lost = any_member(s, block), gained = below(s, c->points);
    if (gained < c->moved)
        gained -= gained % c->n;
    if ((lost < c->moved) == (gained < c->moved) && !coverage_has(c, block, gained))
        try_move(s, block, lost, block, gained);
}

/* Chooses an uncovered pair and a block with one of its points; *gained is the other point. Returns 0 if no random choice found
   any. */
static int aim(struct search *s, int *block, int *kept, int *gained)
{
    struct coverage *c = &s->blocks;
    enum { TRIES = 40 };
    int orbit = c->uncovered[below(s, c->uncovered_count)], t = below(s, c->n);
    *kept = coverage_move(c, c->pair_x[orbit], t);
    *gained = coverage_move(c, c->pair_y[orbit], t);
    if (below(s, 2)) {
        int other = *kept;
        *kept = *gained;
        *gained = other;
    }
    for (int k = 0; k < TRIES; k++) {
        *block = below(s, c->free_ranks);
        if (coverage_has(c, *block, *kept))
            return !coverage_has(c, *block, *gained);
    }
    return 0;
}

static void move_free(struct search *s)
{
    struct coverage *c = &s->blocks;
    int block, gained, kept = -1;
    if (c->uncovered_count > 0 && below(s, 2)) {
        if (!aim(s, &block, &kept, &gained))
            return;
    } else {
        block = below(s, c->free_ranks);
        gained = below(s, c->points);
        if (coverage_has(c, block, gained))
            return;
    }
    int giver = block;
    if (below(s, 8) == 0) {
        giver = below(s, c->free_ranks);
        if (c->size[giver] <= c->size[block] && !s->uneven)
            giver = block;
    }
    if (c->size[giver] == 0)
        return;
    int lost = any_member(s, giver);
    if (giver != block || lost != kept)
        try_move(s, giver, lost, block, gained);
}

/* ---- the search --------------------------------------------------------------------------------------------------------- */

static int ceil_div_sqrt(int r, int ranks)      /* least v with v * v >= r * r / ranks */
{
    int v = 1;
    while ((int64_t)v * v * ranks < (int64_t)r * r)
        v++;
    return v;
}

/* Adds random members to the smallest blocks until there are `start`. */
static void fill_up(struct search *s, int start)
{
    struct coverage *c = &s->blocks;
    for (int more = (start - coverage_members(c)) / c->n; more > 0; more--) {
        int block = 0, point;
        for (int k = 1; k < c->free_ranks; k++)
            if (c->size[k] < c->size[block])
                block = k;
        if (c->size[block] == c->points)
            return;
        do
            point = below(s, c->points);
        while (coverage_has(c, block, point));
        coverage_insert(c, block, point);
    }
}

/* Random blocks with `start` members or slightly fewer: fixed ones of about the least size, the others balanced. */
static void fill_blocks(struct search *s, int start)
{
    struct coverage *c = &s->blocks;
    int least = ceil_div_sqrt(c->points, c->ranks), tries = 0;
    for (int block = c->free_ranks; block < c->orbits; block++)
        for (int have = 0; have < least && tries < 1000 * c->orbits; tries++) {
            int point = below(s, c->points), size = point < c->moved ? c->n : 1;
            if (point < c->moved)
                point -= point % c->n;
            if (coverage_has(c, block, point) || (have > 0 && have + size > least + 1))
                continue;
            coverage_insert(c, block, point);
            have += size;
        }
    fill_up(s, start);
}

/* The points t - b, b on line 0, of a cyclic plane: an oval. No line has more than two of them, so the oval's block takes at
   most one pair from each line's rank. Removed points (-1) are left out. */
static void change_oval(struct coverage *c, int block, const struct blocks *plane, int t, const int *name,
                        void (*change)(struct coverage *c, int block, int point))
{
    for (int k = plane->first[0]; k < plane->first[1]; k++) {
        int point = name[(t - plane->point[k] + plane->points) % plane->points];
        if (point >= 0)
            change(c, block, point);
    }
}

/* Each of the blocks from `first` on becomes the oval after which ranks exceed their shares least; among equal ovals any
   one. */
static void fill_ovals(struct search *s, const struct blocks *plane, int first, const int *name)
{
    struct coverage *c = &s->blocks;
    for (int block = first; block < c->ranks; block++) {
        int best = -1, start = below(s, plane->points);
        int64_t least = INT64_MAX;
        for (int k = 0; k < plane->points; k++) {
            int t = (start + k) % plane->points;
            change_oval(c, block, plane, t, name, coverage_insert);
            if (coverage_energy(c) < least) {
                least = coverage_energy(c);
                best = t;
            }
            change_oval(c, block, plane, t, name, coverage_erase);
        }
        change_oval(c, block, plane, best, name, coverage_insert);
    }
}

/*
 * Uses the blocks of a design. If it has too many blocks, those through one point are removed first, and then random ones. If
 * it has too many points, those on most of the removed blocks are removed. Ranks for which it has no block begin without
 * points, or with ovals.
 */
static int fill_from(struct search *s, const struct cover_search *search)
{
    struct coverage *c = &s->blocks;
    const struct blocks *from = search->from;
    int excess = from->ranks > c->ranks ? from->ranks - c->ranks : 0, centre = below(s, from->points);
    int *weight = calloc((size_t)from->points, sizeof *weight);     /* number of removed blocks through each point */
    int *name = calloc((size_t)from->points, sizeof *name);         /* its number here; -1: removed */
    unsigned char *gone = calloc((size_t)from->ranks, 1);
    int failed = weight == NULL || name == NULL || gone == NULL;
    for (int block = 0; block < from->ranks && excess > 0 && !failed; block++)
        for (int k = from->first[block]; k < from->first[block + 1] && excess > 0; k++)
            if (from->point[k] == centre) {
                gone[block] = 1;
                excess--;
            }
    while (excess > 0 && !failed) {
        int block = below(s, from->ranks);
        excess -= !gone[block];
        gone[block] = 1;
    }
    for (int block = 0; block < from->ranks && !failed; block++)
        for (int k = from->first[block]; k < from->first[block + 1]; k++)
            weight[from->point[k]] += gone[block];
    for (int over = from->points - c->points; over > 0 && !failed; over--) {
        int heaviest = -1;
        for (int point = 0; point < from->points; point++)
            if (name[point] == 0 && (heaviest < 0 || weight[point] > weight[heaviest]))
                heaviest = point;
        name[heaviest] = -1;
    }
    for (int point = 0, next = 0; point < from->points && !failed; point++)
        if (name[point] == 0)
            name[point] = next++;
    for (int block = 0, p = 0; block < from->ranks && !failed; block++) {
        for (int k = from->first[block]; k < from->first[block + 1] && !gone[block]; k++)
            if (name[from->point[k]] >= 0)
                coverage_insert(c, p, name[from->point[k]]);
        p += !gone[block];
    }
    if (search->ovals && !failed)
        fill_ovals(s, from, from->ranks, name);
    free(weight);
    free(name);
    free(gone);
    if (!failed)
        fill_up(s, search->start);
    return failed;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int copy_blocks(const struct coverage *c, struct base_blocks *base)
{
    int64_t count = 0;
    for (int block = 0; block < c->orbits; block++)
        count += c->size[block];
    base->group = c->n;
    base->fixed_points = c->points - c->moved;
    base->fixed_ranks = c->orbits - c->free_ranks;
    if (blocks_create(&base->blocks, c->orbits, c->points, count))
        return 1;
    for (int block = 0; block < c->orbits; block++) {
        int *point = base->blocks.point + base->blocks.first[block], size = c->size[block];
        memcpy(point, c->member + (size_t)block * (size_t)c->points, (size_t)size * sizeof *point);
        qsort(point, (size_t)size, sizeof *point, by_value);
        base->blocks.first[block + 1] = base->blocks.first[block] + size;
    }
    return 0;
}

/* Whether the blocks, which cover every pair, make a valid pattern. If they do, they replace *best. */
static int keep(const struct coverage *c, struct base_blocks *best)
{
    struct base_blocks base;
    struct blocks all;
    if (copy_blocks(c, &base))
        return 0;
    int valid = 0;
    if (base_blocks_expand(&base, &all) == 0) {
        struct pattern *pattern = blocks_pattern(&all);
        valid = pattern != NULL && pattern_is_balanced(pattern) == 1;
        pattern_destroy(&pattern);
        blocks_destroy(&all);
    }
    blocks_destroy(valid ? &best->blocks : &base.blocks);
    if (valid)
        *best = base;
    return valid;
}

/* Removes one membership, from a largest block, or from any if sizes may differ. Returns 0 if the block has the least size. */
static int shrink(struct search *s)
{
    struct coverage *c = &s->blocks;
    int largest = below(s, c->free_ranks);
    for (int block = 0; block < c->free_ranks && !s->uneven; block++)
        if (c->size[block] > c->size[largest])
            largest = block;
    if (c->size[largest] <= ceil_div_sqrt(c->points, c->ranks))
        return 0;
    coverage_erase(c, largest, any_member(s, largest));
    return 1;
}

static int anneal(struct search *s, const struct cover_search *search, struct base_blocks *best)
{
    struct coverage *c = &s->blocks;
    enum { PATIENCE = 400 };
    int found = 0, failures = 0;
    int64_t wait = 0;
    for (int64_t step = 0; step < search->steps; step++) {
        if (coverage_energy(c) == 0 && step >= wait) {
            if (keep(c, best)) {
                found = coverage_members(c);
                failures = 0;
                if (!shrink(s))
                    break;
            } else {
                if (++failures > PATIENCE)
                    break;
                wait = step + 20 * c->orbits;
            }
        }
        if (c->free_ranks < c->orbits && below(s, 16) == 0)
            move_fixed(s);
        else
            move_free(s);
    }
    return found;
}

int cover_search(const struct cover_search *search, struct base_blocks *found)
{
    memset(found, 0, sizeof *found);
    int n = search->group, moved = search->points - search->fixed_points, turned = search->ranks - search->fixed_ranks;
    if (n < 1 || moved < 0 || moved % n != 0 || turned < n || turned % n != 0 || search->points < 2)
        return 0;

    struct search s = { .random = search->seed, .uneven = search->uneven };
    s.blocks = (struct coverage){ .ranks = search->ranks, .points = search->points, .n = n, .moved = moved,
                                  .free_ranks = turned / n, .orbits = turned / n + search->fixed_ranks };
    s.blocks.share = (int)((int64_t)search->points * search->points / search->ranks);
    s.temperature = (int64_t)(14 + search->seed % 3 * 3) * n * UNIT / 100;      /* 0.14, 0.17 or 0.20 of a pair */
    for (int k = 0; k < LOGS; k++)
        s.logs[k] = (int)(-log((k + 0.5) / LOGS) * UNIT);

    int failed = coverage_create(&s.blocks);
    if (!failed && search->from != NULL)
        failed = fill_from(&s, search);
    else if (!failed)
        fill_blocks(&s, search->start);
    int members = failed ? -1 : anneal(&s, search, found);
    coverage_destroy(&s.blocks);
    return members;
}
