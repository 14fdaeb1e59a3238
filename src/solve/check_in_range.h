/* Test ratios for any norms. */
#ifndef OMPFACT_SRC_SOLVE_CHECK_IN_RANGE_H
#define OMPFACT_SRC_SOLVE_CHECK_IN_RANGE_H

#include "src/solve/solve.h"

/* A ratio of X as a solution of A X = B. It overwrites B by B - A X. B NULL: of X as A's inverse. Collective. */
typedef ompfact_status judge_ratio(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/* The ratio by `judge`, of scaled copies of A and X if norms are far from 1. All are dense. Collective. */
ompfact_status judge_in_range(judge_ratio *judge, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/* The exponent that scales A to about 1; 0: A is near enough, or cannot be scaled. Collective. */
ompfact_status range_exponent(ompfact_matrix *A, int *exponent);
/* The 1-norm of 2^exponent A, which is dense and holds no factors; A is scaled during the call. Collective. */
ompfact_status norm1_of_scaled(ompfact_matrix *A, int exponent, double *norm);
/* Multiplies the stored elements of A by 2^exponent. Local. */
void scale_by_power(ompfact_matrix *A, int exponent);

#endif
