/*
 * Condition estimates on any number of ranks: rcond = 1 / (||A|| ||A^-1||) in 1-norms, compared with inverses by naive
 * Gauss-Jordan elimination. An estimate of ||A^-1|| is never above the norm, and here not below a third of it.
 */
#include "src/solve/solve.h"
#include "tests/fixtures.h"

enum { NB = 16 };

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* ---- matrices ----------------------------------------------------------------------------------------------------------- */

struct sample {
    char type;
    bool hermitian;
    int64_t n;
    number (*entry)(const struct sample *s, int64_t i, int64_t j);
    double least;       /* the smallest element of a diagonal */
};

static number diagonal(const struct sample *s, int64_t i, int64_t j)
{
    return i != j ? 0 : s->n == 1 ? s->least : pow(s->least, (double)i / (double)(s->n - 1));
}

/* G G^H with a random G, whose condition is the square of G's; or almost a triangle, so that A^-1 and A^-H differ and no pivot
   is small. */
static number uneven(const struct sample *s, int64_t i, int64_t j)
{
    number sum = 0;
    for (int64_t k = 0; s->hermitian && k < s->n; k++)
        sum += random_number(s->type, 7, i, k) * conj(random_number(s->type, 7, j, k));
    if (s->hermitian)
        return rounded(s->type, i == j ? creal(sum) : sum);
    number value = random_number(s->type, 7, i, j);
    return rounded(s->type, i == j ? 2 + value / 2 : i < j ? value : value / 100);
}

static void sample_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct sample *s = context;
    number a = s->entry(s, i, j);
    precision_of(s->type)->set(value, creal(a), cimag(a));
}

static ompfact_matrix *matrix_of(struct sample *s)
{
    ompfact_shape shape = { .m = s->n, .n = s->n, .type = s->type, .nb = NB, .layout = s->hermitian ? NULL : "g2dbc",
                            .structure = s->hermitian ? OMPFACT_HERMITIAN_LOWER : OMPFACT_GENERAL };
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere(ompfact_fill_entries(A, sample_entry, s) == OMPFACT_SUCCESS);
    return A;
}

/* Returns the factors, and the norm of the matrix before. */
static ompfact_matrix *factors_of(struct sample *s, double *norm)
{
    ompfact_matrix *A = matrix_of(s);
    int64_t info = -1;
    assert_everywhere(ompfact_norm1(A, norm) == OMPFACT_SUCCESS);
    assert_everywhere((s->hermitian ? ompfact_potrf(A, &info) : ompfact_getrf(A, &info)) == OMPFACT_SUCCESS && info == 0);
    return A;
}

/* Inverts in place. The pivot is the largest element of its column. */
static void invert(number *A, int64_t n)
{
    number *B = calloc((size_t)(n * n), sizeof *B);
    for (int64_t i = 0; i < n; i++)
        B[i + i * n] = 1;
    for (int64_t k = 0; k < n; k++) {
        int64_t p = k;
        for (int64_t i = k; i < n; i++)
            p = cabs(A[i + k * n]) > cabs(A[p + k * n]) ? i : p;
        for (int64_t j = 0; j < n; j++) {
            number a = A[p + j * n], b = B[p + j * n];
            A[p + j * n] = A[k + j * n];
            B[p + j * n] = B[k + j * n];
            A[k + j * n] = a;
            B[k + j * n] = b;
        }
        number pivot = A[k + k * n];
        for (int64_t j = 0; j < n; j++) {
            A[k + j * n] /= pivot;
            B[k + j * n] /= pivot;
        }
        for (int64_t i = 0; i < n; i++) {
            number factor = i == k ? 0 : A[i + k * n];
            for (int64_t j = 0; j < n; j++) {
                A[i + j * n] -= factor * A[k + j * n];
                B[i + j * n] -= factor * B[k + j * n];
            }
        }
    }
    memcpy(A, B, (size_t)(n * n) * sizeof *A);
    free(B);
}

static double true_rcond(const struct sample *s)
{
    number *A = malloc((size_t)(s->n * s->n) * sizeof *A);
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++)
            A[i + j * s->n] = s->entry(s, i, j);
    double norm = dense_norm1(A, s->n, s->n);
    invert(A, s->n);
    double rcond = 1 / (norm * dense_norm1(A, s->n, s->n));
    free(A);
    return rcond;
}

static void check_rcond(struct sample *s)
{
    double norm, rcond = -1, want = true_rcond(s);
    ompfact_matrix *A = factors_of(s, &norm);
    number *before = gather(A, &(struct problem){ .hermitian = s->hermitian });
    assert_everywhere(ompfact_rcond(A, norm, &rcond) == OMPFACT_SUCCESS);
    number *after = gather(A, &(struct problem){ .hermitian = s->hermitian });
    bool same = memcmp(before, after, (size_t)(s->n * s->n) * sizeof *before) == 0;
    free(before);
    free(after);
    assert_everywhere_msg(rcond > 0.98 * want && rcond < 3 * want, "%c, n = %lld: %g, not %g", s->type, (long long)s->n,
                          rcond, want);
    assert_everywhere(same);
    ompfact_matrix_destroy(&A);
}

/* ---- tests -------------------------------------------------------------------------------------------------------------- */

/* Diagonal matrices of known condition, in all types, for both factorizations, in sizes around a tile's. */
START_TEST(diagonals)
{
    static const int64_t n[] = { 1, 2, NB, 3 * NB + 5 };
    for (int k = 0; k < 4; k++)
        check_rcond(&(struct sample){ .type = "sdcz"[_i / 2], .hermitian = _i % 2, .n = n[k], .entry = diagonal, .least = 1e-6 });
}
END_TEST

/* Matrices whose inverses differ much in rows and columns. */
START_TEST(uneven_matrices)
{
    static const int64_t n[] = { NB + 1, 2 * NB + 3 };
    for (int k = 0; k < 2; k++)
        check_rcond(&(struct sample){ .type = "sdcz"[_i / 2], .hermitian = _i % 2, .n = n[k], .entry = uneven });
}
END_TEST

/* A^H X = B with the factors of LU. */
START_TEST(conjugate_transposed)
{
    enum { NRHS = NB + 3 };
    struct sample s = { .type = "sdcz"[_i], .n = 3 * NB + 5, .entry = uneven };
    struct problem p = { .type = s.type, .m = s.n, .n = s.n, .seed = 3 };
    double norm, worst = 0;
    ompfact_matrix *A = factors_of(&s, &norm), *B = new_rhs(A, NRHS);
    fill_rhs(B, &p);
    assert_everywhere(solve_lu(A, CONJ_TRANS, B) == OMPFACT_SUCCESS);
    number *X = gather(B, NULL);
    for (int64_t c = 0; c < NRHS; c++) {
        double error = 0, size = 0;
        for (int64_t i = 0; i < s.n; i++) {
            number b = rhs_entry(&p, i, c);
            for (int64_t k = 0; k < s.n; k++)
                b -= conj(uneven(&s, k, i)) * X[k + c * s.n];
            error += cabs(b);
            size += cabs(X[i + c * s.n]);
        }
        worst = larger(worst, error / (norm * size * (double)s.n * precision_of(s.type)->eps));
    }
    free(X);
    assert_everywhere_msg(worst < 30, "%c: ratio %g", s.type, worst);
    ompfact_report report = ompfact_last_report(B);
    assert_everywhere(report.transfers == report.transfers_predicted && agreed(report.transfers));
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* An inverse that overflows, a norm of zero, a norm that is NaN, an empty matrix. */
START_TEST(extremes)
{
    struct sample tiny = { .type = 'd', .hermitian = _i, .n = 2 * NB, .entry = diagonal, .least = 1e-310 };
    struct sample empty = { .type = 'd', .hermitian = _i, .entry = diagonal };
    double norm, rcond = -1;
    ompfact_matrix *A = factors_of(&tiny, &norm), *E = factors_of(&empty, &norm);
    assert_everywhere(ompfact_rcond(A, 1, &rcond) == OMPFACT_SUCCESS && rcond == 0);
    rcond = -1;
    assert_everywhere(ompfact_rcond(A, 0, &rcond) == OMPFACT_SUCCESS && rcond == 0);
    assert_everywhere(ompfact_rcond(A, NAN, &rcond) == OMPFACT_SUCCESS && isnan(rcond));
    assert_everywhere(ompfact_rcond(E, norm, &rcond) == OMPFACT_SUCCESS && rcond == 1);
    ompfact_matrix_destroy(&E);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- least squares ------------------------------------------------------------------------------------------------------ */

/* A diagonal from 1 to 1e-3; random numbers with two equal columns, or two equal rows in a wide matrix; and zeros. */
enum { GRADED, TWINS, ZEROS };
struct least_squares {
    char type;
    int64_t m, n;
    int kind;
};

static void least_squares_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct least_squares *s = context;
    int64_t shorter = s->m < s->n ? s->m : s->n;
    bool last = (s->m < s->n ? i : j) == shorter - 1;
    number twins = random_number(s->type, 7, last && s->m < s->n ? 0 : i, last && s->m >= s->n ? 0 : j);
    number graded = i != j ? 0 : pow(1e-3, (double)i / (double)(shorter - 1));
    number a = s->kind == GRADED ? graded : s->kind == TWINS ? twins : 0;
    precision_of(s->type)->set(value, creal(a), cimag(a));
}

static double rcond_after_gels(struct least_squares *s)
{
    ompfact_shape shape = { .m = s->m, .n = s->n, .type = s->type, .nb = NB, .purpose = OMPFACT_FOR_LEAST_SQUARES };
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, 2), *X;
    double rcond = -1;
    int64_t info;
    assert_everywhere(ompfact_fill_entries(A, least_squares_entry, s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_entries(B, least_squares_entry, s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_gels(A, B, &X, &info) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_rcond(A, NAN, &rcond) == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    return rcond;
}

/* After ompfact_gels(), tall or wide, rcond is that of A's triangle: the matrix's own for a diagonal, below n u for two equal
   columns, or rows of a wide matrix, and 0 for zeros. */
START_TEST(after_least_squares)
{
    char type = "sdcz"[_i / 2];
    int64_t n = 3 * NB + 5, more = 5 * NB + 3;
    struct least_squares s = { .type = type, .m = _i % 2 ? n : more, .n = _i % 2 ? more : n, .kind = GRADED };
    double rcond = rcond_after_gels(&s);
    assert_everywhere_msg(rcond > 0.98e-3 && rcond < 3e-3, "%c: %g", type, rcond);
    s.kind = TWINS;
    rcond = rcond_after_gels(&s);
    assert_everywhere_msg(rcond < (double)n * precision_of(type)->eps, "%c: %g", type, rcond);
    s.kind = ZEROS;
    assert_everywhere(rcond_after_gels(&s) == 0);
}
END_TEST

/* After ompfact_geqrf() rcond is R's, where R is a triangle. Elements below R are ignored. */
START_TEST(of_qr_factors)
{
    struct least_squares s = { .type = 'd', .m = 3 * NB, .n = NB + 1, .kind = _i };
    ompfact_shape shape = { .m = s.m, .n = s.n, .type = 'd', .nb = NB }, wide = { .m = s.n, .n = s.m, .type = 'd', .nb = NB };
    ompfact_matrix *A = new_matrix(grid, &shape), *W = new_matrix(grid, &wide);
    double rcond = -1;
    assert_everywhere(ompfact_fill_entries(A, least_squares_entry, &s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_entries(W, least_squares_entry, &s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS && ompfact_geqrf(W) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_rcond(A, 1, &rcond) == OMPFACT_SUCCESS);
    assert_everywhere(_i == GRADED ? rcond > 0.98e-3 && rcond < 3e-3 : rcond < 1e-14);
    assert_everywhere(ompfact_rcond(W, 1, &rcond) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&W);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* The factors of a wide matrix after gels have no triangle of tiles any more where redistribution cuts the tiles otherwise. */
START_TEST(moved_after_least_squares)
{
    enum { M = 2 * NB, N = 3 * NB };
    struct least_squares s = { .type = 'd', .m = M, .n = N, .kind = GRADED };
    ompfact_shape shape = { .m = M, .n = N, .type = 'd', .nb = NB };
    ompfact_shape other = { .m = M, .n = N, .type = 'd', .mt = 2, .nt = 2, .row_heights = (int[]){ 3, M - 3 },
                            .col_widths = (int[]){ N - 1, 1 } };
    ompfact_matrix *A = new_matrix(grid, &shape), *C = new_matrix(grid, &other), *B = new_rhs(A, 1), *X;
    int64_t info;
    double rcond;
    assert_everywhere(ompfact_fill_entries(A, least_squares_entry, &s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_entries(B, least_squares_entry, &s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_gels(A, B, &X, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_redistribute(A, C) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_rcond(C, 1, &rcond) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* There is no estimate without factors, for a rectangular matrix, or for a negative norm. */
START_TEST(refusals)
{
    struct sample s = { .type = 'd', .n = 2 * NB, .entry = uneven };
    struct problem p = { .type = 'd', .m = 2 * NB, .n = NB, .seed = 1 };
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = matrix_of(&s), *R = new_matrix(grid, &shape), *B;
    int64_t info;
    double rcond;
    fill(R, &p);
    assert_everywhere(ompfact_rcond(A, 1, &rcond) == OMPFACT_BAD_ARGUMENT &&
                      strstr(ompfact_message(grid), "potrf or getrf") != NULL);
    assert_everywhere(ompfact_getrf(R, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_rcond(R, 1, &rcond) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_rcond(A, -1, &rcond) == OMPFACT_BAD_ARGUMENT);
    B = new_rhs(A, 1);
    assert_everywhere(ompfact_getrs(R, B) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&R);
    ompfact_matrix_destroy(&A);
}
END_TEST

static Suite *rcond_suite(void)
{
    Suite *suite = suite_create("rcond");
    TCase *tests = tcase_create("rcond");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, diagonals, 0, 8);
    tcase_add_loop_test(tests, uneven_matrices, 0, 8);
    tcase_add_loop_test(tests, conjugate_transposed, 0, 4);
    tcase_add_loop_test(tests, extremes, 0, 2);
    tcase_add_loop_test(tests, after_least_squares, 0, 8);
    tcase_add_loop_test(tests, of_qr_factors, 0, 3);
    tcase_add_test(tests, moved_after_least_squares);
    tcase_add_test(tests, refusals);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, rcond_suite());
}
