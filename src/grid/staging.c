/* Staging memory, through which rows and parts of tiles pass from rank to rank between runs. */
#include "src/grid/grid.h"

ompfact_status staging_get(ompfact_grid *grid, int64_t room)
{
    if (grid->exchange != NULL && grid->exchange_room >= room)
        return OMPFACT_SUCCESS;
    TRY(memory_check(grid, 2 * room, "the staging buffers"));
    rma_exchange_destroy(&grid->exchange);
    TRY_MPI(grid, rma_exchange_create(grid->rma, (size_t)room, &grid->exchange));
    grid->exchange_room = room;
    return OMPFACT_SUCCESS;
}
