/* Test ratios whatever the norms are. */
#ifndef OMPFACT_SRC_SOLVE_CHECK_IN_RANGE_H
#define OMPFACT_SRC_SOLVE_CHECK_IN_RANGE_H

#include "src/solve/solve.h"

/* A ratio of X as a solution of A X = B, which B is left without: B becomes B - A X. B NULL: of X as A's inverse. Collective. */
typedef ompfact_status judge_ratio(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/* The judge's ratio, of scaled copies of A and X where norms are far from 1. All are dense. Collective. */
ompfact_status judge_in_range(judge_ratio *judge, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/* The exponent by which A is scaled to be about 1; 0: it is near enough, or nothing can be done for it. Collective. */
ompfact_status range_exponent(ompfact_matrix *A, int *exponent);
/* The 1-norm of 2^exponent A, which is dense and holds no factors, and is scaled on the way. Collective. */
ompfact_status norm1_of_scaled(ompfact_matrix *A, int exponent, double *norm);
/* What is stored of A becomes 2^exponent A. Local. */
void scale_by_power(ompfact_matrix *A, int exponent);

#endif
