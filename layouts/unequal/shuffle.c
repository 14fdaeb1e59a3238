/*
 * 1D x 1D with tiles moved, ICPADS 2020, section V-B: balances the load of a section's ranks.
 *
 * The rank with the most time in the steps of a section gives its last tile that becomes final in them to the rank with the
 * least time, until (i) their difference is less than one update on the slowest rank, (ii) it has no such tile left, or (iii)
 * the tile would raise the other rank above the mean. The section with the most work comes first. Another section, the one
 * with the largest difference, costs transfers in the steps before it, too, and is chosen only if the sum of the sections'
 * longest times decreases by at least WORTHWHILE. Moves in a section add to the load of earlier steps, so chosen sections are
 * balanced from the last steps to the first.
 */
#include "layouts/arithmetic.h"
#include "layouts/unequal/plan.h"
#include "layouts/work.h"

#include <stdlib.h>
#include <string.h>

#define WORTHWHILE 0.005

struct movable {
    int rank, i, j;
};

struct shuffle {
    struct plan *plan;
    int *dealt;                 /* owners before any move */
    double *time;               /* time of each rank in the present section */
    struct movable *tile;       /* tiles that become final in the section, by rank, the last ones last */
    int *first, *count;         /* for each rank, its remaining tiles in `tile` */
    unsigned char *chosen;      /* for each section: whether it is chosen */
};

static int by_rank_and_place(const void *left, const void *right)
{
    const struct movable *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank - b->rank;
    if (least(a->i, a->j) != least(b->i, b->j))
        return least(a->i, a->j) - least(b->i, b->j);
    if (greatest(a->i, a->j) != greatest(b->i, b->j))
        return greatest(a->i, a->j) - greatest(b->i, b->j);
    return a->i - b->i;
}

static void list_tiles(struct shuffle *s, const struct section *section)
{
    const struct plan *p = s->plan;
    int total = 0;
    memset(s->count, 0, (size_t)p->ranks * sizeof *s->count);
    for (int i = section->first; i < p->mt; i++)
        for (int j = section->first; j < (p->algorithm == LAYOUT_CHOLESKY ? i + 1 : p->nt); j++) {
            if (least(i, j) > section->last)
                continue;
            int rank = plan_owner(p, i, j);
            s->tile[total++] = (struct movable){ rank, i, j };
            s->count[rank]++;
        }
    qsort(s->tile, (size_t)total, sizeof *s->tile, by_rank_and_place);
    for (int rank = 0, first = 0; rank < p->ranks; first += s->count[rank++])
        s->first[rank] = first;
}

/* The ranks of the section with the most and with the least time. */
static void find_extremes(const struct shuffle *s, int section, int *slowest, int *idlest)
{
    *slowest = *idlest = -1;
    for (int rank = 0; rank < s->plan->ranks; rank++) {
        if (s->plan->section_of_rank[rank] > section)
            continue;
        if (*slowest < 0 || s->time[rank] > s->time[*slowest])
            *slowest = rank;
        if (*idlest < 0 || s->time[rank] < s->time[*idlest])
            *idlest = rank;
    }
}

/* The largest difference of times in the section. */
static double difference(struct shuffle *s, int section)
{
    int slowest, idlest;
    plan_abe(s->plan, s->plan->section[section].first, s->plan->section[section].last, s->time);
    find_extremes(s, section, &slowest, &idlest);
    return s->time[slowest] - s->time[idlest];
}

static void level(struct shuffle *s, int number)
{
    struct plan *p = s->plan;
    const struct section *section = &p->section[number];
    double mean = 0;
    list_tiles(s, section);
    plan_abe(p, section->first, section->last, s->time);
    for (int rank = 0; rank < p->ranks; rank++)
        mean += s->time[rank] * p->speed[rank] / section->speed;
    for (;;) {
        int from, to;
        find_extremes(s, number, &from, &to);
        if (s->time[from] - s->time[to] <= 1 || s->count[from] == 0)
            return;
        const struct movable *tile = &s->tile[s->first[from] + s->count[from] - 1];
        double work = (double)layout_work_between(p->algorithm, tile->i, tile->j, section->first, section->last) / 6;
        if (s->time[to] + work / p->speed[to] > mean)
            return;
        s->count[from]--;
        s->time[from] -= work / p->speed[from];
        s->time[to] += work / p->speed[to];
        p->owner[(int64_t)tile->i * p->nt + tile->j] = to;
        p->moved++;
    }
}

/* Balances all chosen sections again, those of the last steps first. Returns the sum of the sections' longest times. */
static double level_chosen(struct shuffle *s)
{
    struct plan *p = s->plan;
    double sum = 0;
    memcpy(p->owner, s->dealt, (size_t)p->mt * (size_t)p->nt * sizeof *p->owner);
    p->rounds = p->moved = 0;
    for (int k = 0; k < p->sections; k++)
        if (s->chosen[k]) {
            level(s, k);
            p->rounds++;
        }
    for (int k = 0; k < p->sections; k++) {
        int slowest, idlest;
        plan_abe(p, p->section[k].first, p->section[k].last, s->time);
        find_extremes(s, k, &slowest, &idlest);
        sum += s->time[slowest];
    }
    return sum;
}

static int heaviest_section(const struct plan *p)
{
    int heaviest = 0;
    double largest = 0;
    for (int k = 0; k < p->sections; k++) {
        double work = 0;
        for (int step = p->section[k].first; step <= p->section[k].last; step++)
            work += plan_abe_star(p, step, 1);
        if (work > largest) {
            largest = work;
            heaviest = k;
        }
    }
    return heaviest;
}

/* The section with the largest difference that is not chosen yet; -1: no difference exceeds one update. */
static int next_section(struct shuffle *s)
{
    int next = -1;
    double largest = 1;
    for (int k = 0; k < s->plan->sections; k++) {
        double here = s->chosen[k] ? 0 : difference(s, k);
        if (here > largest) {
            largest = here;
            next = k;
        }
    }
    return next;
}

static void run_rounds(struct shuffle *s)
{
    s->chosen[heaviest_section(s->plan)] = 1;
    double time = level_chosen(s);
    for (int next = next_section(s); next >= 0; next = next_section(s)) {
        s->chosen[next] = 1;
        double less = level_chosen(s);
        if (less <= (1 - WORTHWHILE) * time) {
            time = less;
            continue;
        }
        s->chosen[next] = 0;
        level_chosen(s);
        return;
    }
}

int plan_shuffle(struct plan *p)
{
    size_t tiles = (size_t)p->mt * (size_t)p->nt, ranks = (size_t)p->ranks;
    int *owner = calloc(tiles, sizeof *owner);
    struct shuffle s = { .plan = p, .dealt = calloc(tiles, sizeof *s.dealt), .time = calloc(ranks, sizeof *s.time),
                         .tile = calloc(tiles, sizeof *s.tile), .first = calloc(ranks, sizeof *s.first),
                         .count = calloc(ranks, sizeof *s.count), .chosen = calloc((size_t)p->sections, 1) };
    int failed = owner == NULL || s.dealt == NULL || s.time == NULL || s.tile == NULL || s.first == NULL || s.count == NULL ||
                 s.chosen == NULL;
    for (int i = 0; !failed && i < p->mt; i++)
        for (int j = 0; j < p->nt; j++)
            s.dealt[(int64_t)i * p->nt + j] = plan_owner(p, i, j);
    if (!failed) {
        p->owner = owner;
        owner = NULL;
        run_rounds(&s);
    }
    free(owner);
    free(s.dealt);
    free(s.time);
    free(s.tile);
    free(s.first);
    free(s.count);
    free(s.chosen);
    return failed;
}
