/* Copies of tiles on devices: which copies are valid, the names of tasks that use them, and all
   results on the host in the end. */
#include "tests/omp/device_copies/parted_tiles.h"

/* ---- remote tiles ---------------------------------------------------------------------------------------------------------- */

static struct operand remote(int tile)
{
    struct operand o = whole(tile, READ);
    o.mine = false;
    o.matrix = memory;
    o.data = NULL;
    o.address.space = space;
    o.address.disp = (MPI_Aint)sizeof memory[tile] * tile;
    return o;
}

/* ---- which copies are valid ------------------------------------------------------------------------------------------------ */

static void read_there(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    int first = move_count;
    expect(moves_to_read(run, TASK_GEMM, 5, on_device(0, UPDATE)) == 1 && moved(first, true, memory[5], COLUMNS));
    expect(moves_to_read(run, TASK_GEMM, 5, on_device(1, UPDATE)) == 0);
    expect(moves_to_read(run, TASK_STACK, 6, whole(5, UPDATE)) == 0);           /* written on the host, where the tile is valid */
    expect(moves_to_read(run, TASK_GEMM, 5, on_device(0, UPDATE)) == 1 && moved(first + 1, true, memory[5], COLUMNS));
    expect(moves_to_read(run, TASK_STACK, 5, whole(6, UPDATE)) == 0);           /* and still valid on the host */
    expect(moves_to_read(run, TASK_GEMM, 5, on_device(0, UPDATE)) == 0);
}

/* A tile that a device reads goes there once for all readers, and again after a write on the host. */
START_TEST(uploads_once)
{
    struct run_outcome outcome = run_on_devices(read_there, FEWEST_SLOTS);
    ck_assert_int_eq(outcome.devices.most_uploads, 1);
    ck_assert_int_eq(outcome.devices.bytes_up, (2 * COLUMNS + RESIDENTS * (COLUMNS - ON_HOST_COLUMNS)) * COLUMN_BYTES);
}
END_TEST

static void write_there(struct run *run, const void *context)
{
    double *device_part = memory[0] + ON_HOST_COLUMNS * ROWS;
    (void)context;
    run_step(run, 0, 0);
    int first = move_count;
    expect(moves_for(run, TASK_TRSM, 1, (struct operand[]){ on_device(0, UPDATE) }) == 0);
    expect(moves_for(run, TASK_HEMM, 2, (struct operand[]){ in_parts(0, READ), whole(5, UPDATE) }) == 1);
    expect(moved(first, false, device_part, COLUMNS - ON_HOST_COLUMNS));
    expect(device_part[0] == ON_HOST_COLUMNS * ROWS + 1 && memory[0][0] == 0);         /* the values computed on the device */
    expect(moves_for(run, TASK_HEMM, 2, (struct operand[]){ in_parts(0, READ), whole(5, UPDATE) }) == 0);
    expect(moves_for(run, TASK_TRSM, 1, (struct operand[]){ on_device(0, UPDATE) }) == 0);  /* valid on the device, too */
    expect(moves_for(run, TASK_TRSM, 1, (struct operand[]){ columns(in_parts(0, UPDATE), 0, 1) }) == 0);
    expect(moves_for(run, TASK_PIVOTS, 1, (struct operand[]){ in_parts(0, UPDATE) }) == 1);
    expect(moves_for(run, TASK_TRSM, 1, (struct operand[]){ on_device(0, UPDATE) }) == 1);  /* only the host's copy is valid */
    expect(moved(first + 2, true, device_part, COLUMNS - ON_HOST_COLUMNS));
    expect(moves[first + 2].there == slot_of(run, 0, 1) + ON_HOST_COLUMNS * COLUMN_BYTES);
}

/* Columns that a device wrote return before the host reads them, and no others do. They go to the device again after the host
   wrote them. */
START_TEST(writer_has_the_valid_copy)
{
    run_on_devices(write_there, FEWEST_SLOTS);
}
END_TEST

static void leave_there(struct run *run, const void *context)
{
    (void)context;
    expect(move_count == RESIDENTS);
    for (int i = 0; i < RESIDENTS; i++)
        expect(moved(i, true, memory[i] + ON_HOST_COLUMNS * ROWS, COLUMNS - ON_HOST_COLUMNS));
    run_step(run, 0, 0);
    expect(moves_for(run, TASK_POTRF, 1, (struct operand[]){ on_device(1, UPDATE) }) == 0);
    expect(memory[1][ROWS * COLUMNS - 1] == 2 * ROWS * COLUMNS - 1);            /* the host's copy is out of date */
}

/* Tiles that live on a device are there when the loops begin. Copies that are valid on a device alone return when the run ends.
   */
START_TEST(residents)
{
    struct run_outcome outcome = run_on_devices(leave_there, FEWEST_SLOTS);
    ck_assert_int_eq(move_count, 2 * RESIDENTS);
    for (int i = 0; i < RESIDENTS; i++)
        ck_assert(moved(RESIDENTS + i, false, memory[i] + ON_HOST_COLUMNS * ROWS, COLUMNS - ON_HOST_COLUMNS));
    ck_assert(memory[0][ROWS * COLUMNS - 1] == ROWS * COLUMNS - 1 && memory[1][ROWS * COLUMNS - 1] == 2 * ROWS * COLUMNS);
    ck_assert_int_eq(outcome.devices.bytes_down, RESIDENTS * (COLUMNS - ON_HOST_COLUMNS) * COLUMN_BYTES);
    ck_assert_int_eq(outcome.devices.most_uploads, 0);
}
END_TEST

static void read_from_others(struct run *run, const void *context)
{
    (void)context;
    const struct operand tile = remote(5);
    run_step(run, 0, 0);
    int first = move_count;
    struct task *t = task_create(run, TASK_GEMM, do_no_work, 0, 2, (struct operand[]){ tile, on_device(0, UPDATE) });
    struct rma_slot *arrives = rma_cache_find(run->cache, 0, &tile.address);
    expect(arrives != NULL && atomic_load(&arrives->holds) == 2 && t->tile[0].slot == NULL);    /* of the step and the move */
    expect(fetched_in(arrives)->record != NULL && run->submitted == 2);
    task_submit(t);
    run_wait(run);
    expect(move_count == first + 1 && moved(first, true, arrives->data, COLUMNS));
    t = task_create(run, TASK_HEMM, do_no_work, 0, 2, (struct operand[]){ tile, whole(6, UPDATE) });
    expect(t->tile[0].slot == arrives && t->tile[0].data == arrives->data && atomic_load(&arrives->holds) == 2);
    expect(reads_names(run, arrives) && writes_names(run, memory[6]));
    task_submit(t);
    run_wait(run);
    expect(atomic_load(&arrives->holds) == 1);
    run_step(run, 1, 1);
    t = task_create(run, TASK_GEMM, do_no_work, 0, 2, (struct operand[]){ tile, on_device(0, UPDATE) });
    expect(rma_cache_find(run->cache, 1, &tile.address) == NULL);          /* the tile is on the device, so nobody fetches it */
    task_submit(t);
    run_wait(run);
    expect(move_count == first + 1);
}

/* A remote tile goes to a device from its slot, which the move holds. Tasks of the host read the tile in the slot. */
START_TEST(remote_tiles)
{
    ck_assert_int_eq(run_on_devices(read_from_others, FEWEST_SLOTS).devices.most_uploads, 1);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------------------------------------- */

static void name_parts(struct run *run, const void *context)
{
    struct operand C = in_parts(0, UPDATE);
    int parts = 0;
    (void)context;
    run_step(run, 0, 0);
    for (struct part p = { 0 }; next_part(&C, &p); parts++) {
        struct operand operands[] = { whole(5, READ), part_of(C, p) };
        struct task *t = task_create(run, TASK_GEMM, add_one, 0, 2, operands);
        bool there = parts == ON_HOST_COLUMNS;
        char *here = (char *)(memory[0] + (size_t)parts * ROWS), *slot = slot_of(run, 0, 1);
        expect(p.first == parts && p.columns == (there ? COLUMNS - ON_HOST_COLUMNS : 1) && t->device == (there ? 1 : HOST));
        expect(t->tile[1].data == (there ? slot + parts * COLUMN_BYTES : here) && t->tile[1].nb == p.columns);
        expect(there ? writes_names(run, slot) : writes_names(run, here));
        expect(there ? reads_names(run, slot_of(run, 5, 1)) : reads_names(run, memory[5]));
        task_submit(t);
    }
    expect(parts == ON_HOST_COLUMNS + 1);
    struct task *t = task_create(run, TASK_HEMM, add_one, 0, 2, (struct operand[]){ in_parts(0, READ), whole(5, UPDATE) });
    expect(reads_names(run, memory[0], memory[0] + ROWS, memory[0] + 2 * ROWS) && writes_names(run, memory[5]));
    task_submit(t);
}

/* An update is a task for each strip and one on the device, and each task names what it uses. A reader of the whole tile has
   the names of all parts. */
START_TEST(names_of_parts)
{
    run_on_devices(name_parts, FEWEST_SLOTS);
}
END_TEST

static void exchange_rows(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    int before = move_count;
    struct task *t = task_create(run, TASK_LASWP, do_no_work, 0, 2, (struct operand[]){ whole(5, READ), in_parts(0, UPDATE) });
    char *slot = slot_of(run, 0, 1);
    expect(t->device == 1 && t->lane == LANE_PANEL && t->tile[0].on_device == NULL && t->tile[0].data == (char *)memory[5]);
    expect(t->tile[1].data == (char *)memory[0] && t->tile[1].host == ON_HOST_COLUMNS && t->tile[1].nb == COLUMNS);
    expect(t->tile[1].on_device == slot + ON_HOST_COLUMNS * COLUMN_BYTES);
    expect(reads_names(run, memory[5]) && writes_names(run, memory[0], memory[0] + ROWS, slot));
    task_submit(t);
    run_wait(run);
    expect(move_count == before);
}

/* Rows are interchanged where their columns live: nothing moves, and the task has data in both places. */
START_TEST(rows_in_both_places)
{
    run_on_devices(exchange_rows, FEWEST_SLOTS);
}
END_TEST

/* ---- random tasks ---------------------------------------------------------------------------------------------------------- */

enum { MIXED = 300 };

static void next_pair(unsigned *state, int *read, int *written)
{
    *read = rand_r(state) % TILES;
    *written = (*read + 1 + rand_r(state) % (TILES - 1)) % TILES;
    if (rand_r(state) % 2 && *read > 0)         /* half of the tasks write a tile that lives in two places */
        *written = 0;
}

static void mixed_loops(struct run *run, const void *context)
{
    static const enum task_kind kinds[] = { TASK_GEMM, TASK_TRSM, TASK_HEMM, TASK_STACK, TASK_LASWP };
    unsigned state = 3;
    (void)context;
    for (int k = 0; k < MIXED; k++) {
        int read, written;
        run_step(run, k / 10, k / 10);
        enum task_kind kind = kinds[k % 5];
        next_pair(&state, &read, &written);
        struct operand A = read < RESIDENTS ? in_parts(read, READ) : whole(read, READ);
        struct operand C = written < RESIDENTS ? in_parts(written, UPDATE) : whole(written, UPDATE);
        bool parted = task_facts(kind)->place == WITH_OUTPUT;
        for (struct part p = { 0 }; next_part(&C, &p); p.columns = parted ? p.columns : COLUMNS)
            task_submit(task_create(run, kind, add_one, 0, 2, (struct operand[]){ A, parted ? part_of(C, p) : C }));
    }
}

/* Wherever and by however many threads tasks run, each element has been written at the end as often as the loops require. */
START_TEST(all_writes_arrive_on_the_host)
{
    int writes[TILES] = { 0 };
    unsigned state = 3;
    devices.asynchronous = _i > 0;
    run_as((struct run_settings){ .threads = 1 + _i, .jitter = _i > 1 ? 50 : 0 }, mixed_loops, FEWEST_SLOTS);
    devices.asynchronous = false;
    for (int k = 0; k < MIXED; k++) {
        int read, written;
        next_pair(&state, &read, &written);
        writes[written]++;
    }
    for (int i = 0; i < TILES; i++)
        for (int e = 0; e < ROWS * COLUMNS; e++)
            ck_assert_msg(memory[i][e] == i * ROWS * COLUMNS + e + writes[i], "tile %d, element %d: %g", i, e, memory[i][e]);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("residence");
    TCase *tests = tcase_create("residence");
    tcase_add_checked_fixture(tests, create_rma, destroy_rma);
    tcase_add_test(tests, uploads_once);
    tcase_add_test(tests, writer_has_the_valid_copy);
    tcase_add_test(tests, residents);
    tcase_add_test(tests, remote_tiles);
    tcase_add_test(tests, names_of_parts);
    tcase_add_test(tests, rows_in_both_places);
    tcase_add_loop_test(tests, all_writes_arrive_on_the_host, 0, 3);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
