/*
 * A factorization that finds flipped bits in the memory of its matrix. Each tile has checksums (omp/kernels/tile_sums.h), and
 * is checked before the step that makes it final, before any other task uses it.
 *
 *     at first       S_mn = A_mn W                        each rank's own tiles
 *     LU             S_mn -= L_mk (U_kn W)                additional columns of U_kn and A_mn, which move with their rows
 *     Cholesky       S_mn -= L_mk (L_nk^H W)              for a diagonal tile those of the whole tile
 *     QR             S_mn -= V_mk (T^H sum V_mk^H S_mn)   additional columns of C, X and W: an error is spread over rows,
 *                                                         of a tile and of its checksums alike
 *     A_kk, A_mk     checked before they are factored, solved with or copied to a stack
 *     A_kn           checked when its rows have moved, before it becomes U_kn; in QR when it is R_kn
 *
 * U_kn W and L_nk^H W are computed again from the final tiles, which their tasks have just checked, so the differences by
 * rounding between a tile and its checksums are not passed on. The bound for rounding depends on how large elements and sums
 * have ever been, the scales. For QR the scale is the largest in the initial tile column. For LU with pivoting, where elements
 * of L are about 1 at most, it is that and the largest of the rows of U above. For Cholesky and LU without pivoting, where
 * nothing bounds L, it comes from the initial tile and from norms of rows and columns of the factors, since |a_ij - sum l_ik
 * u_kj| <= |a_ij| + ||l_i|| ||u_j||.
 *
 * Tiles of mixed precision have checksums in double, separate ones in LU, too. A tile in single ends in the middle of its
 * place, and its checksums begin there; when a tile is widened, they move to the end of its double. The error by computing in
 * single is recorded for each tile (struct tile_form), and counts as rounding.
 *
 * Not found are bits that flip in a tile after its check, in copies of tiles, or in the data of pivoting and QR beside the
 * matrix. Nothing is reported behind a failing pivot, because the tiles there are no factors.
 */
#ifndef OMPFACT_SRC_FACTOR_GUARD_H
#define OMPFACT_SRC_FACTOR_GUARD_H

#include "src/factor/factor.h"

struct guard {
    struct watch watch;
    const ompfact_matrix *A;
    struct watched *watched;        /* data of this rank's tiles, in the order of memory */
    int64_t *last;                  /* [tile column]: index of this rank's last tile in it */
    struct tile_scale *scale;       /* [tile column]: scales; for Cholesky also scales of tile rows of the factor; for LU these
                                       follow behind */
    int *last_column;               /* [tile row]: column of this rank's last tile in it; negative: none */
    double seconds;                 /* seconds for the initial checksums */
};

/* Computes the checksums of A's tiles, if A has them. Otherwise, or if some are not finite and so useless, *guard is NULL.
   Collective. */
ompfact_status guard_begin(ompfact_matrix *A, const struct algorithm *algorithm, struct guard **guard);
/* status, info: of the run. Adds the findings to A's report. Returns OMPFACT_FAULT_FOUND on all ranks if an error could not be
   corrected. Collective. */
ompfact_status guard_end(struct guard **guard, ompfact_matrix *A, ompfact_status status, int64_t info);

/* ---- around the parts of a step, which do not depend on them; nothing without a guard ---------------------------------- */

/* Checks this rank's tile before the step that makes it final. */
void guard_check(struct run *run, const struct job *job, int i, int j);
void guard_before_panel(struct run *run, const struct job *job, int k);
void guard_after_panel(struct run *run, const struct job *job, int k);
void guard_before_row(struct run *run, const struct job *job, int k, int n);
void guard_after_row(struct run *run, const struct job *job, int k, int n);
void guard_after_update(struct run *run, const struct job *job, int k, int n);

/* ---- the testing aid: flip.c ------------------------------------------------------------------------------------------- */

/* Called before this part of step k: flips the requested bit, if this is the first part of that step that uses the tile. */
void flip_before_panel(struct run *run, const struct job *job, int k);
void flip_before_row(struct run *run, const struct job *job, int k, int n);
void flip_before_update(struct run *run, const struct job *job, int k, int n, int from, int to);

#endif
