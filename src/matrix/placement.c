/* Assigns columns to devices, as many as fit into their memory. */
#include "src/matrix/placement.h"

#include <math.h>
#include <stdlib.h>

enum { STRIP = 128 };       /* columns of a host strip, approximately */

static int columns(const ompfact_matrix *A)
{
    return is_upper(&A->shape) ? A->mt : A->nt;
}

static int width(const ompfact_matrix *A, int column)
{
    return tiling_size(is_upper(&A->shape) ? &A->rows : &A->cols, column);
}

/* Cuts the host's columns of a tile of this width into equal strips. */
static struct split cut(double share, int width)
{
    int host = (int)lround(share * width), strips = (host + STRIP - 1) / STRIP;
    if (strips == 0)
        return (struct split){ .strip = 1 };
    strips = strips < MOST_PARTS ? strips : MOST_PARTS - 1;
    int strip = (host + strips / 2) / strips;
    return (struct split){ .host = strip * strips < width ? strip * strips : width, .strip = strip };
}

/* Tiles of mixed precision are in one piece, because a narrow tile can only be used as a whole: the host has its share of the
   tile columns. */
static struct split keep_whole(double share, int column, int width)
{
    bool on_device = floor((column + 1) * (1 - share)) > floor(column * (1 - share));
    return (struct split){ .host = on_device ? 0 : width, .strip = 1 };
}

static bool may_be_on_device(const ompfact_matrix *A, int i, int j)
{
    return compressed_may_be_on_device(A, compressed_form(A, i, j));
}

/* ---- this rank's tiles, by columns of memory ---------------------------------------------------------------------------- */

/* The memory of the device that has the least. */
size_t placement_memory(const ompfact_grid *grid)
{
    size_t bound = (size_t)grid->device_memory, taken = grid->device_panel_bytes;
    size_t bytes = bound == 0 ? SIZE_MAX : bound > taken ? bound - taken : 0;
    for (int d = 1; d <= grid->devices->count; d++) {
        size_t left = grid->devices->memory(grid->devices, d);
        bytes = left < bytes ? left : bytes;
    }
    return bytes;
}

/* The number of slots for resident tiles. The other slots are for tiles that tasks read, of two steps if there is room. */
static int64_t places(const struct placement *p, int tiles_of_step)
{
    int64_t slots = (int64_t)(p->residents.device_bytes / p->residents.slot_bytes), wanted = 2 * (int64_t)tiles_of_step;
    int64_t others = slots / 4 < wanted ? slots / 4 : wanted;
    return slots - (others > FEWEST_SLOTS ? others : FEWEST_SLOTS);
}

/* Assigns this rank's columns to devices in turn. If memory is short, the last columns come first, because factorizations
   update them most. */
static void assign_columns(const ompfact_matrix *A, const int64_t *count, struct placement *p)
{
    const ompfact_grid *grid = A->grid;
    int64_t room[RUN_DEVICES], turn = 0;
    for (int d = 1; d <= grid->devices->count; d++)
        room[d - 1] = places(p, A->mt > A->nt ? A->mt : A->nt);
    for (int c = 0; c < columns(A); c++) {
        p->split[c] = A->compressed == NULL ? cut(grid->device_use.host_share, width(A, c))
                                            : keep_whole(grid->device_use.host_share, c, width(A, c));
        if (count[c] > 0 && p->split[c].host < width(A, c))
            p->split[c].device = (int)(turn++ % grid->devices->count) + 1;
    }
    for (int c = columns(A) - 1; c >= 0; c--) {
        int device = p->split[c].device;
        if (device == HOST)
            continue;
        if (count[c] <= room[device - 1]) {
            room[device - 1] -= count[c];
            p->residents.count += count[c];
        } else {
            p->split[c].device = HOST;
            p->left += count[c];
        }
    }
}

static bool list_residents(const ompfact_matrix *A, struct placement *p)
{
    int64_t n = 0;
    p->residents.tile = malloc((size_t)(p->residents.count + 1) * sizeof *p->residents.tile);
    for (int j = first_col(A, 0); p->residents.tile != NULL && j < A->nt; j = first_col(A, j + 1))
        for (int i = first_row(A, j, 0); i < A->mt; i = next_row(A, i, j))
            if (p->split[is_upper(&A->shape) ? i : j].device != HOST && may_be_on_device(A, i, j))
                p->residents.tile[n++] = tile(A, i, j);
    return p->residents.tile != NULL;
}

bool placement_create(ompfact_matrix *A, size_t operand_bytes, struct placement *p)
{
    size_t tile = matrix_largest_tile(A);
    *p = (struct placement){ .residents.slot_bytes = ((tile > operand_bytes ? tile : operand_bytes) + 255) / 256 * 256 };
    p->residents.device_bytes = placement_memory(A->grid);
    CLEANUP(free_at) int64_t *count = calloc((size_t)columns(A) + 1, sizeof *count);     /* this rank's tiles in each column */
    p->split = calloc((size_t)columns(A) + 1, sizeof *p->split);
    if (count == NULL || p->split == NULL)
        return false;
    for (int j = first_col(A, 0); j < A->nt; j = first_col(A, j + 1))
        for (int i = first_row(A, j, 0); i < A->mt; i = next_row(A, i, j))
            count[is_upper(&A->shape) ? i : j] += may_be_on_device(A, i, j);
    assign_columns(A, count, p);
    A->split = p->split;
    return list_residents(A, p);
}

void placement_destroy(ompfact_matrix *A, struct placement *p)
{
    A->split = NULL;
    free(p->split);
    free(p->residents.tile);
}
