/* Uses of matrices whose tiles are in double, in single or in bfloat16, beside factorization: checkpoints, solves, plans; and
   what refuses them. */
#include "tests/checkpoint/on_the_way.h"
#include "tests/factor/mixed_cases.h"

/* ---- checkpoints ----------------------------------------------------------------------------------------------------------- */

/* A matrix with other tiles than the checkpoint's does not continue from it. */
static void check_other_tiles(ompfact_grid *grid, const struct decaying *a, double precision, const char *word)
{
    ompfact_matrix *A = new_decaying(grid, a, "2dbc", precision);
    int64_t info;
    assert_everywhere(ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS && factor(A, &a->p, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grid), word) != NULL);
    ompfact_matrix_destroy(&A);
}

/* A factorization that was stopped continues in another layout with unchanged tiles, also those that had become wider. */
START_TEST(resumed)
{
    enum { LATE = 60 };         /* on busy cores all ranks may have done the last step before one stops */
    int stopped = 0;
    kept_name(&kept);
    for (int round = 0; round < 3 || (stopped == 0 && round < LATE); round++) {
        int structure = round % 3;
        struct decaying a = decaying_turn(2 * structure + _i % 2 + (_i >= 2 ? TURNS / 2 : 0), N, 20), b = a;
        const double precision = _i >= 4 ? 1e-3 : 1e-10;
        int before[NT][NT];
        int64_t info = 0;
        a.filled_in = b.filled_in = true;
        stopping = grid_that_stops(true, structure == 1);
        ompfact_matrix *A = new_decaying(stopping, &a, "2dbc", precision);
        check_filled(A, &a, precision, before);
        ompfact_status status = factor(A, &a.p, &info);
        assert_everywhere_msg(status == OMPFACT_STOPPED || status == OMPFACT_SUCCESS, "%s", ompfact_message(stopping));
        stopped += status == OMPFACT_STOPPED;
        ompfact_matrix_destroy(&A);
        ompfact_grid_destroy(&stopping);
        ompfact_grid *grid = grid_that_stops(false, structure == 1);
        b.filled_in = false;            /* the contents are replaced by the checkpoint's */
        A = new_decaying(grid, &b, "g2dbc", 1e-3);
        assert_everywhere_msg(ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
        assert_everywhere_msg(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
        assert_everywhere(ompfact_last_report(A).restarted_from_step >= 0 && ompfact_last_report(A).faults_found <= 0);
        check_factors(A, &a, precision, before, false);
        ompfact_matrix_destroy(&A);
        b.bf16 = !a.bf16;
        check_other_tiles(grid, &b, 1e-3, a.bf16 ? "bfloat16" : "mixed precision");
        b.bf16 = false;
        check_other_tiles(grid, &b, 0, "mixed precision");
        ompfact_grid_destroy(&grid);
        kept_remove(&kept);
    }
    assert_everywhere_msg(stopped > 0 || all_ranks_count() > NT, "of so many ranks some are behind");
}
END_TEST

/* ---- uses of factors ------------------------------------------------------------------------------------------------------- */

/* Every rank has the whole map of the matrix's present tiles. */
START_TEST(mapped)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 25);
    ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", 1e-8);
    int all[NT * NT], map[NT][NT];
    assert_everywhere(ompfact_precision_map(A, all) == OMPFACT_SUCCESS);
    map_of(A, map);
    for (int i = 0; i < NT; i++)
        for (int j = 0; j < NT; j++)
            assert_everywhere(all[i * NT + j] == (is_stored(&a.p, i, j) ? map[i][j] : -2));
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Solves are right by one call and by two, for the transposed system, and refined to double's accuracy. */
START_TEST(solves)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i % 2 });
    for (int k = 0; k < PRECISIONS; k++) {
        struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 25);
        double limit = 10 * (precisions[k] + N * U);
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precisions[k]);
        ompfact_matrix *B = new_rhs(A, NB + 3), *X = new_rhs(A, NB + 3);
        int64_t info = -1;
        int iterations = -1;
        fill_rhs(B, &a.p);
        fill_rhs(X, &a.p);
        ompfact_status status = a.p.hermitian ? ompfact_posv(A, X, &info) : ompfact_gesv(A, X, &info);
        assert_everywhere(status == OMPFACT_SUCCESS && info == 0);
        double worst = residual_of(&a, X, false);
        assert_everywhere_msg(worst <= limit, "to %g: %g", precisions[k], worst);
        assert_everywhere(ompfact_refine(A, B, X, fill_decaying, &a, &iterations) == OMPFACT_SUCCESS);
        worst = residual_of(&a, X, false);
        assert_everywhere_msg(iterations >= 1 && worst <= 300 * U, "to %g: after %d iterations %g", precisions[k], iterations,
                              worst);
        if (!a.p.hermitian) {
            fill_rhs(X, &a.p);
            assert_everywhere(ompfact_getrs_trans(A, OMPFACT_CONJ_TRANS, X) == OMPFACT_SUCCESS);
            worst = residual_of(&a, X, true);
            assert_everywhere_msg(worst <= limit, "transposed, to %g: %g", precisions[k], worst);
        }
        ompfact_matrix_destroy(&X);
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Determinant, pivots, condition and residual are those of double, within EPS. */
START_TEST(determinant_and_condition)
{
    const double precision = 1e-7;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 25);
    ompfact_matrix *F[2];
    double norm, logabs[2], re[2], im[2], pivot[2], rcond[2], ratio;
    int64_t info, k[2];
    for (int c = 0; c < 2; c++) {
        F[c] = new_decaying(grid, &a, "g2dbc", c == 0 ? 0 : precision);
        assert_everywhere(ompfact_norm1(F[c], &norm) == OMPFACT_SUCCESS);
        assert_everywhere(factor(F[c], &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_determinant(F[c], &logabs[c], &re[c], &im[c]) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_smallest_pivot(F[c], &pivot[c], &k[c]) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_rcond(F[c], norm, &rcond[c]) == OMPFACT_SUCCESS);
    }
    assert_everywhere(fabs(logabs[0] - logabs[1]) <= 100 * precision && fabs(re[0] - re[1]) <= 100 * precision);
    assert_everywhere(fabs(pivot[0] - pivot[1]) <= 100 * precision * pivot[0] && fabs(rcond[0] - rcond[1]) <= 0.01 * rcond[0]);
    ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precision), *B = new_rhs(A, 2), *X = new_rhs(A, 2);
    fill_rhs(B, &a.p);
    fill_rhs(X, &a.p);
    assert_everywhere((a.p.hermitian ? ompfact_potrs(F[1], X) : ompfact_getrs(F[1], X)) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio * U <= 10 * (precision + N * U), "%g", ratio);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F[1]);
    ompfact_matrix_destroy(&F[0]);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A plan that reads all elements of small tiles predicts a run in which none becomes double, to the byte. */
START_TEST(predicted)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    for (int k = 0; k < PRECISIONS; k++) {
        struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 25);
        ompfact_plan *plan = plan_of(&a, precisions[k]);
        int64_t most = ompfact_plan_forecast(plan)->memory_bytes_max, info;
        ompfact_tile_precisions predicted = plan_precisions(plan, &a), kept;
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precisions[k]);
        int map[NT * NT];
        assert_everywhere(ompfact_precision_map(A, map) == OMPFACT_SUCCESS);
        assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
        for (int t = 0; t < NT * NT; t++)
            assert_everywhere(ompfact_plan_precision_map(plan)[t] == map[t]);
        assert_everywhere_msg(predicted.double_tiles == kept.double_tiles && predicted.single_tiles == kept.single_tiles,
                              "to %g: %lld in single, not %lld", precisions[k], (long long)predicted.single_tiles,
                              (long long)kept.single_tiles);
        assert_everywhere(kept.widened > 0 || predicted.bytes == kept.bytes);
        assert_everywhere(kept.widened > 0 ||
                          ompfact_plan_forecast(plan)->transfer_bytes == ompfact_last_report(A).transfer_bytes);
        assert_everywhere(ompfact_plan_forecast(plan)->memory_bytes_max <= most);
        ompfact_matrix_destroy(&A);
        ompfact_plan_destroy(&plan);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------------------------------------- */

START_TEST(refused)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .pivot = OMPFACT_PIVOT_TOURNAMENT });
    struct decaying a = decaying_of('d', 1, N, 25), general = decaying_of('d', 0, N, 25);
    ompfact_shape shape = shape_with(&a, "2dbc", 1e-3), other = shape;
    int64_t info;
    for (int k = 0; k < 3; k++) {
        other.tile_precision = (double[]){ 1, -0.5, NAN }[k];
        check_refused_shape(grid, other, "between 0 and 1");
    }
    other = shape;
    other.type = 's';
    check_refused_shape(grid, other, "types d and z");
    other = shape;
    other.type = 'z';
    other.structure = OMPFACT_SYMMETRIC_LOWER;
    check_refused_shape(grid, other, "symmetric");

    ompfact_job job = { .routine = "potrf", .ranks = 2, .shape = shape_with(&a, "2dbc", 0) };
    ompfact_plan *plan;
    ompfact_tile_precisions none;
    char message[OMPFACT_MESSAGE];
    ck_assert(ompfact_plan_create(&job, &plan, message) == OMPFACT_SUCCESS);
    ck_assert(ompfact_plan_precisions(plan, give_entry, &a, &none, message) == OMPFACT_BAD_ARGUMENT);
    ck_assert(strstr(message, "tile_precision") != NULL);
    ompfact_plan_destroy(&plan);

    ompfact_matrix *A = new_decaying(grid, &a, "2dbc", 1e-3), *D, *G = new_decaying(grid, &general, "2dbc", 1e-3), *T;
    assert_everywhere(ompfact_getrf(G, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grid), "mixed precision") != NULL);
    assert_everywhere(ompfact_geqrf(G) == OMPFACT_BAD_ARGUMENT && ompfact_conj_transpose(G, &T) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_hetrf(A, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf_partial(A, NB, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_matrix_create_dense(A, &D) == OMPFACT_SUCCESS && ompfact_shape_of(D).tile_precision == 0);
    assert_everywhere(ompfact_redistribute(A, D) == OMPFACT_BAD_ARGUMENT && ompfact_redistribute(D, A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && ompfact_potri(A, &info) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&G);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *mixed_uses_suite(void)
{
    Suite *suite = suite_create("uses of tiles of mixed precision");
    TCase *tests = tcase_create("uses of tiles of mixed precision");
    add_turns(tests, resumed, 6, 5);
    add_turns(tests, mapped, 6, 5);
    add_turns(tests, solves, 6, 5);
    add_turns(tests, determinant_and_condition, 6, 5);
    add_turns(tests, predicted, 6, 5);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, mixed_uses_suite());
}
