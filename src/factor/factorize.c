/* A factorization as one run: its loops in the order of the schedule, and the memory that it needs. */
#include "src/factor/guard.h"
#include "src/factor/layer_sums.h"
#include "src/factor/snapshot.h"
#include "src/matrix/layers.h"

/* Records the completed steps in A, for a call that continues. */
static void note_done(const struct job *job, bool restored, ompfact_status status, int64_t info)
{
    ompfact_matrix *A = job->A;
    bool sound = status == OMPFACT_SUCCESS && (info == 0 || job->algorithm->continues);
    A->done_by = job->algorithm->name;
    if (status > OMPFACT_SUCCESS && !restored)
        A->done = job->first;
    else if (sound && end_of(job) < steps_of(A))
        A->done = end_of(job);
}

/* Sets this for all layers, whose tiles other ranks read. */
static void set_packs(ompfact_matrix *A, bool (*packs)(const ompfact_matrix *A, int i, int j))
{
    for (int l = 0; l < layers_count(A); l++)
        layer_of(A, l)->in_run = (struct in_run){ .packs = packs };
}

ompfact_status factorize(ompfact_matrix *A, const struct algorithm *algorithm, const struct job *with, int64_t *info)
{
    ompfact_grid *grid = A->grid;
    ompfact_matrix *mine = my_layer(A);
    struct job job = *with;
    TRY(layers_check(A, algorithm));
    TRY(ompfact_bring_home(A));     /* spread factors that are factored again become tiles of their owners */
    job.A = mine;
    job.algorithm = algorithm;
    job.schedule = grid->schedule;
    job.first = A->done;
    bool restored = A->resumed;     /* then A has changed, even if the call fails */
    rma_suit(grid->rma, algorithm->tree);
    job.routes = rma_has_routes(rma_nodes(grid->rma));
    struct job_plan plan = { .run = { .loops = factor_loops, .readers = job_readers, .routes = job.routes, .panels = true,
                                      .in_order = grid->schedule == OMPFACT_STATIC, .continues = algorithm->continues,
                                      .trace = grid->keeps_trace ? &grid->trace : NULL },
                             .uses = { { mine, false } }, .reads_spread = true, .compressible = algorithm->compressible,
                             .on_devices = A->shape.accuracy == 0 ? A : NULL };
    if (algorithm->memory != NULL)
        algorithm->memory(&job, &plan);
    *info = 0;
    set_packs(A, grid->any_devices ? NULL : algorithm->packs);
    ompfact_status status = guard_begin(A, algorithm, &job.guard);
    if (status == OMPFACT_SUCCESS)
        status = snapshot_begin(&job);
    plan.run.saver = saver_of_run(job.saver);
    if (status == OMPFACT_SUCCESS)
        status = job_run(grid, &job, &plan, &A->report, info);
    if (status == OMPFACT_SUCCESS)
        status = snapshot_stopped(&job);
    set_packs(A, NULL);
    if (status == OMPFACT_SUCCESS) {
        A->spread = A->layers != NULL;
        A->report.transfers_sums = layers_sums(A);
    }
    status = guard_end(&job.guard, A, status, *info);
    status = snapshot_end(&job, status, *info);
    note_done(&job, restored, status, *info);
    return restored ? after_write(status) : status;
}
