/* A symmetric matrix with both of its triangles: tile (i,j) and its mirror image come from the stored one. */
#include "omp/kernels/mixing.h"
#include "src/solve/solve.h"

/* For diagonal tiles, the triangle that is not stored. */
static void complete_diagonal(void *matrix, const ompfact_tile *t)
{
    const ompfact_matrix *A = matrix;
    if (t->i == t->j)
        complete_square(A->precision, is_hermitian(&A->shape), part_used(A, t->i, t->j), t->nb, t->data, t->ld);
}

/* Memory has A_ij for a lower triangle, and A_ji for an upper one. */
static void loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *G = job->B;
    for (int j = 0; j < A->nt; j++) {
        run_step(run, j, j);
        for (int i = j; i < A->mt; i++) {
            int row = is_upper(&A->shape) ? j : i, col = is_upper(&A->shape) ? i : j;
            if (owns(G, row, col))
                task_copy(run, fetch(A, i, j), tile(G, row, col));
            if (i != j && owns(G, col, row))
                task_transpose(run, fetch(A, i, j), tile(G, col, row));
        }
    }
}

ompfact_status matrix_make_general(ompfact_matrix *A, ompfact_matrix **G)
{
    TRY(matrix_create_general(A, G));
    struct job job = { .A = A, .B = *G };
    struct job_plan plan = { .run.loops = loops, .uses = { { A, true }, { *G, false } } };
    TRY(agree(A->grid, ompfact_fill_tiles(A, complete_diagonal, A)));
    TRY(after_write(job_run(A->grid, &job, &plan, NULL, NULL)));
    matrix_touched(*G);
    return OMPFACT_SUCCESS;
}
