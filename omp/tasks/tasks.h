/* The tasks that loops submit, with their equations. Operands that are only read come first; the last one is the output. */
#ifndef OMPFACT_OMP_TASKS_TASKS_H
#define OMPFACT_OMP_TASKS_TASKS_H

#include "omp/run.h"

/* A = L L^H */
void task_potrf(struct run *run, struct operand A);
/* A = L U, no pivoting */
void task_getrf(struct run *run, struct operand A);
/* B = op(A)^-1 B or B op(A)^-1 */
void task_trsm(struct run *run, enum side side, enum uplo uplo, enum trans trans, enum diag diag, struct operand A,
               struct operand B);
/* C = C + alpha op(A) op(A)^H */
void task_herk(struct run *run, double alpha, enum trans trans, struct operand A, struct operand C);
/* C = C + alpha op(A) op(B) */
void task_gemm(struct run *run, double alpha, enum trans transa, struct operand A, enum trans transb, struct operand B,
               struct operand C);
/* C = C + alpha A B, A Hermitian or symmetric, of which the lower triangle is read */
void task_hemm(struct run *run, double alpha, struct operand A, struct operand B, struct operand C);
/* B = B + alpha A; both are mirrored, or neither is */
void task_add(struct run *run, double alpha, struct operand A, struct operand B);
/* B = 0, on the host */
void task_clear(struct run *run, struct operand B);
/* B = A^H; for a symmetric matrix A^T, here and in all comments about factors with signs */
void task_transpose(struct run *run, struct operand A, struct operand B);
/* C = C - op(A) op(B), triangular factors */
void task_product(struct run *run, struct factor_form shape_a, struct operand A, struct factor_form shape_b, struct operand B,
                  struct operand C);

/* ---- factors with signs: see omp/kernels/signed_block.h; J is a signed block --------------------------------------------- */

/* A = G J G^H. scale: the largest modulus of the matrix; the smallest pivot is u times the scale. Writes J and A. */
void task_sytrf(struct run *run, double scale, struct operand J, struct operand A);
/* B = G^-1 B or G^-H B, or from the right B G^-H, with G from A and J. signs: then B = B J. */
void task_signed_solve(struct run *run, enum side side, enum trans trans, bool signs, struct operand A, struct operand J,
                       struct operand B);
/* W = G^-H J, and B = B W: the same solve by a product, for tiles on devices. */
void task_signed_inverse(struct run *run, struct operand A, struct operand J, struct operand W);
void task_signed_multiply(struct run *run, struct operand W, struct operand B);
/* B = J B */
void task_signs(struct run *run, struct operand J, struct operand B);
/* C = C - A J B^H */
void task_signed_gemm(struct run *run, struct operand A, struct operand J, struct operand B, struct operand C);
/* C = C - A J A^H */
void task_signed_herk(struct run *run, struct operand A, struct operand J, struct operand C);
/* C = C - B J G^H, and on a triangle C = C - G J G^H, with G from A and J */
void task_signed_product(struct run *run, struct operand B, struct operand A, struct operand J, struct operand C);
void task_signed_square(struct run *run, struct operand A, struct operand J, struct operand C);

/* ---- factors whose matrix changes: see omp/kernels/update_reflectors.h; Q are reflectors, alpha 1 or -1 ------------------- */

/* ( L V ) Q = ( L' 0 ) with L' L'^H = L L^H + alpha V V^H, L on the diagonal. Writes all three. */
void task_update_reflectors(struct run *run, double alpha, struct operand Q, struct operand V, struct operand L);
/* ( L V ) = ( L V ) Q. Writes L and V. */
void task_update_reflect(struct run *run, double alpha, struct operand Q, struct operand V, struct operand L);

/* ---- pivoting: see omp/kernels/pivots.h; tasks on a stack run where its memory is ---------------------------------------- */

/* Copies the rows of a tile, or those of candidates, to the stack: as its first rows, or below the present ones. */
void task_stack(struct run *run, bool first, struct operand A, struct operand stack);
void task_stack_candidates(struct run *run, bool first, struct operand candidates, struct operand stack);
/* Gaussian elimination with partial pivoting chooses the best rows of the stack, which become candidates. */
void task_candidates(struct run *run, struct operand stack, struct operand candidates);
/* Elimination chooses the pivots of the step, as for candidates. The stack then holds the factors, L below U. A zero pivot is
   recorded. */
void task_pivots(struct run *run, const struct tile_rows *rows, struct operand stack, struct operand pivots);
/* Copies a tile of the panel from the factors on the stack, beginning with this row of the stack. flops: the tile's share of
   the elimination. */
void task_unstack(struct run *run, int64_t row, double flops, struct operand stack, struct operand A);
/* Copies the diagonal tile, which holds the interchanged rows, from the factors on the stack. The rows below the last column's
   pivots are computed with U's inverse. */
void task_unstack_chosen(struct run *run, double flops, struct operand stack, struct operand A);
/* B = A */
void task_copy(struct run *run, struct operand A, struct operand B);
/* list = the pivots of the step as 0-based global rows */
void task_record(struct run *run, struct operand pivots, struct operand list);

/*
 * The interchange of rows in one tile column. A is the tile in the pivots' tile row, B a group of tiles below. `down` holds the
 * rows that move from A to tiles below, in a part for each rank. `up` holds the rows that move from the tiles of rank moves.rank
 * to A. task_rows_out also moves rows within A. alone: one rank owns the column; then `down` is a tile whose columns are where
 * A's are.
 */
void task_rows_out(struct run *run, bool alone, struct moves moves, struct operand pivots, struct operand A, struct operand down);
void task_rows_up(struct run *run, struct moves moves, struct operand pivots, struct operand B, struct operand up);
void task_rows_in(struct run *run, struct moves moves, struct operand pivots, struct operand up, struct operand A);
void task_rows_down(struct run *run, struct moves moves, struct operand pivots, struct operand down, struct operand B);
/* task_rows_up, _in and _down in one task, for tiles B that A's rank owns. */
void task_rows_swap(struct run *run, bool alone, struct moves moves, struct operand pivots, struct operand down, struct operand B,
                    struct operand A);

/* ---- checksums of tiles: see omp/kernels/tile_sums.h; task_sums.c -------------------------------------------------------- */

/* The results of the checks of tiles in one step, on one rank. */
struct step_findings {
    _Atomic int64_t found, corrected;
    _Atomic int64_t lost;               /* a tile that could not be corrected: 2^32 i + j + 1; 0: none */
};
struct watch {
    int widest;                         /* columns of the widest tile in memory */
    struct step_findings *step;
    atomic_bool lost;                   /* a tile was lost in any step; checkpoints from then on are worthless */
};

/* A tile of this rank that is checked when it is final. */
struct watched {
    struct watch *watch;
    double depth;                       /* depth h of its row sums at that time */
    struct tile_scale past;             /* scale of the tile when it was filled */
    double rounded;                     /* `rounded` of its form when it was filled */
};

/* Compares A with its checksums before the step that makes A final, and corrects A. scale: how large A and its checksums have
   been, unless w has it; one for LU with pivoting and for QR, of the column; else two, of the rows and columns of the factors
   whose product updates A. triangle: A is Hermitian (or symmetric), and only the triangle is stored. */
void task_check_sums(struct run *run, struct watched *w, int scales, const struct operand *scale, bool triangle,
                     struct operand A);
/* Computes the checksums and the norms that a final tile needs as a right factor of updates, and stores them behind it. Of U
   they are U W, of L they are L^H W. The norms are the largest element and sum of U, or with `norms`, and for L, the largest
   2-norms of the rows or columns and of the checksums. */
void task_sums_of_row(struct run *run, struct watched *w, bool norms, struct operand U);
void task_sums_of_factor(struct run *run, struct watched *w, struct operand L);
/* Adds the norms of such a tile to the scale: task_scale_by_row takes the larger norms, task_scale_by_factor the root of the
   sum of squares. */
void task_scale_by_row(struct run *run, struct operand U, struct operand scale);
void task_scale_by_factor(struct run *run, struct operand L, struct operand scale);
/* Flips a bit of the element in the middle of A. */
void task_flip(struct run *run, int bit, struct operand A);

/* ---- QR: see src/factor/reflectors.h --------------------------------------------------------------------------------------- */

/* Factors the stack, so many rows by stack.nb, as Q R, Q = I - V T V^H. V stays on the stack, R in its triangle. ib: the number
   of columns that are not halved. */
void task_geqrt(struct run *run, int ib, int64_t rows, struct operand stack, struct operand T);
/* R = the triangle on top of the stack */
void task_triangle(struct run *run, struct operand stack, struct operand R);
/* R on top of the triangle (or trapezoid) B = Q R, Q = I - ( I V^T )^T T ( I V^H ) */
void task_tpqrt(struct run *run, int ib, struct operand B, struct operand R, struct operand V, struct operand T);
/* X = X + V^H C, with the rows of V and C in the range; NULL: as many as V has. first: X = V^H C. top: V is the first tile,
   used as a whole, and begins with a unit lower triangle. */
void task_reflect_in(struct run *run, bool first, bool top, const struct row_range *range, struct operand V, struct operand C,
                     struct operand X);
/* C = C - V W. after: unless NULL, another tile that no task may write before this one; nothing of it is read. */
void task_reflect_out(struct run *run, bool top, const struct row_range *range, struct operand V, struct operand W,
                      const struct operand *after, struct operand C);
/* The same for a V whose rows are those of a unit matrix: W = W + C and C = C - W, with the rows of W and C in the range; NULL:
   as many as W has. first: W = C, and zeros elsewhere. */
void task_head_in(struct run *run, bool first, const struct row_range *range, struct operand C, struct operand W);
void task_head_out(struct run *run, const struct row_range *range, struct operand W, const struct operand *after,
                   struct operand C);
/* W = op(T) W, T upper triangular */
void task_trmm(struct run *run, enum trans trans, struct operand T, struct operand W);
/* Computes nothing. A, which is FINAL, is published. A tile in parts is only a signal: no data are read. */
void task_release(struct run *run, struct operand A);
/* Delays writes of B until the signal A has arrived. */
void task_wait(struct run *run, struct operand A, struct operand B);

/* ---- saving ----------------------------------------------------------------------------------------------------------- */

/* Memory with its present contents, in columns: a tile of low rank is U above V. data NULL: there was no memory for a copy. */
struct to_save {
    int kind, i, j;                 /* the caller's number for the kind of data; the tile's place in the library caller's
                                       matrix */
    const void *data;
    size_t bytes;
    const struct tile_form *form;   /* the form of a compressed matrix's tile, or NULL */
};
struct saving {
    void *context;
    void (*save)(void *context, const struct to_save *what);      /* called by any thread */
};
/* Passes A, which this rank owns and the task only reads, to `to`, which exists as long as the run. */
void task_save(struct run *run, const struct saving *to, int kind, struct operand A);

#endif
