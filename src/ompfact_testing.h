/**
 * @file ompfact_testing.h
 * Disturbances for the tests and for the command's --debug: delays, and flipped bits in matrices.
 *
 * This header is not installed, because no user needs it, so it is no part of the interface whose version configure.ac counts.
 */
#ifndef OMPFACT_TESTING_H
#define OMPFACT_TESTING_H

#include <stdbool.h>

/** A bit that a factorization flips in the memory of its matrix. */
typedef struct {
    bool on;                /**< the other members count */
    int step;               /**< flips the bit after the updates of all earlier steps and before this step begins */
    int i, j;               /**< the tile, which must be stored; step <= min(i,j) */
    int bit;                /**< bit of the middle element (row mb/2, column nb/2, from 0), counted from the least significant
                                 bit of its real part, then of its imaginary part */
} ompfact_flip;

/** The disturbances of a grid; all zero: none. */
typedef struct ompfact_testing {
    int jitter_us;          /**< largest random delay in microseconds, less than a second, of tasks and progress; also runs
                                 independent tasks in random order */
    ompfact_flip flip;      /**< bit that each factorization of a matrix with that tile, step and bit flips; the same on every
                                 rank */
} ompfact_testing;

#endif
