#include "src/factor/guard.h"
#include "src/factor/pivot.h"
#include "src/factor/signs.h"
#include "src/factor/snapshot.h"
#include "src/matrix/layers.h"

/* ---- in a run -------------------------------------------------------------------------------------------------------------- */

/* Full storage has tiles beyond the diagonal that are not used. */
static bool counts(const ompfact_matrix *A, int i, int j)
{
    return !stores_triangle(&A->shape) || i >= j;
}

/* Final tile (i,j), which the tasks of this run may have packed. */
static struct operand kept(const struct job *job, int i, int j)
{
    return step_of(i, j) < job->first ? peek(job->A, i, j) : fetch(job->A, i, j);
}

/* A tile that waits for its updates with step k is as urgent as these; a final one is as urgent as those of the last column. A
   tile that is not final is checked first if it has checksums, because a restart computes them again from the saved tile. */
static void save_tile(struct run *run, const struct job *job, int k, int i, int j)
{
    const ompfact_matrix *A = job->A;
    bool final = step_of(i, j) < k;
    struct operand o = final ? kept(job, i, j) : job->algorithm->whole_columns ? of_column(peek(A, i, j)) : peek(A, i, j);
    if (final)
        o.due = A->nt - 1;
    else
        guard_check(run, job, i, j);
    saver_add(job->saver);
    task_save(run, saver_saving(job->saver), SAVED_TILE, o);
}

static bool is_front(const struct job *job, int k, int i, int j)
{
    return i >= k && j >= k && (j == k || (i == k && !job->algorithm->whole_columns));
}

/* Saves this rank's tiles that are not yet saved, those of the front or the others. */
static void save_tiles(struct run *run, const struct job *job, int k, bool front)
{
    const ompfact_matrix *A = job->A;
    int saved = saver_saved(job->saver);
    for (int j = first_col(A, front ? k : 0); j < A->nt; j = first_col(A, j + 1))
        for (int i = first_row(A, j, front ? k : 0); i < A->mt; i = next_row(A, i, j))
            if (step_of(i, j) >= saved && counts(A, i, j) && is_front(job, k, i, j) == front)
                save_tile(run, job, k, i, j);
}

struct keeping {
    struct run *run;        /* NULL: after the run */
    struct saver *saver;
};

static void keep(void *context, int kind, const struct operand *o)
{
    const struct keeping *to = context;
    if (to->run != NULL) {
        saver_add(to->saver);
        task_save(to->run, saver_saving(to->saver), kind, *o);
        return;
    }
    saver_put(to->saver, &(struct to_save){ .kind = kind, .i = o->i, .j = o->j, .data = o->data, .bytes = o->address.bytes });
}

static void save_beside(struct run *run, const struct job *job, int k)
{
    struct keeping to = { run, job->saver };
    for (int step = saver_saved(job->saver); step < k && job->algorithm->keep != NULL; step++)
        job->algorithm->keep(job, step, keep, &to);
}

void snapshot_front(struct run *run, const struct job *job, int k)
{
    save_tiles(run, job, k, true);
}

void snapshot_rest(struct run *run, const struct job *job, int k)
{
    save_beside(run, job, k);
    save_tiles(run, job, k, false);
    saver_added(job->saver);
}

/* ---- around a run ---------------------------------------------------------------------------------------------------------- */

ompfact_status snapshot_begin(struct job *job)
{
    const struct algorithm *algorithm = job->algorithm;
    const ompfact_matrix *A = job->A;
    bool in_parts = end_of(job) < steps_of(A) || (job->first > 0 && !A->resumed);
    if (in_parts)       /* checkpoints do not support parts */
        return OMPFACT_SUCCESS;
    const char *pivot = job->signs != NULL ? signs_pivoting(job->signs->depth)
                        : job->pivoting == NULL ? "none" : job->pivoting->partial ? "partial" : "tournament";
    int64_t beside = algorithm->most_kept == NULL ? 0 : algorithm->most_kept(job);
    const atomic_bool *spoiled = job->guard != NULL ? &job->guard->watch.lost : NULL;
    return saver_begin(job->A, algorithm->name, pivot, job->first, beside, spoiled, &job->saver);
}

static void put_tile(void *context, int64_t index)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A;
    int i = (int)(index % A->mt), j = (int)(index / A->mt);
    if (step_of(i, j) < saver_saved(job->saver) || !layout_is_stored(A->layout, i, j) || !owns(A, i, j) || !counts(A, i, j))
        return;
    struct operand o = peek(A, i, j);
    const struct tile_form *form = o.traits.form;
    size_t bytes = (size_t)o.mb * (size_t)o.nb * A->precision->size;
    if (form != NULL && form->rank >= 0)
        bytes = (size_t)form->rank * (size_t)(o.mb + o.nb) * A->precision->size;
    if (form != NULL)
        bytes >>= form_precision(form);
    saver_put(job->saver, &(struct to_save){ .kind = SAVED_TILE, .i = o.mirrored ? j : i, .j = o.mirrored ? i : j,
                                           .data = o.data, .bytes = bytes, .form = form });
    rma_progress(A->grid->rma, true);       /* a disk may be slow, and other ranks may ping this rank */
}

static ompfact_status save_factors(struct job *job)
{
    const ompfact_matrix *A = job->A;
    saver_open_last(job->saver);
    save_beside(NULL, job, steps_of(A));
    run_each(A->grid->settings.threads, (int64_t)A->mt * A->nt, put_tile, job);
    return saver_close_last(job->saver);
}

ompfact_status snapshot_save(struct job *job, int *checkpoints)
{
    *checkpoints = 0;
    TRY(snapshot_begin(job));
    ompfact_status status = saver_end(job->saver, true, true);
    if (status == OMPFACT_SUCCESS)
        status = save_factors(job);
    *checkpoints = saver_checkpoints(job->saver);
    saver_destroy(&job->saver);
    return status;
}

/* The number of tiles that steps before this one have made final, and of those of a factor to which rows are appended. */
static int64_t final_tiles(const ompfact_matrix *A, int step)
{
    int64_t mt = A->mt, nt = A->nt, kept = A->kept > step ? A->kept - step : 0;
    if (stores_triangle(&A->shape))
        return step * mt - (int64_t)step * (step - 1) / 2 + kept * (kept + 1) / 2;
    return mt * nt - (mt - step) * (nt - step);
}

/* Reports the restart. The next factorization determines the contents of the matrix. */
static void report_resumed(ompfact_matrix *A)
{
    A->report.restarted_from_step = A->resumed ? A->done : -1;
    A->report.tiles_restored = A->resumed ? final_tiles(A, A->done) : -1;
    A->report.checkpoints = -1;
    A->resumed = false;
    A->done = 0;
}

ompfact_status snapshot_stopped(struct job *job)
{
    ompfact_grid *grid = job->A->grid;
    if (!saver_has_stopped(job->saver))
        return OMPFACT_SUCCESS;
    atomic_store(&grid->stops, false);
    return fail(grid, OMPFACT_STOPPED, "ompfact_stop() ended the factorization; its checkpoint has the completed steps");
}

ompfact_status snapshot_end(struct job *job, ompfact_status status, int64_t info)
{
    ompfact_matrix *A = job->A;
    bool sound = status == OMPFACT_SUCCESS || status == OMPFACT_STOPPED;
    bool whole = status == OMPFACT_SUCCESS && (info == 0 || job->algorithm->continues);
    report_resumed(A);
    if (job->saver == NULL)
        return status;
    ompfact_status saved = status == OMPFACT_MPI_FAILED ? status : saver_end(job->saver, sound, whole);
    if (saved == OMPFACT_SUCCESS && whole)
        saved = save_factors(job);
    int count = saver_checkpoints(job->saver);
    if (saved == OMPFACT_SUCCESS && rma_bcast(A->grid->rma, &count, 1, MPI_INT, 0) == MPI_SUCCESS)
        A->report.checkpoints = count;
    saver_destroy(&job->saver);
    return status != OMPFACT_SUCCESS ? status : saved;
}
