/* One collective run over the grid: count the loops, execute them, add up what every rank did. */
#include "src/factor/pivot.h"
#include "src/matrix/placement.h"
#include "src/factor/reflectors.h"

#include <stdlib.h>

/* The readers of job->A's tiles, as the layout knows them. */
static int factor_readers(const void *context, const struct operand *tile, int *ranks)
{
    const struct job *job = context;
    if (job->reflectors != NULL)
        return is_travelling(tile) ? travel_readers(job, tile, ranks) : reflector_readers(job, tile, ranks);
    if (tile->matrix != job->A)
        return pivot_readers(job, tile, ranks);
    return layout_readers(job->A->layout, job->algorithm->layout, tile->i, tile->j, ranks, job->seen);
}

int others(int *ranks, int count, int owner)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (ranks[i] != owner)
            ranks[kept++] = ranks[i];
    return kept;
}

struct operand columns_of(const struct job *job, struct operand tile)
{
    tile.nb = tiling_size(&job->B->cols, job->column);
    tile.address.bytes = (size_t)tile.mb * (size_t)tile.nb * tile.precision->size;
    return tile;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Several matrices may share one window. */
static int collect_spaces(const struct job_plan *plan, struct rma_space **spaces, bool *settled, size_t *tile_bytes)
{
    int count = 0;
    *tile_bytes = 0;
    for (int i = 0; i < 3 && plan->matrices[i] != NULL; i++) {
        *tile_bytes = larger(*tile_bytes, matrix_largest_tile(plan->matrices[i]));
        bool known = false;
        for (int s = 0; s < count; s++)
            known |= spaces[s] == plan->matrices[i]->space;
        if (!known) {
            spaces[count] = plan->matrices[i]->space;
            settled[count++] = plan->settled[i];
        }
    }
    *tile_bytes = larger(*tile_bytes, plan->beside_bytes);
    for (int i = 0; i < 2 && plan->beside[i] != NULL; i++) {
        spaces[count] = plan->beside[i];
        settled[count++] = plan->beside_settled[i];
    }
    return count;
}

void plan_beside(struct job_plan *plan, struct rma_space *space, bool settled, size_t bytes)
{
    int i = plan->beside[0] != NULL;
    plan->beside[i] = space;
    plan->beside_settled[i] = settled;
    plan->beside_bytes = larger(plan->beside_bytes, bytes);
}

_Static_assert((int)OMPFACT_DEVICES == (int)RUN_DEVICES, "a report has room for what each device did");

static ompfact_status reduce_devices(ompfact_grid *grid, const struct device_tally *tally, const struct placement *placement,
                                     ompfact_report *report)
{
    double flops[OMPFACT_DEVICES + 1];
    int64_t bytes[4] = { tally->bytes_up, tally->bytes_down, placement->residents, placement->left };
    int uploads = tally->most_uploads;
    for (int d = 0; d < OMPFACT_DEVICES; d++)
        flops[d] = tally->flops[d];
    flops[OMPFACT_DEVICES] = tally->host_update_flops;
    TRY_MPI(grid, rma_allreduce(grid->rma, flops, OMPFACT_DEVICES + 1, MPI_DOUBLE, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, bytes, 4, MPI_INT64_T, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, &uploads, 1, MPI_INT, MPI_MAX));
    for (int d = 0; d < OMPFACT_DEVICES; d++)
        report->flops_per_device[d] = flops[d];
    report->host_update_flops = flops[OMPFACT_DEVICES];
    report->bytes_to_devices = bytes[0];
    report->bytes_from_devices = bytes[1];
    report->device_tiles = bytes[2];
    report->device_tiles_left = bytes[3];
    report->max_uploads_per_tile = uploads;
    return OMPFACT_SUCCESS;
}

static ompfact_status reduce_report(ompfact_grid *grid, const struct run_tally *tally, const struct run_outcome *outcome,
                                    ompfact_report *report)
{
    int64_t sums[3] = { outcome->moved.transfers, outcome->moved.transfer_bytes, tally->transfers };
    int most[3] = { outcome->cache_tiles, outcome->cache_peak, outcome->tasks_peak };
    double largest[2] = { outcome->seconds, tally->flops }, flops = tally->flops;
    TRY_MPI(grid, rma_allreduce(grid->rma, sums, 3, MPI_INT64_T, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, most, 3, MPI_INT, MPI_MAX));
    TRY_MPI(grid, rma_allreduce(grid->rma, largest, 2, MPI_DOUBLE, MPI_MAX));
    TRY_MPI(grid, rma_allreduce(grid->rma, &flops, 1, MPI_DOUBLE, MPI_SUM));
    *report = (ompfact_report){ .seconds = largest[0], .flops = flops, .transfers = sums[0], .transfer_bytes = sums[1],
                                .transfers_predicted = sums[2], .cache_tiles = most[0], .cache_peak_tiles = most[1],
                                .tasks_peak = most[2],
                                .flops_max_over_mean = flops > 0 ? largest[1] * rma_ranks(grid->rma) / flops : 1 };
    return OMPFACT_SUCCESS;
}

void report_add(ompfact_report *sum, const ompfact_report *part)
{
    sum->seconds += part->seconds;
    sum->flops += part->flops;
    sum->transfers += part->transfers;
    sum->transfer_bytes += part->transfer_bytes;
    sum->transfers_predicted += part->transfers_predicted;
    sum->flops_max_over_mean = part->flops_max_over_mean;
    sum->cache_tiles = part->cache_tiles > sum->cache_tiles ? part->cache_tiles : sum->cache_tiles;
    sum->cache_peak_tiles = part->cache_peak_tiles > sum->cache_peak_tiles ? part->cache_peak_tiles : sum->cache_peak_tiles;
    sum->rows_exchanged += part->rows_exchanged;
    sum->candidate_tiles += part->candidate_tiles;
    for (int d = 0; d < OMPFACT_DEVICES; d++)
        sum->flops_per_device[d] += part->flops_per_device[d];
    sum->host_update_flops += part->host_update_flops;
    sum->bytes_to_devices += part->bytes_to_devices;
    sum->bytes_from_devices += part->bytes_from_devices;
    sum->device_tiles = part->device_tiles > sum->device_tiles ? part->device_tiles : sum->device_tiles;
    sum->device_tiles_left = part->device_tiles_left > sum->device_tiles_left ? part->device_tiles_left : sum->device_tiles_left;
    sum->max_uploads_per_tile = part->max_uploads_per_tile > sum->max_uploads_per_tile ? part->max_uploads_per_tile : sum->max_uploads_per_tile;
    sum->tasks_peak = part->tasks_peak > sum->tasks_peak ? part->tasks_peak : sum->tasks_peak;
}

static bool addresses_are_complete(const struct job_plan *plan)
{
    for (int i = 0; i < 3 && plan->matrices[i] != NULL; i++)
        if (plan->matrices[i]->no_memory)
            return false;
    return true;
}

/* A device's failure, or a fault against the order, on one rank is what all of them tell. */
static ompfact_status fail_run(ompfact_grid *grid, int code, const struct run_outcome *outcome)
{
    ompfact_status status = OMPFACT_SUCCESS;
    if (outcome->failure[0] != '\0')
        status = fail(grid, outcome->broken ? OMPFACT_INTERNAL_FAULT : OMPFACT_DEVICE_FAILED, "rank %d: %s", rma_rank(grid->rma),
                      outcome->failure);
    TRY(agree(grid, status));
    return fail_mpi(grid, code);
}

static ompfact_status execute(ompfact_grid *grid, const struct run_plan *run, const struct run_tally *tally, bool panels,
                              const struct placement *placement, ompfact_report *report, int64_t *info)
{
    struct run_outcome outcome;
    struct run_settings settings = grid->settings;
    struct run_plan plan = *run;
    if (!panels)
        settings.progress = NULL;       /* it is a factorization's */
    if (!rma_copies(grid->rma)) {       /* tiles that are read in place take no memory */
        plan.tile_bytes = 0;
        settings.cache_tiles = settings.cache_tiles > 0 ? settings.cache_tiles : tally->step_tiles_next;
    }
    int code = run_execute(grid->rma, &plan, tally, &settings, &outcome);
    *info = outcome.info;
    if (code != MPI_SUCCESS)
        return fail_run(grid, code, &outcome);
    TRY(reduce_report(grid, tally, &outcome, report));
    return grid->any_devices ? reduce_devices(grid, &outcome.devices, placement, report) : OMPFACT_SUCCESS;
}

ompfact_status job_run(ompfact_grid *grid, struct job *job, const struct job_plan *plan, ompfact_report *report, int64_t *info)
{
    struct rma_space *spaces[5];
    bool settled[5];
    struct run_plan run = { .loops = plan->loops, .context = job, .readers = plan->readers, .spaces = spaces, .settled = settled,
                            .routes = plan->routes, .panels = plan->panels, .in_order = plan->in_order, .go_on = plan->go_on, .trace = plan->trace };
    run.spaces_count = collect_spaces(plan, spaces, settled, &run.tile_bytes);
    job->seen = calloc((size_t)rma_ranks(grid->rma), 1);
    struct run_tally tally = { .no_memory = true };
    struct placement placement = { 0 };
    bool placed = true;
    if (plan->on_devices && grid->devices != NULL) {
        placed = placement_create(job->A, run.tile_bytes, &placement);
        run.devices = grid->devices;
        run.resident = placement.resident;
        run.residents = placement.residents;
        run.slot_bytes = placement.slot_bytes;
        run.device_bytes = placement.device_bytes;
    }
    if (job->seen != NULL)
        run_count(&run, &tally);
    ompfact_status status = OMPFACT_SUCCESS;
    if (run.devices != NULL && run.devices->failure(run.devices) != NULL)
        status = fail(grid, OMPFACT_DEVICE_FAILED, "rank %d: %s", rma_rank(grid->rma), run.devices->failure(run.devices));
    else if (!placed || tally.no_memory || !addresses_are_complete(plan))
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory to plan a run", rma_rank(grid->rma));
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS)
        status = execute(grid, &run, &tally, plan->panels, &placement, report, info);
    if (run.devices != NULL)
        placement_destroy(job->A, &placement);
    free(job->seen);
    return status;
}

ompfact_status factorize(ompfact_matrix *A, const struct algorithm *algorithm, const struct job *with, int64_t *info)
{
    ompfact_grid *grid = A->grid;
    struct job job = *with;
    job.A = A;
    job.algorithm = algorithm;
    job.schedule = grid->schedule;
    job.routes = rma_has_routes(grid->rma);
    struct job_plan plan = { .loops = factor_loops, .readers = factor_readers, .matrices = { A }, .routes = job.routes, .panels = true,
                             .in_order = grid->schedule == OMPFACT_STATIC, .go_on = algorithm->go_on,
                             .on_devices = true, .trace = grid->keeps_trace ? &grid->trace : NULL };
    if (job.pivoting != NULL)
        plan_beside(&plan, job.pivoting->space, false, pivoting_slot_bytes(job.pivoting));
    if (job.reflectors != NULL)
        plan_beside(&plan, job.reflectors->space, false, travel_slot_bytes(job.travel));
    return job_run(grid, &job, &plan, &A->report, info);
}
