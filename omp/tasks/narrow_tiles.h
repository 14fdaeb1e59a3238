/*
 * Tasks with tiles of low rank some of which are in single, where the matrix is in double: U and V of a tile U V^H, or dense ones
 * that meet such (compression.h). They compute in double, of copies, as low_rank_tiles.h has it, and the output is in single
 * again where that changes no more than its share:
 *
 *     U V^H to single         sum over columns of |u| |dv| + |du| |v| + |du| |dv|, Frobenius norms, as found: columns that were
 *                             rounded before change no more
 *     a dense tile to single  what is found, too
 *     behind a solve          that times a bound of || |T| ||_2
 *
 * Squares of these add up with those of single_tiles.h, beside what truncations leave out, so both bounds hold, and add up to the
 * bound of both. A tile for which that is too much is in double from then on. Without a tile in single these are the tasks of
 * low_rank_tiles.h.
 */
#ifndef OMPFACT_OMP_TASKS_NARROW_TILES_H
#define OMPFACT_OMP_TASKS_NARROW_TILES_H

#include "omp/task.h"

/* Of tasks that have a tile of low rank; the last of an output of low rank, and like low_rank_trsm(). */
void narrow_gemm(struct task *t);
void narrow_herk(struct task *t);
bool narrow_trsm(struct task *t);

#endif
