/*
 * Speeds of ranks: one a rank, positive; NULL: all equal.
 */
#ifndef OMPFACT_LAYOUTS_RANK_SPEEDS_H
#define OMPFACT_LAYOUTS_RANK_SPEEDS_H

/* Whether speeds are given and not all the same. */
static inline int speeds_differ(const double *speeds, int ranks)
{
    for (int rank = 1; speeds && rank < ranks; rank++)
        if (speeds[rank] != speeds[0])
            return 1;
    return 0;
}

/* A copy of the speeds in units of the slowest rank's. NULL where there is no memory. */
double *speeds_of_ranks(const double *speeds, int ranks);

#endif
