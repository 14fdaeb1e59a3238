/* The passes of a triangular solve (triangular.c) over the right-hand sides, and the readers of their tiles. */
#include "src/solve/solve.h"
#include "src/solve/triangular.h"

#include <stdlib.h>

/* A final tile is an X_k, which the owners of its column's tiles not yet solved read, perhaps its own owner, too; or a partial
   sum, which the owner of its row's X reads. */
static int solve_readers(const void *context, const struct operand *tile, int *ranks)
{
    const struct job *job = context;
    int count = 1, k = tile->i;
    if (tile->matrix == job->B)
        count = factor_owners(job, false, k, is_forward(job) ? k + 1 : 0, is_forward(job) ? job->A->mt : k, ranks);
    else
        ranks[0] = layout_owner(job->B->layout, tile->i, 0);
    return others(ranks, count, tile->address.rank);
}

/* [m]: the last step in which this rank has a tile of op(T) in row m off the diagonal; -1: none. */
static void find_last_steps(const struct job *job, int *last_step)
{
    int mt = job->A->mt;
    for (int m = 0; m < mt; m++)
        last_step[m] = -1;
    for (int step = 0; step < mt; step++) {
        int k = is_forward(job) ? step : mt - 1 - step;
        for (int m = next_factor(job, k, is_forward(job) ? k + 1 : 0); m < (is_forward(job) ? mt : k);
             m = next_factor(job, k, m + 1))
            last_step[m] = step;
    }
}

/* X := op(T)^-1 B, tile column by tile column of B, so that the partial sums take the memory of one column. */
ompfact_status substitute(struct job *job)
{
    ompfact_matrix *A = job->A = matrix_here(job->A), *B = job->B;
    CLEANUP(free_at) int *last_step = malloc((size_t)(A->mt + 1) * sizeof *last_step), *ranks = NULL;
    job->ranks = ranks = malloc((size_t)A->ranks * sizeof *ranks);
    TRY(agree_memory(A->grid, last_step != NULL && ranks != NULL, "to plan a solve"));
    find_last_steps(job, last_step);
    job->last_step = last_step;
    struct job_plan plan = { .run = { .loops = solve_loops, .readers = solve_readers },
                             .uses = { { B, false }, { job->W, false }, { is_spread(A) ? A : NULL, true } },
                             .reads_spread = true };
    for (job->column = 0; job->column < B->nt; job->column++) {
        ompfact_report part;
        matrix_clear(job->W);
        ompfact_status status = job_run(A->grid, job, &plan, &part, NULL);
        TRY(job->column > 0 ? after_write(status) : status);
        report_add(&B->report, &part);
    }
    return OMPFACT_SUCCESS;
}
