/*
 * Solves with the factors: op(T) X = B, T triangular, by substitution on tile rows.
 *
 *     forward (op(T) lower), k = 0, 1, ...             X_k = op(T)_kk^-1 (B_k - sum_q W_kq)
 *     backward (op(T) upper), k = mt-1, mt-2, ...      W_mq += op(T)_mk X_k    on the rank q that owns that tile, m not yet solved
 *
 * No tile of T travels. Each rank adds up what its own tiles contribute to tile row m in W_mq, and the owner of X_m collects one
 * partial sum from each rank that has tiles in that row; X_k goes to the ranks that have tiles in its column. X_k lives where
 * T_kk does. W is a matrix of one block column a rank (matrix.c), so partial sums are published and fetched like any tile.
 */
#include "src/solve/substitute.h"

static struct operand factor_tile(const struct job *job, int m, int k)
{
    return job->trans == NO_TRANS ? fetch(job->A, m, k) : fetch(job->A, k, m);
}

static struct operand partial_sum(const struct job *job, int m, int q)
{
    return columns_of(job, fetch(job->W, m, q));
}

/* My partial sum of row m; final after the last step in which I have a tile in that row. */
static struct operand my_sum(const struct job *job, int m, int step)
{
    int me = job->A->me;
    return columns_of(job, job->last_step[m] == step ? final(job->W, m, me) : tile(job->W, m, me));
}

void solve_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *T = job->A, *B = job->B;
    int mt = T->mt, c = job->column;
    for (int step = 0; step < mt; step++) {
        int k = is_forward(job) ? step : mt - 1 - step;
        run_step(run, step, step);
        if (owns(B, k, c)) {
            int count = contributors(job, k, job->ranks);
            for (int q = 0; q < count; q++)
                task_add(run, -1, partial_sum(job, k, job->ranks[q]), tile(B, k, c));           /* B_k -= W_kq */
            task_trsm(run, LEFT, job->uplo, job->trans, job->diag, fetch(T, k, k), final(B, k, c));     /* X_k = op(T)_kk^-1 B_k */
        }
        for (int m = next_factor(job, k, is_forward(job) ? k + 1 : 0); m < (is_forward(job) ? mt : k); m = next_factor(job, k, m + 1))
            task_gemm(run, 1, job->trans, factor_tile(job, m, k), NO_TRANS, fetch(B, k, c), my_sum(job, m, step));     /* W_mq += op(T)_mk X_k */
    }
}

ompfact_status check_rhs(const ompfact_matrix *A, const ompfact_matrix *B)
{
    bool conforms = B->work != NULL && B->grid == A->grid && B->precision == A->precision && tiling_equal(&B->rows, &A->rows);
    for (int k = 0; conforms && k < steps_of(A); k++)
        conforms = layout_owner(B->layout, k, 0) == layout_owner(A->layout, k, k);
    if (!conforms)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the right-hand sides were not made for this matrix: ompfact_matrix_create_rhs");
    return OMPFACT_SUCCESS;
}

ompfact_status check_system(const ompfact_matrix *A, const ompfact_matrix *B)
{
    if (!tiling_equal(&A->rows, &A->cols))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "a system's matrix is square, and its tile rows are like its tile columns");
    return check_rhs(A, B);
}

static ompfact_status check_solve(const ompfact_matrix *A, const ompfact_matrix *B, enum contents contents, const char *factorization)
{
    if (A->contents != contents)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of %s with info 0", factorization);
    return check_system(A, B);
}

ompfact_status ompfact_potrs(ompfact_matrix *A, ompfact_matrix *B)
{
    struct job job = { .A = A, .B = B, .W = B->work, .uplo = LOWER, .diag = NON_UNIT };
    TRY(check_solve(A, B, CONTENTS_CHOLESKY, "potrf"));
    B->report = (ompfact_report){ 0 };
    job.trans = NO_TRANS;
    TRY(substitute(&job));                  /* L Y = B, L = U^H if A was given by its upper triangle */
    job.trans = CONJ_TRANS;
    return on_the_way(substitute(&job));    /* L^H X = Y */
}

ompfact_status solve_lu(ompfact_matrix *A, enum trans trans, ompfact_matrix *B)
{
    struct job lower = { .A = A, .B = B, .W = B->work, .uplo = LOWER, .diag = UNIT, .trans = trans };
    struct job upper = { .A = A, .B = B, .W = B->work, .uplo = UPPER, .diag = NON_UNIT, .trans = trans };
    TRY(check_solve(A, B, CONTENTS_LU, "getrf"));
    B->report = (ompfact_report){ 0 };
    bool first = A->pivoted && trans == NO_TRANS, last = A->pivoted && trans != NO_TRANS;
    if (first)
        TRY(interchange_rows(B, A->ipiv, A->shape.n, false));                           /* B = P B */
    ompfact_status status = substitute(trans == NO_TRANS ? &lower : &upper);            /* L Y = B, or U^H Y = B */
    TRY(first ? on_the_way(status) : status);
    TRY(on_the_way(substitute(trans == NO_TRANS ? &upper : &lower)));                   /* U X = Y, or L^H X = Y */
    return last ? on_the_way(interchange_rows(B, A->ipiv, A->shape.n, true)) : OMPFACT_SUCCESS;     /* X = P^T X */
}

ompfact_status ompfact_getrs(ompfact_matrix *A, ompfact_matrix *B)
{
    return solve_lu(A, NO_TRANS, B);
}

ompfact_status ompfact_posv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info)
{
    TRY(check_potrf(A));
    TRY(check_system(A, B));
    TRY(ompfact_potrf(A, info));
    return *info == 0 ? on_the_way(ompfact_potrs(A, B)) : OMPFACT_SUCCESS;
}

ompfact_status ompfact_gesv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info)
{
    TRY(check_getrf(A));
    TRY(check_system(A, B));
    TRY(ompfact_getrf(A, info));
    return *info == 0 ? on_the_way(ompfact_getrs(A, B)) : OMPFACT_SUCCESS;
}
