/* The tile size and the host's share that follow from the rates of devices. */
#include "src/machine/machine.h"

#include <math.h>
#include <string.h>

int machine_device_tile(const struct machine *m)
{
    static const double NEARLY = 0.95;
    double best = 0;
    int nb = 0;
    for (int i = 0; i < m->device_rates; i++)
        best = fmax(best, m->device_rate[i].gflops);
    for (int i = 0; i < m->device_rates; i++)
        if (m->device_rate[i].gflops >= NEARLY * best && (nb == 0 || m->device_rate[i].nb < nb))
            nb = m->device_rate[i].nb;
    return nb;
}

double machine_device_rate(const struct machine *m)
{
    int nb = machine_device_tile(m);
    for (int i = 0; i < m->device_rates; i++)
        if (m->device_rate[i].nb == nb)
            return m->device_rate[i].gflops;
    return 0;
}

double machine_formula_share(const struct machine *m, int devices, int threads)
{
    int nb = machine_device_tile(m);
    double host = threads * machine_thread_rate(m, 'd', RATE_GEMM, threads, nb > 0 ? nb : 256);
    return host / (host + devices * machine_device_rate(m));
}

/* The share measured with this number of devices and threads, or NULL. */
static const ompfact_machine_share *share_of(const struct machine *m, int devices, int threads)
{
    for (int i = 0; i < m->shares; i++)
        if (m->share[i].devices == devices && m->share[i].threads == threads)
            return &m->share[i];
    return NULL;
}

const ompfact_machine_blocks *machine_blocks_of(const struct machine *m, char type)
{
    for (int i = 0; i < m->blocks; i++)
        if (m->block[i].type == type)
            return &m->block[i];
    return NULL;
}

const ompfact_machine_share *machine_best_share(const struct machine *m)
{
    const ompfact_machine_share *best = NULL;
    for (int i = 0; i < m->shares; i++)
        if (best == NULL || m->share[i].gflops > best->gflops)
            best = &m->share[i];
    return best;
}

void machine_keep_share(struct machine *m, const ompfact_machine_share *share)
{
    if (share->gflops > 0)
        machine_keep(m->share, &m->shares, MACHINE_SHARES, sizeof *share, share, offsetof(ompfact_machine_share, n));
}

ompfact_device_use device_use_of(double host_share, int devices, int threads, const char *backend, const struct machine *m)
{
    bool measured = m->device_rates > 0 && (backend[0] == '\0' || strcmp(backend, m->device_backend) == 0);
    ompfact_device_use use = { .devices = devices, .threads = threads, .backend = backend, .measured = measured,
                               .host_share = NAN };
    const ompfact_machine_share *tried = measured ? share_of(m, devices, threads) : NULL;
    if (host_share >= 0) {
        use.source = OMPFACT_SHARE_GIVEN;
        use.host_share = host_share;
    } else if (tried != NULL) {
        use.source = OMPFACT_SHARE_TRIED;
        use.host_share = tried->share;
    } else if (measured) {
        use.source = OMPFACT_SHARE_BALANCED;
        use.host_share = machine_formula_share(m, devices, threads);
    }
    return use;
}

/* The tile size where nothing was measured: on an H200 (doc/results) 20 tiles of 2048 were faster than 40 of 1024 or 10 of
   4096. */
static int usual_tile(const ompfact_device_use *use, int ranks, int64_t order)
{
    enum { TILES = 16, STEP = 256, LEAST = 512, MOST = 2048 };
    bool is_vendors = strcmp(use->backend, "cuda") == 0 || strcmp(use->backend, "hip") == 0;
    int64_t tile = (int64_t)((double)order / TILES / use->devices / sqrt(ranks)) / STEP * STEP;
    return !is_vendors ? 0 : tile < LEAST ? LEAST : tile > MOST ? MOST : (int)tile;
}

int machine_tile_for_devices(const struct machine *m, const ompfact_device_use *use, int ranks, int64_t rows, int64_t cols,
                             int nb)
{
    enum { FEWEST = 3 };    /* least tiles of a device in each direction */
    int64_t order = rows < cols ? rows : cols;
    int tile = 0;
    if (use->devices > 0 && !(use->host_share >= 1))
        tile = use->measured ? machine_device_tile(m) : usual_tile(use, ranks, order);
    return tile > 0 && order >= (int64_t)FEWEST * tile * use->devices ? tile : nb;
}
