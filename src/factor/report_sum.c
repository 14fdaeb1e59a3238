/* Combines the work of all ranks in a run into one report. */
#include "src/factor/factor.h"
#include "src/matrix/placement.h"

_Static_assert((int)OMPFACT_DEVICES == (int)RUN_DEVICES, "a report has room for what each device did");

static ompfact_status reduce_devices(ompfact_grid *grid, const struct device_tally *tally, const struct placement *placement,
                                     ompfact_report *report)
{
    double flops[OMPFACT_DEVICES + 2];
    int64_t sums[] = { tally->bytes_up, tally->bytes_down, placement->residents.count, placement->left, tally->waits,
                        tally->allocations, tally->bytes_across, tally->bytes_unpinned };
    int uploads = tally->most_uploads;
    for (int d = 0; d < OMPFACT_DEVICES; d++)
        flops[d] = tally->flops[d];
    flops[OMPFACT_DEVICES] = tally->host_update_flops;
    flops[OMPFACT_DEVICES + 1] = tally->narrow_flops;
    TRY_MPI(grid, rma_allreduce(grid->rma, flops, OMPFACT_DEVICES + 2, MPI_DOUBLE, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, sums, sizeof sums / sizeof sums[0], MPI_INT64_T, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, &uploads, 1, MPI_INT, MPI_MAX));
    for (int d = 0; d < OMPFACT_DEVICES; d++)
        report->flops_per_device[d] = flops[d];
    report->host_update_flops = flops[OMPFACT_DEVICES];
    report->device_narrow_flops = flops[OMPFACT_DEVICES + 1];
    report->bytes_to_devices = sums[0];
    report->bytes_from_devices = sums[1];
    report->device_tiles = sums[2];
    report->device_tiles_left = sums[3];
    report->device_waits = sums[4];
    report->device_allocations = sums[5];
    report->bytes_between_devices = sums[6];
    report->bytes_unpinned = sums[7];
    report->max_uploads_per_tile = uploads;
    return OMPFACT_SUCCESS;
}

ompfact_status report_reduce(ompfact_grid *grid, const struct run_tally *tally, const struct run_outcome *outcome,
                             bool compressed, const struct placement *placement, ompfact_report *report)
{
    double done = compressed ? outcome->flops : tally->flops;
    int64_t sums[6] = { outcome->moved.transfers, outcome->moved.transfer_bytes, tally->transfers,
                        outcome->moved.wire_transfers, outcome->moved.wire_bytes, tally->wire_transfers };
    int most[3] = { outcome->cache_tiles, outcome->cache_peak, outcome->tasks_peak };
    double largest[2] = { outcome->seconds, done }, sum[2] = { done, tally->flops };
    TRY_MPI(grid, rma_allreduce(grid->rma, sums, 6, MPI_INT64_T, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, most, 3, MPI_INT, MPI_MAX));
    TRY_MPI(grid, rma_allreduce(grid->rma, largest, 2, MPI_DOUBLE, MPI_MAX));
    TRY_MPI(grid, rma_allreduce(grid->rma, sum, 2, MPI_DOUBLE, MPI_SUM));
    double flops = sum[0];
    *report = (ompfact_report){ .seconds = largest[0], .flops = flops, .flops_dense = sum[1],
                                .transfers = sums[0], .transfer_bytes = sums[1],
                                .transfers_predicted = sums[2], .wire_transfers = sums[3], .wire_bytes = sums[4],
                                .wire_transfers_predicted = sums[5], .cache_tiles = most[0], .cache_peak_tiles = most[1],
                                .tasks_peak = most[2], .checkpoints = -1, .restarted_from_step = -1, .tiles_restored = -1,
                                .flops_max_over_mean = flops > 0 ? largest[1] * rma_ranks(grid->rma) / flops : 1 };
    return grid->any_devices ? reduce_devices(grid, &outcome->devices, placement, report) : OMPFACT_SUCCESS;
}

void report_add(ompfact_report *sum, const ompfact_report *part)
{
    double flops = sum->flops + part->flops;
    double loaded = sum->flops_max_over_mean * sum->flops + part->flops_max_over_mean * part->flops;
    sum->flops_max_over_mean = flops > 0 ? loaded / flops : part->flops_max_over_mean;
    sum->seconds += part->seconds;
    sum->flops = flops;
    sum->flops_dense += part->flops_dense;
    sum->transfers += part->transfers;
    sum->transfer_bytes += part->transfer_bytes;
    sum->transfers_predicted += part->transfers_predicted;
    sum->wire_transfers += part->wire_transfers;
    sum->wire_bytes += part->wire_bytes;
    sum->wire_transfers_predicted += part->wire_transfers_predicted;
    sum->cache_tiles = part->cache_tiles > sum->cache_tiles ? part->cache_tiles : sum->cache_tiles;
    sum->cache_peak_tiles = part->cache_peak_tiles > sum->cache_peak_tiles ? part->cache_peak_tiles : sum->cache_peak_tiles;
    sum->rows_exchanged += part->rows_exchanged;
    sum->candidate_tiles += part->candidate_tiles;
    for (int d = 0; d < OMPFACT_DEVICES; d++)
        sum->flops_per_device[d] += part->flops_per_device[d];
    sum->host_update_flops += part->host_update_flops;
    sum->device_narrow_flops += part->device_narrow_flops;
    sum->bytes_to_devices += part->bytes_to_devices;
    sum->bytes_from_devices += part->bytes_from_devices;
    sum->bytes_between_devices += part->bytes_between_devices;
    sum->device_waits += part->device_waits;
    sum->device_allocations += part->device_allocations;
    sum->bytes_unpinned = larger_count(part->bytes_unpinned, sum->bytes_unpinned);
    sum->device_tiles = larger_count(part->device_tiles, sum->device_tiles);
    sum->device_tiles_left = larger_count(part->device_tiles_left, sum->device_tiles_left);
    sum->max_uploads_per_tile = part->max_uploads_per_tile > sum->max_uploads_per_tile ? part->max_uploads_per_tile
                                                                                       : sum->max_uploads_per_tile;
    sum->faults_found += part->faults_found;
    sum->faults_corrected += part->faults_corrected;
    if (part->checkpoints >= 0)
        sum->checkpoints = part->checkpoints + (sum->checkpoints > 0 ? sum->checkpoints : 0);
    if (part->restarted_from_step >= 0) {
        sum->restarted_from_step = part->restarted_from_step;
        sum->tiles_restored = part->tiles_restored;
    }
    sum->tasks_peak = part->tasks_peak > sum->tasks_peak ? part->tasks_peak : sum->tasks_peak;
}
