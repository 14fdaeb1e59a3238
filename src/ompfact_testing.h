/**
 * @file ompfact_testing.h
 * What the tests, and the command's --debug, make a grid do: it is disturbed, or its matrices are.
 *
 * Not installed, for no user has a need of it, and so no part of the interface whose version configure.ac counts.
 */
#ifndef OMPFACT_TESTING_H
#define OMPFACT_TESTING_H

#include <stdbool.h>

/** A bit that a factorization flips in the memory of the matrix. */
typedef struct {
    bool on;                /**< the rest counts */
    int step;               /**< when the updates with all steps before it are done, and nothing of it */
    int i, j;               /**< the tile, a stored one; step <= min(i,j) */
    int bit;                /**< of the element in the middle (row mb/2, column nb/2, from 0): from the least significant one of
                                 its real part, then of its imaginary part */
} ompfact_flip;

/** All zero: nothing of all this. */
typedef struct ompfact_testing {
    int jitter_us;          /**< random delays of up to so many microseconds, less than a second, in tasks and progress, and a
                                 random order of all that has none */
    ompfact_flip flip;      /**< by each factorization of a matrix that has that tile, step and bit; the same on every rank */
} ompfact_testing;

#endif
