/*
 * What single_tiles.c does with tiles in bfloat16, TILE_BF16. Such a tile is either as it was filled or final. The first task
 * that writes it opens it: it is TILE_SINGLE from then on, as numbers of 8 bits would lose what small updates add. The solve, the
 * last task that writes it, closes it. So it is rounded once, however many updates there are, by what is found:
 *
 *     X of X op(T) = B rounded to bfloat16        |dX| || |T| ||_2
 *
 * Where that does not fit into the tile's account the tile stays in single.
 */
#ifndef OMPFACT_OMP_TASKS_BF16_TILES_H
#define OMPFACT_OMP_TASKS_BF16_TILES_H

#include "omp/task.h"

/* Opens the tile if it is in bfloat16. False: there was no memory. */
bool open_bf16(struct task *t, const struct task_tile *C);
/* Closes the tile, m x n numbers in columns or packed, if it was filled in bfloat16, is in single and fits. triangle: at least
   || |T| ||_2. Checksums are computed anew for final tiles: those of the tile in single are lost. */
void close_bf16(struct task *t, const struct task_tile *B, int m, int n, double triangle);
/* Whether the task's factors are packed in bfloat16 and the processor multiplies such. */
bool may_multiply_bf16(const struct task *t);
/* Their product is added to C, in single. */
void multiply_bf16(const struct task *t, char *C);

#endif
