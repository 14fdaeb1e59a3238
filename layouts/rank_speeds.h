/*
 * Speeds of ranks: one a rank, positive; NULL: all equal.
 */
#ifndef OMPFACT_LAYOUTS_RANK_SPEEDS_H
#define OMPFACT_LAYOUTS_RANK_SPEEDS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether speeds are given and not all the same. */
static inline bool speeds_differ(const double *speeds, int ranks)
{
    for (int rank = 1; speeds != NULL && rank < ranks; rank++)
        if (speeds[rank] != speeds[0])
            return true;
    return false;
}

/* A copy of the speeds in units of the slowest rank's speed. NULL without memory. */
double *speeds_of_ranks(const double *speeds, int ranks);

#endif
