/* Finite fields, block designs and difference covers satisfy their axioms. */
#include "layouts/designs/designs.h"
#include "layouts/designs/field.h"
#include "tests/layouts/test_layouts.h"

/* ---- fields --------------------------------------------------------------------------------------------------------- */

/* The prime of a prime power, from a list of primes. */
static int prime_of(int q)
{
    static const int primes[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31 };
    for (size_t k = 0; k < sizeof primes / sizeof primes[0]; k++)
        for (int power = primes[k]; power <= q; power *= primes[k])
            if (power == q)
                return primes[k];
    return 0;
}

/* Powers of primes are recognised. */
START_TEST(prime_powers)
{
    for (int q = -3; q <= 36; q++)
        ck_assert_msg(prime_of_power(q) == (q > 1 ? prime_of(q) : 0), "%d: %d", q, prime_of_power(q));
    static const int cases[][2] = { { 961, 31 }, { 1024, 2 }, { 2187, 3 }, { 2401, 7 }, { 2402, 0 }, { 10007, 10007 },
                                    { 10001, 0 }, { INT_MAX, INT_MAX } };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        ck_assert_int_eq(prime_of_power(cases[k][0]), cases[k][1]);
}
END_TEST

static int wrong_pairs(const struct field *f, int a, int b)
{
    int sum = field_sum(f, a, b), product = field_product(f, a, b), q = f->order;
    return (sum < 0 || sum >= q) + (product < 0 || product >= q) + (sum != field_sum(f, b, a)) +
           (product != field_product(f, b, a));
}

static int wrong_triples(const struct field *f, int a, int b, int c)
{
    int left = field_product(f, a, field_sum(f, b, c)), right = field_sum(f, field_product(f, a, b), field_product(f, a, c));
    return (field_sum(f, field_sum(f, a, b), c) != field_sum(f, a, field_sum(f, b, c))) +
           (field_product(f, field_product(f, a, b), c) != field_product(f, a, field_product(f, b, c))) + (left != right);
}

/* GF(q) is a field: sums and products commute, associate and distribute; 0 and 1 are neutral; all but 0 have one inverse. */
START_TEST(field_axioms)
{
    struct field f;
    int q = _i, wrong = 0;
    ck_assert_int_eq(field_create(&f, q), prime_of(q) == 0);
    if (prime_of(q) == 0)
        return;
    ck_assert_int_eq(f.order, q);
    for (int a = 0; a < q; a++) {
        int negatives = 0, inverses = 0;
        wrong += field_sum(&f, a, 0) != a || field_product(&f, a, 1) != a || field_product(&f, a, 0) != 0;
        for (int b = 0; b < q; b++) {
            negatives += field_sum(&f, a, b) == 0;
            inverses += field_product(&f, a, b) == 1;
            wrong += wrong_pairs(&f, a, b);
            for (int c = 0; c < q; c++)
                wrong += wrong_triples(&f, a, b, c);
        }
        wrong += negatives != 1 || inverses != (a != 0);
    }
    int sum = 0;        /* 1 + 1 + ... is 0 after p terms */
    for (int k = 0; k < prime_of(q); k++)
        sum = field_sum(&f, sum, 1);
    ck_assert_int_eq(wrong + (sum != 0), 0);
    field_destroy(&f);
}
END_TEST

/* ---- designs -------------------------------------------------------------------------------------------------------- */

/* Checks the numbers of ranks and points, that blocks have `size` distinct points, and that every pair of points is in exactly
   one block. */
static void check_design(struct blocks *b, int ranks, int points, int size)
{
    int *together = zeros((size_t)points * (size_t)points, sizeof *together), wrong = b->first[0] != 0;
    ck_assert(b->ranks == ranks && b->points == points);
    for (int p = 0; p < ranks; p++) {
        wrong += b->first[p + 1] - b->first[p] != size;
        for (int s = b->first[p]; s < b->first[p + 1]; s++)
            for (int t = b->first[p]; t < b->first[p + 1]; t++) {
                ck_assert(b->point[s] >= 0 && b->point[s] < points);
                if (s != t)
                    together[b->point[s] * points + b->point[t]]++;
            }
    }
    for (int i = 0; i < points; i++)
        for (int j = 0; j < points; j++)
            wrong += together[i * points + j] != (i != j);
    ck_assert_msg(wrong == 0, "%d ranks, %d points: %d are wrong", ranks, points, wrong);
    free(together);
}

/* The pattern of a design is balanced, and its cost is the number of members over the number of points. */
static void check_pattern(const struct blocks *b)
{
    struct pattern *p = blocks_pattern(b);
    ck_assert_ptr_nonnull(p);
    check_shares(p);
    ck_assert_int_eq(pattern_is_balanced(p), 1);
    ck_assert_double_eq_tol(pattern_cost_cholesky(p), (double)b->first[b->ranks] / b->points, 1e-9);
    pattern_destroy(&p);
}

static void check_and_destroy(struct blocks *b, int ranks, int points, int size)
{
    check_design(b, ranks, points, size);
    check_pattern(b);
    blocks_destroy(b);
}

/* There are projective and affine planes of every order up to 13 that is a prime power, and of no other. */
START_TEST(planes)
{
    int q = _i, exists = prime_of(q) > 0;
    struct blocks b;
    ck_assert_int_eq(projective_plane(q, &b), !exists);
    if (exists)
        check_and_destroy(&b, q * q + q + 1, q * q + q + 1, q + 1);
    ck_assert_int_eq(affine_plane(q, &b), !exists);
    if (exists)
        check_and_destroy(&b, q * q + q, q * q, q);
}
END_TEST

/* Hermitian unitals of orders 2, 3 and 4 have q^3+1 points in blocks of q+1; order 6 is refused. */
START_TEST(unitals)
{
    struct blocks b;
    for (int q = 2; q <= 4; q++) {
        ck_assert_int_eq(hermitian_unital(q, &b), 0);
        check_and_destroy(&b, q * q * (q * q - q + 1), q * q * q + 1, q + 1);
    }
    ck_assert_int_eq(hermitian_unital(6, &b), 1);
}
END_TEST

/* There are maximal arcs, from hyperovals to affine planes, in planes of orders 4, 8 and 16, and none in those of odd order, or
   with 3 or 32 points a line. */
START_TEST(arcs)
{
    struct blocks b;
    for (int q = 4; q <= 16; q *= 2)
        for (int n = 2; n <= q; n *= 2) {
            int points = (n - 1) * (q + 1) + 1;
            ck_assert_int_eq(maximal_arc(q, n, &b), 0);
            check_and_destroy(&b, points * (q + 1) / n, points, n);
        }
    ck_assert(maximal_arc(9, 3, &b) && maximal_arc(16, 3, &b) && maximal_arc(16, 32, &b) && maximal_arc(16, 1, &b));
}
END_TEST

/* Steiner triple systems of v points where v is 1 or 3 modulo 6, from 7 on. */
START_TEST(triples)
{
    for (int v = -5; v <= 39; v++) {
        struct blocks b;
        int exists = v >= 7 && (v % 6 == 1 || v % 6 == 3);
        ck_assert_msg(steiner_triples(v, &b) == !exists, "%d points", v);
        if (exists)
            check_and_destroy(&b, v * (v - 1) / 6, v, 3);
    }
}
END_TEST

/* ---- differences ---------------------------------------------------------------------------------------------------- */

/* Counts how many of the differences 1 .. modulus-1 are never made, and how many more than once. Residues increase. */
static void count_differences(int modulus, const int *residues, int count, int *never, int *often)
{
    int *made = zeros((size_t)modulus, sizeof *made);
    *never = *often = 0;
    for (int s = 0; s < count; s++) {
        ck_assert(residues[s] >= 0 && residues[s] < modulus && (s == 0 || residues[s] > residues[s - 1]));
        for (int t = 0; t < count; t++)
            made[(residues[s] - residues[t] + modulus) % modulus]++;
    }
    for (int d = 1; d < modulus; d++) {
        *never += made[d] == 0;
        *often += made[d] > 1;
    }
    free(made);
}

/* Singer's set makes every difference exactly once. */
START_TEST(difference_sets)
{
    int residues[64], q = _i, never, often;
    ck_assert_int_eq(singer_difference_set(q, residues), prime_of(q) == 0);
    if (prime_of(q) == 0)
        return;
    count_differences(q * q + q + 1, residues, q + 1, &never, &often);
    ck_assert(never == 0 && often == 0);
}
END_TEST

static void check_cover(int modulus, double most)
{
    int *residues = zeros((size_t)modulus, sizeof *residues), never, often;
    int size = cyclic_cover(modulus, residues);
    count_differences(modulus, residues, size, &never, &often);
    ck_assert_msg(never == 0, "%d ranks: %d differences are not made", modulus, never);
    ck_assert_int_ge(size * (size - 1), modulus - 1);
    ck_assert_double_le(size, most);
    free(residues);
}

/* Cyclic covers make every difference, with few residues. */
START_TEST(covers)
{
    check_cover(_i, 1.25 * sqrt(_i) + 1.5);
}
END_TEST

/* Large covers make every difference, with more residues. */
START_TEST(large_covers)
{
    check_cover(100, 1.25 * sqrt(100));
    check_cover(300, 1.35 * sqrt(300));
    check_cover(1000, 1.5 * sqrt(1000));
    check_cover(2000, 1.6 * sqrt(2000));
}
END_TEST

/* Where the smallest size is known the cover has it, and is the same in every call. */
START_TEST(best_covers)
{
    static const struct { int modulus, size; } cases[] = { { 7, 3 }, { 13, 4 }, { 21, 5 }, { 31, 6 }, { 39, 7 }, { 57, 8 },
                                                           { 64, 9 } };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        int first[64], second[64], size = cyclic_cover(cases[k].modulus, first);
        ck_assert_int_eq(size, cases[k].size);
        ck_assert_int_eq(cyclic_cover(cases[k].modulus, second), size);
        ck_assert_int_eq(memcmp(first, second, (size_t)size * sizeof *first), 0);
    }
}
END_TEST

/* The pattern of a cover is valid and costs its size; rank p has one cell of each difference, on colrows B + p. The same holds
   for its blocks. */
START_TEST(cyclic_patterns)
{
    int modulus = 2 + 3 * _i, residues[64], wrong = 0, size = cyclic_cover(modulus, residues);
    struct pattern *p = cyclic_pattern(modulus, residues, size);
    struct blocks b;
    ck_assert_ptr_nonnull(p);
    check_shares(p);
    ck_assert_int_eq(pattern_is_balanced(p), 1);
    ck_assert_double_eq_tol(pattern_cost_cholesky(p), size, 1e-9);
    ck_assert_int_eq(cyclic_blocks(modulus, residues, size, &b), 0);
    for (int i = 0; i < modulus; i++)
        for (int j = 0; j < modulus; j++) {
            int rank = p->cell[i * modulus + j], next = p->cell[(i + 1) % modulus * modulus + (j + 1) % modulus], has = 0;
            wrong += i == j ? rank != LAYOUT_FREE : next != (rank + 1) % modulus;
            for (int k = 0; i != j && k < size; k++)
                has += b.point[b.first[rank] + k] == i || b.point[b.first[rank] + k] == j;
            wrong += i != j && has != 2;
        }
    ck_assert_int_eq(wrong, 0);
    blocks_destroy(&b);
    pattern_destroy(&p);
}
END_TEST

static Suite *designs_suite(void)
{
    Suite *suite = suite_create("designs");
    TCase *tests = tcase_create("designs");
    tcase_add_test(tests, prime_powers);
    tcase_add_loop_test(tests, field_axioms, 2, 33);
    tcase_add_loop_test(tests, planes, 2, 14);
    tcase_add_test(tests, unitals);
    tcase_add_test(tests, arcs);
    tcase_add_test(tests, triples);
    tcase_add_loop_test(tests, difference_sets, 2, 33);
    tcase_add_loop_test(tests, covers, 1, 65);
    tcase_add_test(tests, large_covers);
    tcase_add_test(tests, best_covers);
    tcase_add_loop_test(tests, cyclic_patterns, 0, 20);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(designs_suite());
}
