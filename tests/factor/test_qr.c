/*
 * QR on any number of ranks: the residuals of A = Q R, with Q formed and applied, over shapes, layouts, trees, types and
 * schedules; least squares; transfers as predicted. The test uses nothing of the library but its tiles: norms are computed from
 * gathered matrices.
 */
#include "tests/factor/qr_checks.h"

enum { NB = 8 };

static ompfact_grid *grid_with(ompfact_tree tree, ompfact_schedule schedule, bool copies, ompfact_bcast bcast)
{
    return new_grid((ompfact_options){ .threads = 2, .tree = tree, .ib = 3, .schedule = schedule, .copy_on_node = copies,
                                       .bcast = bcast, .testing = &(ompfact_testing){ .jitter_us = 50 } });
}

static void try_shape(ompfact_grid *grid, char type, int64_t m, int64_t n, const char *layout)
{
    struct problem p = { .type = type, .m = m, .n = n, .seed = (unsigned)(m + n), .pivots = true };
    ompfact_shape shape = shape_of(&p, NB, layout);
    ompfact_matrix *A = new_matrix(grid, &shape);
    for (int again = 0; again < 2; again++) {
        fill(A, &p);
        assert_everywhere_msg(ompfact_geqrf(A) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
        ompfact_report report = ompfact_last_report(A);
        assert_everywhere_msg(report.transfers == report.transfers_predicted, "%lld x %lld, %s: %lld transfers, predicted %lld",
                              (long long)m, (long long)n, ompfact_layout(A), (long long)report.transfers,
                              (long long)report.transfers_predicted);
    }
    check_factors(A, &p);
    check_q(grid, A, &p);
    ompfact_matrix_destroy(&A);
}

static const struct {
    int64_t m, n;
} shapes[] = { { 40, 40 }, { 41, 39 }, { 90, 20 }, { 20, 90 }, { 100, 7 }, { 7, 100 }, { 1, 30 }, { 30, 1 },
               { 8, 8 },   { 9, 8 },   { 8, 9 },   { 65, 63 }, { 1, 1 },   { 0, 5 },   { 5, 0 },  { 0, 0 } };
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static int scattered(int cell)
{
    return (int)((unsigned)cell * 2654435761u >> 20) % all_ranks_count();
}

static void try_layouts(ompfact_grid *grid, char type, int layout, int part)
{
    char map[64], tall[32];
    write_map(map, 7, 5, scattered);
    snprintf(tall, sizeof tall, "2dbc:%dx1", all_ranks_count());
    const char *layouts[] = { "g2dbc", map, "2dbc", tall };
    for (int s = 0; s < SHAPES; s++)
        if (s % 6 == part)
            try_shape(grid, type, shapes[s].m, shapes[s].n, layouts[layout]);
    remove_map(map);
}

/* QR is right for all trees and types. */
START_TEST(factors)
{
    ompfact_grid *grid = grid_with((ompfact_tree)(_i % 4), OMPFACT_DYNAMIC, _i / 4 % 2, OMPFACT_BCAST_FLAT);
    try_layouts(grid, "dszc"[_i / 4 % 4], (_i + _i / 4) % 4, _i % 6);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* QR is right in all schedules, with tiles read in place and forwarded; several ranks share every column. */
START_TEST(schedules)
{
    char tall[32];
    ompfact_grid *grid = grid_with(OMPFACT_TREE_BINARY, (ompfact_schedule)(_i % 3), _i >= 3, (ompfact_bcast)(1 + _i / 3));
    snprintf(tall, sizeof tall, "2dbc:%dx1", all_ranks_count());
    try_shape(grid, 'd', 41, 39, "g2dbc");
    try_shape(grid, 'd', 65, 63, tall);
    ompfact_grid_destroy(&grid);
}
END_TEST

static ompfact_status factored(ompfact_grid *grid, const int *heights, int mt, const int *widths, int nt)
{
    struct problem p = { .type = 'd', .pivots = true };
    for (int i = 0; i < mt; i++)
        p.m += heights[i];
    for (int j = 0; j < nt; j++)
        p.n += widths[j];
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    shape.row_heights = heights;
    shape.col_widths = widths;
    shape.mt = mt;
    shape.nt = nt;
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, &p);
    ompfact_status status = ompfact_geqrf(A);
    if (status == OMPFACT_SUCCESS)
        check_factors(A, &p);
    ompfact_matrix_destroy(&A);
    return status;
}

/* Uneven tiles are right where triangles fit, and refused elsewhere. */
START_TEST(ragged)
{
    ompfact_grid *grid = grid_with(OMPFACT_TREE_AUTO, OMPFACT_DYNAMIC, false, OMPFACT_BCAST_AUTO);
    assert_everywhere(factored(grid, (int[]){ 4, 5, 30, 9, 2 }, 5, (int[]){ 4, 5 }, 2) == OMPFACT_SUCCESS);
    assert_everywhere(factored(grid, (int[]){ 60, 1000, 1100, 900 }, 4, (int[]){ 60, 8 }, 2) == OMPFACT_SUCCESS);
    assert_everywhere(factored(grid, (int[]){ 5, 4 }, 2, (int[]){ 5, 4, 30, 1 }, 4) == OMPFACT_SUCCESS);
    assert_everywhere(factored(grid, (int[]){ 10 }, 1, (int[]){ 5, 5 }, 2) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(factored(grid, (int[]){ 5, 5, 3, 5 }, 4, (int[]){ 5, 5 }, 2) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(factored(grid, (int[]){ 5, 5 }, 2, (int[]){ 6, 4 }, 2) == OMPFACT_BAD_ARGUMENT);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Arguments that do not fit each other are refused, and stay unchanged. */
START_TEST(refused)
{
    ompfact_grid *grid = grid_with(OMPFACT_TREE_AUTO, OMPFACT_DYNAMIC, false, OMPFACT_BCAST_AUTO);
    struct problem p = { .type = 'd', .m = 20, .n = 20, .pivots = true };
    ompfact_shape shape = shape_of(&p, NB, "g2dbc"), other = shape_of(&p, NB - 1, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *C = new_like(A), *D = new_matrix(grid, &other);
    double logabs, re, im;
    fill(A, &p);
    fill(C, &p);
    assert_everywhere(ompfact_unmqr(A, true, C) == OMPFACT_BAD_ARGUMENT);           /* not factored */
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_unmqr(A, true, A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_ungqr(A, A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_unmqr(A, true, D) == OMPFACT_BAD_ARGUMENT);           /* other tile rows */
    assert_everywhere(ompfact_determinant(A, &logabs, &re, &im) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(difference(C, of_problem, &p) == 0);
    assert_everywhere(ompfact_redistribute(A, C) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_unmqr(C, true, D) == OMPFACT_BAD_ARGUMENT);           /* reflectors cannot move */
    check_factors(A, &p);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("qr");
    TCase *tcase = tcase_create("qr");
    add_turns(tcase, factors, 16, 3);
    add_turns(tcase, schedules, 9, 4);
    tcase_add_test(tcase, ragged);
    tcase_add_test(tcase, refused);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
