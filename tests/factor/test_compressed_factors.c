/*
 * Factors of compressed matrices. With the accuracy EPS they are right if
 *
 *     ||A - L L^H||_F <= 10 EPS ||A||_F,     ||A - U^H U||_F,     ||A - L U||_F
 *
 * where n u replaces a smaller EPS, u the unit roundoff; and solutions if ||b - A x||_2 <= 10 (EPS + n u) ||A||_F ||x||_2.
 */
#include "tests/smooth_matrix.h"
#include "tests/factoring.h"
#include "tests/ways.h"

enum { NB = 16, N = 6 * NB + 5 };

static ompfact_shape compressed_shape(const struct smooth *s, const char *layout, double accuracy)
{
    ompfact_shape shape = shape_of(&s->p, NB, layout);
    shape.accuracy = accuracy;
    shape.max_rank = NB / 2;
    return shape;
}

/* Structures 0, 1, 2: general, and Hermitian by either triangle. */
static struct smooth problem_of(char type, int structure, int64_t n)
{
    return smooth_problem(type, structure > 0, structure == 2, n);
}

/* Factors, and checks factors, counts and report. */
static void factor_and_check(ompfact_matrix *A, const struct smooth *s, double accuracy)
{
    const struct problem *p = &s->p;
    int64_t info = -1;
    assert_everywhere_msg(factor(A, p, &info) == OMPFACT_SUCCESS && info == 0, "info %lld: %s", (long long)info,
                          ompfact_message(A->grid));
    assert_everywhere(diagonal_is_untouched(A, p));
    ompfact_report report = ompfact_last_report(A);
    int64_t transfers = transfers_of(A, p, p->hermitian);
    assert_everywhere_msg(report.transfers == transfers && report.transfers_predicted == transfers,
                          "%lld transfers, predicted %lld, by the layout %lld", (long long)report.transfers,
                          (long long)report.transfers_predicted, (long long)transfers);
    assert_everywhere(report.transfer_bytes <= transfers * NB * NB * (int64_t)precision_of(p->type)->size);
    assert_everywhere(report.flops > 0 && report.flops_dense > 0);
    ompfact_tile_ranks ranks;
    assert_everywhere(ompfact_count_ranks(A, &ranks) == OMPFACT_SUCCESS && ranks.rank_max <= NB / 2);
    number *F = gather_compressed(A, p);
    struct distance d = distance_of(s, F, true);
    free(F);
    assert_everywhere_msg(d.error <= 10 * accuracy_of(p, accuracy) * d.norm, "%c%s, n = %lld, %s, to %g: %g", p->type,
                          p->hermitian ? p->upper ? ", upper" : ", lower" : "", (long long)p->n, ompfact_layout(A), accuracy,
                          d.error / d.norm);
}

static void check_shape_of(ompfact_grid *grid, const struct smooth *s, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_smooth(grid, s, shape);
    factor_and_check(A, s, shape->accuracy);
    ompfact_matrix_destroy(&A);
}

/* ---- accuracy -------------------------------------------------------------------------------------------------------------- */

/* Factors are right in every type and structure, for coarse and fine accuracy, and for several sizes and ranks. */
START_TEST(accurate)
{
    static const double accuracies[] = { 1e-14, 1e-7, 1e-3 };
    static const int64_t orders[] = { 1, NB, 2 * NB + 1, N };
    for (int threads = 1; threads <= 2; threads++) {
        ompfact_grid *grid = new_grid((ompfact_options){ .threads = threads, .copy_on_node = threads == 2 });
        for (int k = 0; k < 3; k++)
            for (int o = 0; o < 4; o++) {
                struct smooth s = problem_of("sdcz"[_i % 4], _i / 4, orders[o]);
                s.length = k == 1 ? 4 : (double)N / 3;
                ompfact_shape shape = compressed_shape(&s, threads == 1 ? "2dbc" : "g2dbc", accuracies[k]);
                shape.band = 1 + (k + o) % 2;
                check_shape_of(grid, &s, &shape);
            }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

static void fill_noise(void *problem, const ompfact_tile *t)
{
    fill_tile(problem, t);
}

/* Tiles of random numbers stay dense, also at the edges, and their factors are as accurate as dense ones. */
START_TEST(random_numbers)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int structure = 0; structure < 3; structure++) {
        struct smooth s = problem_of("sdcz"[_i], structure, 6 * NB + 1 + 3 * structure);
        ompfact_shape shape = compressed_shape(&s, "2dbc", 1e-13);
        shape.max_rank = 0;
        ompfact_matrix *A = new_matrix(grid, &shape);
        ompfact_tile_ranks ranks;
        int64_t info;
        assert_everywhere(ompfact_fill_tiles(A, fill_noise, &s.p) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_count_ranks(A, &ranks) == OMPFACT_SUCCESS && ranks.rank_max == -1);
        assert_everywhere(factor(A, &s.p, &info) == OMPFACT_SUCCESS && info == 0);
        ompfact_report report = ompfact_last_report(A);
        assert_everywhere_msg(fabs(report.flops - report.flops_dense) <= 1e-9 * report.flops_dense, "%g flops, dense %g",
                              report.flops, report.flops_dense);
        number *F = gather(A, &s.p);
        double ratio = factor_ratio(&s.p, F);
        free(F);
        assert_everywhere_msg(ratio < 30, "%g", ratio);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Tiles that all have low rank at first become dense where their ranks grow, and are right. */
START_TEST(growing_ranks)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .copy_on_node = _i % 2 });
    for (int structure = 0; structure < 3; structure++)
        for (int most = 1; most <= 5; most += 2) {
            struct smooth s = problem_of("sdcz"[_i], structure, N);
            s.length = 1.5;
            ompfact_shape shape = compressed_shape(&s, "g2dbc", 1e-9);
            shape.max_rank = most;
            ompfact_tile_ranks before, after;
            ompfact_matrix *A = new_smooth(grid, &s, &shape);
            assert_everywhere(ompfact_count_ranks(A, &before) == OMPFACT_SUCCESS);
            factor_and_check(A, &s, 1e-9);
            assert_everywhere(ompfact_count_ranks(A, &after) == OMPFACT_SUCCESS);
            assert_everywhere(after.dense_tiles >= before.dense_tiles && after.rank_max <= most);
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Low rank saves memory, transfers and flops. */
START_TEST(savings)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .copy_on_node = true });
    int64_t n = 8 * 32;
    struct smooth s = problem_of('d', _i, n);
    ompfact_shape shape = shape_of(&s.p, 32, "2dbc");
    shape.accuracy = 1e-2;
    shape.max_rank = 12;
    ompfact_matrix *A = new_smooth(grid, &s, &shape);
    int64_t info;
    ompfact_tile_ranks ranks;
    assert_everywhere(factor(A, &s.p, &info) == OMPFACT_SUCCESS && info == 0);
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(ompfact_count_ranks(A, &ranks) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ranks.bytes < ranks.dense_bytes / 2, "%lld of %lld bytes", (long long)ranks.bytes,
                          (long long)ranks.dense_bytes);
    assert_everywhere_msg(report.flops < report.flops_dense / 2, "%g of %g flops", report.flops, report.flops_dense);
    assert_everywhere(report.transfers == 0 || report.transfer_bytes < report.transfers * 32 * 32 * 8 * 3 / 4);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- schedules and devices ------------------------------------------------------------------------------------------------- */

static void factor_one(ompfact_grid *grid, char type, int structure, const char *layout)
{
    struct smooth s = problem_of(type, structure, N);
    ompfact_shape shape = compressed_shape(&s, layout, 1e-5);
    check_shape_of(grid, &s, &shape);
}

START_TEST(ways)
{
    factor_all_ways(_i, factor_one);
}
END_TEST

/* A grid with devices keeps compressed tiles on hosts, and factors them there. */
START_TEST(not_on_devices)
{
    static const char *const backends[] = { "portable", "host" };
    ompfact_options options = { .threads = 2, .pivot = OMPFACT_PIVOT_NONE, .devices = 1, .device_backend = backends[_i],
                                .host_share = 0.4 };
    ompfact_grid *grid;
    if (ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, NULL) != OMPFACT_SUCCESS)
        return;     /* the build has no devices */
    for (int structure = 0; structure < 3; structure++) {
        struct smooth s = problem_of("dz"[_i], structure, N);
        ompfact_shape shape = compressed_shape(&s, "g2dbc", 1e-6);
        ompfact_matrix *A = new_smooth(grid, &s, &shape);
        factor_and_check(A, &s, shape.accuracy);
        assert_everywhere(ompfact_last_report(A).bytes_to_devices == 0);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- failing pivots -------------------------------------------------------------------------------------------------------- */

/* A pivot fails at the same row as in a dense matrix, and afterwards the matrix can be used again. */
START_TEST(failing_pivots)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = (ompfact_schedule)_i, .copy_on_node = _i == 1 });
    for (int structure = 0; structure < 3; structure++)
        for (int64_t fails = 5; fails <= N; fails += structure == 0 ? N : 2 * NB + 3) {
            struct smooth s = problem_of("dz"[fails % 2], structure, N), right = s;
            s.p.fails = fails;
            ompfact_shape shape = compressed_shape(&s, "g2dbc", 1e-6), dense_shape = shape_of(&s.p, NB, "g2dbc");
            ompfact_matrix *A = new_smooth(grid, &s, &shape), *D = new_smooth(grid, &s, &dense_shape);
            int64_t info = -1, info_of_dense = -1;
            assert_everywhere(factor(A, &s.p, &info) == OMPFACT_SUCCESS && factor(D, &s.p, &info_of_dense) == OMPFACT_SUCCESS);
            assert_everywhere_msg(info == fails && info == info_of_dense, "%lld, dense %lld, not %lld", (long long)info,
                                  (long long)info_of_dense, (long long)fails);
            ompfact_matrix *B = new_rhs(A, 1);
            fill_rhs(B, &s.p);
            assert_everywhere((s.p.hermitian ? ompfact_potrs(A, B) : ompfact_getrs(A, B)) == OMPFACT_BAD_ARGUMENT);
            assert_everywhere(ompfact_fill_tiles(A, fill_smooth_tile, &right) == OMPFACT_SUCCESS);
            factor_and_check(A, &right, 1e-6);
            ompfact_matrix_destroy(&B);
            ompfact_matrix_destroy(&D);
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- solves and other uses ------------------------------------------------------------------------------------------------- */

/* Solves with one right-hand side and with many, by either call; also of the transposed system. */
START_TEST(solves)
{
    double accuracy = 1e-6;
    for (int threads = 1; threads <= 2; threads++) {
        ompfact_grid *grid = new_grid((ompfact_options){ .threads = threads });
        struct smooth s = problem_of("sdcz"[_i % 4], _i / 4, N);
        ompfact_shape shape = compressed_shape(&s, "g2dbc", accuracy);
        double limit = 10 * (accuracy + (double)N * precision_of(s.p.type)->eps);
        for (int nrhs = 1; nrhs <= 3 * NB + 2; nrhs += 3 * NB + 1)
            for (int apart = 0; apart < 3; apart++) {
                if (apart == 2 && s.p.hermitian)
                    continue;
                ompfact_matrix *A = new_smooth(grid, &s, &shape), *B = new_rhs(A, nrhs);
                int64_t info = -1;
                fill_rhs(B, &s.p);
                if (apart == 0) {
                    assert_everywhere((s.p.hermitian ? ompfact_posv(A, B, &info) : ompfact_gesv(A, B, &info)) == OMPFACT_SUCCESS);
                } else {
                    assert_everywhere(factor(A, &s.p, &info) == OMPFACT_SUCCESS);
                    assert_everywhere((s.p.hermitian ? ompfact_potrs(A, B)
                                       : apart == 2  ? ompfact_getrs_trans(A, OMPFACT_CONJ_TRANS, B)
                                                     : ompfact_getrs(A, B)) == OMPFACT_SUCCESS);
                }
                double worst = smooth_residual(&s, B, apart == 2);
                assert_everywhere_msg(info == 0 && worst <= limit, "%c, %d right-hand sides: %g, not %g", s.p.type, nrhs, worst,
                                      limit);
                ompfact_matrix_destroy(&B);
                ompfact_matrix_destroy(&A);
            }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* A solution refined with the matrix itself is as accurate as a dense one's. What cannot be refined is refused. */
START_TEST(refined)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct smooth s = problem_of("sdcz"[_i % 4], _i / 4, N);
    ompfact_shape shape = compressed_shape(&s, "2dbc", 1e-2), dense_shape = shape_of(&s.p, NB, "2dbc");
    ompfact_matrix *A = new_smooth(grid, &s, &shape), *D = new_smooth(grid, &s, &dense_shape);
    ompfact_matrix *B = new_rhs(A, NB + 3), *X = new_rhs(A, NB + 3), *few = new_rhs(A, 2);
    int64_t info;
    int iterations = 0;
    fill_rhs(B, &s.p);
    fill_rhs(X, &s.p);
    fill_rhs(few, &s.p);
    assert_everywhere(ompfact_refine(A, B, X, fill_smooth_tile, &s, &iterations) == OMPFACT_BAD_ARGUMENT);     /* no factors */
    assert_everywhere(factor(A, &s.p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere((s.p.hermitian ? ompfact_potrs(A, X) : ompfact_getrs(A, X)) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_refine(A, B, few, fill_smooth_tile, &s, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_refine(A, few, X, fill_smooth_tile, &s, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_refine(A, X, X, fill_smooth_tile, &s, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_refine(D, B, X, fill_smooth_tile, &s, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_refine(A, B, X, fill_smooth_tile, &s, &iterations) == OMPFACT_SUCCESS);
    double worst = smooth_residual(&s, X, false);
    assert_everywhere_msg(iterations >= 1 && worst <= 300 * precision_of(s.p.type)->eps, "%d iterations: %g", iterations, worst);
    ompfact_matrix_destroy(&few);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

static ompfact_matrix *factored(ompfact_grid *grid, const struct smooth *s, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_smooth(grid, s, shape);
    int64_t info;
    assert_everywhere(factor(A, &s->p, &info) == OMPFACT_SUCCESS && info == 0);
    return A;
}

/* Determinant, pivots, condition, growth and residual are those of dense factors, within the accuracy. */
START_TEST(determinant_and_condition)
{
    double accuracy = 1e-6;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct smooth s = problem_of("dz"[_i % 2], _i / 2, N);
    ompfact_shape shape = compressed_shape(&s, "g2dbc", accuracy), dense_shape = shape_of(&s.p, NB, "g2dbc");
    ompfact_matrix *matrices[2] = { factored(grid, &s, &dense_shape), factored(grid, &s, &shape) };
    ompfact_matrix *D = new_smooth(grid, &s, &dense_shape), *C = new_smooth(grid, &s, &shape);
    double norm, logabs[2], re[2], im[2], pivot[2], rcond[2], growth[2], residual[2];
    int64_t k[2];
    assert_everywhere(ompfact_norm1(D, &norm) == OMPFACT_SUCCESS);
    for (int c = 0; c < 2; c++) {
        ompfact_matrix *F = matrices[c];
        assert_everywhere(ompfact_determinant(F, &logabs[c], &re[c], &im[c]) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_smallest_pivot(F, &pivot[c], &k[c]) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_rcond(F, norm, &rcond[c]) == OMPFACT_SUCCESS);
        assert_everywhere(s.p.hermitian || ompfact_growth(c == 0 ? D : C, F, &growth[c]) == OMPFACT_SUCCESS);
        ompfact_matrix *X = new_rhs(F, 2), *B = new_rhs(F, 2);
        fill_rhs(X, &s.p);
        fill_rhs(B, &s.p);
        assert_everywhere((s.p.hermitian ? ompfact_potrs(F, X) : ompfact_getrs(F, X)) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_residual_solve(c == 0 ? D : C, X, B, &residual[c]) == OMPFACT_SUCCESS);
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&X);
    }
    double allowed = 1e4 * accuracy;
    assert_everywhere_msg(fabs(logabs[0] - logabs[1]) <= allowed * (double)N, "%g, not %g", logabs[1], logabs[0]);
    assert_everywhere(fabs(re[0] - re[1]) <= allowed && fabs(im[0] - im[1]) <= allowed);
    assert_everywhere(fabs(pivot[0] - pivot[1]) <= allowed * pivot[0]);
    assert_everywhere_msg(fabs(rcond[0] - rcond[1]) <= 0.01 * rcond[0], "%g, not %g", rcond[1], rcond[0]);
    assert_everywhere(s.p.hermitian || fabs(growth[0] - growth[1]) <= allowed * growth[0]);
    double unit = precision_of(s.p.type)->eps;
    assert_everywhere_msg(residual[0] < 30 && residual[1] * unit <= 10 * (accuracy + (double)N * unit), "%g", residual[1]);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&matrices[1]);
    ompfact_matrix_destroy(&matrices[0]);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* If there is no memory for a tile that grows, all ranks end with a message that names the tile, and another factorization
   works. */
START_TEST(outgrown)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_NONE });
    struct smooth s = problem_of('d', _i, N);
    ompfact_shape shape = compressed_shape(&s, "g2dbc", 1e-6);
    ompfact_matrix *A = new_smooth(grid, &s, &shape);
    int64_t info;
    atomic_store(&A->compressed->left, 0);
    for (int64_t k = 0; k < layout_tiles(A->layout, A->me); k++)
        A->compressed->form[k].touched = 0;     /* any write needs more memory than the tile has */
    ompfact_status status = s.p.hermitian ? ompfact_potrf(A, &info) : ompfact_getrf(A, &info);
    bool named = strstr(ompfact_message(grid), "no memory for tile (") != NULL;
    assert_everywhere_msg(status == OMPFACT_OUT_OF_MEMORY && named, "%d: %s", status, ompfact_message(grid));
    ompfact_matrix_destroy(&A);
    A = new_smooth(grid, &s, &shape);
    factor_and_check(A, &s, 1e-6);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* L in the tiles of the matrix. */
static void fill_factor(void *gathered, const ompfact_tile *t)
{
    const number *F = gathered;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, 'd', r, c, F[t->row + r + (t->col + c) * N]);
}

/* Factors that were made elsewhere are compressed when they are filled in, and solve. */
START_TEST(adopted)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct smooth s = problem_of('d', _i, N);
    ompfact_shape shape = compressed_shape(&s, "2dbc", 1e-8), dense_shape = shape_of(&s.p, NB, "2dbc");
    ompfact_matrix *D = factored(grid, &s, &dense_shape), *A = new_matrix(grid, &shape), *B = new_rhs(A, 2);
    number *F = gather(D, &s.p);
    fill_rhs(B, &s.p);
    assert_everywhere(ompfact_fill_tiles(A, fill_factor, F) == OMPFACT_SUCCESS);
    assert_everywhere((s.p.hermitian ? ompfact_adopt_potrf(A) : ompfact_adopt_getrf(A, NULL)) == OMPFACT_SUCCESS);
    assert_everywhere((s.p.hermitian ? ompfact_potrs(A, B) : ompfact_getrs(A, B)) == OMPFACT_SUCCESS);
    double worst = smooth_residual(&s, B, false);
    assert_everywhere_msg(worst <= 1e-6, "%g", worst);
    free(F);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&D);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *compressed_factors_suite(void)
{
    Suite *suite = suite_create("compressed factors");
    TCase *tests = tcase_create("compressed factors");
    tcase_add_loop_test(tests, accurate, 0, 12);
    tcase_add_loop_test(tests, random_numbers, 0, 4);
    tcase_add_loop_test(tests, growing_ranks, 0, 4);
    tcase_add_loop_test(tests, outgrown, 0, 3);
    tcase_add_loop_test(tests, savings, 0, 3);
    tcase_add_loop_test(tests, ways, 0, 3);
    tcase_add_loop_test(tests, not_on_devices, 0, 2);
    tcase_add_loop_test(tests, failing_pivots, 0, 3);
    tcase_add_loop_test(tests, solves, 0, 12);
    tcase_add_loop_test(tests, refined, 0, 12);
    tcase_add_loop_test(tests, determinant_and_condition, 0, 6);
    tcase_add_loop_test(tests, adopted, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, compressed_factors_suite());
}
