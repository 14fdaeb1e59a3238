/* What the tests of kernels share: tiles with NaNs where no kernel may read, and comparisons in units of roundoff. */
#ifndef OMPFACT_TESTS_OMP_KERNELS_TEST_KERNELS_H
#define OMPFACT_TESTS_OMP_KERNELS_TEST_KERNELS_H

#include "tests/problem.h"
#include "tests/suite.h"

static const int sizes[] = { 1, 2, 15, 16, 17, 33, 64, 65, 100, 130 };
enum { SIZES = sizeof sizes / sizeof sizes[0], PAD = 3 };

static const struct precision *precision;      /* under test */
static const struct kernels *k;                 /* of the type under test */

static inline void use_type(char type)
{
    precision = precision_of(type);
    k = precision->kernels;
}

/* ---- tiles -------------------------------------------------------------------------------------------------------------- */

static inline number at(const ompfact_tile *t, int r, int c)
{
    return get(t, precision->type, r, c);
}

static inline void set(const ompfact_tile *t, int r, int c, number value)
{
    put(t, precision->type, r, c, value);
}

/* Random numbers, and NaNs in the padding between columns. */
static inline ompfact_tile new_tile(int m, int n, unsigned seed)
{
    ompfact_tile t = { .mb = m, .nb = n, .ld = m + PAD };
    t.data = malloc((size_t)t.ld * (size_t)n * precision->size);
    ck_assert_ptr_nonnull(t.data);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < t.ld; r++)
            set(&t, r, c, r < m ? random_number(precision->type, seed, r, c) : NAN);
    return t;
}

static inline ompfact_tile copy_of(const ompfact_tile *t)
{
    ompfact_tile copy = *t;
    size_t bytes = (size_t)t->ld * (size_t)t->nb * precision->size;
    copy.data = malloc(bytes);
    ck_assert_ptr_nonnull(copy.data);
    memcpy(copy.data, t->data, bytes);
    return copy;
}

static inline void free_tiles(int count, ompfact_tile *tiles[])
{
    for (int i = 0; i < count; i++)
        free(tiles[i]->data);
}
#define FREE(...)                                                                                                                \
    free_tiles(sizeof((ompfact_tile *[]){ __VA_ARGS__ }) / sizeof(ompfact_tile *), (ompfact_tile *[]){ __VA_ARGS__ })

/* NaNs beyond a triangle, and on a unit diagonal, which no kernel may read. */
static inline void hide_rest(const ompfact_tile *t, enum uplo part, enum diag diag)
{
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            if ((part == LOWER && r < c) || (part == UPPER && r > c) || (part != GENERAL && diag == UNIT && r == c))
                set(t, r, c, NAN);
}

/* Element (r,c) of op(T), where T is the given part of a tile. */
static inline number factor_at(const ompfact_tile *t, enum uplo part, enum diag diag, enum trans trans, int r, int c)
{
    int row = trans == NO_TRANS ? r : c, col = trans == NO_TRANS ? c : r;
    if ((part == LOWER && row < col) || (part == UPPER && row > col))
        return 0;
    if (part != GENERAL && diag == UNIT && row == col)
        return 1;
    return trans == CONJ_TRANS ? conj(at(t, row, col)) : at(t, row, col);
}

/* ---- comparing ---------------------------------------------------------------------------------------------------------- */

static inline void check_padding(const ompfact_tile *t)
{
    int touched = 0;
    for (int c = 0; c < t->nb; c++)
        for (int r = t->mb; r < t->ld; r++)
            touched += !isnan(creal(at(t, r, c)));
    ck_assert_int_eq(touched, 0);
}

/* |have - want| is within 4 eps times `terms`, the number of roundings of size one. The elements have no assertion each, because
   Check writes a file at every assertion. */
static inline void check_close(number have, number want, double terms, const char *what, int r, int c)
{
    double error = cabs(have - want) / precision->eps;
    if (!(error <= 4 * terms))
        ck_abort_msg("%c%s: element (%d,%d) is off by %g eps, %g are allowed", precision->type, what, r, c, error, 4 * terms);
}

/* Runs each test for each type, and in the quick tier for s and z. A test of Check is a pointer to a const TTest. */
static inline int run_for_all_types(const char *name, size_t count, const TTest *const tests[])
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    for (size_t i = 0; i < count; i++)
        add_turns(tcase, tests[i], 4, 3);
    suite_add_tcase(suite, tcase);
    blas_select_kernels();
    return run_serial_suite(suite);
}

#endif
