/* Flips a bit of the matrix, for tests: ompfact_testing.h. */
#include "src/factor/guard.h"

/* The part of a step that uses tile (i,j) first. */
enum part_of_step { IN_PANEL, IN_ROW, IN_UPDATE };

static enum part_of_step first_part(const struct job *job, int k, int i, int j)
{
    const struct algorithm *a = job->algorithm;
    if (j == k)
        return IN_PANEL;
    return a->row != NULL && (i == k || a->whole_columns) ? IN_ROW : IN_UPDATE;
}

/* In the loops, tile (i,j) of an upper matrix is tile (j,i). */
static bool is_meant(const struct job *job, int k, enum part_of_step part, int n, int *i, int *j)
{
    enum { BITS = 8 };
    const ompfact_matrix *A = job->A;
    const ompfact_flip *f = &A->grid->flip;
    *i = is_upper(&A->shape) ? f->j : f->i;
    *j = is_upper(&A->shape) ? f->i : f->j;
    return f->on && f->step == k && *j == n && *i < A->mt && layout_is_stored(A->layout, *i, *j) && owns(A, *i, *j) &&
           (size_t)f->bit < BITS * A->precision->size && first_part(job, k, *i, *j) == part;
}

void flip_before_panel(struct run *run, const struct job *job, int k)
{
    int i, j;
    if (job->A->grid != NULL && is_meant(job, k, IN_PANEL, k, &i, &j))
        task_flip(run, job->A->grid->flip.bit, with_access(UPDATE, peek(job->A, i, j)));
}

void flip_before_row(struct run *run, const struct job *job, int k, int n)
{
    int i, j;
    if (job->A->grid != NULL && is_meant(job, k, IN_ROW, n, &i, &j))
        task_flip(run, job->A->grid->flip.bit, with_access(UPDATE, peek(job->A, i, j)));
}

void flip_before_update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    int i, j;
    if (job->A->grid != NULL && is_meant(job, k, IN_UPDATE, n, &i, &j) &&
        (job->algorithm->whole_columns || (from <= i && i < to)))
        task_flip(run, job->A->grid->flip.bit, with_access(UPDATE, peek(job->A, i, j)));
}
