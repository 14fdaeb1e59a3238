/* One collective run over the grid: counts the loops, then executes them. */
#include "src/factor/beside.h"
#include "src/matrix/layers.h"
#include "src/matrix/placement.h"

#include <stdlib.h>

void plan_space(struct run_plan *run, struct rma_space *space, bool settled, size_t bytes)
{
    run->tile_bytes = run->tile_bytes > bytes ? run->tile_bytes : bytes;
    for (int i = 0; i < run->spaces_count; i++)
        if (run->spaces[i] == space)
            return;
    run->settled[run->spaces_count] = settled;
    run->spaces[run->spaces_count++] = space;
}

/* Whether no matrix of the plan lost addresses since the last call. */
static bool addresses_are_complete(const struct job_plan *plan)
{
    bool complete = true;
    for (int i = 0; i < JOB_MATRICES && plan->uses[i].matrix != NULL; i++)
        for (int l = 0; l < layers_count(plan->uses[i].matrix); l++)
            complete &= !matrix_lost_addresses(layer_of(plan->uses[i].matrix, l));
    return complete;
}

static ompfact_status check_compressed(const struct job_plan *plan)
{
    for (int i = 0; i < JOB_MATRICES && plan->uses[i].matrix != NULL && !plan->compressible; i++)
        TRY(check_dense(plan->uses[i].matrix));
    return OMPFACT_SUCCESS;
}

static ompfact_status collect_spread(const struct job_plan *plan)
{
    for (int i = 0; i < JOB_MATRICES && plan->uses[i].matrix != NULL && !plan->reads_spread; i++)
        TRY(ompfact_bring_home(plan->uses[i].matrix));
    return OMPFACT_SUCCESS;
}

static void pin(const struct job_plan *plan)
{
    for (int i = 0; i < JOB_MATRICES && plan->uses[i].matrix != NULL; i++)
        matrix_pin(plan->uses[i].matrix);
}

/* Creates what the devices need, before tiles take the rest of their memory. */
static void prepare_devices(ompfact_grid *grid, const ompfact_matrix *A, int highest_panel)
{
    enum { BESIDE = 32 };       /* tickets that threads may hold in addition to those of lanes */
    struct device_needs needs = { .type = A->precision->type, .tickets = LANES * RUN_BEGUN + grid->settings.threads + BESIDE,
                                  .panel_rows = highest_panel, .mixed = A->compressed != NULL, .bf16 = A->shape.bf16_tiles,
                                  .rows = A->rows.largest, .columns = A->cols.largest,
                                  .last_rows = A->mt > 0 ? tiling_size(&A->rows, A->mt - 1) : 0,
                                  .last_columns = A->nt > 0 ? tiling_size(&A->cols, A->nt - 1) : 0 };
    grid->devices->prepare(grid->devices, &needs);
}

/* A failure of a device, or a violation of the order, on one rank becomes the error of all ranks. */
static ompfact_status fail_run(ompfact_grid *grid, int code, const struct run_outcome *outcome)
{
    ompfact_status status = OMPFACT_SUCCESS;
    if (outcome->failure[0] != '\0')
        status = fail(grid, outcome->broken ? OMPFACT_INTERNAL_FAULT : OMPFACT_DEVICE_FAILED, "rank %d: %s", rma_rank(grid->rma),
                      outcome->failure);
    TRY(agree(grid, status));
    return fail_mpi(grid, code);
}

/* Whether the loops are counted before the run. A single rank has no transfers, and counts its flops during the run. But
   progress needs the flops before, and they differ if tiles are compressed or a run may end early. */
static bool is_counted(const ompfact_grid *grid, const struct run_plan *plan)
{
    bool reports_progress = (plan->panels && grid->settings.progress != NULL) || rma_has_shares(grid->rma);
    return rma_ranks(grid->rma) > 1 || plan->devices != NULL || plan->sparse || plan->saver != NULL || reports_progress;
}

static ompfact_status execute(ompfact_grid *grid, struct run_plan *plan, struct run_tally *tally,
                              const struct placement *placement, ompfact_report *report, int64_t *info)
{
    struct run_outcome outcome;
    struct run_settings settings = grid->settings;
    if (!plan->panels)
        settings.progress = NULL;       /* only factorizations report progress */
    if (!rma_copies(grid->rma)) {       /* tiles that are read in place need no memory */
        plan->tile_bytes = 0;
        settings.cache_tiles = settings.cache_tiles > 0 ? settings.cache_tiles : tally->step_tiles_next;
    }
    int code = run_execute(grid->rma, plan, tally, &settings, &outcome);
    *info = outcome.info;
    if (code != MPI_SUCCESS)
        return fail_run(grid, code, &outcome);
    if (!is_counted(grid, plan))
        tally->flops = outcome.flops;
    return report_reduce(grid, tally, &outcome, plan->sparse, placement, report);
}

/* All ranks ran out of memory: returns a message if a compressed tile was the reason. Collective. */
static ompfact_status lost_tile_message(ompfact_grid *grid, const struct job_plan *plan, ompfact_status status)
{
    ompfact_status reason = OMPFACT_SUCCESS;
    for (int i = 0; i < JOB_MATRICES && plan->uses[i].matrix != NULL && reason == OMPFACT_SUCCESS; i++)
        reason = compressed_lost_message(plan->uses[i].matrix, status);
    reason = agree(grid, reason);
    return reason != OMPFACT_SUCCESS ? reason : status;
}

ompfact_status job_run(ompfact_grid *grid, struct job *job, const struct job_plan *plan, ompfact_report *report, int64_t *info)
{
    ompfact_report unread;
    int64_t none;
    TRY(check_compressed(plan));
    TRY(collect_spread(plan));
    struct run_plan run = plan->run;
    run.context = job;
    run.urgency = job->algorithm != NULL ? job->algorithm->urgency : longest_path;
    for (int i = 0; i < JOB_MATRICES && plan->uses[i].matrix != NULL; i++) {
        ompfact_matrix *A = plan->uses[i].matrix;
        for (const ompfact_matrix *segment = A; segment != NULL; segment = segment->leading)
            plan_space(&run, segment->space, plan->uses[i].settled, matrix_largest_tile(A));
        run.sparse |= A->compressed != NULL;
    }
    job->seen = calloc((size_t)rma_ranks(grid->rma), 1);
    struct run_tally tally = { .no_memory = job->seen == NULL };
    struct placement placement = { 0 };
    bool placed = true;
    if (plan->on_devices != NULL && grid->devices != NULL) {
        prepare_devices(grid, plan->on_devices, panel_rows(plan->panel));
        placed = placement_create(plan->on_devices, run.tile_bytes, &placement);
        if (placement.residents.count > 0)    /* otherwise there are no moves */
            pin(plan);
        run.devices = grid->devices;
        run.residents = placement.residents;
    }
    if (job->seen != NULL && is_counted(grid, &run))
        run_count(&run, rma_nodes(grid->rma), &tally);
    bool complete = addresses_are_complete(plan);
    ompfact_status status = OMPFACT_SUCCESS;
    if (run.devices != NULL && run.devices->failure(run.devices) != NULL)
        status = fail(grid, OMPFACT_DEVICE_FAILED, "rank %d: %s", rma_rank(grid->rma), run.devices->failure(run.devices));
    else if (!complete || !placed || tally.no_memory)
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory to plan a run", rma_rank(grid->rma));
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS)
        status = execute(grid, &run, &tally, &placement, report != NULL ? report : &unread, info != NULL ? info : &none);
    if (status == OMPFACT_OUT_OF_MEMORY && run.sparse)
        status = lost_tile_message(grid, plan, status);
    if (run.devices != NULL)
        placement_destroy(plan->on_devices, &placement);
    free(job->seen);
    return status;
}
