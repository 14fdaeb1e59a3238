/* Conjugate transposes: tile (i,j) comes from tile (j,i) of the matrix. */
#include "src/solve/solve.h"

static void loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *B = job->B;
    bool lower = job->uplo == LOWER;
    int nt = lower ? steps_of(B) : B->nt;
    for (int j = first_col(B, 0); j < nt; j = first_col(B, j + 1)) {
        run_step(run, j, j);
        for (int i = first_row(B, j, lower ? j : 0); i < B->mt; i = next_row(B, i, j))
            task_transpose(run, fetch(A, j, i), tile(B, i, j));                     /* B_ij = A_ji^H */
    }
}

ompfact_status transpose_tiles(ompfact_matrix *A, enum uplo part, ompfact_matrix *B)
{
    struct job job = { .A = A, .B = B, .uplo = part };
    struct job_plan plan = { .run.loops = loops, .uses = { { A, true }, { B, false } } };
    return job_run(A->grid, &job, &plan, NULL, NULL);
}

ompfact_status ompfact_conj_transpose(ompfact_matrix *A, ompfact_matrix **At)
{
    *At = NULL;
    if (stores_triangle(&A->shape))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "a matrix of which a triangle is stored is not transposed");
    TRY(check_dense(A));
    TRY(matrix_create_transposed(A, At));
    ompfact_status status = transpose_tiles(A, GENERAL, *At);
    matrix_touched(*At);
    return matrix_only_after(status, At);
}
