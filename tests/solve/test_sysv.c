/*
 * Symmetric indefinite systems. With any butterfly and any pivots, backward errors are those of a stable solution, and LU is used
 * only where it may be needed.
 */
#include "tests/fixtures.h"

#include <math.h>

enum { NRHS = 3 };

/* Matrices of order n given by entries with i >= j. */
struct system {
    struct problem p;
    enum kind { RANDOM, ZEROS_FIRST, SWAP, EXCHANGE, KINDS, HARD } kind;
};

static number lower_entry(const struct system *s, int64_t i, int64_t j)
{
    const struct problem *p = &s->p;
    int64_t n = p->n, zeros = n / 5;
    number random = random_number(p->type, p->seed, i, j), phase = random / cabs(random);
    if (i == j && has_real_diagonal(p))
        random = creal(random);
    switch (s->kind) {
    case HARD:      /* many zeros, and graded: D alone is no preconditioner */
        return i < n * 2 / 5 ? 0 : random * exp2(-12.0 * (double)(i + j) / (double)n);
    case ZEROS_FIRST:
        return i < zeros ? 0 : i == j ? 2 : random / sqrt((double)n);
    case SWAP:
        return i - j == n / 2 ? phase : 0;
    case EXCHANGE:
        return i + j == n - 1 ? (i == j ? 1 : phase) : 0;
    default:
        return random;
    }
}

static number system_entry(const struct system *s, int64_t i, int64_t j)
{
    number below = i >= j ? lower_entry(s, i, j) : lower_entry(s, j, i);
    return rounded(s->p.type, i >= j || s->p.symmetric ? below : conj(below));
}

static void fill_system(void *system, const ompfact_tile *t)
{
    const struct system *s = system;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            if (!is_beyond(&s->p, t->row + r, t->col + c))
                put(t, s->p.type, r, c, system_entry(s, t->row + r, t->col + c));
}

/* The largest |b - A x| / (||A|| |x| + |b|) of a column, in units of sqrt(n) u. */
static double backward_error(const struct system *s, const number *X)
{
    int64_t n = s->p.n;
    double worst = 0, norm = 0, r[NRHS] = { 0 }, x[NRHS] = { 0 }, b[NRHS] = { 0 };
    for (int64_t i = 0; i < n; i++) {
        number sum[NRHS];
        double row = 0;
        for (int c = 0; c < NRHS; c++)
            sum[c] = rhs_entry(&s->p, i, c);
        for (int64_t k = 0; k < n; k++) {
            number a = system_entry(s, i, k);
            row += cabs(a);
            for (int c = 0; c < NRHS; c++)
                sum[c] -= a * X[k + c * n];
        }
        norm = fmax(norm, row);
        for (int c = 0; c < NRHS; c++) {
            r[c] = larger(cabs(sum[c]), r[c]);
            x[c] = larger(cabs(X[i + c * n]), x[c]);
            b[c] = fmax(b[c], cabs(rhs_entry(&s->p, i, c)));
        }
    }
    for (int c = 0; c < NRHS; c++)
        worst = larger(r[c] / (norm * x[c] + b[c]), worst);
    return worst / sqrt((double)n) / precision_of(s->p.type)->eps;
}

/* Returns how the system was solved, in the count of ompfact_hesv() and ompfact_sysv(). */
static int solves(ompfact_grid *grid, struct system *s, int nb, const char *layout)
{
    ompfact_shape shape = shape_of(&s->p, nb, layout);
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, NRHS);
    int64_t info = -1;
    int iterations = -2;
    assert_everywhere(ompfact_fill_tiles(A, fill_system, s) == OMPFACT_SUCCESS);
    fill_rhs(B, &s->p);
    ompfact_status status = (s->p.symmetric ? ompfact_sysv : ompfact_hesv)(A, B, &info, &iterations);
    assert_everywhere_msg(status == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
    number *X = gather(B, NULL);
    double error = backward_error(s, X);
    assert_everywhere_msg(error <= 10, "kind %d, %c, n %lld, %s: backward error %g", s->kind, s->p.type, (long long)s->p.n,
                          layout, error);
    ompfact_report factored = ompfact_last_report(A);
    assert_everywhere(factored.transfers == factored.transfers_predicted);
    free(X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    return iterations;
}

/* All kinds, in all types, Hermitian and symmetric, by either triangle. With two levels of butterflies none needs LU. */
START_TEST(kinds)
{
    static const char *const layouts[] = { "2dbc", "g2dbc", "design" };
    ompfact_butterfly butterfly = (ompfact_butterfly)(_i % 4);
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .butterfly = butterfly });
    bool two = butterfly == OMPFACT_BUTTERFLY_AUTO || butterfly == OMPFACT_BUTTERFLY_TWO;
    for (int k = 0; k < KINDS; k++) {
        struct system s = { .p = { .type = "dzsc"[(k + _i) % 4], .hermitian = true, .symmetric = _i >= 4,
                                   .upper = (_i + k) / 2 % 2, .m = 90 + 10 * _i, .n = 90 + 10 * _i, .seed = 5 },
                            .kind = (enum kind)k };
        int iterations = solves(grid, &s, k % 2 == 0 ? 16 : 33, layouts[(k + _i) % 3]);
        assert_everywhere_msg(iterations >= (two || k == RANDOM ? 0 : -1), "kind %d, %c, n %lld: %d iterations", k, s.p.type,
                              (long long)s.p.n, iterations);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Without a butterfly, zeros in the first tiles leave nothing of A in D: LU solves, for all types and either triangle. */
START_TEST(needs_lu)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .butterfly = OMPFACT_BUTTERFLY_NONE });
    struct system s = { .p = { .type = "sdczcz"[_i / 2], .hermitian = true, .symmetric = _i >= 8, .upper = _i % 2, .m = 150,
                               .n = 150, .seed = 5 }, .kind = HARD };
    int iterations = solves(grid, &s, 24, _i % 2 == 0 ? "design" : "g2dbc");
    assert_everywhere_msg(iterations == -1, "%c: %d iterations", s.p.type, iterations);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A matrix of zeros has no solution. */
START_TEST(singular)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int64_t n = 0; n < 50; n += 49) {
        struct problem p = { .type = 'd', .hermitian = true, .m = n, .n = n, .seed = 2 };
        ompfact_shape shape = shape_of(&p, 16, "2dbc");
        ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, 2);
        int64_t info = -1;
        int iterations;
        fill_rhs(B, &p);
        assert_everywhere(ompfact_hesv(A, B, &info, &iterations) == OMPFACT_SUCCESS && info == (n > 0));
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *sysv_suite(void)
{
    Suite *suite = suite_create("sysv");
    TCase *tests = tcase_create("sysv");
    tcase_add_loop_test(tests, kinds, 0, 8);
    add_turns(tests, needs_lu, 12, 3);
    tcase_add_test(tests, singular);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, sysv_suite());
}
