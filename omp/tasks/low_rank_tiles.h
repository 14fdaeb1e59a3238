/*
 * Tasks with tiles of a compressed matrix: each is dense or U V^H of its own rank (kernels/truncation.h), which is known when the
 * task runs. A task whose tiles turn out to be dense calls the kernel that it always calls.
 *
 *     C += alpha op(A) op(B)      X Y^H is added to C, X = alpha U_A (inner part), Y = V_B and the like: of both ranks the least
 *     op(A) X = B, X op(A) = B    from the right V alone changes, from the left U alone
 *     C += alpha op(A) op(A)^H    on the diagonal, which is dense
 *
 * What is added to a tile of low rank lies behind its columns, as far as there is room, and is truncated together. A tile that is
 * final is truncated before its triangular solve, so that the factor that this leaves alone has orthonormal columns: what the
 * product of two such tiles may lose is then told by the small matrix between them. If a tile's rank becomes too large, the tile
 * becomes dense, and stays so.
 *
 * What truncations leave out adds up to at most the tile's allowance (omp/compression.h): each may take its share of what is
 * left, by how many updates are still to come. As L_mk L_kk^H is the tile before its solve, that is what A - L L^H misses there.
 *
 * All in terms of memory, in which a mirrored tile is its conjugate transpose (omp/task.h).
 */
#ifndef OMPFACT_OMP_TASKS_LOW_RANK_TILES_H
#define OMPFACT_OMP_TASKS_LOW_RANK_TILES_H

#include "omp/task.h"

/* Is one of the task's tiles of low rank now? */
bool has_low_rank(const struct task *t);
/* What task_gemm.c, task_herk.c and task_trsm.c do then. The last also where its output becomes dense: then it is for the caller
   to solve, and false is returned. */
void low_rank_gemm(struct task *t);
void low_rank_herk_task(struct task *t);
bool low_rank_trsm(struct task *t);

#endif
