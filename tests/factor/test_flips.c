/*
 * Bits that flip in the memory of a matrix while it is factored, on any number of ranks. They are found and corrected in every
 * algorithm, schedule and layout. Nothing is found where nothing has flipped. What cannot be corrected ends the call with the
 * same status on all ranks.
 */
#include "tests/fixtures.h"

enum { NB = 20, EXPONENT = 62, MANTISSA = 51 };      /* numbers of bits in a double */

/* An algorithm, with the structure of its matrix. */
struct kind {
    ompfact_structure structure;
    ompfact_purpose purpose;
    ompfact_pivot pivot;
};
static const struct kind kinds[] = {
    { OMPFACT_HERMITIAN_LOWER, OMPFACT_FOR_LU, OMPFACT_PIVOT_NONE },
    { OMPFACT_HERMITIAN_UPPER, OMPFACT_FOR_LU, OMPFACT_PIVOT_NONE },
    { OMPFACT_GENERAL, OMPFACT_FOR_LU, OMPFACT_PIVOT_NONE },
    { OMPFACT_GENERAL, OMPFACT_FOR_LU, OMPFACT_PIVOT_PARTIAL },
    { OMPFACT_GENERAL, OMPFACT_FOR_LU, OMPFACT_PIVOT_TOURNAMENT },
    { OMPFACT_GENERAL, OMPFACT_FOR_QR, OMPFACT_PIVOT_NONE },
    { OMPFACT_HERMITIAN_LOWER, OMPFACT_FOR_LU, OMPFACT_PIVOT_PARTIAL },     /* indefinite: pivots within tiles */
    { OMPFACT_HERMITIAN_UPPER, OMPFACT_FOR_LU, OMPFACT_PIVOT_PARTIAL },
    { OMPFACT_SYMMETRIC_LOWER, OMPFACT_FOR_LU, OMPFACT_PIVOT_PARTIAL },
    { OMPFACT_SYMMETRIC_UPPER, OMPFACT_FOR_LU, OMPFACT_PIVOT_PARTIAL },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool is_upper_kind(const struct kind *kind)
{
    return kind->structure == OMPFACT_HERMITIAN_UPPER || kind->structure == OMPFACT_SYMMETRIC_UPPER;
}

static bool is_symmetric_kind(const struct kind *kind)
{
    return kind->structure == OMPFACT_SYMMETRIC_LOWER || kind->structure == OMPFACT_SYMMETRIC_UPPER;
}

static struct problem problem_of(const struct kind *kind, char type, int64_t m, int64_t n)
{
    bool hermitian = kind->structure != OMPFACT_GENERAL;
    return (struct problem){ .type = type, .hermitian = hermitian, .symmetric = is_symmetric_kind(kind),
                             .upper = is_upper_kind(kind), .m = m, .n = n, .seed = 3,
                             .pivots = kind->pivot != OMPFACT_PIVOT_NONE || kind->purpose == OMPFACT_FOR_QR };
}

static ompfact_matrix *matrix_of(ompfact_grid *grid, const struct kind *kind, const struct problem *p, const char *layout)
{
    return new_matrix(grid, &(ompfact_shape){ .m = p->m, .n = p->n, .type = p->type, .structure = kind->structure,
                                              .purpose = kind->purpose, .nb = NB, .layout = layout });
}

static ompfact_status call(ompfact_matrix *A, const struct kind *kind, int64_t *info)
{
    *info = 0;
    if (kind->purpose == OMPFACT_FOR_QR)
        return ompfact_geqrf(A);
    if (kind->structure == OMPFACT_GENERAL)
        return ompfact_getrf(A, info);
    return kind->pivot == OMPFACT_PIVOT_NONE ? ompfact_potrf(A, info)
           : is_symmetric_kind(kind)         ? ompfact_sytrf(A, info) : ompfact_hetrf(A, info);
}

static ompfact_status factor(ompfact_matrix *A, const struct kind *kind)
{
    int64_t info;
    ompfact_status status = call(A, kind, &info);
    assert_everywhere_msg(status != OMPFACT_SUCCESS || info == 0, "info %lld", (long long)info);
    return status;
}

static double ratio_of(ompfact_matrix *A, const struct kind *kind, const struct problem *p)
{
    double ratio = NAN;
    ompfact_matrix *whole = new_like(A);
    fill(whole, p);
    ompfact_status status = kind->purpose == OMPFACT_FOR_QR ? ompfact_residual_qr(whole, A, &ratio)
                                                            : ompfact_residual_factors(whole, A, &ratio);
    assert_everywhere(status == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&whole);
    return ratio;
}

/* Factors with these options, and returns the report. Real symmetric matrices are Hermitian, so complex ones are used. */
static ompfact_report run(const struct kind *kind, char type, int64_t m, int64_t n, const char *layout, ompfact_options options)
{
    const ompfact_flip *flip = options.testing != NULL ? &options.testing->flip : &(ompfact_flip){ 0 };
    options.pivot = kind->pivot;
    if (is_symmetric_kind(kind))
        type = type == 's' ? 'c' : type == 'd' ? 'z' : type;
    struct problem p = problem_of(kind, type, m, n);
    ompfact_grid *grid = new_grid(options);
    ompfact_matrix *A = matrix_of(grid, kind, &p, layout);
    fill(A, &p);
    assert_everywhere_msg(factor(A, kind) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    ompfact_report report = ompfact_last_report(A);
    double ratio = ratio_of(A, kind, &p);
    bool harmed = flip->on && !options.abft;
    assert_everywhere_msg(harmed != (ratio < 30), "kind %d type %c %s: ratio %g, tile (%d,%d) step %d bit %d",
                          (int)(kind - kinds), type, layout, ratio, flip->i, flip->j, flip->step, flip->bit);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    return report;
}

static bool is_stored(const struct kind *kind, int i, int j)
{
    return kind->structure == OMPFACT_GENERAL || (is_upper_kind(kind) ? i <= j : i >= j);
}

/* options.testing selects the flip. */
static void find(const struct kind *kind, char type, int64_t m, int64_t n, const char *layout, ompfact_options options)
{
    const ompfact_flip *flip = &options.testing->flip;
    options.abft = true;
    ompfact_report report = run(kind, type, m, n, layout, options);
    assert_everywhere_msg(report.faults_found >= 1 && report.faults_corrected == report.faults_found,
                          "kind %d type %c %s: %lld found, %lld corrected, tile (%d,%d) step %d bit %d", (int)(kind - kinds),
                          type, layout, (long long)report.faults_found, (long long)report.faults_corrected, flip->i, flip->j,
                          flip->step, flip->bit);
}

START_TEST(a_flip_in_any_tile_and_step_is_put_right)
{
    const struct kind *kind = &kinds[_i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k <= i && k <= j && is_stored(kind, i, j); k++) {
                const ompfact_testing testing = { .flip = { true, .step = k, .i = i, .j = j, .bit = EXPONENT } };
                find(kind, 'd', 55, 55, "2dbc", (ompfact_options){ .threads = 1, .testing = &testing });
            }
}
END_TEST

START_TEST(a_flip_is_put_right_in_any_order)
{
    const struct kind *kind = &kinds[_i];
    bool upper = is_upper_kind(kind);
    for (int schedule = OMPFACT_DYNAMIC; schedule <= OMPFACT_BASIC; schedule++)
        for (int k = 0; k <= 2; k++) {
            const ompfact_testing testing = { .jitter_us = 50, .flip = { true, .step = k, .i = upper ? 2 : 3, .j = upper ? 3 : 2,
                                                                         .bit = MANTISSA } };
            ompfact_options options = { .threads = 2, .schedule = (ompfact_schedule)schedule,
                                        .copy_on_node = (schedule + k) % 2, .testing = &testing };
            find(kind, 'd', 90, 90, "g2dbc", options);
        }
}
END_TEST

START_TEST(a_flip_is_put_right_in_any_type)
{
    static const struct { char type; int bit; } flips[] = { { 's', 30 }, { 'c', 32 + 30 }, { 'd', 63 }, { 'z', 64 + 62 } };
    const struct kind *kind = &kinds[_i];
    bool upper = is_upper_kind(kind);
    for (size_t f = 0; f < sizeof flips / sizeof flips[0]; f++) {
        const ompfact_testing testing = { .flip = { true, .step = 1, .i = upper ? 1 : 3, .j = upper ? 3 : 1,
                                                    .bit = flips[f].bit } };
        find(kind, flips[f].type, 90, 90, "g2dbc", (ompfact_options){ .threads = 2, .testing = &testing });
    }
}
END_TEST

START_TEST(a_flip_without_abft_spoils_the_factors)
{
    const struct kind *kind = &kinds[_i];
    bool upper = is_upper_kind(kind);
    const ompfact_testing testing = { .flip = { true, .step = 1, .i = upper ? 1 : 3, .j = upper ? 3 : 1, .bit = MANTISSA } };
    ompfact_report report = run(kind, 'd', 90, 90, "g2dbc", (ompfact_options){ .threads = 2, .testing = &testing });
    assert_everywhere(report.faults_found == 0 && report.faults_corrected == 0);
}
END_TEST

START_TEST(nothing_is_found_where_nothing_has_happened)
{
    const struct kind *kind = &kinds[_i];
    bool square = kind->structure != OMPFACT_GENERAL;
    static const char *const layouts[] = { "2dbc", "g2dbc" };
    for (int t = 0; t < 4; t++)
        for (int shape = 0; shape < (square ? 1 : 3); shape++) {
            int64_t m = shape == 1 ? 70 : 130, n = shape == 2 ? 70 : 130;
            ompfact_report report = run(kind, "sdcz"[t], m, n, layouts[t % 2], (ompfact_options){ .threads = 2, .abft = true });
            assert_everywhere(report.faults_found == 0 && report.faults_corrected == 0);
        }
}
END_TEST

/* ---- flips that cannot be corrected
   ----------------------------------------------------------------------------------------- */

/* Changes two elements of a row, which checksums cannot separate, after the factorization has begun. */
struct sabotage {
    ompfact_matrix *A;
    int i, j;
    bool done;
};

static void spoil(void *context, double share)
{
    struct sabotage *s = context;
    ompfact_tile t;
    (void)share;
    if (s->done || s->A == NULL || ompfact_tile_get(s->A, s->i, s->j, &t) != OMPFACT_SUCCESS)
        return;
    s->done = true;
    put(&t, 'd', 1, 0, 77);
    put(&t, 'd', 1, 1, 44);
    ompfact_tile_restore(s->A, &t);
}

START_TEST(what_cannot_be_put_right_ends_all_ranks_alike)
{
    const struct kind *kind = &kinds[_i];
    bool upper = is_upper_kind(kind);
    struct sabotage s = { .i = upper ? 4 : 5, .j = upper ? 5 : 4 };
    struct problem p = problem_of(kind, 'd', 6 * NB, 6 * NB);
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .abft = true, .pivot = kind->pivot, .progress = spoil,
                                                     .progress_context = &s });
    ompfact_matrix *A = matrix_of(grid, kind, &p, "2dbc");
    fill(A, &p);
    s.A = A;
    assert_everywhere(factor(A, kind) == OMPFACT_FAULT_FOUND);
    const char *message = ompfact_message(grid);
    assert_everywhere_msg(strstr(message, "tile (") != NULL && strstr(message, "rank") != NULL && strstr(message, "step") != NULL,
                          "%s", message);
    if (kind->pivot == OMPFACT_PIVOT_NONE && kind->purpose != OMPFACT_FOR_QR)       /* other algorithms move or mix rows */
        assert_everywhere_msg(strstr(message, upper ? "tile (4,5)" : "tile (5,4)") != NULL && strstr(message, "step 4") != NULL,
                              "%s", message);
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(report.faults_found >= 1 && report.faults_corrected < report.faults_found);
    s.A = NULL;
    fill(A, &p);        /* the matrix can be used again */
    assert_everywhere(factor(A, kind) == OMPFACT_SUCCESS && ratio_of(A, kind, &p) < 30);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

enum { NF_SIDE = 6 * NB };

/* What is written into a row of a diagonal tile: the whole row, or one element. */
struct spoil {
    int tile, row, column, count;
    double value;
};
static const struct spoil spoils[] = { { 4, 3, 2, 1, NAN }, { 4, 3, 2, 1, INFINITY }, { 4, 3, 2, NB, 1e308 },
                                       { 0, 0, 0, 1, 1e-320 } };       /* a pivot */
enum { SPOILS = sizeof spoils / sizeof spoils[0] };

/* Writes also the mirrored elements: a triangle has one of the two. */
static void put_in(ompfact_matrix *A, const struct spoil *s)
{
    ompfact_tile t;
    if (ompfact_tile_get(A, s->tile, s->tile, &t) != OMPFACT_SUCCESS)
        return;
    for (int c = 0; c < s->count; c++) {
        put(&t, 'd', s->row, (s->column + c) % NB, s->value);
        put(&t, 'd', (s->column + c) % NB, s->row, s->value);
    }
    ompfact_tile_restore(A, &t);
}

/* Copies this rank's tiles one behind the other. */
static void copy_tiles(ompfact_matrix *A, double *to)
{
    for (int j = 0; j < ompfact_tile_cols(A); j++)
        for (int i = 0; i < ompfact_tile_rows(A); i++) {
            ompfact_tile t;
            if (ompfact_tile_get(A, i, j, &t) != OMPFACT_SUCCESS)
                continue;
            for (int c = 0; c < t.nb; c++, to += t.mb)
                memcpy(to, (const double *)t.data + (ptrdiff_t)c * t.ld, (size_t)t.mb * sizeof *to);
            ompfact_tile_restore(A, &t);
        }
}

/* A matrix with numbers that are not finite gives the same result as without checksums, an info or factors that are not finite.
   So does a matrix of which only the checksums overflow, and one that overflows when tiles are divided by a pivot. Rows pass
   between tiles that have memory for checksums which no rank keeps. */
START_TEST(what_is_not_finite_is_no_flip)
{
    static double factors[2][NF_SIDE * NF_SIDE];
    const struct kind *kind = &kinds[_i % KINDS];
    struct problem p = problem_of(kind, 'd', NF_SIDE, NF_SIDE);
    char layout[16];
    int64_t info[2];
    snprintf(layout, sizeof layout, "2dbc:%dx1", all_ranks_count());
    memset(factors, 0, sizeof factors);
    for (int abft = 0; abft < 2; abft++) {
        ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .abft = abft, .pivot = kind->pivot,
                                                         .copy_on_node = true });
        ompfact_matrix *A = matrix_of(grid, kind, &p, layout);
        fill(A, &p);
        put_in(A, &spoils[_i / KINDS]);
        assert_everywhere_msg(call(A, kind, &info[abft]) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
        assert_everywhere(ompfact_last_report(A).faults_found == 0);
        copy_tiles(A, factors[abft]);
        ompfact_matrix_destroy(&A);
        ompfact_grid_destroy(&grid);
    }
    assert_everywhere_msg(info[0] == info[1], "%lld and %lld", (long long)info[0], (long long)info[1]);
    for (int x = 0; x < NF_SIDE * NF_SIDE && info[0] == 0; x++)
        if (!isnan(factors[0][x]) || !isnan(factors[1][x]))
            ck_assert_msg(factors[0][x] == factors[1][x], "element %d: %g and %g", x, factors[0][x], factors[1][x]);
    everywhere(true);
}
END_TEST

/* ( eI I R ; 0 I R ; I 0 B ) in tiles: the first step adds R / e to B, and the second subtracts it. */
static void fill_growing(void *context, const ompfact_tile *t)
{
    const double e = *(const double *)context;
    for (int j = 0; j < t->nb; j++)
        for (int i = 0; i < t->mb; i++) {
            double *a = (double *)t->data + i + (ptrdiff_t)j * t->ld;
            bool other = t->j < 2 && (t->j == 1 ? t->i < 2 : t->i != 1);
            *a = t->j == 2 ? sin(1 + i * 7 + j * j * 3 + (t->i == 2)) : other && i == j ? (t->i == 0 && t->j == 0 ? e : 1) : 0;
        }
}

/* Without pivoting elements may grow far beyond those of A and U during the run, and nothing is found. */
START_TEST(elements_that_grow_on_the_way_are_no_flips)
{
    double e = _i == 0 ? 1e-4 : 1e-3, ratio;
    const struct kind *kind = &kinds[2];
    struct problem p = problem_of(kind, 'd', 3 * NB, 3 * NB);
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .abft = true, .pivot = kind->pivot });
    ompfact_matrix *A = matrix_of(grid, kind, &p, "2dbc"), *whole = new_like(A);
    assert_everywhere(ompfact_fill_tiles(A, fill_growing, &e) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_tiles(whole, fill_growing, &e) == OMPFACT_SUCCESS);
    assert_everywhere_msg(factor(A, kind) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    assert_everywhere(ompfact_residual_factors(whole, A, &ratio) == OMPFACT_SUCCESS && ratio < 30);
    assert_everywhere(ompfact_last_report(A).faults_found == 0);
    ompfact_matrix_destroy(&whole);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

START_TEST(compressed_matrices_are_refused)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .abft = true });
    ompfact_matrix *A;
    assert_everywhere(ompfact_matrix_create(grid, &(ompfact_shape){ .n = 80, .nb = NB, .structure = OMPFACT_HERMITIAN_LOWER,
                                            .accuracy = 1e-4 }, &A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(A == NULL && is_one_line(ompfact_message(grid)));
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("flips");
    TCase *tcase = tcase_create("flips");
    add_turns(tcase, a_flip_in_any_tile_and_step_is_put_right, KINDS, 4);
    add_turns(tcase, a_flip_is_put_right_in_any_order, KINDS, 3);
    tcase_add_loop_test(tcase, a_flip_is_put_right_in_any_type, 0, KINDS);
    tcase_add_loop_test(tcase, a_flip_without_abft_spoils_the_factors, 0, KINDS);
    add_turns(tcase, nothing_is_found_where_nothing_has_happened, KINDS, 5);
    tcase_add_loop_test(tcase, what_cannot_be_put_right_ends_all_ranks_alike, 0, KINDS);
    add_turns(tcase, what_is_not_finite_is_no_flip, SPOILS * KINDS, 7);
    tcase_add_loop_test(tcase, elements_that_grow_on_the_way_are_no_flips, 0, 2);
    tcase_add_test(tcase, compressed_matrices_are_refused);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
