/* The facts of a made-up run. */
#ifndef OMPFACT_TESTS_COMMAND_SAMPLE_FACTS_H
#define OMPFACT_TESTS_COMMAND_SAMPLE_FACTS_H

#include "src/command/report.h"
#include "tests/command/test_command.h"

static const double device_flops[] = { 1000, 2000 }, rank_speeds[] = { 1, 0.5 };
static const struct { int step; double time; } points[] = { { 3, 1.0 / 3 }, { 7, 2 } };

static inline struct facts sample(void)
{
    return (struct facts){
        .parts = IN_RUN,
        .routine = "getrf", .type = 'd', .m = 1000, .n = 1000, .nrhs = 1, .nb = 64, .layout = "g2dbc", .ranks = 5,
        .threads = 2, .devices = 0, .pivot = "none", .seed = 1, .time_s = 0.1, .gflops = 6.5, .error = 1.5,
        .status = "pass", .info = 0, .transfers = 1234, .transfer_bytes = 40435712, .transfers_predicted = 1234,
        .nodes = 3, .wire_transfers = 999, .wire_bytes = 31250000, .wire_transfers_predicted = 999,
        .tiles_max = 52, .tiles_min = 50, .flops_max_over_mean = 1.0625, .cache_peak_tiles = 40,
        .device_backend = "host", .host_share = 0.25, .device_flops = 3000, .host_update_flops = 1000,
        .flops_per_device = { device_flops, sizeof *device_flops, 2, 17 },
        .bytes_to_devices = 4096, .bytes_from_devices = 2048, .bytes_between_devices = 512, .max_uploads_per_tile = 1,
        .device_waits = 5, .device_allocations = 6, .bytes_unpinned = 7, .memory_peak_bytes = 3 << 20,
        .tasks_peak = 57, .gemm_gflops = 13, .work_bound_s = 0.5, .link_bound_s = 0.25,
        .chain_bound_s = 0.125, .tasks_bound_s = 0.0625,
        .schedule = "static", .bcast = "chain", .on_node = "copy",
        .between_nodes = "one-sided", .rma_native = 1, .register_s = 0.375, .uplo = "l", .tree = "flat",
        .faults_found = 4, .faults_corrected = 3, .checkpoints = 6, .restarted_from_step = 2, .tiles_restored = 11,
        .growth = 8, .rows_exchanged = 70, .candidate_tiles = 9, .copies = 2, .transfers_sums = 300, .transfers_home = 40,
        .logdet = -2.5, .det_sign = -1, .det_phase = NAN, .smallest_pivot = 0.125,
        .abe_steps = { &points->step, sizeof *points, 2, 0 }, .abe_max = { &points->time, sizeof *points, 2, 4 },
        .speeds = { rank_speeds, sizeof *rank_speeds, 2, 15 }, .perisum = 3.5, .abe_max_over_mean = 1.125,
        .solve_time_s = 0.25, .solve_transfers = 32, .rcond = 0.125, .refine_iterations = 2,
        .date = "2026-11-27T07:00:00Z", .version = "1.0.0", .commit = "0123456789ab", .host = "n1", .processor = "Xeon",
        .mpi = "MPICH Version: 4.0.2", .blas = "BLIS skx", .command = "ompfact getrf",
    };
}

static inline const char *take_file(const char *path, char buffer[FILE_TEXT])
{
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    unlink(path);
    return contents(file, buffer);
}

#endif
