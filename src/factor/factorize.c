/* A factorization as one run: its loops in the order of the schedule, and the memory that it works in. */
#include "src/factor/guard.h"
#include "src/factor/snapshot.h"

ompfact_status factorize(ompfact_matrix *A, const struct algorithm *algorithm, const struct job *with, int64_t *info)
{
    ompfact_grid *grid = A->grid;
    struct job job = *with;
    job.A = A;
    job.algorithm = algorithm;
    job.schedule = grid->schedule;
    job.first = A->done;
    bool restored = A->resumed;     /* so A is no longer what it was, whatever happens */
    rma_suit(grid->rma, algorithm->tree);
    job.routes = rma_has_routes(rma_nodes(grid->rma));
    struct job_plan plan = { .run = { .loops = factor_loops, .readers = job_readers, .routes = job.routes, .panels = true,
                                      .in_order = grid->schedule == OMPFACT_STATIC, .go_on = algorithm->go_on,
                                      .trace = grid->keeps_trace ? &grid->trace : NULL },
                             .uses = { { A, false } }, .compressible = algorithm->compressible,
                             .on_devices = A->compressed == NULL ? A : NULL };
    if (algorithm->memory != NULL)
        algorithm->memory(&job, &plan);
    *info = 0;
    A->in_run = (struct in_run){ .packs = grid->any_devices ? NULL : algorithm->packs };
    ompfact_status status = guard_begin(A, algorithm, &job.guard);
    if (status == OMPFACT_SUCCESS)
        status = snapshot_begin(&job);
    plan.run.saver = saver_of_run(job.saver);
    if (status == OMPFACT_SUCCESS)
        status = job_run(grid, &job, &plan, &A->report, info);
    if (status == OMPFACT_SUCCESS)
        status = snapshot_stopped(&job);
    A->in_run = (struct in_run){ 0 };
    status = guard_end(&job.guard, A, status, *info);
    status = snapshot_end(&job, status, *info);
    return restored ? on_the_way(status) : status;
}
