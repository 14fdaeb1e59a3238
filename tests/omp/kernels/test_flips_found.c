/*
 * Checksums of tiles, all four types: their values, and the flipped bits that they find and correct. No MPI.
 */
#include "omp/kernels/packed_tile.h"
#include "omp/kernels/tile_sums.h"
#include "tests/omp/kernels/test_kernels.h"

static const struct { int m, n; } shapes[] = { { 1, 1 }, { 1, 40 }, { 40, 1 }, { 16, 16 }, { 33, 20 }, { 67, 130 }, { 200, 45 } };
enum { SHAPES = sizeof shapes / sizeof shapes[0], BITS = 8 };

/* A tile without gaps, and room for its sums. */
struct sample {
    struct summed_tile t;
    char *as_it_was;
    size_t bytes;
};

static struct sample new_sample_of(int widest, int m, int n, enum uplo part)
{
    size_t bytes = (size_t)m * (size_t)n * precision->size;
    struct sample s = { .bytes = bytes, .as_it_was = malloc(bytes) };
    s.t = (struct summed_tile){ .precision = precision, .widest = widest, .m = m, .n = n, .A = malloc(bytes), .part = part,
                                .S = malloc((size_t)m * SUMS * precision->size), .depth = n };
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            bool there = part == GENERAL || (part == LOWER ? i >= j : i <= j);
            number x = there ? random_number(precision->type, (unsigned)m, i, j) : NAN;
            x = part != GENERAL && i == j ? creal(x) : x;
            precision->set((char *)s.t.A + (size_t)(i + j * m) * precision->size, creal(x), cimag(x));
        }
    memcpy(s.as_it_was, s.t.A, bytes);
    if (part == GENERAL)
        s.t.past = tile_sums(precision, widest, m, n, s.t.A, m, s.t.S);
    else
        ck_assert_int_eq(triangle_sums(precision, widest, part, false, n, s.t.A, s.t.S, &s.t.past), 0);
    return s;
}

static struct sample new_sample(int m, int n, enum uplo part)
{
    return new_sample_of(n, m, n, part);
}

static void free_sample(struct sample *s)
{
    free(s->t.A);
    free(s->t.S);
    free(s->as_it_was);
}

static char *place(const struct sample *s, int i, int j)
{
    return (char *)s->t.A + (size_t)(i + j * s->t.m) * precision->size;
}

static number value(const void *element)
{
    double re, im;
    precision->get(element, &re, &im);
    return re + im * (number)I;
}

static number sum_at(const struct sample *s, int i, int which)
{
    return value((const char *)s->t.S + (size_t)(i + which * s->t.m) * precision->size);
}

static struct tile_finding check_tile(const struct sample *s)
{
    struct tile_finding finding;
    ck_assert_int_eq(tile_repair(&s->t, &finding), 0);
    return finding;
}

/* The tile is as before, except for rounding where it was corrected. */
static void check_right(const struct sample *s, const char *what)
{
    double worst = 0;
    for (int j = 0; j < s->t.n; j++)
        for (int i = 0; i < s->t.m; i++) {
            number was = value(s->as_it_was + (size_t)(i + j * s->t.m) * precision->size);
            if (!isnan(creal(was)))
                worst = larger(worst, cabs(value(place(s, i, j)) - was));
        }
    ck_assert_msg(worst <= 4 * (10 + s->t.n) * precision->eps, "%c: %s is off by %g eps", precision->type, what,
                  worst / precision->eps);
}

static void flip(char *element, int bit)
{
    element[bit / BITS] ^= (char)(1 << bit % BITS);
}

START_TEST(sums_are_of_rows)
{
    use_type("sdcz"[_i]);
    for (int at = 0; at < SHAPES; at++) {
        struct sample s = new_sample(shapes[at].m, shapes[at].n, GENERAL);
        int period = (int)ceil(sqrt(s.t.n));
        double largest = 0;
        for (int i = 0; i < s.t.m; i++) {
            number sum = 0, coarse = 0, fine = 0;
            for (int j = 0; j < s.t.n; j++) {
                number x = value(place(&s, i, j));
                sum += x;
                coarse += (1 + (j + 1.0) / s.t.n) * x;
                fine += (1 + (j % period + 1.0) / period) * x;
                largest = fmax(largest, fmax(fabs(creal(x)), fabs(cimag(x))));
            }
            check_close(sum_at(&s, i, 0), sum, 2 * s.t.n, "sum", i, 0);
            check_close(sum_at(&s, i, 1), coarse, 4 * s.t.n, "weighted sum", i, 1);
            check_close(sum_at(&s, i, 2), fine, 4 * s.t.n, "weighted sum", i, 2);
        }
        ck_assert(s.t.past.element == largest);
        ck_assert_int_eq(check_tile(&s).found, 0);
        free_sample(&s);
    }
}
END_TEST

/* Flips the sign, bits of the exponent and the upper half of the mantissa, in columns from the first to the last. */
START_TEST(a_flipped_bit_is_corrected)
{
    use_type("sdcz"[_i]);
    int real = precision->size == 4 || precision->type == 'c' ? 32 : 64, parts = (int)precision->size * BITS / real;
    for (int at = 0; at < SHAPES; at++)
        for (int bit = real - (real == 32 ? 12 : 32); bit < real; bit++) {
            struct sample s = new_sample(shapes[at].m, shapes[at].n, GENERAL);
            int i = bit % s.t.m, j = bit * 7 % s.t.n;
            flip(place(&s, i, j), bit + (parts - 1) * real * (bit % 2));
            double change = cabs(value(place(&s, i, j)) - value(s.as_it_was + (size_t)(i + j * s.t.m) * precision->size));
            struct tile_finding finding = check_tile(&s);
            ck_assert_msg(!finding.lost && finding.found == finding.corrected, "%c bit %d of (%d,%d)", precision->type, bit, i,
                          j);
            ck_assert_msg(finding.found == 1 || change < 3e4 * s.t.n * precision->eps, "%c bit %d of (%d,%d): %g is not found",
                          precision->type, bit, i, j, change);
            if (finding.found > 0)
                check_right(&s, "the flipped bit");
            ck_assert_int_eq(check_tile(&s).found, 0);
            free_sample(&s);
        }
}
END_TEST

/* A number is not finite, or so large that its sums are not. */
START_TEST(numbers_without_sums_are_corrected)
{
    use_type("sdcz"[_i]);
    const double most = precision->size == 4 || precision->type == 'c' ? 3e38 : 1.7e308, wrong[] = { NAN, INFINITY, -most, most };
    for (int w = 0; w < 4; w++) {
        struct sample s = new_sample(33, 20, GENERAL);
        precision->set(place(&s, 7, 19), wrong[w], 0);
        struct tile_finding finding = check_tile(&s);
        ck_assert(finding.found == 1 && finding.corrected == 1 && !finding.lost);
        check_right(&s, "the number that was not finite");
        free_sample(&s);
    }
}
END_TEST

/* The difference of the old and the new number overflows. */
START_TEST(the_sign_of_a_huge_number_is_corrected)
{
    use_type("sdcz"[_i]);
    const double much = precision->size == 4 || precision->type == 'c' ? 1.2e38 : 1.2e308;
    struct sample s = new_sample(4, 8, GENERAL);
    precision->set(place(&s, 1, 0), much, 0);
    s.t.past = tile_sums(precision, 8, 4, 8, s.t.A, 4, s.t.S);
    ck_assert(isfinite(s.t.past.sum));
    precision->set(place(&s, 1, 0), -much, 0);
    struct tile_finding finding = check_tile(&s);
    ck_assert(finding.found == 1 && finding.corrected == 1 && !finding.lost);
    ck_assert(creal(value(place(&s, 1, 0))) > 0);
    free_sample(&s);
}
END_TEST

/* A row's numbers are finite, but its sums overflow, as do the checksums: the row has no usable checksum, and this is no flip.
   Flips in other rows are still found. */
START_TEST(overflowed_sums_find_nothing)
{
    use_type("sdcz"[_i]);
    struct sample s = new_sample(16, 16, GENERAL);
    double large = precision->type == 's' || precision->type == 'c' ? 0x1p125 : 0x1p1021;
    for (int j = 0; j < 16; j++)
        precision->set(place(&s, 3, j), large, 0);
    memcpy(s.as_it_was, s.t.A, s.bytes);
    tile_sums(precision, s.t.widest, 16, 16, s.t.A, 16, s.t.S);
    ck_assert_int_eq(check_tile(&s).found, 0);
    ck_assert_int_eq(memcmp(s.t.A, s.as_it_was, s.bytes), 0);
    precision->set(place(&s, 5, 7), 100, 0);
    struct tile_finding finding = check_tile(&s);
    ck_assert(finding.found == 1 && finding.corrected == 1 && !finding.lost);
    ck_assert_int_eq(memcmp(place(&s, 3, 0), s.as_it_was + 3 * precision->size, precision->size), 0);
    free_sample(&s);
}
END_TEST

START_TEST(a_wrong_column_is_corrected)
{
    use_type("sdcz"[_i]);
    for (int spoilt = 0; spoilt < 2; spoilt++) {
        struct sample s = new_sample(67, 130, GENERAL);
        for (int i = 0; i < s.t.m; i++) {
            number x = value(place(&s, i, 41)) + (spoilt ? NAN : 0.9 * random_number(precision->type, 5, i, 0) * pow(0.7, i));
            precision->set(place(&s, i, 41), creal(x), cimag(x));
        }
        struct tile_finding finding = check_tile(&s);
        ck_assert(finding.found == 1 && finding.corrected == 1 && !finding.lost);
        check_right(&s, "a column");
        free_sample(&s);
    }
}
END_TEST

START_TEST(a_wrong_sum_is_corrected)
{
    use_type("sdcz"[_i]);
    const double wrong[] = { 2, INFINITY };
    for (int at = 0; at < 2 * SUMS; at++) {
        struct sample s = new_sample(33, 20, GENERAL);
        int which = at % SUMS;
        number was = sum_at(&s, 4, which);
        precision->set((char *)s.t.S + (size_t)(4 + which * s.t.m) * precision->size, creal(was) + wrong[at / SUMS], cimag(was));
        struct tile_finding finding = check_tile(&s);
        ck_assert(finding.found == 1 && finding.corrected == 1 && !finding.lost);
        check_close(sum_at(&s, 4, which), was, 4 * s.t.n, "sum", 4, which);
        ck_assert_int_eq(memcmp(s.t.A, s.as_it_was, s.bytes), 0);
        free_sample(&s);
    }
}
END_TEST

/* Only one triangle is stored, and an element counts in two rows. */
START_TEST(a_hermitian_tile_is_corrected)
{
    use_type("sdcz"[_i]);
    for (int lower = 0; lower < 2; lower++)
        for (int i = 0; i < 30; i += 7)
            for (int j = 0; j <= i; j += 3) {
                struct sample s = new_sample(30, 30, lower ? LOWER : UPPER);
                char *element = lower ? place(&s, i, j) : place(&s, j, i);
                precision->set(element, creal(value(element)) + 5, cimag(value(element)));
                struct tile_finding finding = check_tile(&s);
                ck_assert(finding.found == 1 && finding.corrected == 1 && !finding.lost);
                check_right(&s, "an element of a triangle");
                int touched = 0;
                for (int c = 0; c < 30; c++)
                    for (int r = 0; r < 30; r++)
                        touched += isnan(creal(value(place(&s, r, c)))) != (lower ? r < c : r > c);
                ck_assert_int_eq(touched, 0);
                free_sample(&s);
            }
}
END_TEST

START_TEST(two_rows_are_corrected_and_two_in_a_row_are_lost)
{
    use_type("sdcz"[_i]);
    struct sample s = new_sample(33, 20, GENERAL);
    precision->set(place(&s, 3, 2), 9, 0);
    precision->set(place(&s, 30, 17), -30, 0);
    struct tile_finding finding = check_tile(&s);
    ck_assert(finding.found == 2 && finding.corrected == 2 && !finding.lost);
    check_right(&s, "two elements");
    precision->set(place(&s, 3, 2), 90, 0);
    precision->set(place(&s, 3, 3), 45, 0);
    finding = check_tile(&s);
    ck_assert(finding.found == 1 && finding.corrected == 0 && finding.lost);
    free_sample(&s);
}
END_TEST

/* A tile and its checksums after an update, which leaves rounding errors between them. */
static struct sample updated_sample(int widest, int m, int n, int inner)
{
    struct sample s = new_sample_of(widest, m, n, GENERAL);
    ompfact_tile L = new_tile(m, inner, 3), U = new_tile(inner, n, 4), V = new_tile(inner, SUMS, 5);
    L.ld = m, U.ld = inner, V.ld = inner;   /* leading dimensions without gaps, as in stored tiles; the gaps are overwritten */
    for (int c = 0; c < inner; c++)
        for (int r = 0; r < m; r++)
            set(&L, r, c, random_number(precision->type, 3, r, c));
    for (int c = 0; c < n; c++)
        for (int r = 0; r < inner; r++)
            set(&U, r, c, random_number(precision->type, 4, r, c));
    struct tile_scale of_row = tile_sums(precision, widest, inner, n, U.data, inner, V.data);
    k->gemm(NO_TRANS, NO_TRANS, m, n, inner, -1, L.data, m, U.data, inner, s.t.A, m);
    k->gemm(NO_TRANS, NO_TRANS, m, SUMS, inner, -1, L.data, m, V.data, inner, s.t.S, m);
    s.t.depth = inner;
    s.t.past.element = fmax(s.t.past.element, of_row.element);
    s.t.past.sum = fmax(s.t.past.sum, of_row.sum);
    memcpy(s.as_it_was, s.t.A, s.bytes);
    FREE(&L, &U, &V);
    return s;
}

START_TEST(rounding_is_no_flip)
{
    use_type("sdcz"[_i]);
    struct sample s = updated_sample(70, 80, 70, 90);
    ck_assert_int_eq(check_tile(&s).found, 0);
    free_sample(&s);
}
END_TEST

/* Changes element (i,j) by more and more, beginning below rounding. Small changes are not found. From some change on each is
   found and corrected, and no other element changes. */
static void check_located(const struct sample *s, int i, int j)
{
    char *element = place(s, i, j);
    number was = value(element);
    int found = 0;
    for (double change = 10 * precision->eps; change < 1e6 * precision->eps * s->t.widest; change *= 1.3) {
        precision->set(element, creal(was) + change, cimag(was));
        struct tile_finding finding = check_tile(s);
        double left = cabs(value(element) - was);
        bool right = finding.found == 0 || (finding.found == 1 && left < change / 4);
        ck_assert_msg(right && !finding.lost && finding.found == finding.corrected && finding.found >= found,
                      "%c %d x %d: (%d,%d), changed by %g eps: %d found, %g of it left", precision->type, s->t.m, s->t.n, i, j,
                      change / precision->eps, finding.found, left / change);
        found = finding.found;
        memcpy(element, s->as_it_was + (element - (char *)s->t.A), precision->size);
        ck_assert_int_eq(memcmp(s->t.A, s->as_it_was, s->bytes), 0);
    }
    ck_assert_int_eq(found, 1);
}

START_TEST(a_found_flip_is_located)
{
    use_type("sdcz"[_i]);
    static const struct { int widest, m, n; } tiles[] = { { 669, 669, 669 }, { 669, 1, 669 }, { 669, 2, 660 }, { 669, 7, 30 },
                                                          { 40, 300, 40 }, { 300, 40, 3 } };
    for (int at = 0; at < 6; at++) {
        struct sample s = updated_sample(tiles[at].widest, tiles[at].m, tiles[at].n, 64);
        for (int draw = 0; draw < 12; draw += in_full_tier() ? 1 : 5)
            check_located(&s, draw * 91 % s.t.m, draw < 3 ? s.t.n - 1 - draw : draw * 57 % s.t.n);
        free_sample(&s);
    }
}
END_TEST

/* The element counts in two rows, and the mean of these may point to another column. */
START_TEST(a_found_flip_in_a_hermitian_tile_is_located)
{
    use_type("sdcz"[_i]);
    static const struct { int widest, n; } tiles[] = { { 100, 100 }, { 400, 8 }, { 448, 448 } };
    for (int lower = 0; lower < 2; lower++)
        for (int at = 0; at < 3; at++) {
            int n = tiles[at].n, period = sums_period(tiles[at].widest), below[] = { 0, 1, 2, 2 * period };
            struct sample s = new_sample_of(tiles[at].widest, n, n, lower ? LOWER : UPPER);
            for (int b = 0; b < 4; b++)
                for (int j = 0; j + below[b] < n; j += 1 + n / 7)
                    check_located(&s, lower ? j + below[b] : j, lower ? j : j + below[b]);
            free_sample(&s);
        }
}
END_TEST

START_TEST(rows_and_columns_of_packed_tiles_are_summed_up)
{
    use_type("sdcz"[_i]);
    for (int at = 0; at < SHAPES; at++) {
        struct sample s = new_sample(shapes[at].m, shapes[at].n, GENERAL);
        double norm = 0, plain;
        for (int i = 0; i < s.t.m; i++) {
            double sum = 0;
            for (int j = 0; j < s.t.n; j++)
                sum += pow(cabs(value(place(&s, i, j))), 2);
            norm = fmax(norm, sqrt(sum));
        }
        ck_assert(row_norm(precision, s.t.m, s.t.n, s.t.A, &plain) == 0);
        packed_kernels_of(precision->type)->pack(s.t.m, s.t.n, (struct view){ s.as_it_was, 1, s.t.m, false }, s.t.A);
        char *V = malloc((size_t)s.t.n * SUMS * precision->size), *unpacked = malloc((size_t)s.t.n * SUMS * precision->size);
        struct tile_scale scale = packed_sums(precision, s.t.m, s.t.m, s.t.n, s.t.A, V);
        double squares[SUMS] = { 0 };
        packed_kernels_of(precision->type)->unpack(SUMS, s.t.n, V, (struct view){ unpacked, 1, SUMS, false });
        for (int j = 0; j < s.t.n; j++) {
            for (int which = 0; which < SUMS; which++) {
                number sum = 0;
                for (int i = 0; i < s.t.m; i++)
                    sum += sums_weight(s.t.m, i, which) * value(s.as_it_was + (size_t)(i + j * s.t.m) * precision->size);
                check_close(value(unpacked + (size_t)(SUMS * j + which) * precision->size), sum, 4 * s.t.m, "sum", which, j);
                squares[which] += pow(cabs(sum), 2);
            }
        }
        double largest = sqrt(fmax(squares[0], fmax(squares[1], squares[2])));
        free(V);
        free(unpacked);
        ck_assert(plain >= norm * (1 - 1e-6) && plain <= 3 * norm);
        ck_assert(scale.element >= norm / sqrt(2) * (1 - 1e-6) && scale.element <= 3 * norm);
        ck_assert(scale.sum >= largest / sqrt(2) * (1 - 1e-6) && scale.sum <= 3 * largest);
        free_sample(&s);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        sums_are_of_rows, a_flipped_bit_is_corrected, numbers_without_sums_are_corrected,
        the_sign_of_a_huge_number_is_corrected, a_wrong_column_is_corrected, overflowed_sums_find_nothing,
        a_wrong_sum_is_corrected, a_hermitian_tile_is_corrected, two_rows_are_corrected_and_two_in_a_row_are_lost,
        rounding_is_no_flip, a_found_flip_is_located, a_found_flip_in_a_hermitian_tile_is_located,
        rows_and_columns_of_packed_tiles_are_summed_up,
    };
    return run_for_all_types("flips found", sizeof tests / sizeof tests[0], tests);
}
