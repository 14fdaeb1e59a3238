/* Triangular solves with matrices on any number of ranks: ratios like those of LAPACK's tests, by naive loops. */
#include "src/solve/check_in_range.h"
#include "tests/inverse/naive_loops.h"

#include <math.h>

/* Solves with a triangle divide by a zero on its diagonal, like BLAS: rows before it are finite, and none from it on. */
START_TEST(divides_by_zero)
{
    struct problem p = square("sdcz"[_i], true, 4 * NB + 3), q = square(p.type, false, p.n);
    ompfact_shape shape = shape_of(&p, NB, NULL), other = shape_of(&q, NB, NULL);
    ompfact_matrix *T = new_matrix(grid, &shape), *X = new_matrix(grid, &other);
    int64_t info = -1;
    p.zero = 2 * NB + 3;
    fill(T, &p);
    fill(X, &q);
    assert_everywhere(ompfact_zero_on_diagonal(T, &info) == OMPFACT_SUCCESS && info == p.zero);
    assert_everywhere(ompfact_zero_on_diagonal(X, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, T, X) == OMPFACT_SUCCESS);
    number *x = gather(X, &q);
    for (int64_t e = 0; e < p.n * p.n; e++)
        ck_assert_int_eq(isfinite(creal(x[e])) && isfinite(cimag(x[e])), e % p.n < p.zero - 1);
    free(x);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&T);
}
END_TEST

/* Like in BLAS, alpha = 0 gives zeros for any contents; a B with factors then has none. */
START_TEST(nothing)
{
    struct problem p = square('d', false, 3 * NB);
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_matrix(grid, &shape);
    int64_t info = -1;
    fill(A, &p);
    fill(B, &p);
    assert_everywhere(ompfact_getrf(B, &info) == OMPFACT_SUCCESS && info == 0);
    if (ompfact_owner(B, 0, 0) == my_rank()) {
        ompfact_tile t;
        ompfact_tile_get(B, 0, 0, &t);
        put(&t, 'd', 0, 0, NAN);
        ompfact_tile_restore(B, &t);
    }
    assert_everywhere(ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 0, 0, A, B) == OMPFACT_SUCCESS);
    double norm = -1;
    assert_everywhere(ompfact_norm1(B, &norm) == OMPFACT_SUCCESS && norm == 0);
    assert_everywhere(ompfact_getri(B, &info) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

START_TEST(solves)
{
    static const ompfact_trans ops[] = { OMPFACT_NO_TRANS, OMPFACT_TRANS, OMPFACT_CONJ_TRANS };
    for (int v = 0; v < 48; v++) {
        struct problem p = square("sdcz"[_i], v & 8, v % 5 == 0 ? NB - 1 : 3 * NB + 7);
        struct triangle t = { .p = &p, .upper = v & 1, .unit = v & 4, .trans = ops[v / 16] };
        p.upper = p.hermitian && t.upper;
        check_trsm(&p, v & 2, t, layouts[v % LAYOUTS]);
    }
}
END_TEST

/* The ratio by which the command checks such solves is small for a solution, and large for one with a wrong element. */
START_TEST(ratios_of_solves)
{
    struct problem p = square("sdcz"[_i % 4], true, 3 * NB + 5), b = { .type = p.type, .m = p.n, .n = 2 * NB + 5, .seed = 5 };
    int exponent = _i < 8 ? 0 : extreme_exponent(p.type, _i / 4 % 2);       /* the exponent of all numbers */
    p.upper = _i / 4 % 2;
    ompfact_shape shape = shape_of(&p, NB, NULL), other = shape_of(&b, NB, "2dbc");
    ompfact_matrix *T = new_matrix(grid, &shape), *X = new_matrix(grid, &other), *B = new_like(X);
    double ratio = -1;
    fill(T, &p);
    fill_rhs(X, &b);
    fill_rhs(B, &b);
    scale_by_power(T, exponent);
    scale_by_power(X, exponent);
    scale_by_power(B, exponent);
    assert_everywhere(ompfact_trsm(OMPFACT_LEFT, p.upper ? OMPFACT_UPPER : OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, T, X) ==
                      OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_triangle(T, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 0 && ratio < 30, "ratio %g", ratio);
    if (ompfact_owner(X, 1, 1) == my_rank()) {
        ompfact_tile t;
        ompfact_tile_get(X, 1, 1, &t);
        put(&t, p.type, 3, 4, ldexp(1, exponent > 0 ? exponent : 0));
        ompfact_tile_restore(X, &t);
    }
    fill_rhs(B, &b);
    scale_by_power(B, exponent);
    assert_everywhere(ompfact_residual_triangle(T, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 30 && isfinite(ratio), "of a wrong solution: ratio %g", ratio);
    assert_everywhere(ompfact_residual_triangle(X, X, B, &ratio) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_residual_triangle(T, X, T, &ratio) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&T);
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = { solves };
    Suite *suite = suite_create("triangular solves");
    TCase *tcase = tcase_create("triangular solves");
    tcase_add_unchecked_fixture(tcase, create_grid, destroy_grid);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        add_turns(tcase, tests[i], 4, 3);
    add_turns(tcase, ratios_of_solves, 16, 5);
    tcase_add_loop_test(tcase, divides_by_zero, 0, 4);
    tcase_add_test(tcase, nothing);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
