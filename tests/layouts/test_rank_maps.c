/* Sources of the work of uneven tiles: generated maps of ranks, and files. No MPI. */
#include "tests/layouts/test_uneven.h"

/* ---- maps ----------------------------------------------------------------------------------------------------------------- */

/* Full rank on the diagonal, densities from 0 to 1 that decay with the distance from it, about sqrt(N) anomalies beyond; the seed
   determines all of it. */
START_TEST(rank_maps)
{
    enum { N = 100 };
    static const int deltas[] = { 8, 16, 128 };
    char args[48];
    snprintf(args, sizeof args, "delta=%d,seed=3,kernel=gemm", deltas[_i]);
    double *w = blr(args, LAYOUT_LU, N, N), *again = blr(args, LAYOUT_LU, N, N), *other;
    ck_assert_int_eq(memcmp(w, again, N * N * sizeof *w), 0);
    int full = 0;
    double error = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double density = w[i * N + j] / (6 * N), v = exp(-deltas[_i] / 2.0 * pow((i - j) / (N - 1.0), 2));
            ck_assert(density >= 0 && density <= 1 && (i != j || density == 1));
            full += v < 0.5 && density == 1;
            if (v > 0.2 && v < 0.8 && density < 1)
                error += (density - v) / (N * N);
        }
    ck_assert_msg(full >= 1 && full <= 30, "%d anomalies", full);
    ck_assert_double_lt(fabs(error), 0.003);
    snprintf(args, sizeof args, "delta=%d,seed=4,kernel=gemm", deltas[_i]);
    other = blr(args, LAYOUT_LU, N, N);
    ck_assert_int_ne(memcmp(w, other, N * N * sizeof *w), 0);
    free(w);
    free(again);
    free(other);
}
END_TEST

/* For Cholesky a map is symmetric, with the weights of Cholesky; kernel=lu gives those of LU. */
START_TEST(kernels)
{
    enum { N = 20 };
    double *w = blr(NULL, LAYOUT_CHOLESKY, N, N), *lu = blr("kernel=lu", LAYOUT_CHOLESKY, N, N),
           *own = blr(NULL, LAYOUT_LU, N, N);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            ck_assert(w[i * N + j] == w[j * N + i] && lu[i * N + j] == own[i * N + j]);
        ck_assert_double_eq(w[i * N + i], 3 * i + 1);
        ck_assert_double_eq(lu[i * N + i], 6 * i + 2);
    }
    free(w);
    free(lu);
    free(own);
}
END_TEST

START_TEST(bad_maps)
{
    static const char *const bad[] = { "", "delta", "delta=0", "delta=1.5", "seed=-1", "kernel=qr", "kernel=", "gamma=1",
                                       "delta=8;seed=1", "delta=2000000" };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        double *weights;
        ck_assert_msg(weights_blr(bad[k], LAYOUT_LU, 5, 5, &weights, text) == 1, "%s", bad[k]);
        ck_assert(weights == NULL && strstr(text, "weight") != NULL);
    }
}
END_TEST

/* ---- files ---------------------------------------------------------------------------------------------------------------- */

static int read_file(const char *content, int mt, int nt, double **weights, char *path)
{
    strcpy(path, "/tmp/ompfact_test_XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *file = fdopen(fd, "w");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
    int failed = weights_read(path, mt, nt, weights, text);
    unlink(path);
    return failed;
}

START_TEST(good_file)
{
    char path[32];
    double *w;
    ck_assert_msg(read_file("2 3\n1 0 2.5e1\n\t4e-3 .5\n 6. \n", 2, 3, &w, path) == 0, "%s", text);
    const double expected[] = { 1, 0, 25, 0.004, 0.5, 6 };
    ck_assert_int_eq(memcmp(w, expected, sizeof expected), 0);
    free(w);
}
END_TEST

/* An error is reported with the file, the line and the tile. */
START_TEST(bad_files)
{
    static const struct { const char *content, *place; } bad[] = {
        { "", ":1: " },                         { "2\n", ":2: " },                     { "2 3\n1 2 3\n4 5", "(1,2) of 2 x 3" },
        { "2 3\n1 2 3\n4 5 6 7", ":3: \"7\"" }, { "3 2\n1 2\n3 4\n5 6\n", ":1: " },  { "2 3\n1 2 3\n4 -5 6", "(1,1)" },
        { "2 3\n1 x 3\n4 5 6", ":2: \"x\"" },   { "2 3\n1 nan 3\n4 5 6", "(0,1)" },   { "2 3\n1 2 inf\n4 5 6", "(0,2)" },
        { "2 3\n1 2 1e999\n4 5 6", "(0,2)" },   { "2 3\n0x1 2 3\n4 5 6", "(0,0)" },   { "-2 3\n", ":1: " },
        { "a b\n", "\"a\"" },                   { "2 3\n1 2 3,4 5 6\n", "\"3,4\"" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char path[32];
        double *w = (double *)1;
        ck_assert_msg(read_file(bad[k].content, 2, 3, &w, path) == 1, "%s", bad[k].content);
        ck_assert_msg(w == NULL && strncmp(text, path, strlen(path)) == 0 && strstr(text, bad[k].place) &&
                      strstr(text, "weight") && !strchr(text, '\n'), "%s: %s", bad[k].content, text);
    }
    double *w;
    ck_assert_int_eq(weights_read("/nonexistent/w", 2, 3, &w, text), 1);
    ck_assert(strstr(text, "/nonexistent/w: ") == text && strstr(text, "weight"));
}
END_TEST

static Suite *uneven_suite(void)
{
    Suite *suite = suite_create("maps of uneven work");
    TCase *tests = tcase_create("maps of uneven work");
    tcase_add_loop_test(tests, rank_maps, 0, 3);
    tcase_add_test(tests, kernels);
    tcase_add_test(tests, bad_maps);
    tcase_add_test(tests, good_file);
    tcase_add_test(tests, bad_files);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(uneven_suite());
}
