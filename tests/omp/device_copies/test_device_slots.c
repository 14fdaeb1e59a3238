/* Slots on devices: which slot is reused, and what a slot holds after hand-overs and changes of shape. */
#include "tests/omp/device_copies/parted_tiles.h"

/* ---- slots ----------------------------------------------------------------------------------------------------------------- */

static void read_many(struct run *run, const void *context)
{
    enum { FIRST = RESIDENTS, LAST = FIRST + FEWEST_SLOTS };
    struct operand output = on_device(0, UPDATE);
    (void)context;
    run_step(run, 0, 0);
    for (int i = FIRST; i < LAST; i++)
        expect(moves_to_read(run, TASK_GEMM, i, output) == 1);
    char *oldest = slot_of(run, FIRST + 1, 1);
    expect(moves_to_read(run, TASK_GEMM, FIRST, output) == 0);                  /* now another slot is the oldest */
    expect(moves_to_read(run, TASK_GEMM, LAST, output) == 1);
    expect(slot_of(run, LAST, 1) == oldest && slot_of(run, FIRST + 1, 1) == NULL);
    expect(moves_to_read(run, TASK_GEMM, FIRST, output) == 0);
    expect(moves_to_read(run, TASK_GEMM, FIRST + 1, output) == 1 && slot_of(run, FIRST + 2, 1) == NULL);
    expect(moves_to_read(run, TASK_GEMM, LAST, output) == 0);
    for (int i = 0; i < RESIDENTS; i++)
        expect(slot_of(run, i, 1) != NULL && slot_of(run, i, 2) == NULL);
}

/* Where there is no memory left, a tile takes the slot that was unused for the longest time, but never a slot of a tile that
   lives on the device. */
START_TEST(oldest_slot_is_taken)
{
    struct run_outcome outcome = run_on_devices(read_many, FEWEST_SLOTS);
    ck_assert_int_eq(outcome.devices.most_uploads, 2);
    ck_assert_int_eq(allocations, DEVICES_HERE);
}
END_TEST

static void read_with_room(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    for (int round = 0; round < 2; round++)
        for (int i = RESIDENTS; i < TILES; i++)
            expect(moves_to_read(run, TASK_GEMM, i, on_device(0, UPDATE)) == (round == 0));
}

/* As long as there is memory for another slot, all tiles keep their slots. */
START_TEST(slots_for_all)
{
    ck_assert_int_eq(run_on_devices(read_with_room, TILES).devices.most_uploads, 1);
}
END_TEST

static void leave_in_a_slot(struct run *run, const void *context)
{
    static const struct split other = { .device = 2, .host = 0, .strip = 1 };
    (void)context;
    run_step(run, 0, 0);
    struct operand buffer = columns(whole(9, UPDATE), 0, COLUMNS);
    buffer.split = &other;
    expect(moves_for(run, TASK_TRMM, 1, &buffer) == 1);
    int first = move_count;
    struct operand output = buffer;
    output.data = memory[10];
    for (int i = RESIDENTS; i < TILES; i++)
        if (i != 9 && i != 10)
            moves_to_read(run, TASK_GEMM, i, output);
    expect(slot_of(run, 9, 2) == NULL && slot_of(run, 10, 2) != NULL);
    int home = first;
    while (home < move_count && moves[home].up)
        home++;
    expect(home < move_count && moved(home, false, memory[9], COLUMNS) && memory[9][0] == 9 * ROWS * COLUMNS + 1);
}

/* A slot whose tile is valid on the device alone is emptied by a move to the host before another tile takes it. */
START_TEST(slot_is_emptied)
{
    run_on_devices(leave_in_a_slot, FEWEST_SLOTS);
}
END_TEST

/* ---- hand-overs and buffers ------------------------------------------------------------------------------------------------ */

static void gather_final(struct run *run, const void *context)
{
    (void)context;
    reading = 1;
    run_step(run, 0, 0);
    moves_for(run, TASK_TRSM, 1, (struct operand[]){ on_device(0, UPDATE) });
    int first = move_count;
    struct task *t = task_create(run, TASK_HAND_OVER, do_no_work, 0, 1, (struct operand[]){ in_parts(0, FINAL) });
    expect(t->publication != NULL && t->device == HOST);
    expect(reads_names(run, memory[0], memory[0] + ROWS, memory[0] + 2 * ROWS) && writes_nothing(run));
    take_publication(t);
    task_submit(t);
    run_wait(run);
    expect(move_count == first + 1 && moved(first, false, memory[0] + ON_HOST_COLUMNS * ROWS, COLUMNS - ON_HOST_COLUMNS));
    expect(moves_for(run, TASK_TRSM, 2, (struct operand[]){ in_parts(0, READ), on_device(1, UPDATE) }) == 1);
    expect(moved(first + 1, true, memory[0], ON_HOST_COLUMNS));         /* the other columns are still valid on the device */
}

/* A final tile in parts is gathered on the host. The host only reads it there, so the device's copy stays valid. */
START_TEST(gathering)
{
    run_on_devices(gather_final, FEWEST_SLOTS);
}
END_TEST

static void guard(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    expect(moves_to_read(run, TASK_GEMM, 5, on_device(0, UPDATE)) == 1);
    struct operand other = columns(whole(7, UPDATE), 0, COLUMNS);
    other.split = &(struct split){ .device = 2, .host = 0, .strip = COLUMNS };
    expect(moves_for(run, TASK_GEMM, 2, (struct operand[]){ whole(5, READ), other }) == 2);
    int before = move_count;
    struct task *t = task_create(run, TASK_HAND_OVER, do_no_work, 0, 2, (struct operand[]){ whole(6, READ), whole(5, UPDATE) });
    expect(reads_names(run, memory[6]));
    expect(writes_names(run, memory[5], slot_of(run, 5, 1), slot_of(run, 5, 2)));
    task_submit(t);
    run_wait(run);
    expect(move_count == before);
    expect(moves_to_read(run, TASK_GEMM, 5, on_device(0, UPDATE)) == 0);        /* nothing was written */
}

/* The memory that a signal guards is named wherever it has copies, so that the signal comes after all tasks that use the
   memory. The signal reads none of it. */
START_TEST(guards_of_signals)
{
    run_on_devices(guard, FEWEST_SLOTS);
}
END_TEST

static void reshape(struct run *run, const void *context)
{
    (void)context;
    run_step(run, 0, 0);
    moves_for(run, TASK_TRMM, 1, (struct operand[]){ on_device(8, UPDATE) });
    task_submit(task_create(run, TASK_TRMM, add_one, 0, 1, (struct operand[]){ columns(in_parts(8, UPDATE), 1, 1) }));
    char *slot = slot_of(run, 8, 1);
    struct operand lower = in_parts(8, UPDATE);
    lower.mb = ROWS - 1;
    lower.address.bytes = (size_t)lower.mb * (size_t)lower.nb * sizeof(double);
    int before = move_count;
    int64_t submitted = run->submitted;
    struct task *t = task_create(run, TASK_STACK, do_no_work, 0, 1, &lower);
    expect(run->submitted - submitted == 2);        /* one task between the two shapes, and no move of dead data */
    expect(writes_names(run, memory[8], memory[8] + (ROWS - 1), memory[8] + 2 * (ROWS - 1)));
    expect(slot_of(run, 8, 1) == slot);
    task_submit(t);
    run_wait(run);
    expect(move_count == before);
    submitted = run->submitted;
    t = task_create(run, TASK_STACK, do_no_work, 0, 1, &lower);
    expect(run->submitted - submitted == 1);
    task_submit(t);
    lower = columns(lower, ON_HOST_COLUMNS, COLUMNS - ON_HOST_COLUMNS);
    expect(moves_for(run, TASK_TRMM, 1, &lower) == 1 && moves[before].up);
    expect(moves[before].there == slot + ON_HOST_COLUMNS * (ROWS - 1) * sizeof(double));
}

/* A writer of all old and new names comes between two shapes of a buffer. The old contents are then valid on the host alone. */
START_TEST(new_shapes)
{
    run_on_devices(reshape, FEWEST_SLOTS);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("slots on devices");
    TCase *tests = tcase_create("slots on devices");
    tcase_add_checked_fixture(tests, create_rma, destroy_rma);
    tcase_add_test(tests, oldest_slot_is_taken);
    tcase_add_test(tests, slots_for_all);
    tcase_add_test(tests, slot_is_emptied);
    tcase_add_test(tests, gathering);
    tcase_add_test(tests, guards_of_signals);
    tcase_add_test(tests, new_shapes);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
