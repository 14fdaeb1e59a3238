/*
 * Factorizations of a matrix in copies ("2.5D": Irony, Toledo, Tiskin, JPDC 2004; Solomonik, Demmel, Euro-Par 2011; for
 * Cholesky and LU Kwasniewski et al., "COnfLUX", "COnfCHOX", SC 2021), on layouts of any kind, by tiles:
 *
 *     A = A^(0) + A^(1) + ... ,    A^(0) = A, the others zero: a layer of ranks for each
 *
 *     step k, on layer l    A_mk^(l) += A_mk^(q)     each other layer q that has done a step: a fetched tile
 *                           panel k of A^(l)         as with one copy
 *                           A^(l) -= L_mk L_nk^H     on layer l only: only its ranks read the panel
 *
 * A tile of layer q that is added is final there: all updates of this layer's earlier steps have been submitted, and no later
 * step writes the tile. So it is published, and fetched once, by the rank that has the tile on layer l.
 *
 * All ranks walk the steps in one order, each with the tasks of its own tiles. In each step, the layers that do not do it
 * publish their tiles, before the layer that does it adds them up, and both come after the updates with earlier steps. So
 * every task comes after those it waits for, in an order that is the same on all ranks. This is all that the bounds of the
 * cache and of the tasks in flight require (rma/cache.c). The tiles that a step adds up count among the tiles that it reads,
 * which determine the size of the cache.
 *
 * Tiles of a layer are set to zero before its first step.
 *
 * A final tile remains on its layer: then the factors are spread (src/matrix/layers.h).
 */
#include "src/factor/layer_sums.h"

#include "src/matrix/layers.h"

bool layers_do(const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    return A->layers == NULL || A->layers->of_step[k] == A->layer;
}

/* Adds up this rank's tile, in the step in which it becomes final. */
static void add_up(struct run *run, const struct job *job, int m, int n)
{
    const ompfact_matrix *A = job->A;
    const struct layers *s = A->layers;
    int k = step_of(m, n);
    if (!layers_do(job, k) && layer_holds(s, A->layer, k))
        task_release(run, with_access(FINAL, peek(A, m, n)));                                       /* A_mn^(q) is final */
    for (int q = 0; q < s->count && layers_do(job, k); q++)
        if (q != A->layer && layer_holds(s, q, k))
            task_add(run, 1, peek(s->layer[q], m, n), tile(A, m, n));                               /* A_mn^(l) += A_mn^(q) */
}

void layers_before_panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (A->layers == NULL)
        return;
    if (A->layer > 0 && k == A->layers->first_step[A->layer])
        for (int n = first_col(A, k); n < A->nt; n = first_col(A, n + 1))
            for (int m = first_row(A, n, k); m < A->mt; m = next_row(A, m, n))
                task_clear(run, tile(A, m, n));                                                     /* A_mn^(l) = 0 */
    for (int m = first_row(A, k, k); m < A->mt; m = next_row(A, m, k))
        add_up(run, job, m, k);
}

void layers_before_row(struct run *run, const struct job *job, int k, int n)
{
    const ompfact_matrix *A = job->A;
    if (A->layers != NULL && owns(A, k, n))
        add_up(run, job, k, n);
}

int layers_only_reader(const struct job *job, const struct operand *o)
{
    const struct layers *s = job->A->layers;
    const ompfact_matrix *of = o->matrix;
    if (s == NULL || s->of_step[step_of(o->i, o->j)] == of->layer)
        return -1;
    return layout_owner(s->layer[s->of_step[step_of(o->i, o->j)]]->layout, o->i, o->j);
}

/* ---- functions without support for copies ---------------------------------------------------------------------------------- */

ompfact_status check_one_copy(ompfact_matrix *A, const char *what)
{
    if (A->layers == NULL)
        return OMPFACT_SUCCESS;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "%s does not work on %d copies of a matrix: create it with one copy", what,
                A->layers->count);
}

ompfact_status layers_check(ompfact_matrix *A, const struct algorithm *algorithm)
{
    if (!algorithm->layered)
        return check_one_copy(A, algorithm->name);
    return A->grid->checkpoints != NULL || A->done > 0 ? check_one_copy(A, "a checkpoint") : OMPFACT_SUCCESS;
}
