/*
 * The catalogue of symmetric patterns: the best that are known for each number of ranks, as text in the library. Blocks are
 * written with a cyclic group, so that an entry has only a few lines.
 *
 * Points: with r points, g of them fixed, and a group of order n, point s*n + x is place x of orbit s, and the group's t-th
 * element maps it to s*n + (x + t) mod n; the last g points are fixed. Ranks are numbered in the same way, with f fixed ones.
 *
 * An entry of the text is a header and the blocks of the first rank of each orbit and of the fixed ranks, one on each line:
 *
 *     P 7 r 7 members 21 group 7 fixed 0 0 by plane q=2
 *     0 1 3
 *
 * P ranks, r points, and T = members / r. An empty line comes before each entry; entries are sorted by P and then by r.
 */
#ifndef OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_H
#define OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_H

#include "layouts/designs/blocks.h"

extern const char layout_catalogue_text[];      /* generated from catalogue/symmetric.txt */

struct base_blocks {
    int group, fixed_points, fixed_ranks;
    struct blocks blocks;       /* block of the first rank of each orbit; `ranks` is their number, `points` is r */
};

static inline int group_points_moved(const struct base_blocks *base)
{
    return base->blocks.points - base->fixed_points;
}

/* The image of a point, or rank, under the group's t-th element. `moved` of them are in orbits of n, the others are fixed. */
static inline int group_move(int point, int t, int n, int moved)
{
    if (point >= moved)
        return point;
    int place = point % n;
    return point - place + (place + t) % n;
}

/* The blocks of all ranks. Returns 0, or 1 without memory. */
int base_blocks_expand(const struct base_blocks *base, struct blocks *all);

struct catalogue_entry {
    int ranks, points, members;
    int group, fixed_points, fixed_ranks;
    char origin[96];            /* the search that found it, with its arguments */
    const char *lines;          /* the blocks, in the text */
};

/* Reads the next entry for this number of ranks at or behind `text` (at first layout_catalogue_text). Sizes increase, and costs
   decrease. Returns the text behind the entry, or NULL if there are no more. */
const char *catalogue_next(const char *text, int ranks, struct catalogue_entry *entry);

/* The entry's blocks. Returns 0, or 1 if the text is malformed or without memory. */
int catalogue_blocks(const struct catalogue_entry *entry, struct blocks *all);

#endif
