#include "src/command/device_use.h"

#include "src/grid/gemm_speed.h"
#include "src/grid/grid.h"

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
    struct device_plan plan = device_plan(o->host_share, ompfact_devices(grid), threads, ompfact_device_backend(grid), m);
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
