/*
 * Tasks of a matrix whose tiles are each in double or in single (TILE_SINGLE). A task reads the precision of its tiles when it
 * runs. A tile in bfloat16 is in single while tasks write it (bf16_tiles.h).
 *
 * The error that a computation in single may cause decides whether it is done in single. Let u be single's unit roundoff, and
 * |.| the Frobenius norm. A rounding changes a number by at most u times that number. Roundings of many numbers average out
 * (Higham, Mary, "A new approach to probabilistic rounding error analysis", 2019), so that s consecutive roundings change them
 * by sqrt(s/3) u times their norm:
 *
 *     C += op(A) op(B), k columns, in single      sqrt((k + 2)/3) u |A| |B|, and for a C in single also the next line
 *     C rounded to single after a product         u/sqrt(3) |C|, but at most |A| |B|, because C was in single before
 *     X op(T) = B in single                       sqrt((k + 3)/3) u |X| || |T| ||_2
 *     X op(T) = B in double, and X rounded        u/sqrt(3) |X| || |T| ||_2
 *
 * The output's form adds up the squares of these errors, and omp/compression.h has the bound for each tile. An update may take
 * its share of the rest, which depends on the number of updates to come; the solve may take all of the rest. What would exceed
 * the bound is computed in double, with copies of tiles in single. If the output still exceeds the bound when it is rounded,
 * it becomes double and remains double. The error of A - L L^H, or A - L U, in tile (i,j) is the sum of the roundings of the
 * tasks with the output (i,j). So the bound needs neither that A is definite nor how much tiles grow (doc/accuracy.md).
 *
 * A task without a tile in single is the same as for any other matrix. Tasks whose output is no tile of such a matrix, as in
 * solves, compute in double.
 */
#ifndef OMPFACT_OMP_TASKS_SINGLE_TILES_H
#define OMPFACT_OMP_TASKS_SINGLE_TILES_H

#include "omp/task.h"

/* Whether one of the task's tiles is in single now. */
bool has_single(const struct task *t);
/* The work of task_gemm.c and task_herk.c in that case, and of task_trsm.c if its output is in single. */
void single_gemm(struct task *t);
/* The square that an update may add to the errors in the output's form, since updates may follow in all steps before the tile
   is final. */
double single_allowed(const struct task *t);
void single_herk(struct task *t);
void single_trsm(struct task *t);

/* ---- for tiles on the host and on devices ---------------------------------------------------------------------------------- */

/* Of C += alpha op(A) op(B) in single, where C is in single and has at most this norm, or C is in double and the norm is 0: the
   norm of the product, a bound for the norm of a C in single after it, and the square of the errors. Infinite where numbers may
   be too large. */
struct update_errors {
    double added, norm, rounded;
};
struct update_errors errors_of_update(const struct task *t, double norm);
/* Whether the update may be done in single. */
bool update_fits(const struct task *t, const struct update_errors *errors);
/* Whether a solution of this norm, of a triangle with || |T| ||_2 at most `triangle`, may be in single after so many roundings
   in a row; *rounded: the square of the errors. */
bool solution_fits(const struct task *t, double steps, double norm, double triangle, double *rounded);
/* Stores the norm of the tile in its form; 0: it is unknown. */
void set_norm(const struct task_tile *C, double norm);

#endif
