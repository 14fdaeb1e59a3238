/*
 * Subsets of ranks.
 */
#ifndef OMPFACT_LAYOUTS_UNEVEN_SUBSETS_H
#define OMPFACT_LAYOUTS_UNEVEN_SUBSETS_H

#include "layouts/uneven/uneven.h"

/* `count` sets of at most `limit` ranks, as bits: set s has rank r if has_rank(set_of(..., s), r). */
struct subsets {
    int ranks, words, count;
    uint64_t *bits;
};

static inline const uint64_t *set_of(const struct subsets *s, int set)
{
    return s->bits + (int64_t)set * s->words;
}
static inline bool has_rank(const uint64_t *set, int rank)
{
    return (int)(set[rank / 64] >> (rank % 64) & 1);
}

/*
 * Families for rows and for columns, where each set of one intersects each set of the other, and every rank is in some set of
 * each. `symmetric`: one family, in rows, whose sets intersect each other; cols->count is 0. Subsets begin with those of a
 * pattern in which they intersect: rows and columns of G-2DBC, or the colrows of a design. Returns 0, or 1 and a text;
 * subsets_destroy() must follow either way.
 */
int subsets_create(const struct uneven *uneven, bool symmetric, struct subsets *rows, struct subsets *cols, char *text);
void subsets_destroy(struct subsets *subsets);

#endif
