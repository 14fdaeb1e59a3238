/*
 * Bits that flip in tiles in double, in single and in bfloat16 of one matrix. They are found and corrected, also in tiles that
 * have been widened. Nothing is found without flips, however numbers were rounded. Checksums travel with tiles of all kinds.
 */
#include "omp/kernels/tile_sums.h"
#include "tests/decaying.h"
#include "tests/ways.h"

static ompfact_report factor_guarded(ompfact_grid *grid, const struct decaying *a, const char *layout, double precision)
{
    ompfact_matrix *A = new_decaying(grid, a, layout, precision);
    struct norms norms = norms_of(a);
    int64_t info = -1;
    assert_everywhere_msg(factor(A, &a->p, &info) == OMPFACT_SUCCESS && info == 0, "info %lld: %s", (long long)info,
                          ompfact_message(grid));
    number *F = gather_mixed(A, &a->p);
    double worst = worst_tile(a, &norms, F, true, precision);
    free(F);
    assert_everywhere_msg(worst <= 1 && digits_are(A, &a->p), "%c, structure %d, to %g: %g of what may be wrong", a->p.type,
                          a->p.hermitian + a->p.upper, precision, worst);
    ompfact_report report = ompfact_last_report(A);
    ompfact_matrix_destroy(&A);
    return report;
}

/* ---- flips are found ------------------------------------------------------------------------------------------------------- */

enum digit { EXPONENT, MANTISSA };      /* the first bits after the sign */

static int bit_of(enum tile_precision precision, enum digit digit)
{
    static const int bits[][2] = { [IN_DOUBLE] = { 62, 51 }, [IN_SINGLE] = { 30, 22 }, [IN_BF16] = { 14, 6 } };
    return bits[precision][digit];
}

static void find(const struct decaying *a, double precision, ompfact_flip flip, ompfact_options options)
{
    const ompfact_testing testing = { .flip = flip, .jitter_us = options.threads > 1 ? 50 : 0 };
    options.abft = true;
    options.testing = &testing;
    ompfact_grid *grid = new_grid(options);
    ompfact_report report = factor_guarded(grid, a, "g2dbc", precision);
    assert_everywhere_msg(report.faults_found >= 1 && report.faults_corrected == report.faults_found,
                          "%c, structure %d, to %g, tile (%d,%d), step %d, bit %d: %lld found, %lld corrected", a->p.type,
                          a->p.hermitian + a->p.upper, precision, flip.i, flip.j, flip.step, flip.bit,
                          (long long)report.faults_found, (long long)report.faults_corrected);
    ompfact_grid_destroy(&grid);
}

/* A flip of any significant bit, in any tile, before some of its tasks, is found. A tile in bfloat16 is in single from its first
   task on. */
START_TEST(found)
{
    struct decaying a = decaying_turn(_i, N, 25);
    struct norms norms = norms_of(&a);
    const double precision = a.bf16 ? 1e-4 : 1e-8;
    int flips[3] = { 0 };
    for (int i = 0; i < NT - 1; i++)
        for (int j = 0; j < NT - 1; j++)
            for (int k = (i + _i) % 3; k <= i && k <= j && is_stored(&a.p, i, j); k += 3) {
                enum tile_precision filled = by_rule(&a, &norms, NT, precision, i, j);
                enum tile_precision now = filled == IN_BF16 && k > 0 ? IN_SINGLE : filled;
                enum digit digit = (i + j + k) % 2 == 0 ? EXPONENT : MANTISSA;
                ompfact_flip flip = { true, .step = k, .i = i, .j = j, .bit = bit_of(now, digit) };
                find(&a, precision, flip, (ompfact_options){ .threads = 1 + k % 3 / 2, .copy_on_node = j % 2 });
                flips[now]++;
            }
    assert_everywhere(flips[IN_DOUBLE] > 0 && flips[IN_SINGLE] > 0 && (flips[IN_BF16] > 0) == a.bf16);
}
END_TEST

/* A flip is found in a tile that was filled in a narrower precision and has been widened to double. */
START_TEST(found_in_widened)
{
    struct decaying a = decaying_turn(_i, N, 20);
    a.filled_in = true;
    for (int k = 1; k <= 3; k++) {
        ompfact_flip flip = { true, .step = k, .i = a.p.upper ? 3 : 4, .j = a.p.upper ? 4 : 3,
                              .bit = bit_of(IN_DOUBLE, k % 2 ? EXPONENT : MANTISSA) };
        find(&a, 1e-13, flip, (ompfact_options){ .threads = k % 2 + 1, .copy_on_node = k == 2 });
    }
}
END_TEST

/* ---- nothing is found without flips --------------------------------------------------------------------------------------- */

static void find_nothing(ompfact_grid *grid, const struct decaying *a, const char *layout, double precision)
{
    ompfact_report report = factor_guarded(grid, a, layout, precision);
    assert_everywhere_msg(report.faults_found == 0 && report.faults_corrected == 0,
                          "%c, structure %d, to %g, rate %g: %lld found", a->p.type, a->p.hermitian + a->p.upper, precision,
                          a->rate, (long long)report.faults_found);
}

/* Nothing is found at any decay, where all columns and their rounding errors are equal, and where tiles are widened. */
START_TEST(silent)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .abft = true, .copy_on_node = _i % 2 });
    for (int k = 0; k < PRECISIONS; k++)
        for (int kind = 0; kind < 4; kind++) {
            struct decaying a = decaying_turn(_i, kind == 0 ? 3 * NB + 1 : N, kind == 1 ? 0 : 5 + 10 * (k % 3));
            a.alike = kind == 1;
            a.filled_in = kind == 2;
            find_nothing(grid, &a, k % 2 ? "2dbc" : "g2dbc", precisions[k]);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

START_TEST(silent_in_any_order)
{
    for (int way = 0; way < WAYS; way++) {
        ompfact_options options = one_way(_i, way);
        options.abft = true;
        ompfact_grid *grid = new_grid(options);
        for (int structure = 0; structure < 3; structure++) {
            struct decaying a = decaying_of("dz"[way % 2], structure, N, 20);
            a.filled_in = way == 3;
            a.bf16 = (way + structure) % 2;
            find_nothing(grid, &a, "g2dbc", a.bf16 ? 1e-4 : 1e-8);
        }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* ---- transfers ------------------------------------------------------------------------------------------------------------- */

/* Bytes of a tile with its checksums in double, which are aligned to their size. */
static int64_t guarded_bytes(const struct problem *p, enum tile_precision precision, int i, int j)
{
    int64_t bytes = bytes_of(p, precision, i, j), size = (int64_t)precision_of(p->type)->size;
    int m = i < (p->m - 1) / NB ? NB : (int)(p->m - i * NB), n = j < (p->n - 1) / NB ? NB : (int)(p->n - j * NB);
    return (bytes + size - 1) / size * size + (int64_t)bytes_of_sums(m, n, (size_t)size);
}

START_TEST(sums_travel)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .abft = true, .copy_on_node = true });
    struct decaying a = decaying_turn(_i, N, 25);
    ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", a.bf16 ? 1e-4 : 1e-8);
    int after[NT][NT];
    int64_t info, bytes = 0, plain = 0;
    assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
    map_of(A, after);
    for (int i = 0; i < NT; i++)
        for (int j = 0; j < NT; j++)
            if (is_stored(&a.p, i, j)) {
                bytes += count_readers(A, &a.p, i, j) * guarded_bytes(&a.p, (enum tile_precision)after[i][j], i, j);
                plain += count_readers(A, &a.p, i, j) * guarded_bytes(&a.p, IN_DOUBLE, i, j);
            }
    assert_everywhere_msg(ompfact_last_report(A).transfer_bytes == bytes && (bytes < plain || plain == 0),
                          "%lld bytes, by the tiles %lld", (long long)ompfact_last_report(A).transfer_bytes, (long long)bytes);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *mixed_flips_suite(void)
{
    Suite *suite = suite_create("flips in tiles of mixed precision");
    TCase *tests = tcase_create("flips in tiles of mixed precision");
    add_turns(tests, found, TURNS, 11);
    add_turns(tests, found_in_widened, TURNS, 11);
    add_turns(tests, silent, TURNS, 11);
    add_turns(tests, silent_in_any_order, 3, 2);
    add_turns(tests, sums_travel, TURNS, 5);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, mixed_flips_suite());
}
