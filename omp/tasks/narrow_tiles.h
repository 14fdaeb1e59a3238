/*
 * Tasks of a matrix in double with narrow tiles, one of which is of low rank: U and V of a tile U V^H in single, or dense tiles
 * in single or bfloat16 in the same task (compression.h). They compute in double, with copies of the tiles, as in
 * low_rank_tiles.h. The output is in single again if that changes it by no more than its share:
 *
 *     U V^H to single         sum over columns of |u| |dv| + |du| |v| + |du| |dv|, measured Frobenius norms: columns that were
 *                             rounded before do not change again
 *     a dense tile to single  the measured change; a tile in bfloat16 is in single from then on (bf16_tiles.h)
 *     after a solve           the measured change times a bound of || |T| ||_2
 *
 * The squares of these changes are added to those of single_tiles.h, separately from what truncations leave out. So both
 * bounds hold, and together they add up to the bound for both. A tile whose changes would be too large is in double from then
 * on. Without a tile in single these are the tasks of low_rank_tiles.h.
 */
#ifndef OMPFACT_OMP_TASKS_NARROW_TILES_H
#define OMPFACT_OMP_TASKS_NARROW_TILES_H

#include "omp/task.h"

/* For tasks with a tile of low rank. narrow_trsm is for an output of low rank, and returns the same as low_rank_trsm(). */
void narrow_gemm(struct task *t);
void narrow_herk(struct task *t);
bool narrow_trsm(struct task *t);

#endif
