/* Tiles that are on the host, on a device or divided between both, and runs with devices that record their transfers. */
#ifndef OMPFACT_TESTS_OMP_DEVICE_COPIES_PARTED_TILES_H
#define OMPFACT_TESTS_OMP_DEVICE_COPIES_PARTED_TILES_H

#include "omp/device_copies/copies.h"
#include "tests/omp/device_copies/noting_devices.h"
#include "tests/omp/one_run.h"

enum { ROWS = 3, COLUMNS = 6, ON_HOST_COLUMNS = 2, TILES = 16, RESIDENTS = 2 };

static double memory[TILES][ROWS * COLUMNS];
static const struct split split = { .device = 1, .host = ON_HOST_COLUMNS, .strip = 1 };

/* ---- a run ----------------------------------------------------------------------------------------------------------------- */

static inline struct operand whole(int tile, enum access access)
{
    return (struct operand){ .access = access, .mine = true, .i = tile, .j = 0, .mb = ROWS, .nb = COLUMNS, .data = memory[tile],
                             .precision = precision_of('d'), .address = { .bytes = sizeof memory[tile], .id = tile } };
}

/* An operand of a tile that lives in two places. */
static inline struct operand in_parts(int tile, enum access access)
{
    struct operand o = whole(tile, access);
    o.split = &split;
    return o;
}

static inline struct operand columns(struct operand o, int first, int count)
{
    return part_of(o, (struct part){ first, count });
}

static inline struct operand on_device(int tile, enum access access)
{
    return columns(in_parts(tile, access), ON_HOST_COLUMNS, COLUMNS - ON_HOST_COLUMNS);
}

/* Adds one to all elements that the task writes. */
static inline void add_one(struct task *t)
{
    const struct task_tile *tile = &t->tile[t->count - 1];
    int here = tile->mb * (tile->on_device != NULL ? tile->host : tile->nb), on_device = tile->mb * tile->nb - here;
    for (int i = 0; i < here; i++)
        ((double *)(void *)tile->data)[i]++;
    for (int i = 0; i < on_device; i++)
        ((double *)(void *)tile->on_device)[i]++;
}

static struct rma_space *space;     /* for tiles that act as another rank's final tiles */

static int reading;     /* the number of ranks that read a final tile */

static inline int readers(const void *context, const struct operand *tile, int *ranks)
{
    (void)context, (void)tile;
    ranks[0] = 0;
    return reading;
}

/* Runs the loops. The first RESIDENTS tiles live in two places, and each device has memory for so many more slots. */
static inline struct run_outcome run_as(struct run_settings settings, void (*loops)(struct run *run, const void *context),
                                        int slots)
{
    struct operand resident[RESIDENTS] = { in_parts(0, UPDATE), in_parts(1, UPDATE) };
    struct run_plan plan = { .loops = loops, .readers = readers, .devices = &devices, .tile_bytes = sizeof memory[0],
                             .residents = { resident, RESIDENTS, .slot_bytes = sizeof memory[0],
                                            .device_bytes = (size_t)(slots + RESIDENTS) * sizeof memory[0] },
                             .settled = { true }, .spaces_count = 1 };
    move_count = allocations = reading = 0;
    for (int i = 0; i < TILES; i++)
        for (int e = 0; e < ROWS * COLUMNS; e++)
            memory[i][e] = i * ROWS * COLUMNS + e;
    ck_assert(rma_space_create(rma, sizeof memory, TILES, TILES, &space) == MPI_SUCCESS);
    plan.spaces[0] = space;
    memcpy(rma_space_base(space), memory, sizeof memory);
    struct run_outcome outcome = run_once(&plan, settings, TILES);
    rma_space_destroy(&space);
    return outcome;
}

static inline struct run_outcome run_on_devices(void (*loops)(struct run *run, const void *context), int slots)
{
    return run_as((struct run_settings){ .threads = 1 }, loops, slots);
}

/* Runs a task with its moves, and returns the number of moves. */
static inline int moves_for(struct run *run, enum task_kind kind, int count, const struct operand *operands)
{
    int before = move_count;
    int64_t submitted = run->submitted;
    struct task *t = task_create(run, kind, add_one, 0, count, operands);
    int64_t tasks = run->submitted - submitted;
    task_submit(t);
    run_wait(run);
    expect(tasks == 1 + move_count - before);       /* each move is a task */
    return move_count - before;
}

static inline int moves_to_read(struct run *run, enum task_kind kind, int read, struct operand output)
{
    return moves_for(run, kind, 2, (struct operand[]){ whole(read, READ), output });
}

enum { COLUMN_BYTES = ROWS * sizeof(double) };

static inline bool moved(int number, bool up, const void *here, int column_count)
{
    return moves[number].up == up && moves[number].here == here && moves[number].bytes == (size_t)column_count * COLUMN_BYTES;
}

static inline char *slot_of(struct run *run, int tile, int device)
{
    const struct operand o = whole(tile, READ);
    int found = rma_table_find(run->residence->index, key_matrix(&o), key_id(&o));
    const struct device_slot *slot = found < 0 ? NULL : device_copy(run->residence, found, device)->slot;
    return slot == NULL ? NULL : slot->data;
}

#endif
