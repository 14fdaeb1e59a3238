/*
 * Every schedule gives right factors and the same transfers, with all broadcasts and with tiles in place or copied. Little memory
 * and random delays would show a wrong order of tasks.
 */
#include "tests/factoring.h"

enum { NB = 16, SCHEDULES = 3, BCASTS = 4 };

/* Factors by Cholesky and by LU, in an irregular layout and in one for all ranks. */
static void try_grid(ompfact_options options, const char *map)
{
    ompfact_grid *grid = new_grid(options);
    for (int hermitian = 0; hermitian < 2; hermitian++) {
        struct problem p = square("dz"[options.bcast % 2], hermitian, 5 * NB + 3);
        p.upper = hermitian && (options.bcast / 2 + options.schedule) % 2;
        ompfact_shape shape = shape_of(&p, NB, hermitian == options.schedule % 2 ? map : "g2dbc");
        check_shape(grid, &p, &shape);
    }
    ompfact_grid_destroy(&grid);
}

static int random_rank(int cell)
{
    return (int)((1 + noise(11, cell, 0, 0)) / 2 * all_ranks_count());
}

/* All broadcasts work with copied tiles, and in place; each with one schedule after the other, in the quick tier every second. */
START_TEST(ways)
{
    char map[64];
    write_map(map, 4, 3, random_rank);
    for (int bcast = in_full_tier() ? 0 : _i % 2; bcast <= BCASTS; bcast += in_full_tier() ? 1 : 2)
        try_grid((ompfact_options){ .threads = 1 + (bcast + _i) % 2, .schedule = (ompfact_schedule)_i,
                                    .bcast = (ompfact_bcast)(bcast % BCASTS), .copy_on_node = bcast < BCASTS }, map);
    remove_map(map);
}
END_TEST

/* Runs are right with the least memory, and delays. */
START_TEST(little_room)
{
    char map[64];
    write_map(map, 3, 4, random_rank);
    for (int bcast = 1; bcast < BCASTS; bcast++)
        try_grid((ompfact_options){ .threads = 1 + bcast % 2, .schedule = (ompfact_schedule)_i, .bcast = (ompfact_bcast)bcast,
                                    .copy_on_node = bcast != 1, .cache_tiles = 1, .max_tasks = 1 + bcast % 3,
                                    .testing = &(ompfact_testing){ .jitter_us = 300 }, .abft = bcast % 2 == 0 }, map);
    remove_map(map);
}
END_TEST

static int row_reader_passes_on(int cell)
{
    static const int ranks[] = { 0, 1, 2, 1 };      /* 0 1 / 2 1 */
    return ranks[cell] % all_ranks_count();
}

/* With checksums a rank that reads the diagonal tile only for its row reads other tiles of the panel first. */
START_TEST(forwarding_with_sums)
{
    char map[64];
    write_map(map, 2, 2, row_reader_passes_on);
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .schedule = (ompfact_schedule)_i, .bcast = OMPFACT_BCAST_CHAIN,
                                                     .copy_on_node = true, .max_tasks = 1, .abft = true });
    struct problem p = square('d', false, 2 * NB);
    ompfact_shape shape = shape_of(&p, NB, map);
    check_shape(grid, &p, &shape);
    ompfact_grid_destroy(&grid);
    remove_map(map);
}
END_TEST

/* A failing pivot gives the same info on every rank in every schedule, and no rank waits for ever. */
START_TEST(failing_pivots)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = (ompfact_schedule)_i, .bcast = OMPFACT_BCAST_CHAIN,
                                                     .copy_on_node = true });
    for (int hermitian = 0; hermitian < 2; hermitian++) {
        struct problem p = square('d', hermitian, 4 * NB + 3);
        p.fails = NB + 5;
        ompfact_shape shape = shape_of(&p, NB, "g2dbc");
        check_failing_pivot(grid, &p, &shape);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- trace -------------------------------------------------------------------------------------------------------------- */

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

static char *contents_of(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 22);
    if (file != NULL && text != NULL && fread(text, 1, (1 << 22) - 1, file) == 0)
        text[0] = '\0';
    if (file != NULL)
        fclose(file);
    return text;
}

/* A trace has one X event for each task of the last factorization, two ends for each transfer, and pairs for other intervals.
   Tiles have their indices in the caller's triangle. */
START_TEST(trace)
{
    enum { TILES = 6 };
    char path[64] = "/tmp/ompfact-trace-XXXXXX";
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .trace = true, .schedule = (ompfact_schedule)_i,
                                                     .copy_on_node = _i == 1 });
    struct problem p = square('d', true, TILES * NB);
    p.upper = _i > 0;
    ompfact_shape shape = shape_of(&p, NB, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere(ompfact_trace_write(grid, path) == OMPFACT_BAD_ARGUMENT);
    check(A, &p, true);
    check(A, &p, true);
    if (my_rank() == 0)
        close(mkstemp(path));
    assert_everywhere(ompfact_trace_write(grid, path) == OMPFACT_SUCCESS);
    char *text = contents_of(my_rank() == 0 ? path : "/dev/null");
    bool right = my_rank() != 0;
    if (!right) {
        int transfers = (int)ompfact_last_report(A).transfers;
        right = count_of(text, "\"potrf\"") == TILES && count_of(text, "\"trsm\"") == TILES * (TILES - 1) / 2 &&
                count_of(text, "\"syrk\"") == TILES * (TILES - 1) / 2 &&
                count_of(text, "\"gemm\"") == TILES * (TILES - 1) * (TILES - 2) / 6 &&
                count_of(text, "\"ph\":\"s\"") == transfers && count_of(text, "\"ph\":\"f\"") == transfers &&
                (count_of(text, "\"i\":5,\"j\":0") == 0) == p.upper && (count_of(text, "\"i\":0,\"j\":5") == 0) == !p.upper &&
                count_of(text, "\"ph\":\"b\"") == count_of(text, "\"ph\":\"e\"") &&
                count_of(text, "\"process_name\"") == all_ranks_count();
    }
    free(text);
    assert_everywhere(right);
    assert_everywhere(ompfact_trace_write(grid, NULL) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_trace_write(grid, "/no/such/folder/trace.json") == OMPFACT_BAD_ARGUMENT);
    if (my_rank() == 0)
        remove(path);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Options that must be the same on every rank are refused where they differ. */
START_TEST(habits_differ)
{
    ompfact_grid *grid;
    char message[256];
    bool first = my_rank() == 0;
    ompfact_options options[] = { { .threads = 1, .schedule = first ? OMPFACT_STATIC : OMPFACT_DYNAMIC },
                                  { .threads = 1, .copy_on_node = first }, { .threads = 1, .trace = first },
                                  { .threads = 1, .refinement = first ? OMPFACT_REFINE_GMRES : OMPFACT_REFINE_CLASSIC } };
    ompfact_status expected = all_ranks_count() > 1 ? OMPFACT_BAD_ARGUMENT : OMPFACT_SUCCESS;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        assert_everywhere(ompfact_grid_create(MPI_COMM_WORLD, &options[i], &grid, message) == expected);
        ompfact_grid_destroy(&grid);
    }
    ompfact_options pins = { .threads = 1, .pin_threads = first, .schedule = (ompfact_schedule)0 };     /* may differ */
    assert_everywhere(ompfact_grid_create(MPI_COMM_WORLD, &pins, &grid, message) == OMPFACT_SUCCESS);
    ompfact_grid_destroy(&grid);
    ompfact_options unknown = { .threads = 1, .bcast = (ompfact_bcast)7 };
    assert_everywhere(ompfact_grid_create(MPI_COMM_WORLD, &unknown, &grid, message) == OMPFACT_BAD_ARGUMENT);
}
END_TEST

static Suite *schedules_suite(void)
{
    Suite *suite = suite_create("schedules");
    TCase *tests = tcase_create("schedules");
    tcase_add_loop_test(tests, ways, 0, SCHEDULES);
    tcase_add_loop_test(tests, little_room, 0, SCHEDULES);
    tcase_add_loop_test(tests, forwarding_with_sums, 0, SCHEDULES);
    tcase_add_loop_test(tests, failing_pivots, 0, SCHEDULES);
    tcase_add_loop_test(tests, trace, 0, SCHEDULES);
    tcase_add_test(tests, habits_differ);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, schedules_suite());
}
