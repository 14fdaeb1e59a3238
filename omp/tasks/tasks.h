/* The tasks that loops hand on, by their equations. Operands that are only read come first; the last one is the output. */
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
/* B = A^H; of a symmetric matrix's A^T, as in all that is said of factors with signs */
void task_transpose(struct run *run, struct operand A, struct operand B);
/* C = C - op(A) op(B), triangular factors */
void task_product(struct run *run, struct factor_form shape_a, struct operand A, struct factor_form shape_b, struct operand B,
                  struct operand C);

/* ---- factors with signs: see omp/kernels/signed_block.h; J is a signed block --------------------------------------------- */

/* A = G J G^H; scale: the largest modulus of the matrix, of which u times is the least pivot. Both are written. */
void task_sytrf(struct run *run, double scale, struct operand J, struct operand A);
/* B = G^-1 B or G^-H B, or from the right B G^-H, G of A and J; signs: and then B J. */
void task_signed_solve(struct run *run, enum side side, enum trans trans, bool signs, struct operand A, struct operand J,
                       struct operand B);
/* W = G^-H J, and B = B W, which is that solve where W is at hand: for tiles that live on devices. */
void task_signed_inverse(struct run *run, struct operand A, struct operand J, struct operand W);
void task_signed_multiply(struct run *run, struct operand W, struct operand B);
/* B = J B */
void task_signs(struct run *run, struct operand J, struct operand B);
/* C = C - A J B^H */
void task_signed_gemm(struct run *run, struct operand A, struct operand J, struct operand B, struct operand C);
/* C = C - A J A^H */
void task_signed_herk(struct run *run, struct operand A, struct operand J, struct operand C);
/* C = C - B J G^H, and on a triangle C = C - G J G^H, G of A and J */
void task_signed_product(struct run *run, struct operand B, struct operand A, struct operand J, struct operand C);
void task_signed_square(struct run *run, struct operand A, struct operand J, struct operand C);

/* ---- factors whose matrix changes: see omp/kernels/update_reflectors.h; Q are reflectors, alpha 1 or -1 ------------------- */

/* ( L V ) Q = ( L' 0 ) with L' L'^H = L L^H + alpha V V^H, L on the diagonal; all three are written. */
void task_update_reflectors(struct run *run, double alpha, struct operand Q, struct operand V, struct operand L);
/* ( L V ) = ( L V ) Q; both are written. */
void task_update_reflect(struct run *run, double alpha, struct operand Q, struct operand V, struct operand L);

/* ---- pivoting: see omp/kernels/pivots.h; a stack that is apart is worked on where it is --------------------------------- */

/* Puts the rows of a tile, or those of candidates, on the stack: as its `first` ones, or below those that are there. */
void task_stack(struct run *run, bool first, struct operand A, struct operand stack);
void task_stack_candidates(struct run *run, bool first, struct operand candidates, struct operand stack);
/* Gaussian elimination with partial pivoting chooses the stack's best rows: they become candidates. */
void task_candidates(struct run *run, struct operand stack, struct operand candidates);
/* Elimination chooses, as for candidates, the step's pivots. The stack then holds its factors, L below U; a zero pivot is
   reported. */
void task_pivots(struct run *run, const struct tile_rows *rows, struct operand stack, struct operand pivots);
/* A tile of the panel from the factors on the stack, from this row of it on. flops: of its share in making them. */
void task_unstack(struct run *run, int64_t row, double flops, struct operand stack, struct operand A);
/* The tile on the diagonal, which holds the exchanged rows, from the factors on the stack: their first rows, and by U's inverse
   what lies below the last column's pivots. */
void task_unstack_chosen(struct run *run, double flops, struct operand stack, struct operand A);
/* B = A */
void task_copy(struct run *run, struct operand A, struct operand B);
/* list = the step's pivots, 0-based global rows */
void task_record(struct run *run, struct operand pivots, struct operand list);

/*
 * The exchange of rows in one tile column: A is its tile in the pivots' tile row, B one below. `down` holds the rows that go from
 * A to tiles below, a part for each rank, `up` those that go from the tiles of rank moves.rank to A. Rows that move within A do
 * so on their way out. alone: the column is one rank's, and so is `down`, whose columns live where A's do.
 */
void task_rows_out(struct run *run, bool alone, struct moves moves, struct operand pivots, struct operand A, struct operand down);
void task_rows_up(struct run *run, struct moves moves, struct operand pivots, struct operand B, struct operand up);
void task_rows_in(struct run *run, struct moves moves, struct operand pivots, struct operand up, struct operand A);
void task_rows_down(struct run *run, struct moves moves, struct operand pivots, struct operand down, struct operand B);
/* Up, in and down at once, for a B of A's own rank. */
void task_rows_swap(struct run *run, bool alone, struct moves moves, struct operand pivots, struct operand down, struct operand B,
                    struct operand A);

/* ---- sums that go with tiles: see omp/kernels/tile_sums.h; task_sums.c ------------------------------------------------- */

/* What looks at tiles have shown in a step on a rank. */
struct sighting {
    _Atomic int64_t found, corrected;
    _Atomic int64_t lost;               /* a tile that could not be put right: 2^32 i + j + 1; 0: none */
};
struct watch {
    int widest;                         /* columns of a tile, of memory */
    struct sighting *step;
    atomic_bool lost;                   /* in any step: what is saved from then on is worthless */
};

/* A tile of mine, to be looked at when it is final. */
struct watched {
    struct watch *watch;
    double depth;                       /* h of its row sums, then */
    struct tile_scale past;             /* as it was made, */
    double rounded;                     /*   and what its form said of it */
};

/* Compares A with its sums before the step that makes it final, and puts it right. Scales: how large A and its sums have been, if
   w does not say it: of LU with pivots and of QR one, of the column; of others two, of the factors' rows and columns that meet in
   A, as a product. triangle: A is Hermitian (or symmetric), and that is what is there of it. */
void task_check_sums(struct run *run, struct watched *w, int scales, const struct operand *scale, bool triangle,
                     struct operand A);
/* The sums that a final tile needs as the right factor of updates, and its norms, behind it: of U they are U W, of L they are
   L^H W. Of U that is the largest element and sum, or of its columns and theirs the largest 2-norm. */
void task_sums_of_row(struct run *run, struct watched *w, bool norms, struct operand U);
void task_sums_of_factor(struct run *run, struct watched *w, struct operand L);
/* The norms of such a tile go into the scale: the larger ones, or the root of their squares. */
void task_scale_by_row(struct run *run, struct operand U, struct operand scale);
void task_scale_by_factor(struct run *run, struct operand L, struct operand scale);
/* Flips a bit of the element in the middle. */
void task_flip(struct run *run, int bit, struct operand A);

/* ---- QR: see src/factor/reflectors.h --------------------------------------------------------------------------------------- */

/* The stack, so many rows by stack.nb, = Q R, Q = I - V T V^H: V is left on the stack, R in its triangle. ib: columns that are
   not halved. */
void task_geqrt(struct run *run, int ib, int64_t rows, struct operand stack, struct operand T);
/* R = the triangle on top of the stack */
void task_triangle(struct run *run, struct operand stack, struct operand R);
/* R on top of the triangle (or trapezoid) B = Q R, Q = I - ( I V^T )^T T ( I V^H ) */
void task_tpqrt(struct run *run, int ib, struct operand B, struct operand R, struct operand V, struct operand T);
/* X = X + V^H C, of V and C the rows of the range, where it is NULL as many as V has; `first`: X = V^H C. `top`: V begins with a
   unit lower triangle; then it is the first, and whole. */
void task_reflect_in(struct run *run, bool first, bool top, const struct row_range *range, struct operand V, struct operand C,
                     struct operand X);
/* C = C - V W. `after`, unless NULL, is something else that nobody may write before; nothing of it is read. */
void task_reflect_out(struct run *run, bool top, const struct row_range *range, struct operand V, struct operand W,
                      const struct operand *after, struct operand C);
/* The same where V's rows are those of a unit matrix: W = W + C and C = C - W, of W and C the rows of the range, or as many as W
   has; `first`: W = C, and zeros around. */
void task_head_in(struct run *run, bool first, const struct row_range *range, struct operand C, struct operand W);
void task_head_out(struct run *run, const struct row_range *range, struct operand W, const struct operand *after,
                   struct operand C);
/* W = op(T) W, T upper triangular */
void task_trmm(struct run *run, enum trans trans, struct operand T, struct operand W);
/* Nothing is computed. A, which is FINAL, may be read elsewhere; of a tile in parts there is nothing to read, it is a signal. */
void task_release(struct run *run, struct operand A);
/* B is not written before the signal A has come. */
void task_wait(struct run *run, struct operand A, struct operand B);

/* ---- what is kept ---------------------------------------------------------------------------------------------------------- */

/* Memory as it is now, in columns: a tile of low rank is U over V. data NULL: there was no memory for a copy. */
struct to_save {
    int kind, i, j;                 /* the caller's word; its place as the caller of the library has it */
    const void *data;
    size_t bytes;
    const struct tile_form *form;   /* of a compressed matrix's tile, or NULL */
};
struct saving {
    void *context;
    void (*save)(void *context, const struct to_save *what);      /* by any thread */
};
/* Hands A, which this rank owns and the task only reads, to `to`, which lasts as long as the run. */
void task_save(struct run *run, const struct saving *to, int kind, struct operand A);

#endif
