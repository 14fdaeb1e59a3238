/* Factors from outside, as LAPACK stores them: copied tiles with ipiv or tau serve like the original factors. Also systems with
   transposes. */
#include "tests/fixtures.h"

enum { NB = 8 };

static const char types[] = "sdcz";

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_PARTIAL, .ib = 3 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* A new matrix with the same numbers, without the status of factors. */
static ompfact_matrix *copy_of(ompfact_matrix *A)
{
    ompfact_matrix *B = new_like(A);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile from, to;
        ck_assert_int_eq(ompfact_tile_get(A, i, j, &from), OMPFACT_SUCCESS);
        ck_assert_int_eq(ompfact_tile_get(B, i, j, &to), OMPFACT_SUCCESS);
        size_t size = precision_of(ompfact_type(A))->size;
        for (int c = 0; c < to.nb; c++)
            memcpy((char *)to.data + (size_t)c * (size_t)to.ld * size, (char *)from.data + (size_t)c * (size_t)from.ld * size,
                   (size_t)to.mb * size);
        ompfact_tile_restore(A, &from);
        ompfact_tile_restore(B, &to);
    }
    return B;
}

/* The largest difference of elements. Collective. */
static double distance(ompfact_matrix *A, ompfact_matrix *B)
{
    int64_t count = ompfact_rows(A) * ompfact_cols(A);
    number *a = gather(A, NULL), *b = gather(B, NULL);
    double worst = 0;
    for (int64_t i = 0; i < count; i++)
        worst = larger(worst, cabs(a[i] - b[i]));
    free(a);
    free(b);
    return worst;
}

/* ---- systems ------------------------------------------------------------------------------------------------------------ */

START_TEST(cholesky)
{
    const struct problem p = { .type = types[_i], .hermitian = true, .upper = _i % 2, .m = 37, .n = 37, .seed = 3 };
    ompfact_shape shape = shape_of(&p, NB, "auto");
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_matrix *X = new_rhs(A, 3), *Y = new_rhs(A, 3);
    int64_t info = -1;
    fill(A, &p);
    fill_rhs(X, &p);
    fill_rhs(Y, &p);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    ompfact_matrix *F = copy_of(A);
    assert_everywhere(ompfact_potrs(F, Y) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_adopt_potrf(F) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_potrs(A, X) == OMPFACT_SUCCESS && ompfact_potrs(F, Y) == OMPFACT_SUCCESS);
    double apart = distance(X, Y);
    assert_everywhere_msg(apart < 100 * precision_of(p.type)->eps, "%c: %g", p.type, apart);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&Y);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* The largest element of op(A) X - B over the largest of X, for gathered matrices. */
static double residual(const struct problem *p, ompfact_trans trans, ompfact_matrix *X)
{
    int64_t n = p->n;
    number *x = gather(X, NULL);
    double worst = 0, scale = 0;
    for (int64_t c = 0; c < ompfact_cols(X); c++)
        for (int64_t i = 0; i < n; i++) {
            number sum = -rhs_entry(p, i, c);
            for (int64_t k = 0; k < n; k++) {
                number a = trans == OMPFACT_NO_TRANS ? entry_of(p, i, k) : entry_of(p, k, i);
                sum += (trans == OMPFACT_CONJ_TRANS ? conj(a) : a) * x[k + c * n];
            }
            worst = larger(worst, cabs(sum));
            scale = larger(scale, cabs(x[i + c * n]));
        }
    free(x);
    return worst / scale;
}

START_TEST(lu)
{
    static const ompfact_trans kinds[] = { OMPFACT_NO_TRANS, OMPFACT_TRANS, OMPFACT_CONJ_TRANS };
    const struct problem p = { .type = types[_i / 3], .m = 37, .n = 37, .seed = 5 };
    ompfact_trans trans = kinds[_i % 3];
    ompfact_matrix *A = new_matrix(grid, &(ompfact_shape){ .m = p.m, .n = p.n, .type = p.type, .nb = NB });
    ompfact_matrix *X = new_rhs(A, 3);
    int64_t info = -1, ipiv[37];
    fill(A, &p);
    fill_rhs(X, &p);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    ompfact_ipiv(A, ipiv);
    ompfact_matrix *F = copy_of(A);
    ipiv[3] = 3;
    assert_everywhere(ompfact_adopt_getrf(F, ipiv) == OMPFACT_BAD_ARGUMENT);
    ompfact_ipiv(A, ipiv);
    assert_everywhere(ompfact_adopt_getrf(F, ipiv) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_getrs_trans(F, (ompfact_trans)'n', X) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_getrs_trans(F, trans, X) == OMPFACT_SUCCESS);
    double error = residual(&p, trans, X);
    assert_everywhere_msg(error < 1000 * precision_of(p.type)->eps * 37, "%c, %c: %g", p.type, (char)trans, error);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- reflectors --------------------------------------------------------------------------------------------------------- */

static const struct { int64_t m, n; } sizes[] = { { 37, 37 }, { 50, 21 }, { 21, 50 }, { 5, 3 }, { 16, 16 } };
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static ompfact_status create_by_columns(const struct problem *p, ompfact_matrix **A)
{
    char layout[32];
    snprintf(layout, sizeof layout, "2dbc:1x%d", all_ranks_count());
    return ompfact_matrix_create(grid, &(ompfact_shape){ .m = p->m, .n = p->n, .type = p->type, .nb = NB, .layout = layout,
                                                         .purpose = OMPFACT_FOR_QR }, A);
}

/* T computed from V and tau is the panels' T: products with Q agree to rounding. */
START_TEST(reflectors)
{
    const struct problem p = { .type = types[_i / SIZES], .m = sizes[_i % SIZES].m, .n = sizes[_i % SIZES].n, .seed = 9 };
    ompfact_matrix *A, *C, *D;
    number tau[50];
    const struct problem any = { .type = p.type, .m = p.m, .n = 11, .seed = 10 };
    assert_everywhere(create_by_columns(&p, &A) == OMPFACT_SUCCESS);
    assert_everywhere(create_by_columns(&any, &C) == OMPFACT_SUCCESS && create_by_columns(&any, &D) == OMPFACT_SUCCESS);
    fill(A, &p);
    fill(C, &any);
    fill(D, &any);
    assert_everywhere(ompfact_tau(A, tau) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_tau(A, tau) == OMPFACT_SUCCESS);
    ompfact_matrix *F = copy_of(A);
    assert_everywhere(ompfact_adopt_geqrf(F, tau) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_unmqr(A, true, C) == OMPFACT_SUCCESS && ompfact_unmqr(F, true, D) == OMPFACT_SUCCESS);
    double apart = distance(C, D);
    assert_everywhere_msg(apart < 100 * precision_of(p.type)->eps * (double)p.m, "%c %d: %g", p.type, _i % SIZES, apart);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Where columns are on several ranks there is no tau, and the call is refused. */
START_TEST(no_tau)
{
    char layout[32];
    snprintf(layout, sizeof layout, "2dbc:%dx1", all_ranks_count());
    const struct problem p = { .type = 'd', .m = 64, .n = 20, .seed = 9 };
    ompfact_matrix *A = new_matrix(grid, &(ompfact_shape){ .m = p.m, .n = p.n, .nb = NB, .layout = layout });
    double tau[20];
    ompfact_status expected = all_ranks_count() > 1 ? OMPFACT_BAD_ARGUMENT : OMPFACT_SUCCESS;
    fill(A, &p);
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_tau(A, tau) == expected);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* A^H is computed tile by tile. */
START_TEST(transposed)
{
    const struct problem p = { .type = types[_i], .m = 37, .n = 20, .seed = 4 };
    ompfact_matrix *A = new_matrix(grid, &(ompfact_shape){ .m = p.m, .n = p.n, .type = p.type, .nb = NB }), *At;
    double worst = 0;
    fill(A, &p);
    assert_everywhere(ompfact_conj_transpose(A, &At) == OMPFACT_SUCCESS);
    number *a = gather(A, NULL), *t = gather(At, NULL);
    for (int64_t j = 0; j < p.n; j++)
        for (int64_t i = 0; i < p.m; i++)
            worst = larger(worst, cabs(a[i + j * p.m] - conj(t[j + i * p.n])));
    free(a);
    free(t);
    assert_everywhere(worst == 0);
    ompfact_matrix_destroy(&At);
    ompfact_matrix_destroy(&A);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("adopt");
    TCase *tests = tcase_create("factors made elsewhere");
    tcase_add_checked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, cholesky, 0, 4);
    tcase_add_loop_test(tests, lu, 0, 12);
    tcase_add_loop_test(tests, reflectors, 0, 4 * SIZES);
    tcase_add_test(tests, no_tau);
    tcase_add_loop_test(tests, transposed, 0, 4);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
