/*
 * Tasks of single_tiles.h on a device. All tiles are there, each in its precision. Products are in single under the same
 * conditions and add the same errors to the output's form as on the host. A task only begins work on the device, so what it
 * decides is decided from numbers that are known by then:
 *
 *   - The norm of a factor is found when the tile is solved for, or moved there (task_tile, found).
 *   - The norm of an output in single is the bound that grows with each update. Where the bound is too large for the update, the
 *     output becomes double in its slot, until its solve.
 *   - A solve is in double. The device finds |X| and the Frobenius norm of T, which is at least || |T| ||_2. The task that comes
 *     after it, TASK_ROUND, reads these and rounds the tile to single, if it was filled so and the error of that fits:
 *     u/sqrt(3) |X| |T|_F. Else the tile remains double. A tile that was filled in bfloat16 becomes so again if |dX| |T|_F fits,
 *     with the change dX that the device has found.
 *   - Two factors in bfloat16 are multiplied as they are, where the device can do that and its way of summing is right enough;
 *     else they are widened to single.
 *
 * Between the solve and the rounding no task reads the tile. Both are writers of the tile, so they are in order, and every
 * reader comes after both.
 */
#ifndef OMPFACT_OMP_TASKS_DEVICE_TILES_H
#define OMPFACT_OMP_TASKS_DEVICE_TILES_H

#include "omp/task.h"

/* C += alpha op(A) op(B), or on a triangle op(A) op(A)^H, where a tile is narrow. */
void device_update(struct task *t);
/* X op(T) = B or op(T) X = B, in double. */
void device_trsm(struct task *t);
/* Whether a task rounds the tile after its solve: a tile of mixed precision that resides on a device. */
bool is_rounded_apart(const struct operand *B);
void task_round(struct run *run, enum diag diag, struct operand B);

#endif
