/*
 * Simulated annealing over the members of blocks, at constant temperature, with the number of members fixed: a move exchanges one
 * member of a block for another point, or hands a membership from a larger block to a smaller one. The energy counts the pairs
 * that no block covers, and the cells that a rank alone can own beyond its share. Once it is zero and the matching shares the
 * cells out, the blocks are kept, one membership is taken away, and the search goes on.
 *
 * Moves are aimed: half of them take an uncovered pair and a block with one of its points, and bring in the other.
 *
 * All of it is integer arithmetic, but for a table of logarithms rounded to integers: a seed gives the same blocks everywhere.
 */
#include "layouts/catalogue/cover.h"

#include <math.h>
#include <string.h>

#include "layouts/internal.h"
#include "layouts/random.h"

enum { UNIT = 1024, LOGS = 1 << 12 };

struct cover {
    int ranks, points, n;               /* n: order of the group */
    int moved, free_ranks, orbits;      /* points moved; orbits of n ranks; all orbits of ranks: blocks to choose */
    int share;                          /* most cells off the diagonal that a rank may own */
    uint64_t random;
    int64_t temperature;
    int *logs;                          /* -log of uniform numbers, in 1/UNIT */

    int pairs;                          /* orbits of pairs of points */
    int *pair;                          /* points x points: the orbit */
    int *pair_size, *pair_x, *pair_y;   /* pairs in it, and one of them */
    int *covers;                        /* how often the base blocks cover it */
    int64_t *coverers;                  /* sum of the indices of the blocks that do: the block, where there is one */
    int *uncovered, *uncovered_at, uncovered_count;

    unsigned char *in;                  /* orbits x points; a fixed block holds the first point of each orbit it contains */
    int *member, *member_at, *size;     /* orbits x points, orbits x points, orbits */
    int *alone;                         /* pairs that the block's rank alone covers */
    int64_t missing, excess;            /* pairs uncovered; cells over the share: the energy */
};

static int below(struct cover *c, int limit)
{
    return random_below(&c->random, limit);
}

/* ---- what a block covers ------------------------------------------------------------------------------------------------ */

static int is_fixed(const struct cover *c, int block)
{
    return block >= c->free_ranks;
}

static int move_point(const struct cover *c, int point, int t)
{
    return group_move(point, t, c->n, c->moved);
}

/* The block's rank alone covers `pairs` more pairs. */
static void add_alone(struct cover *c, int block, int pairs)
{
    int weight = is_fixed(c, block) ? 1 : c->n;
    int before = 2 * c->alone[block] - c->share, after = before + 2 * pairs;
    c->alone[block] += pairs;
    c->excess += (int64_t)weight * ((after > 0 ? after : 0) - (before > 0 ? before : 0));
}

/* Pairs of an orbit that one rank of the block's orbit covers. */
static int pairs_of_rank(const struct cover *c, int block, int orbit)
{
    return is_fixed(c, block) ? c->pair_size[orbit] : 1;
}

static void cover_pair(struct cover *c, int block, int orbit)
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

static void uncover_pair(struct cover *c, int block, int orbit)
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
static void each_pair(struct cover *c, int block, int point, void (*visit)(struct cover *c, int block, int orbit))
{
    const int *member = c->member + (size_t)block * (size_t)c->points, *pair = c->pair + (size_t)point * (size_t)c->points;
    if (!is_fixed(c, block)) {
        for (int k = 0; k < c->size[block]; k++)
            visit(c, block, pair[member[k]]);
        return;
    }
    int whole = point < c->moved;       /* a whole orbit comes along: its inner pairs, and those with every orbit */
    for (int t = 1; whole && t <= c->n / 2; t++)
        visit(c, block, pair[move_point(c, point, t)]);
    for (int k = 0; k < c->size[block]; k++)
        for (int t = 0; t < (whole && member[k] < c->moved ? c->n : 1); t++)
            visit(c, block, pair[move_point(c, member[k], t)]);
}

static void insert(struct cover *c, int block, int point)
{
    size_t row = (size_t)block * (size_t)c->points;
    each_pair(c, block, point, cover_pair);
    c->member_at[row + (size_t)point] = c->size[block];
    c->member[row + (size_t)c->size[block]++] = point;
    c->in[row + (size_t)point] = 1;
}

static void erase(struct cover *c, int block, int point)
{
    size_t row = (size_t)block * (size_t)c->points;
    int at = c->member_at[row + (size_t)point], last = c->member[row + (size_t)--c->size[block]];
    c->member[row + (size_t)at] = last;
    c->member_at[row + (size_t)last] = at;
    c->in[row + (size_t)point] = 0;
    each_pair(c, block, point, uncover_pair);
}

static int has(const struct cover *c, int block, int point)
{
    return c->in[(size_t)block * (size_t)c->points + (size_t)point];
}

static int any_member(struct cover *c, int block)
{
    return c->member[(size_t)block * (size_t)c->points + (size_t)below(c, c->size[block])];
}

static int64_t energy(const struct cover *c)
{
    return c->missing + c->excess;
}

/* ---- moves -------------------------------------------------------------------------------------------------------------- */

/* Metropolis: whether a move from energy `before` to the present one may stay. */
static int accept(struct cover *c, int64_t before)
{
    int64_t worse = energy(c) - before;
    return worse <= 0 || worse * UNIT * UNIT <= c->temperature * c->logs[random_bits(&c->random) % LOGS];
}

/* `from` loses a point and `to` gains one, unless that is refused. */
static void try_move(struct cover *c, int from, int lost, int to, int gained)
{
    int64_t before = energy(c);
    erase(c, from, lost);
    insert(c, to, gained);
    if (accept(c, before)) return;
    erase(c, to, gained);
    insert(c, from, lost);
}

/* A fixed block exchanges orbits of one size. */
static void move_fixed(struct cover *c)
{
    int block = c->free_ranks + below(c, c->orbits - c->free_ranks);
    if (c->size[block] == 0) return;
    int lost = any_member(c, block), gained = below(c, c->points);
    if (gained < c->moved) gained -= gained % c->n;
    if ((lost < c->moved) == (gained < c->moved) && !has(c, block, gained)) try_move(c, block, lost, block, gained);
}

/* Picks an uncovered pair and a block that has one of its points; *gained is the other. 0 where the dice found none. */
static int aim(struct cover *c, int *block, int *kept, int *gained)
{
    enum { TRIES = 40 };
    int orbit = c->uncovered[below(c, c->uncovered_count)], t = below(c, c->n);
    *kept = move_point(c, c->pair_x[orbit], t);
    *gained = move_point(c, c->pair_y[orbit], t);
    if (below(c, 2)) {
        int other = *kept;
        *kept = *gained;
        *gained = other;
    }
    for (int k = 0; k < TRIES; k++) {
        *block = below(c, c->free_ranks);
        if (has(c, *block, *kept)) return !has(c, *block, *gained);
    }
    return 0;
}

static void move_free(struct cover *c)
{
    int block, gained, kept = -1;
    if (c->uncovered_count > 0 && below(c, 2)) {
        if (!aim(c, &block, &kept, &gained)) return;
    } else {
        block = below(c, c->free_ranks);
        gained = below(c, c->points);
        if (has(c, block, gained)) return;
    }
    int giver = block;
    if (below(c, 8) == 0) {
        giver = below(c, c->free_ranks);
        if (c->size[giver] <= c->size[block]) giver = block;
    }
    if (c->size[giver] == 0) return;
    int lost = any_member(c, giver);
    if (giver != block || lost != kept) try_move(c, giver, lost, block, gained);
}

/* ---- the search --------------------------------------------------------------------------------------------------------- */

static int ceil_div_sqrt(int r, int ranks)      /* least v with v * v >= r * r / ranks */
{
    int v = 1;
    while ((int64_t)v * v * ranks < (int64_t)r * r) v++;
    return v;
}

static int members(const struct cover *c)
{
    int count = 0;
    for (int block = 0; block < c->orbits; block++)
        for (int k = 0; k < c->size[block]; k++) {
            int point = c->member[(size_t)block * (size_t)c->points + (size_t)k];
            count += is_fixed(c, block) ? (point < c->moved ? c->n : 1) : c->n;
        }
    return count;
}

/* Adds random members to the smallest blocks until there are `start`. */
static void fill_up(struct cover *c, int start)
{
    for (int more = (start - members(c)) / c->n; more > 0; more--) {
        int block = 0, point;
        for (int k = 1; k < c->free_ranks; k++)
            if (c->size[k] < c->size[block]) block = k;
        if (c->size[block] == c->points) return;
        do point = below(c, c->points);
        while (has(c, block, point));
        insert(c, block, point);
    }
}

/* Random blocks with `start` members or a little less: fixed ones of about the least size, the others level. */
static void fill_blocks(struct cover *c, int start)
{
    int least = ceil_div_sqrt(c->points, c->ranks), tries = 0;
    for (int block = c->free_ranks; block < c->orbits; block++)
        for (int have = 0; have < least && tries < 1000 * c->orbits; tries++) {
            int point = below(c, c->points), size = point < c->moved ? c->n : 1;
            if (point < c->moved) point -= point % c->n;
            if (has(c, block, point) || (have > 0 && have + size > least + 1)) continue;
            insert(c, block, point);
            have += size;
        }
    fill_up(c, start);
}

/*
 * Blocks of a design. Where it has too many, those through one point go first, and then others at random; where it has too many
 * points, those on most of the blocks that went. Ranks that it has no block for begin without points.
 */
static int fill_from(struct cover *c, const struct blocks *from, int start)
{
    int excess = from->ranks > c->ranks ? from->ranks - c->ranks : 0, centre = below(c, from->points);
    int *weight = calloc((size_t)from->points, sizeof *weight);     /* blocks gone through each point */
    int *name = calloc((size_t)from->points, sizeof *name);         /* its number here, -1: gone */
    unsigned char *gone = calloc((size_t)from->ranks, 1);
    int failed = !weight || !name || !gone;
    for (int block = 0; block < from->ranks && excess > 0 && !failed; block++)
        for (int k = from->first[block]; k < from->first[block + 1] && excess > 0; k++)
            if (from->point[k] == centre) {
                gone[block] = 1;
                excess--;
            }
    while (excess > 0 && !failed) {
        int block = below(c, from->ranks);
        excess -= !gone[block];
        gone[block] = 1;
    }
    for (int block = 0; block < from->ranks && !failed; block++)
        for (int k = from->first[block]; k < from->first[block + 1]; k++)
            weight[from->point[k]] += gone[block];
    for (int over = from->points - c->points; over > 0 && !failed; over--) {
        int heaviest = -1;
        for (int point = 0; point < from->points; point++)
            if (name[point] == 0 && (heaviest < 0 || weight[point] > weight[heaviest])) heaviest = point;
        name[heaviest] = -1;
    }
    for (int point = 0, next = 0; point < from->points && !failed; point++)
        if (name[point] == 0) name[point] = next++;
    for (int block = 0, p = 0; block < from->ranks && !failed; block++) {
        for (int k = from->first[block]; k < from->first[block + 1] && !gone[block]; k++)
            if (name[from->point[k]] >= 0) insert(c, p, name[from->point[k]]);
        p += !gone[block];
    }
    free(weight);
    free(name);
    free(gone);
    if (!failed) fill_up(c, start);
    return failed;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int copy_blocks(const struct cover *c, struct base_blocks *base)
{
    int64_t count = 0;
    for (int block = 0; block < c->orbits; block++)
        count += c->size[block];
    base->group = c->n;
    base->fixed_points = c->points - c->moved;
    base->fixed_ranks = c->orbits - c->free_ranks;
    if (blocks_create(&base->blocks, c->orbits, c->points, count)) return 1;
    for (int block = 0; block < c->orbits; block++) {
        int *point = base->blocks.point + base->blocks.first[block], size = c->size[block];
        memcpy(point, c->member + (size_t)block * (size_t)c->points, (size_t)size * sizeof *point);
        qsort(point, (size_t)size, sizeof *point, by_value);
        base->blocks.first[block + 1] = base->blocks.first[block] + size;
    }
    return 0;
}

/* Whether the blocks, which cover every pair, make a valid pattern; then they replace *best. */
static int keep(const struct cover *c, struct base_blocks *best)
{
    struct base_blocks base;
    struct blocks all;
    if (copy_blocks(c, &base)) return 0;
    int valid = 0;
    if (base_blocks_expand(&base, &all) == 0) {
        struct pattern *pattern = blocks_pattern(&all);
        valid = pattern && pattern_is_balanced(pattern) == 1;
        pattern_destroy(&pattern);
        blocks_destroy(&all);
    }
    blocks_destroy(valid ? &best->blocks : &base.blocks);
    if (valid) *best = base;
    return valid;
}

/* Takes one membership away, from a largest block; 0 where all blocks have the least size. */
static int shrink(struct cover *c)
{
    int largest = below(c, c->free_ranks);
    for (int block = 0; block < c->free_ranks; block++)
        if (c->size[block] > c->size[largest]) largest = block;
    if (c->size[largest] <= ceil_div_sqrt(c->points, c->ranks)) return 0;
    erase(c, largest, any_member(c, largest));
    return 1;
}

static int anneal(struct cover *c, const struct cover_search *search, struct base_blocks *best)
{
    enum { PATIENCE = 400 };
    int found = 0, failures = 0;
    int64_t wait = 0;
    for (int64_t step = 0; step < search->steps; step++) {
        if (energy(c) == 0 && step >= wait) {
            if (keep(c, best)) {
                found = members(c);
                failures = 0;
                if (!shrink(c)) break;
            } else {
                if (++failures > PATIENCE) break;
                wait = step + 20 * c->orbits;
            }
        }
        if (c->free_ranks < c->orbits && below(c, 16) == 0) move_fixed(c);
        else move_free(c);
    }
    return found;
}

/* ---- create and destroy ------------------------------------------------------------------------------------------------- */

static void number_pairs(struct cover *c)
{
    size_t r = (size_t)c->points;
    memset(c->pair, -1, r * r * sizeof *c->pair);
    for (int x = 0; x < c->points; x++)
        for (int y = 0; y < c->points; y++) {
            if (x == y || c->pair[(size_t)x * r + (size_t)y] >= 0) continue;
            int orbit = c->pairs++;
            c->pair_x[orbit] = x;
            c->pair_y[orbit] = y;
            for (int t = 0; t < c->n; t++) {
                size_t u = (size_t)move_point(c, x, t), v = (size_t)move_point(c, y, t);
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

static void destroy(struct cover *c)
{
    void *all[] = {c->logs, c->pair, c->pair_size, c->pair_x, c->pair_y, c->covers, c->coverers, c->uncovered, c->uncovered_at,
                   c->in, c->member, c->member_at, c->size, c->alone};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

/* 1 where there is no memory; destroy then frees what there is. */
static int create(struct cover *c)
{
    size_t r = (size_t)c->points, blocks = (size_t)c->orbits, pairs = r * r;
    c->logs = malloc(LOGS * sizeof *c->logs);
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
    if (!c->logs || !c->pair || !c->pair_size || !c->pair_x || !c->pair_y || !c->covers || !c->coverers || !c->uncovered ||
        !c->uncovered_at || !c->in || !c->member || !c->member_at || !c->size || !c->alone) return 1;
    for (int k = 0; k < LOGS; k++)
        c->logs[k] = (int)(-log((k + 0.5) / LOGS) * UNIT);
    number_pairs(c);
    return 0;
}

int cover_search(const struct cover_search *search, struct base_blocks *found)
{
    memset(found, 0, sizeof *found);
    int n = search->group, moved = search->points - search->fixed_points, turned = search->ranks - search->fixed_ranks;
    if (n < 1 || moved < 0 || moved % n != 0 || turned < n || turned % n != 0 || search->points < 2) return 0;

    struct cover c = {.ranks = search->ranks, .points = search->points, .n = n, .moved = moved, .free_ranks = turned / n,
                      .orbits = turned / n + search->fixed_ranks, .random = search->seed};
    c.share = (int)((int64_t)c.points * c.points / c.ranks);
    c.temperature = (int64_t)(14 + search->seed % 3 * 3) * n * UNIT / 100;      /* 0.14, 0.17 or 0.20 of a pair */
    int members = create(&c) ? -1 : 0;
    if (members == 0) {
        int failed = search->from ? fill_from(&c, search->from, search->start) : 0;
        if (!search->from) fill_blocks(&c, search->start);
        members = failed ? -1 : anneal(&c, search, found);
    }
    destroy(&c);
    return members;
}
