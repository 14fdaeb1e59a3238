/* Programs may trap floating-point exceptions: factorizations, solves and least squares of clean numbers raise none on any
   thread. */
#define _GNU_SOURCE     /* feenableexcept */
#include "tests/fixtures.h"

#include <fenv.h>

enum { N = 150, NB = 40, NRHS = 3, WRONG = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static ompfact_status solve(ompfact_matrix *A, ompfact_matrix *B, const struct problem *p, int64_t *info)
{
    ompfact_matrix *X = NULL;
    ompfact_status status = p->m > p->n    ? ompfact_gels(A, B, &X, info)
                            : p->hermitian ? ompfact_posv(A, B, info)
                                           : ompfact_gesv(A, B, info);
    ompfact_matrix_destroy(&X);
    return status;
}

/* Threads inherit the traps of the thread that creates them. Where the processor has no traps the flags of this thread are
   checked. */
START_TEST(traps)
{
    char type = "sdcz"[_i / 3];
    struct problem p = { .type = type, .m = _i % 3 == 2 ? 2 * N : N, .n = N, .seed = 3, .hermitian = _i % 3 == 0,
                         .pivots = _i % 3 == 1 };
    ompfact_shape shape = { .m = p.m, .n = p.n, .nb = NB, .type = type,
                            .structure = p.hermitian ? OMPFACT_HERMITIAN_LOWER : OMPFACT_GENERAL };
    int64_t info = -1;
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(WRONG);
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_PARTIAL });
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, NRHS);
    fill(A, &p);
    fill_rhs(B, &p);
    ompfact_status status = solve(A, B, &p, &info);
    int raised = fetestexcept(WRONG);
    fedisableexcept(WRONG);
    assert_everywhere_msg(status == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    assert_everywhere(info == 0 && raised == 0);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("traps");
    TCase *tcase = tcase_create("traps");
    tcase_add_loop_test(tcase, traps, 0, 4 * 3);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
