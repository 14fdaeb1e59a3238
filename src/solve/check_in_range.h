/* Test ratios of solutions, whatever the norms are. */
#ifndef OMPFACT_SRC_SOLVE_CHECK_IN_RANGE_H
#define OMPFACT_SRC_SOLVE_CHECK_IN_RANGE_H

#include "src/solve/solve.h"

/* A ratio of X as a solution of A X = B; B becomes B - A X. Collective. */
typedef ompfact_status judge_ratio(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/* The judge's ratio, of scaled copies of A and X where norms are far from 1. A and X are general and dense. Collective. */
ompfact_status judge_in_range(judge_ratio *judge, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

#endif
