/*
 * Generates the catalogue of symmetric patterns.
 *
 *     make-catalogue designs FILE LAST                          block designs and difference covers for up to LAST ranks
 *     make-catalogue search FILE FIRST LAST ROUNDS SEED STEPS   searches for better blocks, ROUNDS tries of STEPS moves a P
 *     make-catalogue merge FILE OTHER...                        the best of all files, without entries of little use
 *     make-catalogue again FILE P r                             repeats the search that found an entry, and compares
 *
 * A try draws a size and a group, or begins with a design or part of one, and searches for blocks with fewer members than the
 * file has for that size or a smaller one. Each entry states how it was found: the same arguments find it again. FILE is read
 * if it exists, and written; a search writes it after each P. Several searches with different seeds can run at the same time
 * with different files.
 */
#include "layouts/arithmetic.h"
#include "layouts/designs/catalogue/cover.h"
#include "layouts/designs/catalogue/entries.h"
#include "layouts/designs/designs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- choice of searches ------------------------------------------------------------------------------------------------- */

static uint64_t state;

static int draw(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)limit);
}

/* An r x r pattern is stored only if it has fewer members than this. */
static int to_beat(int ranks, int r)
{
    double least = 1.35 * sqrt(ranks);
    for (int k = 0; k < entry_count[ranks] && entries[ranks][k].points <= r; k++)
        least = fmin(least, entry_cost(&entries[ranks][k]));
    return (int)ceil(least * r - 1e-9);
}

/* Equation (3) of the IPDPS 2023 paper, and a bound below the known entries. */
static bool worth_trying(int ranks, int r)
{
    int64_t cells = (int64_t)r * r;
    return (cells - r + ranks - 1) / ranks <= cells / ranks && pattern_bound_cholesky(ranks, r) * r < to_beat(ranks, r) - 1e-9;
}

/* Draws a group that fits: few fixed points and ranks, and only with a group that is not too large for them. */
static int draw_search(int ranks, struct cover_search *s)
{
    enum { FEW = 16 };      /* most ranks for which larger patterns and blocks of different sizes are tried, too */
    double root = sqrt(ranks);
    int largest = (int)fmax(6 * root, ranks), smallest = (int)ceil(root), uneven = ranks <= FEW && draw(2);
    if (largest > 1.3 * ranks + 8)
        largest = (int)(1.3 * ranks) + 8;
    if (uneven)
        largest = 3 * FEW;
    for (int tries = 0; tries < 2000; tries++) {
        int n = draw(4) == 0 ? 1 + draw(ranks) : 1 + draw(3 + (int)root);
        int r = draw(3) == 0 && n > 1 ? n * (1 + draw(largest / n + 1)) + draw(2) : smallest + draw(largest - smallest + 1);
        if (draw(6) == 0)
            r = ranks;
        int f = ranks % n, g = r % n;
        if (r < 2 || r > largest || ranks < n || f > 3 || g > 3)
            continue;
        if ((f > 0 && n > 1.3 * r / root) || (g > 0 && n > 1.3 * root + 1))
            continue;
        if (!worth_trying(ranks, r))
            continue;
        int start = to_beat(ranks, r) - 1;
        *s = (struct cover_search){ .ranks = ranks, .points = r, .group = n, .fixed_points = g, .fixed_ranks = f,
                                    .start = start };
        s->uneven = uneven;
        return 1;
    }
    return 0;
}

static int keep(const struct cover_search *s, const char *from)
{
    struct base_blocks found;
    int members = cover_search(s, &found);
    if (members <= 0)
        return 0;
    char origin[160];
    snprintf(origin, sizeof origin, "cover%s start=%d seed=%" PRIu64 " steps=%" PRId64, from, s->start, s->seed, s->steps);
    entries_add(s->ranks, (struct entry){ s->points, members, entry_text(s->ranks, members, &found, origin) });
    blocks_destroy(&found.blocks);
    printf("P %d r %d cost %.4f group %d%s\n", s->ranks, s->points, (double)members / s->points, s->group, from);
    fflush(stdout);
    return 1;
}

static void try_once(int ranks, int64_t steps)
{
    struct cover_search s;
    if (!draw_search(ranks, &s))
        return;
    s.seed = (uint64_t)draw(1 << 20);
    s.steps = steps;
    keep(&s, s.uneven ? " uneven" : "");
}

/* ---- initial designs ---------------------------------------------------------------------------------------------------- */

static int arc_of_4(int q, struct blocks *b)
{
    return maximal_arc(q, 4, b);
}

static int arc_of_8(int q, struct blocks *b)
{
    return maximal_arc(q, 8, b);
}

static const struct start {
    const char *name;
    int (*build)(int q, struct blocks *b);
} starts[] = { { "plane", projective_plane }, { "unital", hermitian_unital }, { "arc4", arc_of_4 }, { "arc8", arc_of_8 } };
enum { STARTS = sizeof starts / sizeof starts[0] };

/* Whether the cells off the diagonal leave some room in the ranks' shares: without it the matching rarely succeeds. */
static bool has_room(int ranks, int r)
{
    int64_t cells = (int64_t)r * r;
    return cells / ranks * ranks - (cells - r) >= r / 4;
}

/* Begins with the design. If it has too few blocks, the search has hardly more members, and in a plane it begins with ovals,
   which leave little to search. */
static void try_design(int ranks, const struct start *start, int q, int tries, int64_t steps)
{
    struct blocks b;
    if (start->build(q, &b))
        return;
    int is_plane = start->build == projective_plane, more = ranks - b.ranks, most = least(b.points, ranks);
    int comparable = b.ranks >= ranks / 2 && b.ranks <= 1.7 * ranks;
    for (int k = 0; k < tries && comparable; k++) {
        struct cover_search s = { .ranks = ranks, .points = b.points, .group = 1, .steps = steps, .from = &b };
        s.seed = (uint64_t)draw(1 << 20);
        s.ovals = is_plane && more > 0 && more <= ranks / 2;
        for (int draws = 0; draws < 20 && (s.ovals ? !has_room(ranks, s.points) : k > 0 && draws == 0); draws++)
            s.points = most - draw(1 + most / (s.ovals ? 8 : is_plane ? 4 : 16));
        if (s.points > b.points || !worth_trying(ranks, s.points))
            continue;
        int64_t all = b.first[b.ranks], plain = all * ranks / b.ranks * s.points / b.points;
        s.start = to_beat(ranks, s.points) - 1;
        if (more > 0 && more <= ranks / 2)
            s.start = least(s.start, (int)plain + draw(ranks / 2));
        char from[32];
        snprintf(from, sizeof from, " %s=%d%s", start->name, q, s.ovals ? " ovals" : "");
        keep(&s, from);
    }
    blocks_destroy(&b);
}

static void add_design(const char *origin, struct base_blocks *base, int failed)
{
    struct blocks all;
    if (failed)
        return;
    if (base_blocks_expand(base, &all) == 0) {
        struct pattern *pattern = blocks_pattern(&all);
        int members = all.first[all.ranks];
        if (pattern != NULL && pattern_is_balanced(pattern) == 1 && members < to_beat(all.ranks, all.points))
            entries_add(all.ranks, (struct entry){ all.points, members, entry_text(all.ranks, members, base, origin) });
        pattern_destroy(&pattern);
        blocks_destroy(&all);
    }
    blocks_destroy(&base->blocks);
}

/* One block of a cyclic design represents all blocks. */
static int base_of(int modulus, const int *residues, int count, struct base_blocks *base)
{
    *base = (struct base_blocks){ .group = modulus };
    if (blocks_create(&base->blocks, 1, modulus, count))
        return 1;
    memcpy(base->blocks.point, residues, (size_t)count * sizeof *residues);
    base->blocks.first[1] = count;
    return 0;
}

/* Maximal arcs with 4 points and more on a line; with all of them they are affine planes. */
static void add_arcs(int last)
{
    for (int q = 8; q * q / 2 <= last; q *= 2)
        for (int n = 4; n <= q / 2; n *= 2) {
            char origin[64];
            struct base_blocks base = { .group = 1 };
            snprintf(origin, sizeof origin, "arc%d q=%d", n, q);
            if (((n - 1) * (q + 1) + 1) * (q + 1) / n <= last)
                add_design(origin, &base, maximal_arc(q, n, &base.blocks));
        }
}

static void add_designs(int last)
{
    static int residues[MOST_RANKS];
    char origin[64];
    struct base_blocks base;
    for (int q = 2; q * q + q <= last; q++) {
        snprintf(origin, sizeof origin, "plane q=%d", q);
        if (q * q + q + 1 <= last)
            add_design(origin, &base, singer_difference_set(q, residues) || base_of(q * q + q + 1, residues, q + 1, &base));
        snprintf(origin, sizeof origin, "affine q=%d", q);
        base = (struct base_blocks){ .group = 1 };
        add_design(origin, &base, affine_plane(q, &base.blocks));
        snprintf(origin, sizeof origin, "unital q=%d", q);
        base = (struct base_blocks){ .group = 1 };
        if (q * q * (q * q - q + 1) <= last)
            add_design(origin, &base, hermitian_unital(q, &base.blocks));
    }
    add_arcs(last);
    for (int v = 7; v * (v - 1) / 6 <= last; v++) {
        snprintf(origin, sizeof origin, "triples v=%d", v);
        base = (struct base_blocks){ .group = 1 };
        add_design(origin, &base, steiner_triples(v, &base.blocks));
    }
    for (int ranks = 2; ranks <= last; ranks++) {
        int count = cyclic_cover(ranks, residues);
        add_design("cyclic", &base, base_of(ranks, residues, count, &base));
    }
}

static int search(const char *path, int first, int last, int rounds, uint64_t seed, int64_t steps)
{
    entries_read(path);
    for (int ranks = first; ranks <= last; ranks++) {
        state = seed * 1000003u + (uint64_t)ranks;
        for (int round = 0; round < rounds; round++)
            try_once(ranks, steps);
        for (int k = 0; k < STARTS; k++)
            for (int q = 2; (q - 2) * (q - 2) <= ranks; q++)
                try_design(ranks, &starts[k], q, (rounds + 1) / 2, steps);
        if (entries_write(path))
            return 1;
    }
    return 0;
}

/* Whether the rank owns a cell of the colrow. */
static bool is_in(const struct pattern *p, int rank, int colrow)
{
    for (int k = 0; k < p->rows; k++)
        if (p->cell[colrow * p->cols + k] == rank || p->cell[k * p->cols + colrow] == rank)
            return true;
    return false;
}

/* Removes points from blocks whose ranks own no cell there. Returns their number. */
static int trim_blocks(struct blocks *b)
{
    struct pattern *pattern = blocks_pattern(b);
    int kept = 0, members = b->first[b->ranks];
    for (int p = 0, k = 0; p < b->ranks && pattern != NULL; p++) {
        for (int end = b->first[p + 1]; k < end; k++)
            if (is_in(pattern, p, b->point[k]))
                b->point[kept++] = b->point[k];
        b->first[p + 1] = kept;
    }
    pattern_destroy(&pattern);
    return members - b->first[b->ranks];
}

/* Removes superfluous members from an entry without symmetry. */
static void trim(int ranks, struct entry *e)
{
    struct catalogue_entry header;
    struct base_blocks base = { .group = 1 };
    char *text = malloc(strlen(e->text) + 2);
    sprintf(text, "\n%s", e->text);
    if (catalogue_next(text, ranks, &header) != NULL && header.group == 1 && catalogue_blocks(&header, &base.blocks) == 0) {
        while (trim_blocks(&base.blocks) > 0);
        e->members = base.blocks.first[ranks];
        free(e->text);
        e->text = entry_text(ranks, e->members, &base, header.origin);
        blocks_destroy(&base.blocks);
    }
    free(text);
}

/* Keeps the cheapest entry. Keeps a smaller entry if it costs clearly less than the next smaller one, is not long, and costs
   clearly more than the cheapest or has at most half its points. */
static void prune(void)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        struct entry *list = entries[ranks];
        int kept = 0, count = entry_count[ranks];
        double step = ranks <= 64 ? 0.98 : 0.95;
        enum { LONG = 4096 };   /* characters */
        for (int k = 0; k < count; k++)
            trim(ranks, &list[k]);
        for (int k = 0; k < count; k++) {
            int is_cheapest = k + 1 == count, is_small = 2 * list[k].points <= list[count - 1].points;
            int near = !is_cheapest && !is_small && entry_cost(&list[count - 1]) > 0.98 * entry_cost(&list[k]);
            int stays = !near && strlen(list[k].text) < LONG &&
                        (kept == 0 || entry_cost(&list[k]) < step * entry_cost(&list[kept - 1]));
            if (is_cheapest || stays)
                list[kept++] = list[k];
        }
        entry_count[ranks] = kept;
    }
}

/* Builds the design with which the search began, if the text names one. Returns 1 on failure. */
static int find_start(const char *origin, struct blocks *from)
{
    for (int k = 0; k < STARTS; k++) {
        int q, length = (int)strlen(starts[k].name);
        if (strncmp(origin, "cover ", 6) == 0 && strncmp(origin + 6, starts[k].name, (size_t)length) == 0 &&
            sscanf(origin + 6 + length, "=%d", &q) == 1)
            return starts[k].build(q, from);
    }
    return 0;
}

/* Searches for the entry of r points again. Returns 0 if the search finds the same blocks, without superfluous members. */
static int again(const char *path, int ranks, int r)
{
    entries_read(path);
    for (int k = 0; k < entry_count[ranks]; k++) {
        struct entry *e = &entries[ranks][k];
        struct cover_search s = { .ranks = ranks, .points = r };
        struct base_blocks found;
        struct blocks from = { 0 };
        char origin[160];
        int length = 0;
        if (e->points != r ||
            sscanf(e->text, "P %*d r %*d members %*d group %d fixed %d %d by %159[^\n]", &s.group, &s.fixed_points,
                                     &s.fixed_ranks, origin) != 4)
            continue;
        const char *start = strstr(origin, "start=");
        if (start == NULL ||
            sscanf(start, "start=%d seed=%" SCNu64 " steps=%" SCNd64 "%n", &s.start, &s.seed, &s.steps, &length) != 3) {
            printf("P %d r %d is by %s: see designs\n", ranks, r, origin);
            return 0;
        }
        if (find_start(origin, &from))
            return 1;
        s.from = from.ranks > 0 ? &from : NULL;
        s.ovals = strstr(origin, " ovals ") != NULL;
        s.uneven = strstr(origin, " uneven ") != NULL;
        int members = cover_search(&s, &found);
        blocks_destroy(&from);
        struct entry same = { .points = r, .members = members };
        same.text = members > 0 ? entry_text(ranks, members, &found, origin) : strdup("nothing\n");
        blocks_destroy(&found.blocks);
        if (members > 0)
            trim(ranks, &same);
        int differs = strcmp(same.text, e->text) != 0;
        printf("P %d r %d: %s\n", ranks, r, differs ? "not found again" : "found again");
        return differs;
    }
    fprintf(stderr, "%s has no entry of %d points for %d ranks\n", path, r, ranks);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "again") == 0)
        return again(argv[2], atoi(argv[3]), atoi(argv[4]));
    if (argc >= 3 && strcmp(argv[1], "merge") == 0) {
        for (int k = 2; k < argc; k++)
            entries_read(argv[k]);
        prune();
        return entries_write(argv[2]);
    }
    if (argc == 8 && strcmp(argv[1], "search") == 0)
        return search(argv[2], atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), strtoull(argv[6], NULL, 10),
                      strtoll(argv[7], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "designs") == 0) {
        entries_read(argv[2]);
        add_designs(atoi(argv[3]));
        return entries_write(argv[2]);
    }
    fprintf(stderr,
            "usage: make-catalogue designs FILE LAST | search FILE FIRST LAST ROUNDS SEED STEPS | merge FILE OTHER... | "
            "again FILE P r\n");
    return 2;
}
