/*
 * Tasks of a matrix whose tiles are in double or in single, each for itself: TILE_SINGLE. A task of the loops looks at what its
 * tiles are when it runs.
 *
 * What is computed in single is so by what that can change. Write u for single's unit roundoff, |.| for Frobenius norms; each
 * rounding is at most u times what is rounded, and roundings of many numbers average out (Higham, Mary, "A new approach to
 * probabilistic rounding error analysis", 2019), so that s of them, one after the other, come to sqrt(s/3) u times that:
 *
 *     C += op(A) op(B), k columns, in single      sqrt((k + 2)/3) u |A| |B|, and where C is in single what is next
 *     C rounded to single behind a product        u/sqrt(3) |C|, but at most |A| |B|: without the product it was in single
 *     X op(T) = B in single, or in double         sqrt((k + 3)/3) u |X| || |T| ||_2, or, rounded, u/sqrt(3) of that
 *         and X rounded
 *
 * Squares of these add up in the output's form, and a factorization may add so much to each tile (omp/compression.h); an update
 * may take its share of what is left, by how many are to come, and the solve the rest. What does not fit is computed in double,
 * of tiles in single by copies; an output that does not fit then, either, becomes double, and stays so. What A - L L^H, or
 * A - L U, misses in tile (i,j) is what tasks with the output (i,j) have rounded, so nothing else has to be known: neither
 * whether A is definite nor how tiles grow (doc/accuracy.md).
 *
 * Where none of its tiles is in single a task is that of any matrix. Tasks whose output is no tile of such a matrix, as in
 * solves, compute in double.
 */
#ifndef OMPFACT_OMP_TASKS_SINGLE_TILES_H
#define OMPFACT_OMP_TASKS_SINGLE_TILES_H

#include "omp/task.h"

/* Is one of the task's tiles in single now? */
bool has_single(const struct task *t);
/* What task_gemm.c and task_herk.c do then, and task_trsm.c where its output is. */
void single_gemm(struct task *t);
/* Squares that an update may add to the output's form: those up to the step before it is final are to come. */
double single_allowed(const struct task *t);
void single_herk(struct task *t);
void single_trsm(struct task *t);

#endif
