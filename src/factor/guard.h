/*
 * A factorization that looks for bits which flip in the memory of its matrix: sums go with each tile (omp/kernels/tile_sums.h),
 * and each tile is looked at when it is final, before anybody uses it.
 *
 *     at first       S_mn = A_mn W                        each rank's own tiles
 *     LU             S_mn -= L_mk (U_kn W)                more columns of U_kn and A_mn, which move with their rows
 *     Cholesky       S_mn -= L_mk (L_nk^H W)              of a diagonal tile those of all of it
 *     QR             S_mn -= V_mk (T^H sum V_mk^H S_mn)   more columns of C, X and W: what was wrong is spread over rows,
 *                                                         of a tile and of its sums alike
 *     A_kk, A_mk     looked at before they are factored, solved with or put on a stack
 *     A_kn           when its rows have moved, before it becomes U_kn; in QR when it is R_kn
 *
 * U_kn W and L_nk^H W are added up again from the final tiles, whose tasks have just looked at them: so what rounding has left
 * between a tile and its sums goes no further. How large rounding may be goes by how large elements and sums have ever been, the
 * scales: of QR the largest in the tile column, as it was given; of LU with pivots, where elements of L are about 1 at most,
 * that and those of the rows of U above; of Cholesky and of LU without pivots, where nothing bounds L, those of the tile as it
 * was given, and norms of rows and columns of the factors, for |a_ij - sum l_ik u_kj| <= |a_ij| + ||l_i|| ||u_j||.
 *
 * Tiles of mixed precision have sums in double, whatever they are in themselves, apart in LU, too: a tile in single ends in the
 * middle of its place, and its sums begin there; those of one that is widened move to the end of its double. What computing in
 * single may have left in a tile is known of it (struct tile_form), and counts as rounding.
 *
 * What is not seen: bits that flip in a tile after it was looked at, in copies of tiles, or in what pivoting and QR keep beside
 * the matrix. Behind a failing pivot nothing is said: what is worked on there is no factor.
 */
#ifndef OMPFACT_SRC_FACTOR_GUARD_H
#define OMPFACT_SRC_FACTOR_GUARD_H

#include "src/factor/factor.h"

struct guard {
    struct watch watch;
    const ompfact_matrix *A;
    struct watched *watched;        /* of my tiles, in the order in which they lie in memory */
    int64_t *last;                  /* [tile column]: of my last one in it */
    struct tile_scale *scale;       /* [tile column]; of Cholesky also a tile row of the factor; of LU these come behind */
    int *last_column;               /* [tile row]: of my last tile in it, below 0: there is none */
    double seconds;                 /* that the first sums took */
};

/* Sums of A's tiles are made, if it has them; else, or where some are not finite and so tell nothing, *guard is NULL.
   Collective. */
ompfact_status guard_begin(ompfact_matrix *A, const struct algorithm *algorithm, struct guard **guard);
/* status, info: of the run. What was found goes into A's report. OMPFACT_FAULT_FOUND, on all ranks: something could not be put
   right. Collective. */
ompfact_status guard_end(struct guard **guard, ompfact_matrix *A, ompfact_status status, int64_t info);

/* ---- around the parts of a step, which know nothing of it; nothing without a guard ------------------------------------- */

/* Looks at my tile, before the step that makes it final. */
void guard_check(struct run *run, const struct job *job, int i, int j);
void guard_before_panel(struct run *run, const struct job *job, int k);
void guard_after_panel(struct run *run, const struct job *job, int k);
void guard_before_row(struct run *run, const struct job *job, int k, int n);
void guard_after_row(struct run *run, const struct job *job, int k, int n);
void guard_after_update(struct run *run, const struct job *job, int k, int n);

/* ---- the testing aid: flip.c ------------------------------------------------------------------------------------------- */

/* To be called before that part of step k: flips the bit that is asked for, if it is the tile's first part of that step. */
void flip_before_panel(struct run *run, const struct job *job, int k);
void flip_before_row(struct run *run, const struct job *job, int k, int n);
void flip_before_update(struct run *run, const struct job *job, int k, int n, int from, int to);

#endif
