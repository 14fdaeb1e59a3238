#include "src/command/device_plan.h"

#include "src/grid/gemm_speed.h"
#include "src/grid/grid.h"

#include <math.h>
#include <string.h>

struct device_plan device_plan(const struct options *o, int devices, int threads, const char *backend, const struct machine *m)
{
    bool measured = m != NULL && m->device_rates > 0 && (backend[0] == '\0' || strcmp(backend, m->device_backend) == 0);
    struct device_plan plan = { .devices = devices, .threads = threads, .backend = backend, .measured = measured, .share = NAN };
    const struct machine_share *searched = measured ? machine_share_of(m, devices, threads) : NULL;
    if (o->host_share >= 0) {
        plan.source = SHARE_GIVEN;
        plan.share = o->host_share;
    } else if (searched != NULL) {
        plan.source = SHARE_SEARCHED;
        plan.share = searched->share;
    } else if (measured) {
        plan.source = SHARE_FORMULA;
        plan.share = machine_formula_share(m, devices, threads);
    }
    return plan;
}

struct device_plan device_plan_dry(const struct options *o, int threads, const struct machine *m)
{
    const char *backend = o->device_backend.value != OPTION_BACKEND_AUTO ? o->device_backend.word : "";
    return device_plan(o, o->devices > 0 ? o->devices : 0, threads, backend, m);
}

void device_plan_blocks(const struct machine *m, struct devices *devices)
{
    for (int i = 0; devices != NULL && devices->blocks != NULL && i < m->blocks; i++)
        devices->blocks[type_index(m->block[i].type)] =
            (struct device_blocks){ .herk = m->block[i].herk, .trsm = m->block[i].trsm };
}

static void blocks_as_given(const struct options *o, struct devices *devices)
{
    for (int type = 0; devices->blocks != NULL && type < TYPES; type++) {
        struct device_blocks *blocks = &devices->blocks[type];
        blocks->herk = o->herk_block >= 0 ? o->herk_block : blocks->herk;
        blocks->trsm = o->trsm_block >= 0 ? o->trsm_block : blocks->trsm;
    }
}

struct device_plan device_plan_of_grid(const struct options *o, ompfact_grid *grid, const struct machine *m)
{
    int threads = ompfact_threads(grid);
    struct device_plan plan = device_plan(o, ompfact_devices(grid), threads, ompfact_device_backend(grid), m);
    if (plan.devices > 0 && plan.source == SHARE_UNKNOWN) {
        struct gemm_speed speed;
        plan.source = SHARE_QUICK;
        plan.share = gemm_speed_measure(threads, grid->devices, 0.12, &speed) ? gemm_speed_share(&speed) : 0;
    }
    if (plan.devices > 0) {
        grid->host_share = plan.share;
        if (plan.measured)
            device_plan_blocks(m, grid->devices);
        blocks_as_given(o, grid->devices);
    }
    return plan;
}

int device_plan_tile_size(const struct device_plan *plan, const struct machine *m, int ranks, int64_t rows, int64_t cols, int nb)
{
    struct device_use use = { .devices = plan->devices, .ranks = ranks, .backend = plan->backend, .host_share = plan->share };
    return plan->devices == 0 ? nb : machine_tile_for_devices(m, &use, rows, cols, nb);
}
