/*
 * Triangular solves with whole matrices (Golub, Van Loan, "Matrix Computations", section 3.1.4), where substitute.c has few
 * right-hand sides: the tiles of B stay where they are, those of T and the rows (columns) of B that are solved for come to them.
 *
 *     op(T) X = B, k = 0, 1, ...       X_kn = op(T)_kk^-1 B_kn
 *                                      B_mn = B_mn - op(T)_mk X_kn      for the rows m to come
 *     X op(T) = B, k = 0, 1, ...       X_mk = B_mk op(T)_kk^-1
 *                                      B_mn = B_mn - X_mk op(T)_kn      for the columns n to come
 *
 * That is where op(T) is lower, from the left, or upper, from the right; else k goes from the last one down. A B that is lower
 * triangular, as the unit matrix is, stays so where op(T) is: its tiles above the diagonal do not take part.
 */
#include "src/solve/solve.h"

#include <string.h>

/* ---- the order of steps ------------------------------------------------------------------------------------------------ */

static bool goes_down(const struct job *job)
{
    bool lower = (job->uplo == LOWER) == (job->trans == NO_TRANS);
    return lower == (job->side == LEFT);
}

static int step_of(const struct job *job, int k)
{
    return goes_down(job) ? k : job->A->nt - 1 - k;
}

/* The steps after k: from `first` to `end` - 1. */
struct range {
    int first, end;
};
static struct range after(const struct job *job, int k)
{
    return goes_down(job) ? (struct range){ k + 1, job->A->nt } : (struct range){ 0, k };
}

/* ---- operands ---------------------------------------------------------------------------------------------------------- */

static struct operand factor(const struct job *job, int i, int j)
{
    return job->trans == NO_TRANS ? fetch(job->A, i, j) : fetch(job->A, j, i);
}

/* The urgency grows as the row, or column, comes nearer. */
static struct operand solved_later(const struct job *job, struct operand B)
{
    B.due = step_of(job, job->side == LEFT ? B.i : B.j);
    return B;
}

/* ---- loops ------------------------------------------------------------------------------------------------------------- */

static void from_left(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *T = job->A, *B = job->B;
    struct range rest = after(job, k);
    int columns = job->triangular ? k + 1 : B->nt;
    for (int n = first_col(B, 0); n < columns; n = first_col(B, n + 1))
        if (owns(B, k, n))                                                                          /* X_kn = op(T)_kk^-1 B_kn */
            task_trsm(run, LEFT, job->uplo, job->trans, job->diag, fetch(T, k, k), solved_later(job, final(B, k, n)));
    for (int n = first_col(B, 0); n < columns; n = first_col(B, n + 1))
        for (int m = first_row(B, n, rest.first); m < rest.end; m = next_row(B, m, n))              /* B_mn -= op(T)_mk X_kn */
            task_gemm(run, -1, job->trans, factor(job, m, k), NO_TRANS, fetch(B, k, n), solved_later(job, tile(B, m, n)));
}

static void from_right(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *T = job->A, *B = job->B;
    struct range rest = after(job, k);
    for (int m = first_row(B, k, 0); m < B->mt; m = next_row(B, m, k))                              /* X_mk = B_mk op(T)_kk^-1 */
        task_trsm(run, RIGHT, job->uplo, job->trans, job->diag, fetch(T, k, k), solved_later(job, final(B, m, k)));
    for (int n = first_col(B, rest.first); n < rest.end; n = first_col(B, n + 1))
        for (int m = first_row(B, n, 0); m < B->mt; m = next_row(B, m, n))                          /* B_mn -= X_mk op(T)_kn */
            task_gemm(run, -1, NO_TRANS, fetch(B, m, k), job->trans, factor(job, k, n), solved_later(job, tile(B, m, n)));
}

static void loops(struct run *run, const void *context)
{
    const struct job *job = context;
    int nt = job->A->nt;
    for (int step = 0; step < nt; step++) {
        run_step(run, step, step);
        if (job->side == LEFT)
            from_left(run, job, step_of(job, step));
        else
            from_right(run, job, step_of(job, step));
    }
}

/* A final tile is a tile of X: the later tiles of its column, or of its row, read it. */
static int readers(const void *context, const struct operand *X, int *ranks)
{
    const struct job *job = context;
    const struct layout *l = job->B->layout;
    bool left = job->side == LEFT;
    struct range rest = after(job, left ? X->i : X->j);
    int count = left ? layout_column_owners(l, X->j, rest.first, rest.end, ranks, job->seen)
                     : layout_row_owners(l, X->i, rest.first, rest.end, ranks, job->seen);
    return others(ranks, count, X->address.rank);
}

ompfact_status solve_matrix(struct job *job, ompfact_report *report)
{
    struct job_plan plan = { .run = { .loops = loops, .readers = readers }, .uses = { { job->B, false }, { job->A, true } },
                             .on_devices = job->B };
    return job_run(job->A->grid, job, &plan, report, NULL);
}

/* ---- the call ---------------------------------------------------------------------------------------------------------- */

/* B := alpha B, or its complex conjugate. */
struct scaling {
    const ompfact_matrix *B;
    double re, im;
    bool conjugate;
};

/* The tile column j. */
static void scale_column(void *context, int64_t j)
{
    const struct scaling *s = context;
    const struct precision *p = s->B->precision;
    for (int i = first_row(s->B, (int)j, 0); i < s->B->mt; i = next_row(s->B, i, (int)j)) {
        size_t count = (size_t)tiling_size(&s->B->rows, i) * (size_t)tiling_size(&s->B->cols, (int)j);
        char *element = matrix_tile(s->B, i, (int)j);
        for (size_t e = 0; e < count; e++, element += p->size) {
            double re, im;
            p->get(element, &re, &im);
            double product = s->re * im + s->im * re;
            p->set(element, s->re * re - s->im * im, s->conjugate ? -product : product);
        }
    }
}

void scale_tiles(ompfact_matrix *B, double re, double im, bool conjugate)
{
    struct scaling s = { B, re, im, conjugate };
    if (re != 1 || im != 0 || conjugate)
        run_each(B->grid->settings.threads, B->nt, scale_column, &s);
}

ompfact_status check_letter(const ompfact_matrix *A, const char *name, int letter, const char *letters)
{
    if (letter != '\0' && strchr(letters, letter) != NULL)
        return OMPFACT_SUCCESS;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "%s must be one of the letters %s", name, letters);
}

static ompfact_status check(const ompfact_matrix *A, const ompfact_matrix *B, ompfact_side side, ompfact_uplo uplo)
{
    const struct tiling *order = side == OMPFACT_LEFT ? &B->rows : &B->cols;
    bool stored = !stores_triangle(&A->shape) || is_upper(&A->shape) == (uplo == OMPFACT_UPPER);
    if (B->grid != A->grid || B->precision != A->precision || stores_triangle(&B->shape))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "trsm solves for a general matrix of A's type on A's grid");
    if (is_symmetric(&A->shape))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "trsm solves with a triangle of a general or a Hermitian matrix");
    if (B == A)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "trsm solves for another matrix than A");
    if (!stored)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "trsm needs the triangle that the matrix stores");
    if (!tiling_equal(&A->rows, &A->cols) || !tiling_equal(&A->rows, order))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "trsm needs a square A, and in B the tile %s that A has",
                    side == OMPFACT_LEFT ? "rows" : "columns");
    TRY(check_dense(A));
    TRY(check_whole(A, NULL));
    return check_dense(B);
}

/* Uses conj(B) if op is a transpose of complex numbers: A^T X = B is A^H conj(X) = conj(B). For the loops a Hermitian matrix with
   upper triangle U has L = U^H. */
ompfact_status ompfact_trsm(ompfact_side side, ompfact_uplo uplo, ompfact_trans trans, bool unit, double alpha_re,
                            double alpha_im, ompfact_matrix *A, ompfact_matrix *B)
{
    TRY(check_letter(A, "side", (int)side, "LR"));
    TRY(check_letter(A, "uplo", (int)uplo, "LU"));
    TRY(check_letter(A, "trans", (int)trans, "NTC"));
    TRY(check(A, B, side, uplo));
    bool mirrored = stores_triangle(&A->shape) && is_upper(&A->shape), transposed = trans != OMPFACT_NO_TRANS;
    bool conjugate = trans == OMPFACT_TRANS && B->precision->flops_scale > 1;
    struct job job = { .A = A, .B = B, .side = side == OMPFACT_LEFT ? LEFT : RIGHT,
                       .uplo = mirrored || uplo == OMPFACT_LOWER ? LOWER : UPPER,
                       .trans = transposed != mirrored ? CONJ_TRANS : NO_TRANS, .diag = unit ? UNIT : NON_UNIT };
    TRY(ompfact_bring_home(B));
    matrix_begins_anew(B);
    B->report = report_of_nothing();
    if (alpha_re == 0 && alpha_im == 0) {
        matrix_clear(B);
        return OMPFACT_SUCCESS;
    }
    scale_tiles(B, alpha_re, alpha_im, conjugate);
    TRY(after_write(solve_matrix(&job, &B->report)));
    scale_tiles(B, 1, 0, conjugate);
    return OMPFACT_SUCCESS;
}
