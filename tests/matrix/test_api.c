/* Matrices of the public interface: shapes, defaults, and refusals. */
#include "src/ompfact_plan.h"
#include "tests/matrix/one_grid.h"

#include <time.h>

/* ---- matrices ----------------------------------------------------------------------------------------------------------- */

/* The defaults of a shape are double precision, general, and the layout that counting chooses. */
START_TEST(default_shape)
{
    ompfact_matrix *A = new_matrix(grid, &(ompfact_shape){ .m = 300, .n = 200, .nb = 256 }), *nothing = NULL;
    ompfact_layout_counts counts;
    ompfact_shape shape = { .m = 300, .n = 200, .nb = 256 };
    assert_everywhere(ompfact_layout_count(&shape, ompfact_ranks(grid), &counts, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_type(A) == 'd' && strcmp(ompfact_layout(A), counts.name) == 0);
    assert_everywhere(ompfact_rows(A) == 300 && ompfact_cols(A) == 200);
    assert_everywhere(ompfact_tile_rows(A) == 2 && ompfact_tile_cols(A) == 1);
    assert_everywhere(ompfact_tile_height(A) == 256 && ompfact_tile_width(A) == 200);
    assert_everywhere(ompfact_last_report(A).flops == 0);
    ompfact_matrix_destroy(&A);
    assert_everywhere(A == NULL);
    ompfact_matrix_destroy(&nothing);
}
END_TEST

/* m of a Hermitian matrix may be omitted; the layout's name is the resolved one; a matrix made like another has its shape. */
START_TEST(like)
{
    static const int heights[] = { 7, 20, 13 };
    ompfact_shape shape = { .n = 40, .type = 'c', .structure = _i ? OMPFACT_HERMITIAN_UPPER : OMPFACT_HERMITIAN_LOWER,
                            .row_heights = heights, .mt = 3, .layout = "2dbc" };
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_like(A);
    bool same = true;
    char name[32];
    int p = 1;
    for (int q = 1; q * q <= all_ranks_count(); q++)
        p = all_ranks_count() % q == 0 ? q : p;
    snprintf(name, sizeof name, "2dbc:%dx%d", p, all_ranks_count() / p);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            same &= ompfact_owner(A, i, j) == ompfact_owner(B, i, j) && (ompfact_owner(A, i, j) < 0) == (_i ? i > j : i < j);
    for (int i = -1, j = -1; ompfact_next_tile(B, &i, &j);) {
        ompfact_tile t;
        same &= ompfact_tile_get(B, i, j, &t) == OMPFACT_SUCCESS && t.mb == heights[i] && t.nb == heights[j];
        ompfact_tile_restore(B, &t);
    }
    assert_everywhere_msg(strcmp(ompfact_layout(A), name) == 0, "%s, not %s", ompfact_layout(A), name);
    assert_everywhere_msg(strcmp(ompfact_layout(B), name) == 0, "%s, not %s", ompfact_layout(B), name);
    assert_everywhere(same && ompfact_type(B) == 'c' && ompfact_rows(B) == 40 && ompfact_cols(B) == 40);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

static const int bad_sum[] = { 10, 10 }, no_rows[] = { 20, 0 }, negative[] = { 30, -10 };

/* An impossible shape is refused with its status and a line with the reason, and leaves nothing behind. */
START_TEST(shapes_refused)
{
    static const struct { ompfact_shape shape; ompfact_status status; const char *word; } cases[] = {
        { { .m = -1, .n = 5 }, OMPFACT_BAD_ARGUMENT, "-1" },
        { { .m = 5, .n = -7 }, OMPFACT_BAD_ARGUMENT, "-7" },
        { { .m = 5, .n = 5, .nb = -2 }, OMPFACT_BAD_ARGUMENT, "-2" },
        { { .m = 5, .n = 5, .type = 'q' }, OMPFACT_BAD_ARGUMENT, "s, d, c, z" },
        { { .m = 5, .n = 5, .structure = (ompfact_structure)7 }, OMPFACT_BAD_ARGUMENT, "Hermitian" },
        { { .m = 5, .n = 6, .structure = OMPFACT_HERMITIAN_LOWER }, OMPFACT_BAD_ARGUMENT, "square" },
        { { .m = 6, .n = 5, .structure = OMPFACT_HERMITIAN_UPPER }, OMPFACT_BAD_ARGUMENT, "square" },
        { { .m = 5, .n = 5, .layout = "nonsense" }, OMPFACT_BAD_LAYOUT, "nonsense" },
        { { .m = 5, .n = 5, .layout = "2dbc:9x9" }, OMPFACT_BAD_LAYOUT, "81 ranks" },
        { { .m = 5, .n = 5, .layout = "file:/nonexistent/map" }, OMPFACT_BAD_LAYOUT, "/nonexistent/map" },
        { { .m = 20, .n = 20, .row_heights = bad_sum, .mt = 1 }, OMPFACT_BAD_ARGUMENT, "10" },
        { { .m = 20, .n = 20, .row_heights = no_rows, .mt = 2 }, OMPFACT_BAD_ARGUMENT, "0" },
        { { .m = 20, .n = 20, .col_widths = negative, .nt = 2 }, OMPFACT_BAD_ARGUMENT, "-10" },
        { { .m = 0, .n = 20, .row_heights = bad_sum, .mt = -1 }, OMPFACT_BAD_ARGUMENT, "-1" },
        { { .m = 1 << 20, .n = 1 << 20, .nb = 1 << 20 }, OMPFACT_BAD_ARGUMENT, "2 GiB" },
        { { .m = INT64_C(1) << 40, .n = 1, .nb = 1 }, OMPFACT_BAD_ARGUMENT, "too many" },
    };
    ompfact_matrix *A = (ompfact_matrix *)1;
    assert_everywhere(ompfact_matrix_create(grid, &cases[_i].shape, &A) == cases[_i].status && A == NULL);
    const char *message = ompfact_message(grid);
    assert_everywhere_msg(is_one_line(message) && strstr(message, cases[_i].word) != NULL, "\"%s\" lacks \"%s\"", message,
                          cases[_i].word);
}
END_TEST

/* A matrix larger than the node's memory is refused before any allocation, with both amounts in the message. */
START_TEST(no_memory)
{
    static const struct { int64_t n; char type; ompfact_structure structure; } cases[] = {
        { 1000000, 'd', OMPFACT_GENERAL }, { 1000000, 'z', OMPFACT_HERMITIAN_LOWER },
    };
    double gib = ldexp((double)cases[_i].n, -30) * (double)cases[_i].n * 8;     /* half of it is stored, or it is real */
    ompfact_matrix *A;
    ompfact_shape shape = { .n = cases[_i].n, .m = cases[_i].n, .nb = 1000, .type = cases[_i].type,
                            .structure = cases[_i].structure };
    double needed = 0, available = 0;
    clock_t start = clock();
    ompfact_status status = ompfact_matrix_create(grid, &shape, &A);
    const char *take = strstr(ompfact_message(grid), " take ");
    int read = take == NULL ? 0 : sscanf(take, " take %lf GiB, %*[^0-9]%lf GiB left", &needed, &available);
    assert_everywhere_msg(status == OMPFACT_NO_MEMORY && A == NULL, "status %d: %s", (int)status, ompfact_message(grid));
    assert_everywhere_msg(read == 2 && needed > 0.9 * gib && needed < 1.2 * gib && available > 0 && available < needed,
                          "%s; %g GiB are right", ompfact_message(grid), gib);
    assert_everywhere(clock() - start < 10 * CLOCKS_PER_SEC);     /* this process's own time, for the machine may be busy */
}
END_TEST

/* Sizes whose bytes overflow 64 bits are refused, too. */
START_TEST(beyond_counting)
{
    ompfact_matrix *A;
    static const ompfact_shape shapes[] = { { .m = INT64_C(1) << 32, .n = INT64_C(1) << 32, .nb = 8192 }, { .m = INT64_MAX,
                                                                                                            .n = 1, .nb = 1 },
                                            { .m = 2000000, .n = 2000000, .nb = 1 } };
    for (int i = 0; i < 3; i++)
        assert_everywhere(ompfact_matrix_create(grid, &shapes[i], &A) == OMPFACT_NO_MEMORY && A == NULL);
}
END_TEST

/* If ranks pass different arguments, all ranks get an error that names the argument. */
START_TEST(unlike_arguments)
{
    static const int heights[] = { 20, 30, 20 };
    static const struct { ompfact_shape others, last; const char *word; } cases[] = {
        { { .m = 50, .n = 50 }, { .m = 50, .n = 51 }, "'s n " },
        { { .m = 50, .n = 50, .nb = 8 }, { .m = 50, .n = 50, .nb = 9 }, "'s nb " },
        { { .m = 50, .n = 50, .type = 's' }, { .m = 50, .n = 50, .type = 'd' }, "'s type " },
        { { .n = 50, .structure = OMPFACT_HERMITIAN_LOWER }, { .n = 50, .structure = OMPFACT_HERMITIAN_UPPER }, "'s structure " },
        { { .m = 50, .n = 50, .layout = "auto" }, { .m = 50, .n = 50, .layout = "2dbc" }, "'s layout " },
        { { .m = 50, .n = 50, .row_heights = heights, .mt = 2 }, { .m = 50, .n = 50, .row_heights = heights + 1,
                                                                   .mt = 2 }, "sizes" },
    };
    ompfact_matrix *A;
    if (all_ranks_count() == 1)
        return;
    ompfact_status status = ompfact_matrix_create(grid, my_rank() + 1 < all_ranks_count() ? &cases[_i].others : &cases[_i].last,
                                                  &A);
    assert_everywhere_msg(status != OMPFACT_SUCCESS && A == NULL && strstr(ompfact_message(grid), cases[_i].word) != NULL,
                          "status %d: %s", (int)status, ompfact_message(grid));
}
END_TEST

/* Arguments without effect may differ: sizes without their lists, zero and the value that it means. */
START_TEST(alike_arguments)
{
    ompfact_matrix *A, *B;
    ompfact_shape shape = { .m = 50, .n = 50, .mt = my_rank(), .type = my_rank() % 2 ? 'd' : '\0' };
    assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_SUCCESS);
    ompfact_status status = ompfact_matrix_create_rhs(A, my_rank() > 0 ? 3 : -1, &B);
    assert_everywhere(status == OMPFACT_BAD_ARGUMENT && B == NULL);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- properties and plans -------------------------------------------------------------------------------------------------- */

/* The properties that a grid and a matrix report. */
START_TEST(reported_properties)
{
    const int *node_of = ompfact_node_of(grid);
    ompfact_shape shape = { .m = 70, .n = 45, .nb = NB, .type = 's' }, open = { .m = 900, .n = 900 }, of;
    ompfact_matrix *A = new_matrix(grid, &shape), *dense;
    int nb = -1, here = 0;
    for (int rank = 0; rank < ompfact_ranks(grid); rank++) {
        assert_everywhere(node_of[rank] >= 0 && node_of[rank] < ompfact_nodes(grid));
        here += node_of[rank] == node_of[ompfact_rank(grid)];
    }
    assert_everywhere(here == ompfact_ranks_on_node(grid) && ompfact_node_cores() >= 0);
    of = ompfact_shape_of(A);
    assert_everywhere(ompfact_grid_of(A) == grid && of.m == 70 && of.n == 45 && of.nb == NB && of.type == 's' && !of.layout);
    for (int64_t i = 0; i < 70; i++)
        assert_everywhere(ompfact_tile_row_of(A, i) == i / NB && ompfact_tile_col_of(A, i / 2) == i / 2 / NB);
    assert_everywhere(ompfact_tile_size(grid, &shape, &nb) == OMPFACT_SUCCESS && nb == NB);
    assert_everywhere(ompfact_tile_size(grid, &open, &nb) == OMPFACT_SUCCESS && nb >= 32 && agreed(nb));
    assert_everywhere(ompfact_matrix_create_dense(A, &dense) == OMPFACT_SUCCESS);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t, same;
        ck_assert(ompfact_owner(dense, i, j) == ompfact_rank(grid) && ompfact_tile_get(A, i, j, &t) == OMPFACT_SUCCESS);
        ck_assert(ompfact_tile_read(A, i, j, NULL, &same) == OMPFACT_SUCCESS && same.data == t.data && same.mb == t.mb);
        ompfact_tile_restore(A, &t);
    }
    ompfact_matrix_destroy(&dense);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* The plan of a matrix agrees with that of its job on paper, as far as it is counted, and its memory is sufficient. */
START_TEST(planned)
{
    bool qr = _i == 2;
    ompfact_job job = { .routine = _i == 0 ? "potrf" : _i == 1 ? "getrf" : "geqrf", .ranks = ompfact_ranks(grid),
                        .shape = { .m = 90, .n = 90, .nb = NB, .layout = "2dbc", .structure = _i == 0 ? OMPFACT_HERMITIAN_LOWER
                                                                                                       : OMPFACT_GENERAL },
                        .bounds = true };
    ompfact_matrix *A = new_matrix(grid, &job.shape);
    ompfact_plan *plan, *paper;
    assert_everywhere(ompfact_job_fits(&job, A, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_plan_create(&job, &paper, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_plan_of_matrix(&job, A, &plan, NULL) == OMPFACT_SUCCESS);
    const ompfact_forecast *f = ompfact_plan_forecast(plan), *g = ompfact_plan_forecast(paper);
    assert_everywhere(strcmp(f->layout, g->layout) == 0 && f->mt == g->mt && f->nb == NB && f->ranks == g->ranks);
    assert_everywhere(f->tiles_max == g->tiles_max && f->tiles_min == g->tiles_min && f->flops == g->flops);
    assert_everywhere(f->nodes == ompfact_nodes(grid) && f->threads == 2 && f->work_bound_s > 0 && f->memory_bytes_max < 0);
    assert_everywhere(qr ? f->transfers < 0 : f->transfers == g->transfers && f->flops_max_over_mean == g->flops_max_over_mean);
    assert_everywhere(ompfact_plan_owner(plan, 3, 2) == ompfact_owner(A, 3, 2));
    ompfact_plan_destroy(&plan);
    ompfact_plan_destroy(&paper);
    job.routine = "no such";
    assert_everywhere(ompfact_job_fits(&job, A, NULL) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* A plan uses the matrix's own tiles, of any sizes, and the grid's figures of its machine, whatever the job contains about
   these. */
START_TEST(planned_as_it_is)
{
    static const int sizes[] = { 10, 30, 20, 5, 25 };
    ompfact_shape shape = { .n = 90, .structure = OMPFACT_HERMITIAN_LOWER, .mt = 5, .row_heights = sizes };
    ompfact_job job = { .routine = "potrf", .cores_per_node = 12345 };
    ompfact_matrix *A = new_matrix(grid, &shape), *open;
    ompfact_plan *plan;
    ompfact_outlook before, after;
    const ompfact_choice *choice;
    assert_everywhere(ompfact_matrix_create(grid, &(ompfact_shape){ .m = 900, .n = 900 }, &open) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_job_fits(&job, A, NULL) == OMPFACT_SUCCESS);
    for (int i = 0; i < 2; i++) {
        assert_everywhere(ompfact_plan_of_matrix(&job, A, &plan, NULL) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_plan_outlook(plan, i == 0 ? &before : &after, NULL) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_plan_choice(plan, &choice, NULL) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_plan_forecast(plan)->mt == 5 && choice->counted_mt == 5 && choice->counted_nt == 5);
        ompfact_plan_destroy(&plan);
        job.cores_per_node = 0;
    }
    job.refined = true;     /* with nothing to refine */
    job.options.refinement = OMPFACT_REFINE_GMRES;
    assert_everywhere(ompfact_job_fits(&job, A, NULL) == OMPFACT_SUCCESS && ompfact_job_fits(&job, A, A) == OMPFACT_SUCCESS);
    assert_everywhere(before.machine.cores == after.machine.cores && after.machine.cores != 12345);
    ompfact_matrix_destroy(&open);
    ompfact_matrix_destroy(&A);
}
END_TEST

static Suite *api_suite(void)
{
    Suite *suite = suite_create("api");
    TCase *tests = tcase_create("api");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_test(tests, default_shape);
    tcase_add_loop_test(tests, like, 0, 2);
    tcase_add_loop_test(tests, shapes_refused, 0, 16);
    tcase_add_loop_test(tests, no_memory, 0, 2);
    tcase_add_test(tests, beyond_counting);
    tcase_add_loop_test(tests, unlike_arguments, 0, 6);
    tcase_add_test(tests, alike_arguments);
    tcase_add_test(tests, reported_properties);
    tcase_add_loop_test(tests, planned, 0, 3);
    tcase_add_test(tests, planned_as_it_is);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, api_suite());
}
