/* The stack of a panel on the devices that factor it. */
#include "src/factor/beside.h"
#include "src/matrix/placement.h"

#include <stdlib.h>

static size_t bytes_of(const struct row_stack *s)
{
    return s->copy == NULL ? s->bytes : 2 * s->bytes;
}

ompfact_status panel_on_devices(ompfact_grid *grid, const struct precision *precision, struct row_stack *s)
{
    struct devices *devices = grid->devices;
    if (devices == NULL || devices->panels == NULL || devices->panels(precision->type) == NULL ||
        2 * grid->device_use.host_share >= 1 || bytes_of(s) > placement_memory(grid) / 4)
        return OMPFACT_SUCCESS;
    s->on_device = calloc((size_t)devices->count, sizeof *s->on_device);
    if (s->on_device == NULL)
        return fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a panel", rma_rank(grid->rma));
    grid->device_panel_bytes += bytes_of(s);
    devices->pin(devices, s->swap, (size_t)s->width * sizeof *s->swap, false);      /* the device writes to it */
    for (int d = 1; d <= devices->count; d++) {
        s->on_device[d - 1] = devices->allocate(devices, d, bytes_of(s));
        if (s->on_device[d - 1] == NULL)
            return fail(grid, OMPFACT_NO_MEMORY,
                        "rank %d: device %d: allocating %zu bytes of device memory for a panel failed: smaller tiles need less",
                        rma_rank(grid->rma), d, bytes_of(s));
    }
    return OMPFACT_SUCCESS;
}

void panel_off_devices(ompfact_grid *grid, struct row_stack *s)
{
    if (s == NULL || s->on_device == NULL)
        return;
    grid->device_panel_bytes -= bytes_of(s);
    for (int d = 1; d <= grid->devices->count; d++)
        grid->devices->release(grid->devices, d, s->on_device[d - 1]);
    grid->devices->unpin(grid->devices, s->swap);
    free(s->on_device);
    s->on_device = NULL;
}

int panel_device(const ompfact_matrix *A, const struct row_stack *s, int k)
{
    const struct split *split = split_of(A, k);
    bool is_there = split != NULL && s != NULL && s->on_device != NULL && s->on_device[split->device - 1] != NULL;
    return is_there && 2 * split->host < tiling_size(&A->cols, k) ? split->device : HOST;
}

int panel_rows(const struct row_stack *s)
{
    return s != NULL && s->on_device != NULL ? s->room : 0;
}
