/* Spread factors: to callers a factored matrix in copies looks like one whose factors are on the first layer. */
#include "tests/factor/in_copies.h"

/* A factored matrix of a problem, in as many copies as possible, and another one with the problem's elements. */
struct spread {
    struct problem p;
    ompfact_matrix *A, *like;
};

static struct spread new_spread(ompfact_grid *grid, struct problem p, const char *layout)
{
    ompfact_shape shape = shape_of(&p, NB, layout);
    int64_t info = -1;
    shape.copies = most_copies();
    struct spread s = { .p = p, .A = new_matrix(grid, &shape) };
    s.like = new_like(s.A);
    fill(s.A, &p);
    fill(s.like, &p);
    assert_everywhere(factor(s.A, &p, &info) == OMPFACT_SUCCESS && info == 0);
    return s;
}

static void close_spread(struct spread *s)
{
    ompfact_matrix_destroy(&s->A);
    ompfact_matrix_destroy(&s->like);
}

/* The solution X for some right-hand sides; `transposed`: of A^H. */
static number *solve(const struct spread *s, int64_t nrhs, bool transposed)
{
    ompfact_matrix *B = new_rhs(s->A, nrhs);
    fill_rhs(B, &s->p);
    assert_everywhere((s->p.hermitian ? ompfact_potrs(s->A, B)
                       : transposed   ? ompfact_getrs_trans(s->A, OMPFACT_CONJ_TRANS, B) : ompfact_getrs(s->A, B)) ==
                      OMPFACT_SUCCESS);
    number *X = gather(B, NULL);
    ompfact_matrix_destroy(&B);
    return X;
}

static double difference(const number *x, const number *y, int64_t count)
{
    double most = 0;
    for (int64_t e = 0; e < count; e++)
        most = larger(most, cabs(x[e] - y[e]));
    return most;
}

/* Results computed from the factors. */
struct spread_results {
    double norm, logabs, re, im, pivot, rcond, growth, ratio;
    int64_t place, row;
};

static struct spread_results results_of(const struct spread *s)
{
    struct spread_results t = { .growth = 1 };
    int64_t col;
    bool nan;
    assert_everywhere(ompfact_norm1(s->A, &t.norm) == OMPFACT_SUCCESS &&
                      ompfact_determinant(s->A, &t.logabs, &t.re, &t.im) == OMPFACT_SUCCESS &&
                      ompfact_smallest_pivot(s->A, &t.pivot, &t.place) == OMPFACT_SUCCESS &&
                      ompfact_rcond(s->A, 1, &t.rcond) == OMPFACT_SUCCESS &&
                      ompfact_find_not_finite(s->A, &t.row, &col, &nan) == OMPFACT_SUCCESS &&
                      (s->p.hermitian || ompfact_growth(s->like, s->A, &t.growth) == OMPFACT_SUCCESS));
    fill(s->like, &s->p);
    assert_everywhere(ompfact_residual_factors(s->like, s->A, &t.ratio) == OMPFACT_SUCCESS);
    fill(s->like, &s->p);
    return t;
}

static void assert_alike(const struct spread_results *a, const struct spread_results *b, double eps)
{
    assert_everywhere_msg(fabs(a->norm - b->norm) <= 100 * eps * b->norm && a->logabs == b->logabs && a->re == b->re &&
                          a->im == b->im && a->pivot == b->pivot && a->growth == b->growth && a->place == b->place &&
                          a->row == -1 && b->row == -1 && fabs(a->rcond - b->rcond) <= 1e-3 * b->rcond &&
                          a->ratio < 30 && b->ratio < 30,
                          "norms %g %g, logdet %.17g %.17g, pivots %g %g, rcond %g %g, ratios %g %g", a->norm, b->norm, a->logabs,
                          b->logabs, a->pivot, b->pivot, a->rcond, b->rcond, a->ratio, b->ratio);
}

/* Calls that support spread factors leave them spread, and get the results of factors on the first layer: solves, with delays,
   norms, determinants, condition, residual, and redistribution. */
START_TEST(used_where_they_are)
{
    enum { NRHS = NB + 5 };
    ompfact_testing testing = { .jitter_us = 200 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .copy_on_node = _i % 2, .testing = &testing });
    for (int kind = 0; kind < 3; kind++) {
        struct problem p = square("sdcz"[_i], kind < 2, 6 * NB + 1 + kind);
        p.upper = kind == 1;
        struct spread s = new_spread(grid, p, kind == 0 ? "auto" : "2dbc");
        ompfact_shape shape = shape_of(&p, NB + 3, "g2dbc");
        ompfact_matrix *other = new_matrix(grid, &shape);
        int64_t count = p.n * NRHS;
        number *X = solve(&s, NRHS, false), *Xt = solve(&s, NRHS, true);
        assert_everywhere(solve_ratio(&p, X, NRHS) < 30);
        struct spread_results spread = results_of(&s);
        assert_everywhere(ompfact_redistribute(s.A, other) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_last_report(s.A).transfers_home == 0);
        number *F = gather(other, &p);
        bring_home(s.A, &p);
        number *home = gather(s.A, &p), *Y = solve(&s, NRHS, false), *Yt = solve(&s, NRHS, true);
        struct spread_results at_home = results_of(&s);
        assert_everywhere(difference(F, home, p.m * p.n) == 0);
        assert_alike(&spread, &at_home, precision_of(p.type)->eps);
        double apart = larger(difference(X, Y, count), difference(Xt, Yt, count));
        assert_everywhere_msg(apart <= 1e4 * precision_of(p.type)->eps, "%g", apart);
        number *all[] = { X, Xt, Y, Yt, F, home };
        for (int i = 0; i < 6; i++)
            free(all[i]);
        ompfact_matrix_destroy(&other);
        close_spread(&s);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Applies L^-1 or U^-1, and the inverses of A^H and A. */
static ompfact_status solve_with_triangle(const struct spread *s)
{
    ompfact_matrix *B = new_rhs(s->A, 2);
    fill_rhs(B, &s->p);
    ompfact_status status = ompfact_trsm(OMPFACT_LEFT, s->p.upper ? OMPFACT_UPPER : OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0,
                                         s->A, B);
    ompfact_matrix_destroy(&B);
    return status;
}
static ompfact_status transpose(const struct spread *s)
{
    ompfact_matrix *At = NULL;
    ompfact_status status = s->p.hermitian ? ompfact_bring_home(s->A) : ompfact_conj_transpose(s->A, &At);
    ompfact_matrix_destroy(&At);
    return status;
}
static ompfact_status adopt(const struct spread *s)
{
    return s->p.hermitian ? ompfact_adopt_potrf(s->A) : ompfact_adopt_getrf(s->A, NULL);
}
static ompfact_status update_and_back(const struct spread *s)
{
    int64_t info = -1;
    ompfact_matrix *V = new_rhs(s->A, 1);
    if (!s->p.hermitian) {
        ompfact_matrix_destroy(&V);
        return ompfact_bring_home(s->A);
    }
    assert_everywhere(ompfact_fill_tiles(V, fill_rhs_tile, (void *)&s->p) == OMPFACT_SUCCESS);
    ompfact_status status = ompfact_potrf_update(s->A, V, &info);
    if (status == OMPFACT_SUCCESS && info == 0)
        status = ompfact_potrf_downdate(s->A, V, &info);
    ompfact_matrix_destroy(&V);
    return info == 0 ? status : OMPFACT_INTERNAL_FAULT;
}
static ompfact_status factor_of_factor(const struct spread *s)
{
    int64_t info = -1;
    ompfact_shape shape = shape_of(&s->p, NB, "auto");
    ompfact_matrix *other = new_matrix(ompfact_grid_of(s->A), &shape);
    assert_everywhere(ompfact_redistribute(s->A, other) == OMPFACT_SUCCESS);        /* a matrix with a positive diagonal */
    assert_everywhere((s->p.hermitian ? ompfact_potrf(other, &info) : ompfact_getrf(other, &info)) == OMPFACT_SUCCESS);
    int64_t other_info = info;
    ompfact_status status = factor(s->A, &s->p, &info);
    ompfact_matrix *again = new_like(s->A);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_redistribute(s->A, again);
    number *F = gather(other, &s->p), *G = gather(again, &s->p);
    bool same = info == other_info && (info != 0 || difference(F, G, s->p.m * s->p.n) <= 1e-6);
    free(F);
    free(G);
    ompfact_matrix_destroy(&again);
    ompfact_matrix_destroy(&other);
    return same ? status : OMPFACT_INTERNAL_FAULT;
}

/* Other calls first move the factors to the first layer, and get the same results. */
START_TEST(brought_home)
{
    static ompfact_status (*const calls[])(const struct spread *s) = { solve_with_triangle, transpose, adopt, update_and_back };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int call = 0; call < 4; call++) {
        struct problem p = square('d', _i < 2, 5 * NB + 3);
        p.upper = _i == 1;
        struct spread s = new_spread(grid, p, "auto");
        assert_everywhere(calls[call](&s) == OMPFACT_SUCCESS);
        number *F = gather(s.A, &p);
        double ratio = factor_ratio(&p, F);
        assert_everywhere_msg(ratio < 100, "call %d: ratio %g", call, ratio);
        free(F);
        close_spread(&s);
    }
    struct spread s = new_spread(grid, square('d', _i < 2, 5 * NB + 3), "auto");
    assert_everywhere(factor_of_factor(&s) == OMPFACT_SUCCESS);
    close_spread(&s);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* To callers the matrix is on the first layer: other ranks own no tile. Later calls work: solves, appended rows, another matrix
   of the same shape, which has one copy. */
START_TEST(afterwards)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct problem p = square('d', _i == 0, 5 * NB + 1);
    ompfact_shape shape = shape_of(&p, NB, "auto");
    shape.copies = most_copies();
    ompfact_matrix *A = new_matrix(grid, &shape), *like = new_like(A);
    int own = (all_ranks_count() - 1) / most_copies() + 1, i = -1, j = -1;
    int64_t info = -1;
    bool owns = ompfact_next_tile(A, &i, &j);
    assert_everywhere(ompfact_shape_of(A).copies == most_copies() && ompfact_shape_of(like).copies == 1);
    int owners = owns;
    reduce(&owners, 1, MPI_INT, MPI_SUM);
    assert_everywhere(owners <= own);
    for (int t = 0; t < ompfact_tile_rows(A); t++)
        assert_everywhere(ompfact_owner(A, t, 0) >= 0 && ompfact_owner(A, t, 0) < all_ranks_count());
    ompfact_matrix *B = new_rhs(A, 3);
    fill(A, &p);
    fill_rhs(B, &p);
    assert_everywhere((_i == 0 ? ompfact_posv(A, B, &info) : ompfact_gesv(A, B, &info)) == OMPFACT_SUCCESS && info == 0);
    number *X = gather(B, NULL);
    assert_everywhere(solve_ratio(&p, X, 3) < 30 && ompfact_last_report(A).transfers_home == 0);
    free(X);
    double ratio = -1;
    fill(like, &p);
    assert_everywhere(ompfact_residual_factors(like, A, &ratio) == OMPFACT_SUCCESS && ratio < 30);
    fill(like, &p);
    assert_everywhere(factor(like, &p, &info) == OMPFACT_SUCCESS && ompfact_last_report(like).transfers_sums == 0);
    assert_everywhere((_i == 0 ? ompfact_potri(A, &info) : ompfact_getri(A, &info)) == OMPFACT_SUCCESS && info == 0);
    fill(like, &p);
    assert_everywhere(ompfact_residual_inverse(like, A, false, &ratio) == OMPFACT_SUCCESS && ratio < 30);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&like);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Rows can be appended to a factor that was made in copies; the result has one copy. */
START_TEST(appended)
{
    enum { MORE = 2 * NB + 5 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct problem whole = square('d', true, 4 * NB + MORE), p = whole;
    int64_t info = -1;
    p.m = p.n = 4 * NB;
    ompfact_shape shape = shape_of(&p, NB, "auto");
    shape.copies = most_copies();
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, &whole);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_potrf_append(A, MORE, fill_tile, &whole, &info) == OMPFACT_SUCCESS && info == 0);
    number *F = gather(A, &whole);
    assert_everywhere(factor_ratio(&whole, F) < 30 && ompfact_shape_of(A).copies == 1);
    free(F);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("spread factors");
    TCase *tcase = tcase_create("spread factors");
    tcase_set_timeout(tcase, 0);
    add_turns(tcase, used_where_they_are, TYPES_OF_NUMBERS, 2);
    tcase_add_loop_test(tcase, brought_home, 0, 3);
    tcase_add_loop_test(tcase, afterwards, 0, 2);
    tcase_add_test(tcase, appended);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
