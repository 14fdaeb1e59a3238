/*
 * B - op(A) X as a task graph, in which no tile of A moves. Each rank multiplies its own tiles by X and adds their products for
 * tile row i of B in W_iq, where q is the rank; the owner of B_i collects them. X, B and W have the layouts of solves with A, see
 * matrix_create.c.
 */
#include "src/solve/solve.h"

#include <stdlib.h>

/* job->B is X here: each rank adds the products of its own tiles with X in its column of W. */
static void multiply_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *X = job->B, *W = job->W;
    bool triangle = stores_triangle(&A->shape);
    int c = job->column, me = A->me;
    for (int j = first_col(A, 0); j < A->nt; j = first_col(A, j + 1)) {
        run_step(run, j, j);
        for (int i = first_row(A, j, triangle ? j : 0); i < A->mt; i = next_row(A, i, j)) {
            struct operand W_i = columns_of(job, tile(W, i, me));
            if (triangle && i == j) {
                task_hemm(run, 1, fetch(A, j, j), fetch(X, j, c), W_i);                             /* W_j += A_jj X_j */
                continue;
            }
            task_gemm(run, 1, NO_TRANS, fetch(A, i, j), NO_TRANS, fetch(X, j, c), W_i);             /* W_i += A_ij X_j */
            if (triangle)
                task_gemm(run, 1, CONJ_TRANS, fetch(A, i, j), NO_TRANS, fetch(X, i, c), columns_of(job, tile(W, j, me)));
        }
    }
}

/* A^H X: tile row by tile row of A, so that a step reads one tile of X. */
static void multiply_transposed_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *X = job->B, *W = job->W;
    int c = job->column, me = A->me;
    for (int i = 0; i < A->mt; i++) {
        run_step(run, i, i);
        for (int j = first_col(A, 0); j < A->nt; j = first_col(A, j + 1))
            if (owns(A, i, j))
                /* W_j += A_ij^H X_i */
                task_gemm(run, 1, CONJ_TRANS, fetch(A, i, j), NO_TRANS, fetch(X, i, c), columns_of(job, tile(W, j, me)));
    }
}

/* The ranks that have a share of row i of op(A) X. */
static int contributors(const struct job *job, int i)
{
    const struct layout *l = job->A->layout;
    if (stores_triangle(&job->A->shape))
        return layout_colrow_owners(l, i, job->ranks, job->seen);
    return job->trans == NO_TRANS ? layout_row_owners(l, i, 0, job->A->nt, job->ranks, job->seen)
                                  : layout_column_owners(l, i, 0, job->A->mt, job->ranks, job->seen);
}

/* job->B is B here: the owner of B_i collects row i's partial sums. */
static void collect_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *B = job->B;
    for (int i = 0; i < B->mt; i++) {
        run_step(run, i, i);
        if (!owns(B, i, job->column))
            continue;
        int count = contributors(job, i);
        for (int q = 0; q < count; q++)
            task_add(run, -1, columns_of(job, fetch(job->W, i, job->ranks[q])), tile(B, i, job->column));   /* B_i -= W_iq */
    }
}

/* One tile column. */
static ompfact_status subtract_column(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, struct job *job,
                                      ompfact_report *report)
{
    ompfact_report multiplied, collected;
    matrix_clear(job->W);
    /* X's window has the sums of a solve, too; the sums here are in B's window, so that X does not change. */
    job->B = X;
    bool transposed = job->trans != NO_TRANS && !stores_triangle(&A->shape);
    struct job_plan multiply = { .run.loops = transposed ? multiply_transposed_loops : multiply_loops, .compressible = true,
                                 .uses = { { A, true }, { X, true }, { job->W, true } } };
    TRY(job_run(A->grid, job, &multiply, &multiplied, NULL));
    job->B = B;
    struct job_plan collect = { .run.loops = collect_loops, .uses = { { B, true }, { job->W, true } } };
    TRY(job_run(A->grid, job, &collect, &collected, NULL));
    report_add(report, &multiplied);
    report_add(report, &collected);
    return OMPFACT_SUCCESS;
}

ompfact_status subtract_product(enum trans trans, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, ompfact_matrix *W,
                                ompfact_report *report)
{
    CLEANUP(free_at) int *ranks = malloc((size_t)A->ranks * sizeof *ranks);
    struct job job = { .A = A, .W = W, .trans = trans, .ranks = ranks };
    TRY(agree_memory(A->grid, ranks != NULL, "to multiply"));
    for (; job.column < B->nt; job.column++) {
        ompfact_status status = subtract_column(A, X, B, &job, report);
        TRY(job.column > 0 ? after_write(status) : status);
    }
    return OMPFACT_SUCCESS;
}
