/*
 * --tune, devices (Song, Dongarra, "A Scalable Framework for Heterogeneous GPU-Based Clusters", SPAA 2012, section 3.2). The rate
 * of GEMM is measured at tile sizes from 256 to 2048. The smallest size that is nearly as fast as any is taken, with the host's
 * share that the formula gives for it. At that size the block sizes of other kernels are measured. Short factorizations of order
 * 3 nb devices then try shares near the formula's.
 */
#include "src/tune/tune.h"

#include "src/grid/gemm_speed.h"
#include "src/machine/tile_size.h"

#include <math.h>
#include <string.h>

static const int sizes[] = { 256, 384, 512, 768, 1024, 1536, 2048, 0 };

static void measure_rates(struct devices *devices, const ompfact_effort *effort, struct machine *m)
{
    m->device_rates = 0;
    for (const int *nb = sizes; *nb > 0 && *nb <= effort->largest_device_nb; nb++) {
        struct machine_device_rate rate = { .nb = *nb };
        double start = run_clock();
        m->bus_up = m->bus_down = 0;        /* the bus rate of the largest size is kept: its tiles are in no cache */
        for (int i = 0; i == 0 || (i < 4 && run_clock() - start < effort->device_s); i++) {
            struct device_speed speed = device_speed_measure(devices, *nb);
            rate.gflops = fmax(rate.gflops, 1e-9 * speed.gemm);
            m->bus_up = fmax(m->bus_up, 1e-9 * speed.up);
            m->bus_down = fmax(m->bus_down, 1e-9 * speed.down);
        }
        if (rate.gflops > 0)
            m->device_rate[m->device_rates++] = rate;
    }
}

/* The number of columns of a kernel's blocks, or 0 for no blocks, with which it takes the least time. `blocks` is the devices'
   setting. */
static int fastest_block(struct devices *devices, enum device_trial kernel, char type, int nb, int *blocks)
{
    static const int tried[] = { 0, 128, 256, 512, 1024 };
    double least = INFINITY;
    int best = 0;
    for (int i = 0; i < (int)(sizeof tried / sizeof tried[0]) && tried[i] < nb; i++) {
        *blocks = tried[i];
        double seconds = device_trial(devices, kernel, type, nb);
        if (seconds < least) {
            least = seconds;
            best = tried[i];
        }
    }
    return *blocks = best;
}

static void measure_blocks(struct devices *devices, int nb, struct machine *m)
{
    m->blocks = 0;
    for (int type = 0; devices->blocks != NULL && type < TYPES; type++) {
        ompfact_machine_blocks found = { .type = "sdcz"[type], .nb = nb };
        found.herk = fastest_block(devices, TRIAL_HERK, found.type, nb, &devices->blocks[type].herk);
        found.trsm = fastest_block(devices, TRIAL_TRSM, found.type, nb, &devices->blocks[type].trsm);
        if (devices->failure(devices) == NULL)
            m->block[m->blocks++] = found;
    }
}

/* GFLOP/s of this rank alone. 0: an error. */
static double potrf_with(const struct machine *m, const ompfact_machine_share *s)
{
    CLEANUP(ompfact_grid_destroy) ompfact_grid *grid = NULL;
    ompfact_options options = { .threads = s->threads, .devices = s->devices, .host_share = s->share,
                                .device_backend = s->devices > 0 ? m->device_backend : NULL };
    if (ompfact_grid_create(MPI_COMM_SELF, &options, &grid, NULL) != OMPFACT_SUCCESS)
        return 0;
    const ompfact_machine_blocks *blocks = machine_blocks_of(m, 'd');
    if (blocks != NULL)
        ompfact_set_device_blocks(grid, 'd', blocks->herk, blocks->trsm);
    return tune_potrf(grid, s->n, s->nb);
}

/* Measures shares from the formula's outwards, as long as they are faster than the last. */
static void search_share(struct machine *m, ompfact_machine_share *best)
{
    double formula = machine_formula_share(m, best->devices, best->threads);
    double step = formula * (1 - formula) / 4;      /* small where cores or devices hardly count */
    best->share = formula;
    best->gflops = potrf_with(m, best);
    for (int way = -1; way <= 1; way += 2)
        for (int i = 1; i <= 3; i++) {
            ompfact_machine_share next = *best;
            next.share = formula + way * i * step;
            next.gflops = potrf_with(m, &next);
            if (next.gflops <= best->gflops)
                break;
            *best = next;
        }
    machine_keep_share(m, best);
}

void tune_devices(ompfact_grid *grid, const ompfact_effort *effort, struct machine *m)
{
    int devices = ompfact_devices(grid), threads = ompfact_threads(grid);
    if (strcmp(m->device_backend, ompfact_device_backend(grid)) != 0)
        m->shares = 0;      /* the kept shares are of other devices */
    snprintf(m->device_backend, sizeof m->device_backend, "%s", ompfact_device_backend(grid));
    measure_rates(grid->devices, effort, m);
    int nb = machine_device_tile(m);
    if (nb == 0)
        return;
    measure_blocks(grid->devices, nb, m);
    double rate = threads * machine_thread_rate(m, 'd', RATE_GEMM, threads, nb) + devices * machine_device_rate(m);
    int n = (int)fmin(3.0 * nb * devices, cbrt(3e9 * rate * effort->device_s));
    struct tile_question q = { .cholesky = true, .type = 'd', .m = n, .n = n, .ranks = 1, .threads = threads };
    ompfact_machine_share host = { .threads = threads, .n = n, .nb = tile_size_choose(m, &q), .share = 1 };
    host.gflops = potrf_with(m, &host);
    machine_keep_share(m, &host);
    for (int d = 1; d <= devices; d = d < devices && 2 * d > devices ? devices : 2 * d) {
        ompfact_machine_share share = { .devices = d, .threads = threads, .n = n, .nb = nb };
        search_share(m, &share);
    }
}
