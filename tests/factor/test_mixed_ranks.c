/*
 * Compressed matrices whose dense tiles are in double, in single or in bfloat16, and whose factors U and V are in double or in
 * single, decided for each tile: an accuracy and a tile_precision. Factors are right if
 *
 *     ||A - L L^H||_F <= 10 (accuracy + tile_precision + n u) ||A||_F      (U^H U, L U)
 *
 * and solutions likewise. The test computes again which tiles are narrow, and that they travel so.
 */
#include "src/matrix/matrix.h"
#include "tests/checkpoint/on_the_way.h"
#include "tests/decaying.h"
#include "tests/smooth_matrix.h"
#include "tests/ways.h"

static const double accuracies[] = { 1e-3, 1e-7, 1e-12 };
enum { ACCURACIES = sizeof accuracies / sizeof accuracies[0] };

static ompfact_shape both_shape(const struct problem *p, const char *layout, double accuracy, double precision)
{
    ompfact_shape shape = shape_of(p, NB, layout);
    shape.accuracy = accuracy;
    shape.max_rank = NB / 2;
    shape.tile_precision = precision;
    return shape;
}

static double bound_of(const struct problem *p, double accuracy, double precision)
{
    return 10 * (accuracy_of(p, accuracy) + precision);
}

/* ---- computed again from tiles --------------------------------------------------------------------------------------------- */

/* For all tiles, on all ranks: the rank, -1 for a dense one, and the precision. */
struct forms {
    int rank[NT][NT], precision[NT][NT];
};

static struct forms forms_of(ompfact_matrix *A)
{
    struct forms f = { 0 };
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        f.rank[i][j] = 1 + ompfact_tile_rank(A, i, j);
        f.precision[i][j] = (int)kept_precision(A, i, j);
    }
    reduce(f.rank, NT * NT, MPI_INT, MPI_MAX);
    reduce(f.precision, NT * NT, MPI_INT, MPI_MAX);
    for (int i = 0; i < NT; i++)
        for (int j = 0; j < NT; j++)
            f.rank[i][j]--;
    return f;
}

static int64_t bytes_in(const struct problem *p, const struct forms *f, int i, int j)
{
    int64_t m = i < (p->m - 1) / NB ? NB : p->m - i * NB, n = j < (p->n - 1) / NB ? NB : p->n - j * NB;
    int64_t numbers = f->rank[i][j] < 0 ? m * n : f->rank[i][j] * (m + n);
    return numbers * (int64_t)precision_of(p->type)->size >> f->precision[i][j];
}

/* The library's counts agree with the tiles. travelled: in a complete run. */
static void check_counts(ompfact_matrix *A, const struct problem *p, const struct forms *before, bool travelled)
{
    struct forms f = forms_of(A);
    int64_t bytes = 0, sent = 0, filled[3] = { 0 }, widened = 0;
    ompfact_tile_ranks ranks;
    ompfact_tile_precisions kept;
    for (int i = 0; i < ompfact_tile_rows(A); i++)
        for (int j = 0; j < ompfact_tile_cols(A); j++)
            if (is_stored(p, i, j)) {
                assert_everywhere(before->precision[i][j] >= f.precision[i][j]);
                filled[before->precision[i][j]]++;
                widened += before->precision[i][j] > f.precision[i][j];
                bytes += bytes_in(p, &f, i, j);
                sent += count_readers(A, p, i, j) * bytes_in(p, &f, i, j);
            }
    assert_everywhere(ompfact_count_ranks(A, &ranks) == OMPFACT_SUCCESS &&
                      ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ranks.bytes == bytes && kept.bytes == bytes, "%lld and %lld bytes, by the tiles %lld",
                          (long long)ranks.bytes, (long long)kept.bytes, (long long)bytes);
    assert_everywhere(kept.double_tiles == filled[IN_DOUBLE] && kept.single_tiles == filled[IN_SINGLE] &&
                      kept.bf16_tiles == filled[IN_BF16] && kept.widened == widened);
    assert_everywhere_msg(!travelled || ompfact_last_report(A).transfer_bytes == sent, "%lld bytes, by the tiles %lld",
                          (long long)ompfact_last_report(A).transfer_bytes, (long long)sent);
}

/* Checks the filled matrix: dense tiles follow the rule, and a tile of low rank is in single only if the rule allows it. */
static struct forms check_filled_so(ompfact_matrix *A, const struct smooth *s, double accuracy, double precision)
{
    struct forms f = forms_of(A);
    struct norms norms = { 0 };
    const struct decaying rule = { .bf16 = ompfact_shape_of(A).bf16_tiles };
    int nt = ompfact_tile_cols(A);
    for (int64_t j = 0; j < s->p.n; j++)
        for (int64_t i = 0; i < s->p.m; i++)
            norms.tile[i / NB][j / NB] += square_of(smooth_entry(s, i, j));
    for (int i = 0; i < nt; i++)
        for (int j = 0; j < nt; j++) {
            norms.all += norms.tile[i][j];
            norms.tile[i][j] = sqrt(norms.tile[i][j]);
        }
    norms.all = sqrt(norms.all);
    for (int i = 0; i < nt; i++)
        for (int j = 0; j < nt; j++) {
            bool may = follows_rule(&norms, nt, precision, i, j), sure = follows_rule(&norms, nt, precision / 16, i, j);
            bool single = f.precision[i][j] == IN_SINGLE;
            bool right = f.rank[i][j] < 0 ? f.precision[i][j] == (int)by_rule(&rule, &norms, nt, precision, i, j)
                                          : (may && single) || (!sure && f.precision[i][j] == IN_DOUBLE);
            assert_everywhere_msg(!is_stored(&s->p, i, j) || right, "tile (%d,%d), rank %d, precision %d", i, j, f.rank[i][j],
                                  f.precision[i][j]);
        }
    number *F = gather_compressed(A, &s->p);
    struct distance d = distance_of(s, F, false);
    free(F);
    assert_everywhere_msg(d.error <= 1.01 * (accuracy_of(&s->p, accuracy) + precision) * d.norm, "to %g and %g: filled with %g",
                          accuracy, precision, d.error / d.norm);
    return f;
}

static void check_factors_so(ompfact_matrix *A, const struct smooth *s, double accuracy, double precision)
{
    number *F = gather_compressed(A, &s->p);
    struct distance d = distance_of(s, F, true);
    free(F);
    assert_everywhere_msg(d.error <= bound_of(&s->p, accuracy, precision) * d.norm, "%c, structure %d, to %g and %g: %g",
                          s->p.type, s->p.hermitian + s->p.upper, accuracy, precision, d.error / d.norm);
}

/* The number of tiles in bfloat16. */
static int factor_so(ompfact_grid *grid, const struct smooth *s, const char *layout, double accuracy, double precision, bool bf16)
{
    ompfact_shape shape = both_shape(&s->p, layout, accuracy, precision);
    int found = 0;
    shape.bf16_tiles = bf16;
    shape.band = bf16 ? 3 : 0;      /* of dense tiles, which alone may be in bfloat16 */
    ompfact_matrix *A = new_smooth(grid, s, &shape);
    int64_t info = -1;
    struct forms before = check_filled_so(A, s, accuracy, precision);
    assert_everywhere_msg(factor(A, &s->p, &info) == OMPFACT_SUCCESS && info == 0, "info %lld: %s", (long long)info,
                          ompfact_message(grid));
    check_counts(A, &s->p, &before, true);
    check_factors_so(A, s, accuracy, precision);
    ompfact_matrix_destroy(&A);
    for (int t = 0; t < NT * NT; t++)
        found += before.precision[t / NT][t % NT] == IN_BF16;
    return found;
}

static struct smooth smooth_of(int turn, int64_t n)
{
    return smooth_problem("dz"[turn % 2], turn / 2 % 3 > 0, turn / 2 % 3 == 2, n);
}

/* ---- accuracy -------------------------------------------------------------------------------------------------------------- */

START_TEST(right)
{
    static const int64_t orders[] = { 1, 2 * NB + 1, N };
    int found = 0;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .copy_on_node = _i % 2 });
    for (int a = 0; a < ACCURACIES; a++)
        for (int k = 0; k < PRECISIONS; k++) {
            struct smooth s = smooth_of(_i, k == 0 ? N : orders[k % 3]);
            s.length = a == 1 ? 4 : (double)s.p.n / 3;
            found += factor_so(grid, &s, k % 2 ? "2dbc" : "g2dbc", accuracies[a], precisions[k], _i >= TURNS / 2);
        }
    assert_everywhere((found > 0) == (_i >= TURNS / 2));
    ompfact_grid_destroy(&grid);
}
END_TEST

/* If no tile is in single the results are those of a compressed matrix of one precision, to the bit. */
START_TEST(as_ever)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct smooth s = smooth_of(_i, N);
    number *F[2];
    for (int c = 0; c < 2; c++) {
        ompfact_shape shape = both_shape(&s.p, "2dbc", 1e-6, c == 0 ? 0 : 1e-18);
        ompfact_matrix *A = new_smooth(grid, &s, &shape);
        int64_t info;
        assert_everywhere(factor(A, &s.p, &info) == OMPFACT_SUCCESS && info == 0);
        F[c] = gather_compressed(A, &s.p);
        ompfact_matrix_destroy(&A);
    }
    assert_everywhere(memcmp(F[0], F[1], (size_t)(N * N) * sizeof **F) == 0);
    free(F[0]);
    free(F[1]);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* U and V in single halve the memory of compressed tiles. */
START_TEST(savings)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .copy_on_node = true });
    struct smooth s = smooth_of(_i, N);
    ompfact_tile_ranks ranks[2];
    int64_t sent[2], diagonal = 0;
    for (int k = 0; k < NT; k++)
        diagonal += bytes_of(&s.p, IN_DOUBLE, k, k);
    for (int c = 0; c < 2; c++) {
        ompfact_shape shape = both_shape(&s.p, "2dbc", 1e-4, c == 0 ? 0 : 1e-4);
        ompfact_matrix *A = new_smooth(grid, &s, &shape);
        int64_t info;
        assert_everywhere(factor(A, &s.p, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_count_ranks(A, &ranks[c]) == OMPFACT_SUCCESS);
        sent[c] = ompfact_last_report(A).transfer_bytes;
        ompfact_matrix_destroy(&A);
    }
    assert_everywhere_msg(ranks[1].bytes - diagonal <= 0.55 * (double)(ranks[0].bytes - diagonal), "%lld and %lld bytes",
                          (long long)ranks[1].bytes, (long long)ranks[0].bytes);
    assert_everywhere(sent[0] == 0 || sent[1] < sent[0]);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Tiles of zeros (rank 0) that the first column fills may get any rank or become dense, and are in double where single would not
   suffice. */
START_TEST(filled_in)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .copy_on_node = _i % 2 });
    for (int k = 0; k < PRECISIONS; k++) {
        struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 20);
        struct norms norms = norms_of(&a);
        const double accuracy = k % 2 ? 1e-12 : 1e-3;
        a.filled_in = true;
        norms = norms_of(&a);
        ompfact_shape shape = both_shape(&a.p, "g2dbc", accuracy, precisions[k]);
        ompfact_matrix *A = new_matrix(grid, &shape);
        assert_everywhere(ompfact_fill_tiles(A, fill_decaying, &a) == OMPFACT_SUCCESS);
        struct forms before = forms_of(A);
        int64_t info;
        ompfact_tile_precisions kept;
        assert_everywhere(before.rank[a.p.upper ? 2 : 4][a.p.upper ? 4 : 2] == 0);
        assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        check_counts(A, &a.p, &before, true);
        number *F = gather_compressed(A, &a.p);
        double worst = worst_tile(&a, &norms, F, true, precisions[k] + 2 * accuracy_of(&a.p, accuracy));
        free(F);
        assert_everywhere_msg(worst <= 1, "to %g and %g: %g", accuracy, precisions[k], worst);
        assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS && (k > 0 || kept.widened == 0) &&
                          (k < PRECISIONS - 1 || kept.widened > 0));
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- schedules and restarts ------------------------------------------------------------------------------------------------ */

static void factor_one(ompfact_grid *grid, char type, int structure, const char *layout)
{
    struct smooth s = smooth_of(2 * structure + (type == 'z'), N);
    s.length = structure == 1 ? 4 : s.length;
    factor_so(grid, &s, layout, 1e-5, structure == 1 ? 1e-2 : 1e-6, structure == 1);
}

START_TEST(ways)
{
    factor_all_ways(_i, factor_one);
}
END_TEST

/* A factorization that was stopped continues in another layout with unchanged tiles. */
START_TEST(resumed)
{
    enum { LATE = 60 };         /* on busy cores all ranks may have done the last step before one stops */
    const double accuracy = 1e-6, precision = 1e-7;
    int stopped = 0;
    kept_name(&kept);
    for (int round = 0; round < 3 || (stopped == 0 && round < LATE); round++) {
        int structure = round % 3;
        struct smooth s = smooth_of(2 * structure + _i % 2, N), other = s;
        ompfact_shape shape = both_shape(&s.p, "2dbc", accuracy, precision), later = both_shape(&s.p, "g2dbc", 1e-2, 1e-2);
        shape.bf16_tiles = later.bf16_tiles = _i >= 2;
        shape.band = later.band = _i >= 2 ? 3 : 0;
        int64_t info = 0;
        stopping = grid_that_stops(true, false);
        ompfact_matrix *A = new_smooth(stopping, &s, &shape);
        struct forms before = check_filled_so(A, &s, accuracy, precision);
        int i = s.p.upper ? 0 : 3, j = 3 - i;
        assert_everywhere(before.precision[i][j] == IN_SINGLE && before.rank[i][j] > 0);
        ompfact_status status = factor(A, &s.p, &info);
        assert_everywhere_msg(status == OMPFACT_STOPPED || status == OMPFACT_SUCCESS, "%s", ompfact_message(stopping));
        stopped += status == OMPFACT_STOPPED;
        ompfact_matrix_destroy(&A);
        ompfact_grid_destroy(&stopping);
        ompfact_grid *grid = grid_that_stops(false, false);
        other.scale = 3;            /* the contents are replaced by the checkpoint's */
        A = new_smooth(grid, &other, &later);
        assert_everywhere_msg(ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
        assert_everywhere_msg(factor(A, &s.p, &info) == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
        assert_everywhere(ompfact_last_report(A).restarted_from_step >= 0);
        check_counts(A, &s.p, &before, false);
        check_factors_so(A, &s, accuracy, precision);
        ompfact_matrix_destroy(&A);
        later.tile_precision = later.bf16_tiles = 0;
        A = new_smooth(grid, &s, &later);
        assert_everywhere(ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS && factor(A, &s.p, &info) == OMPFACT_BAD_ARGUMENT);
        ompfact_matrix_destroy(&A);
        ompfact_grid_destroy(&grid);
        kept_remove(&kept);
    }
    assert_everywhere_msg(stopped > 0 || all_ranks_count() > NT, "of so many ranks some are behind");
}
END_TEST

/* If there is no memory for a tile, all ranks end with a message that names the tile; another run works. */
START_TEST(outgrown)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct smooth s = smooth_of(2 * _i, N);
    ompfact_shape shape = both_shape(&s.p, "g2dbc", 1e-6, 1e-6);
    ompfact_matrix *A = new_smooth(grid, &s, &shape);
    int64_t info;
    atomic_store(&A->compressed->left, 0);
    for (int64_t k = 0; k < layout_tiles(A->layout, A->me); k++)
        A->compressed->form[k].touched = 0;
    ompfact_status status = factor(A, &s.p, &info);
    assert_everywhere_msg(status == OMPFACT_OUT_OF_MEMORY && strstr(ompfact_message(grid), "no memory for tile (") != NULL,
                          "%d: %s", status, ompfact_message(grid));
    ompfact_matrix_destroy(&A);
    factor_so(grid, &s, "g2dbc", 1e-6, 1e-6, false);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- uses of factors ------------------------------------------------------------------------------------------------------- */

START_TEST(solves)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i % 2 });
    for (int k = 0; k < PRECISIONS; k++) {
        struct smooth s = smooth_of(_i, N);
        const double accuracy = accuracies[k % ACCURACIES], limit = bound_of(&s.p, accuracy, precisions[k]);
        ompfact_shape shape = both_shape(&s.p, "g2dbc", accuracy, precisions[k]);
        ompfact_matrix *A = new_smooth(grid, &s, &shape), *B = new_rhs(A, NB + 3), *X = new_rhs(A, NB + 3);
        int64_t info = -1;
        int iterations = -1;
        fill_rhs(B, &s.p);
        fill_rhs(X, &s.p);
        assert_everywhere((s.p.hermitian ? ompfact_posv(A, X, &info) : ompfact_gesv(A, X, &info)) == OMPFACT_SUCCESS &&
                          info == 0);
        double worst = smooth_residual(&s, X, false);
        assert_everywhere_msg(worst <= limit, "to %g and %g: %g", accuracy, precisions[k], worst);
        assert_everywhere(ompfact_refine(A, B, X, fill_smooth_tile, &s, &iterations) == OMPFACT_SUCCESS);
        worst = smooth_residual(&s, X, false);
        assert_everywhere_msg(iterations >= 1 && worst <= 300 * U, "after %d iterations %g", iterations, worst);
        if (!s.p.hermitian) {
            fill_rhs(X, &s.p);
            assert_everywhere(ompfact_getrs_trans(A, OMPFACT_CONJ_TRANS, X) == OMPFACT_SUCCESS);
            worst = smooth_residual(&s, X, true);
            assert_everywhere_msg(worst <= limit, "transposed, to %g and %g: %g", accuracy, precisions[k], worst);
        }
        ompfact_matrix_destroy(&X);
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *mixed_ranks_suite(void)
{
    Suite *suite = suite_create("compressed tiles of mixed precision");
    TCase *tests = tcase_create("compressed tiles of mixed precision");
    add_turns(tests, right, TURNS, 5);
    add_turns(tests, as_ever, 6, 5);
    add_turns(tests, savings, 6, 5);
    add_turns(tests, filled_in, 6, 5);
    add_turns(tests, ways, 3, 2);
    add_turns(tests, resumed, 4, 3);
    add_turns(tests, outgrown, 3, 2);
    add_turns(tests, solves, 6, 5);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, mixed_ranks_suite());
}
