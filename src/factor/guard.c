/* Checksums of tiles in a factorization: see guard.h. */
#include "src/factor/guard.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/workspace.h"
#include "src/factor/beside.h"

#include <math.h>
#include <stdlib.h>

static const struct beside scales = { "a scale", NULL };

static struct watched *watched_of(const struct guard *g, int i, int j)
{
    return &g->watched[g->last[j] - layout_below(g->A->layout, i, j)];
}

/* ---- before and after the run ------------------------------------------------------------------------------------------ */

/* Numbers the tiles of this rank in the order of memory. */
static void number_tiles(struct guard *g)
{
    const ompfact_matrix *A = g->A;
    int64_t count = 0;
    for (int i = 0; i < A->mt; i++)
        g->last_column[i] = -1;
    for (int j = first_col(A, 0); j < A->nt && A->mt > 0; j = first_col(A, j + 1)) {
        count += layout_count(A->layout, A->me, j);
        g->last[j] = count - 1;
        for (int i = first_row(A, j, 0); i < A->mt; i = next_row(A, i, j))
            if (!stores_triangle(&A->shape) || i >= j)     /* full storage has other tiles, which are never updated */
                g->last_column[i] = j;
    }
}

static struct guard *create(const ompfact_matrix *A)
{
    struct guard *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->A = A;
    g->watch.widest = is_upper(&A->shape) ? A->rows.largest : A->cols.largest;
    g->watched = calloc((size_t)layout_tiles(A->layout, A->me) + 1, sizeof *g->watched);
    g->last = calloc((size_t)A->nt + 1, sizeof *g->last);
    g->scale = calloc((size_t)A->mt + (size_t)A->nt + 1, sizeof *g->scale);
    g->last_column = calloc((size_t)A->mt + 1, sizeof *g->last_column);
    g->watch.step = calloc((size_t)steps_of(A) + 1, sizeof *g->watch.step);
    return g;
}

static void destroy(struct guard **guard)
{
    struct guard *g = *guard;
    if (g == NULL)
        return;
    free(g->watched);
    free(g->last);
    free(g->scale);
    free(g->last_column);
    free(g->watch.step);
    free(g);
    *guard = NULL;
}

static bool is_complete(const struct guard *g)
{
    return g != NULL && g->watched != NULL && g->last != NULL && g->scale != NULL && g->last_column != NULL &&
           g->watch.step != NULL;
}

/* The tiles of this rank in the order of memory; run_each handles one at a time. */
struct first_sums {
    struct guard *guard;
    struct operand *tile;
    double inner;               /* length of products over all rows; 0: the tile's place determines it */
    atomic_bool no_memory, not_finite;
};

/* Computes the checksums of a narrow tile, m x n in memory. Returns 0, or 1 without memory. */
static int sum_up_narrow(const struct operand *o, enum tile_precision kept, int widest, int m, int n, void *S,
                         struct tile_scale *scale)
{
    void *copy = workspace_take((size_t)m * (size_t)n * o->precision->size);
    if (copy == NULL)
        return 1;
    tile_in_precision(false, m, n, precision_narrowed(o->precision, kept), o->data, o->precision, copy);
    *scale = tile_sums(o->precision, widest, m, n, copy, m, S);
    workspace_give(copy);
    return 0;
}

/* Computes the checksums of a tile. Returns 0, or 1 without memory. */
static int sum_up(const struct operand *o, bool triangle, int widest, struct tile_scale *scale)
{
    int m = o->mirrored ? o->nb : o->mb, n = o->mirrored ? o->mb : o->nb;
    enum tile_precision kept = o->traits.form != NULL ? form_precision(o->traits.form) : IN_DOUBLE;
    void *S = (char *)o->data + bytes_before_sums(m, n, o->precision->size, kept);
    if (kept != IN_DOUBLE)
        return sum_up_narrow(o, kept, widest, m, n, S, scale);
    if (triangle)
        return triangle_sums(o->precision, widest, o->mirrored ? UPPER : LOWER, o->symmetric, n, o->data, S, scale);
    *scale = tile_sums(o->precision, widest, m, n, o->data, m, S);
    return 0;
}

static void sum_up_one(void *context, int64_t index)
{
    struct first_sums *f = context;
    const struct operand *o = &f->tile[index];
    const ompfact_matrix *A = f->guard->A;
    struct watched *w = watched_of(f->guard, o->i, o->j);
    int k = o->i < o->j ? o->i : o->j, widest = f->guard->watch.widest;
    w->watch = &f->guard->watch;
    w->depth = f->inner > 0 ? f->inner : (double)(A->rows.start[k] + widest);
    w->rounded = o->traits.form != NULL ? o->traits.form->rounded : 0;
    if (sum_up(o, stores_triangle(&A->shape) && o->i == o->j, widest, &w->past) != 0)
        f->no_memory = true;
    else if (!isfinite(w->past.sum))
        f->not_finite = true;
}

/* *finite: whether all sums are finite. Returns false without memory. */
static bool sum_up_all(struct guard *g, double inner, bool *finite)
{
    const ompfact_matrix *A = g->A;
    int64_t count = 0;
    struct first_sums f = { .guard = g, .inner = inner,
                            .tile = malloc((size_t)(layout_tiles(A->layout, A->me) + 1) * sizeof *f.tile) };
    if (f.tile == NULL)
        return false;
    for (int j = first_col(A, 0); j < A->nt && A->mt > 0; j = first_col(A, j + 1))
        for (int i = first_row(A, j, 0); i < A->mt; i = next_row(A, i, j))
            if (!stores_triangle(&A->shape) || i >= j)
                f.tile[count++] = tile(A, i, j);
    run_each(A->grid->settings.threads, count, sum_up_one, &f);
    free(f.tile);
    *finite = !f.not_finite;
    return !f.no_memory;
}

static ompfact_status all_are(const ompfact_matrix *A, bool *finite)
{
    int all = *finite;
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, &all, 1, MPI_INT, MPI_MIN));
    *finite = all;
    return OMPFACT_SUCCESS;
}

/* Rows move within a column, and reflections mix them, so the scale is the largest of the column on all ranks. */
static ompfact_status share_columns(struct guard *g)
{
    const ompfact_matrix *A = g->A;
    for (int j = first_col(A, 0); j < A->nt && A->mt > 0; j = first_col(A, j + 1))
        for (int i = first_row(A, j, 0); i < A->mt; i = next_row(A, i, j)) {
            const struct tile_scale *past = &watched_of(g, i, j)->past;
            g->scale[j].element = larger_or_nan(g->scale[j].element, past->element);
            g->scale[j].sum = larger_or_nan(g->scale[j].sum, past->sum);
        }
    _Static_assert(sizeof(struct tile_scale) == 2 * sizeof(double), "scales are reduced as numbers");
    return reduce_over_ranks(A->grid, &g->scale[0].element, 2 * (int64_t)A->nt, MPI_MAX);
}

ompfact_status guard_begin(ompfact_matrix *A, const struct algorithm *algorithm, struct guard **guard)
{
    *guard = NULL;
    if (!A->has_sums)
        return OMPFACT_SUCCESS;
    double start = run_clock();
    struct guard *g = create(A);
    bool made = is_complete(g), finite = true;
    if (made) {
        number_tiles(g);
        made = sum_up_all(g, algorithm->mixes_rows ? (double)A->shape.m : 0, &finite);
    }
    ompfact_status status = agree_memory(A->grid, made, "for the checksums of tiles");
    if (status == OMPFACT_SUCCESS)
        status = all_are(A, &finite);
    if (status == OMPFACT_SUCCESS && finite && !algorithm->scaled_by_factors)
        status = share_columns(g);
    if (status != OMPFACT_SUCCESS || !finite) {
        destroy(&g);
    } else {
        g->seconds = run_clock() - start;
        A->in_run.summed = A->compressed != NULL ? SUMS_ARE_APART : algorithm->summed;
        A->in_run.sums_below = algorithm->scaled_by_factors;
        A->in_run.sums_right = algorithm->row != NULL;
    }
    *guard = g;
    return status;
}

/* The step of a failing pivot. Later steps compute with a matrix that is no factor, so their findings mean nothing. */
static int last_step(const ompfact_matrix *A, int64_t info)
{
    int k = 0, steps = steps_of(A);
    while (k < steps - 1 && (info == 0 || A->cols.start[k + 1] < info))
        k++;
    return k;
}

static ompfact_status collect_findings(const struct guard *g, ompfact_matrix *A, int64_t info)
{
    int64_t counts[2] = { 0, 0 };
    ompfact_status status = OMPFACT_SUCCESS;
    for (int k = last_step(A, info); k >= 0 && steps_of(A) > 0; k--) {      /* backwards, so that the message is about the
                                                                               first step */
        const struct step_findings *step = &g->watch.step[k];
        counts[0] += step->found;
        counts[1] += step->corrected;
        if (step->lost != 0)
            status = fail(A->grid, OMPFACT_FAULT_FOUND,
                          "rank %d: bits of tile (%lld,%lld) had flipped before step %d and cannot be corrected", A->me,
                          (long long)((step->lost - 1) >> 32), (long long)(int32_t)(step->lost - 1), k);
    }
    double seconds = g->seconds;
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, counts, 2, MPI_INT64_T, MPI_SUM));
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, &seconds, 1, MPI_DOUBLE, MPI_MAX));
    A->report.faults_found = counts[0];
    A->report.faults_corrected = counts[1];
    A->report.seconds += seconds;
    return agree(A->grid, status);
}

ompfact_status guard_end(struct guard **guard, ompfact_matrix *A, ompfact_status status, int64_t info)
{
    if (*guard != NULL && status == OMPFACT_SUCCESS)
        status = collect_findings(*guard, A, info);
    destroy(guard);
    return status;
}

/* ---- around the parts of a step ---------------------------------------------------------------------------------------- */

static struct operand scale_at(const struct job *job, int i, int at)
{
    struct operand o = beside_operand(&scales, job->A, i, i, 1, 1, (struct rma_address){ .rank = job->A->me, .id = at });
    o.data = &job->guard->scale[at];
    return o;
}

static struct operand scale_of_column(const struct job *job, int n)
{
    return scale_at(job, n, n);
}

/* For Cholesky it is the scale of the column. */
static struct operand scale_of_row(const struct job *job, int m)
{
    return scale_at(job, m, stores_triangle(&job->A->shape) ? m : job->A->nt + m);
}

void guard_check(struct run *run, const struct job *job, int i, int j)
{
    if (job->guard == NULL)
        return;
    struct operand scale[2] = { scale_of_column(job, j) };
    bool by_factors = job->algorithm->scaled_by_factors;
    if (by_factors) {       /* scales of the left factor as stored in memory, and of the right one */
        bool turned = is_upper(&job->A->shape);
        scale[0] = scale_of_row(job, turned ? j : i);
        scale[1] = scale_of_column(job, turned ? i : j);
    }
    bool triangle = i == j && stores_triangle(&job->A->shape);
    task_check_sums(run, watched_of(job->guard, i, j), by_factors ? 2 : 1, scale, triangle,
                    with_access(UPDATE, peek(job->A, i, j)));
}

void guard_before_panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    for (int m = first_row(A, k, k); m < A->mt && job->guard != NULL; m = next_row(A, m, k))
        guard_check(run, job, m, k);
}

/* The scale of row i, which updates with step k change. Its task is as urgent as the first check that needs the scale: that of
   this rank's next tile in the row, or else those of column i. */
static struct operand next_scale_of_row(const struct job *job, int i, int k)
{
    struct operand o = with_access(UPDATE, scale_of_row(job, i));
    for (o.due = k + 1; o.due < i && o.due < job->A->nt - 1 && !owns(job->A, i, o.due);)
        o.due++;
    return o;
}

/* Adds the norms of those tiles (i,k) that updates of this rank read: as left factors of tiles (i,n), and for Cholesky as right
   ones of tiles (m,i). */
static void scale_by_panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    for (int i = k + 1; i < A->mt; i++)
        if (job->guard->last_column[i] > k || (stores_triangle(&A->shape) && first_row(A, i, i) < A->mt))
            task_scale_by_factor(run, fetch(A, i, k), next_scale_of_row(job, i, k));
}

/* If nothing bounds L, its readers need its norms. */
void guard_after_panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (job->guard == NULL || !A->in_run.sums_below)
        return;
    for (int m = first_row(A, k, k + 1); m < A->mt; m = next_row(A, m, k))
        task_sums_of_factor(run, watched_of(job->guard, m, k), with_access(FINAL, final(A, m, k)));
    scale_by_panel(run, job, k);
}

void guard_before_row(struct run *run, const struct job *job, int k, int n)
{
    if (job->guard != NULL && owns(job->A, k, n))
        guard_check(run, job, k, n);
}

void guard_after_row(struct run *run, const struct job *job, int k, int n)
{
    const ompfact_matrix *A = job->A;
    bool by_factors = job->algorithm->scaled_by_factors;
    if (job->guard == NULL)
        return;
    if (owns(A, k, n)) {
        struct operand U = with_access(FINAL, final(A, k, n));
        task_sums_of_row(run, watched_of(job->guard, k, n), by_factors, job->algorithm->whole_columns ? of_column(U) : U);
    }
    struct operand scale = with_access(UPDATE, scale_of_column(job, n));
    if (first_row(A, n, k + 1) < A->mt)
        (by_factors ? task_scale_by_factor : task_scale_by_row)(run, fetch(A, k, n), scale);
}

/* Checks R's row, which is final after the updates. */
void guard_after_update(struct run *run, const struct job *job, int k, int n)
{
    if (job->guard != NULL && job->algorithm->row == NULL && !stores_triangle(&job->A->shape) && owns(job->A, k, n))
        guard_check(run, job, k, n);
}
