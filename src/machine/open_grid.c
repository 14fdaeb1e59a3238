/* Creates a grid whose use of devices follows from the figures of its machine. */
#include "src/machine/machine_known.h"

#include "src/grid/gemm_speed.h"

static void set_blocks(struct devices *devices, char type, int herk, int trsm)
{
    struct device_blocks *blocks = &devices->blocks[type_index(type)];
    blocks->herk = herk >= 0 ? herk : blocks->herk;
    blocks->trsm = trsm >= 0 ? trsm : blocks->trsm;
}

/* Sets the host's share: as given, as kept for the first rank's machine, or as measured now. */
static void use_devices(ompfact_grid *grid, double host_share, const struct machine *m)
{
    struct devices *devices = grid->devices;
    ompfact_device_use *use = &grid->device_use;
    struct gemm_speed speed;
    *use = device_use_of(host_share, devices->count, grid->settings.threads, devices->backend, m);
    if (use->source == OMPFACT_SHARE_UNKNOWN) {
        use->source = OMPFACT_SHARE_MEASURED;
        use->host_share = gemm_speed_measure(use->threads, devices, 0.12, &speed) ? gemm_speed_share(&speed) : 0;
    }
    for (int i = 0; use->measured && devices->blocks != NULL && i < m->blocks; i++)
        set_blocks(devices, m->block[i].type, m->block[i].herk, m->block[i].trsm);
}

ompfact_status ompfact_grid_create(MPI_Comm comm, const ompfact_options *options, ompfact_grid **grid, char *message)
{
    static const ompfact_options defaults = { 0 };
    const ompfact_options *o = options != NULL ? options : &defaults;
    struct machine_known *known;
    TRY(grid_open(comm, o, grid, message));
    ompfact_grid *g = *grid;
    if (!g->any_devices)
        return OMPFACT_SUCCESS;
    ompfact_status status = machine_of_grid(g, &known);
    if (status != OMPFACT_SUCCESS) {
        fail_with(message, status, g->message);
        ompfact_grid_destroy(grid);
    } else if (g->devices != NULL) {
        use_devices(g, o->host_share, &known->machine);
    }
    return status;
}

ompfact_device_use ompfact_devices_used(const ompfact_grid *grid)
{
    return grid->device_use;
}

ompfact_status ompfact_set_device_blocks(ompfact_grid *grid, char type, int herk, int trsm)
{
    if (precision_of(type) == NULL)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "a matrix's type is one of s, d, c, z");
    if (grid->devices != NULL && grid->devices->blocks != NULL)
        set_blocks(grid->devices, type, herk, trsm);
    return OMPFACT_SUCCESS;
}
