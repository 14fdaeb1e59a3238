/* A set of distinct ranks; cleared in constant time. */
#ifndef OMPFACT_LAYOUTS_RANK_SET_H
#define OMPFACT_LAYOUTS_RANK_SET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct rank_set {
    int64_t *mark;      /* mark[rank] == round: the rank is in the set */
    int64_t round;
    int count;
};

static inline int rank_set_create(struct rank_set *set, int ranks)
{
    set->mark = calloc((size_t)ranks, sizeof *set->mark);
    set->round = 1;
    set->count = 0;
    return set->mark == NULL;
}

static inline void rank_set_destroy(struct rank_set *set)
{
    free(set->mark);
    set->mark = NULL;
}

static inline void rank_set_clear(struct rank_set *set)
{
    set->round++;
    set->count = 0;
}

static inline bool rank_set_has(const struct rank_set *set, int rank)
{
    return set->mark[rank] == set->round;
}

static inline void rank_set_add(struct rank_set *set, int rank)
{
    set->count += !rank_set_has(set, rank);
    set->mark[rank] = set->round;
}

#endif
