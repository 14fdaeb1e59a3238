/*
 * Tasks with tiles of a compressed matrix. Each tile is dense or U V^H of its own rank (kernels/truncation.h), which is known
 * when the task runs. A task whose tiles are all dense calls the usual kernel.
 *
 *     C += alpha op(A) op(B)      X Y^H is added to C, X = alpha U_A (inner part), Y = V_B or similar, of the smaller rank
 *     op(A) X = B, X op(A) = B    from the right only V changes, from the left only U
 *     C += alpha op(A) op(A)^H    on the diagonal, which is dense
 *
 * An update of a tile of low rank is stored behind the tile's columns, as far as there is room, and truncated with them. A
 * final tile is truncated before its triangular solve, so that the factor that the solve leaves alone has orthonormal columns.
 * Then the small matrix between two such tiles shows what their product may lose. If a tile's rank becomes too large, the tile
 * becomes dense and remains dense.
 *
 * The truncations of a tile leave out at most the tile's allowance (omp/compression.h) in total. Each truncation may take its
 * share of the rest, which depends on the number of updates to come. Since L_mk L_kk^H is the tile before its solve, this is
 * the error of A - L L^H in that tile.
 *
 * All this is in terms of memory, where a mirrored tile is its conjugate transpose (omp/task.h).
 */
#ifndef OMPFACT_OMP_TASKS_LOW_RANK_TILES_H
#define OMPFACT_OMP_TASKS_LOW_RANK_TILES_H

#include "omp/task.h"

/* Whether one of the task's tiles is of low rank now. */
bool has_low_rank(const struct task *t);
/* The work of task_gemm.c, task_herk.c and task_trsm.c in that case. low_rank_trsm is for an output of low rank. If the output
   becomes dense, it returns false, and the caller solves. */
void low_rank_gemm(struct task *t);
void low_rank_herk_task(struct task *t);
bool low_rank_trsm(struct task *t);

#endif
