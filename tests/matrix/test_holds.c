/*
 * What a matrix holds is reported. Calls that need a whole matrix refuse one whose first rows are eliminated: the message on
 * every rank states what the matrix holds and which call continues, and the factorization then continues without a difference.
 */
#include "tests/factoring.h"

enum { N = 83, NB = 16, FIRST = 32 };

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_NONE });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

static ompfact_matrix *cut_matrix(const struct problem *p, const char *layout)
{
    ompfact_shape shape = shape_of(p, NB, layout);
    shape.cut = FIRST;
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, p);
    return A;
}

static bool same(ompfact_matrix *A, ompfact_matrix *B, const struct problem *p)
{
    number *a = gather(A, p), *b = gather(B, p);
    bool equal = memcmp(a, b, (size_t)(p->m * p->n) * sizeof *a) == 0;
    free(a);
    free(b);
    return equal;
}

/* ---- reports ------------------------------------------------------------------------------------------------------------ */

/* From filling to each kind of factors, and again after another filling. */
START_TEST(contents_reported)
{
    struct problem definite = square('d', true, N), general = square('z', false, N), wide = general;
    int64_t info = -1;
    wide.m = NB;
    ompfact_matrix *A = cut_matrix(&definite, "2dbc"), *G = cut_matrix(&general, "2dbc"), *X;
    ompfact_shape shape = shape_of(&wide, NB, "2dbc");
    ompfact_matrix *W = new_matrix(grid, &shape), *B = new_rhs(W, 1);
    fill(W, &wide);
    fill_rhs(B, &wide);
    assert_everywhere(ompfact_holds(A) == OMPFACT_HOLDS_ELEMENTS && ompfact_holds(G) == OMPFACT_HOLDS_ELEMENTS);
    assert_everywhere(ompfact_hetrf(A, &info) == OMPFACT_SUCCESS && ompfact_holds(A) == OMPFACT_HOLDS_INDEFINITE);
    fill(A, &definite);
    assert_everywhere(ompfact_potrf_partial(A, FIRST, &info) == OMPFACT_SUCCESS && ompfact_holds(A) == OMPFACT_HOLDS_PART);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && ompfact_holds(A) == OMPFACT_HOLDS_CHOLESKY);
    fill(A, &definite);
    assert_everywhere(ompfact_holds(A) == OMPFACT_HOLDS_ELEMENTS);
    assert_everywhere(ompfact_getrf(G, &info) == OMPFACT_SUCCESS && ompfact_holds(G) == OMPFACT_HOLDS_LU);
    fill(G, &general);
    assert_everywhere(ompfact_geqrf(G) == OMPFACT_SUCCESS && ompfact_holds(G) == OMPFACT_HOLDS_QR);
    assert_everywhere(ompfact_gels(W, B, &X, &info) == OMPFACT_SUCCESS && ompfact_holds(W) == OMPFACT_HOLDS_L_OF_LQ);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&W);
    ompfact_matrix_destroy(&G);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- refusals ----------------------------------------------------------------------------------------------------------- */

struct operands {
    ompfact_matrix *A, *B, *like;
};

typedef ompfact_status call_function(const struct operands *o, int64_t *info);

static ompfact_status by_posv_refined(const struct operands *o, int64_t *info)
{
    return ompfact_posv_refined(o->A, o->B, info, &(int){ 0 });
}

static ompfact_status by_gesv_refined(const struct operands *o, int64_t *info)
{
    return ompfact_gesv_refined(o->A, o->B, info, &(int){ 0 });
}

static ompfact_status by_hetrf(const struct operands *o, int64_t *info)
{
    return ompfact_hetrf(o->A, info);
}

static ompfact_status by_sytrf(const struct operands *o, int64_t *info)
{
    return ompfact_sytrf(o->A, info);
}

static ompfact_status by_hesv(const struct operands *o, int64_t *info)
{
    return ompfact_hesv(o->A, o->B, info, &(int){ 0 });
}

static ompfact_status by_sysv(const struct operands *o, int64_t *info)
{
    return ompfact_sysv(o->A, o->B, info, &(int){ 0 });
}

static ompfact_status by_trtri(const struct operands *o, int64_t *info)
{
    return ompfact_trtri(o->A, false, info);
}

static ompfact_status by_trsm(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, o->A, o->B);
}

static ompfact_status by_geqrf(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_geqrf(o->A);
}

static ompfact_status by_gels(const struct operands *o, int64_t *info)
{
    ompfact_matrix *X;
    ompfact_status status = ompfact_gels(o->A, o->B, &X, info);
    assert_everywhere(X == NULL);
    return status;
}

static ompfact_status by_potrs(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_potrs(o->A, o->B);
}

static ompfact_status by_getrs(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_getrs(o->A, o->B);
}

static ompfact_status by_hetrs(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_hetrs(o->A, o->B);
}

static ompfact_status by_update(const struct operands *o, int64_t *info)
{
    return ompfact_potrf_update(o->A, o->B, info);
}

static ompfact_status by_downdate(const struct operands *o, int64_t *info)
{
    return ompfact_potrf_downdate(o->A, o->B, info);
}

static ompfact_status by_potri(const struct operands *o, int64_t *info)
{
    return ompfact_potri(o->A, info);
}

static ompfact_status by_getri(const struct operands *o, int64_t *info)
{
    return ompfact_getri(o->A, info);
}

static ompfact_status by_determinant(const struct operands *o, int64_t *info)
{
    double number;
    (void)info;
    return ompfact_determinant(o->A, &number, &number, &number);
}

static ompfact_status by_rcond(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_rcond(o->A, 1, &(double){ 0 });
}

static ompfact_status by_save(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_save(o->A, "/nowhere");
}

static ompfact_status by_residual_of_solve(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_residual_solve(o->A, o->B, o->B, &(double){ 0 });
}

static ompfact_status by_residual(const struct operands *o, int64_t *info)
{
    (void)info;
    return ompfact_residual_factors(o->like, o->A, &(double){ 0 });
}

/* Continues A to the factor of one call. */
static void check_refusals(const struct problem *p, const char *partial, call_function *const *calls, int count)
{
    struct operands o = { .A = cut_matrix(p, "g2dbc"), .like = cut_matrix(p, "g2dbc") };
    int64_t info = -1;
    o.B = new_rhs(o.A, 2);
    fill_rhs(o.B, p);
    assert_everywhere((p->hermitian ? ompfact_potrf_partial : ompfact_getrf_partial)(o.A, FIRST, &info) == OMPFACT_SUCCESS);
    for (int c = 0; c < count; c++) {
        ompfact_status status = calls[c](&o, &info);
        const char *message = ompfact_message(grid);
        assert_everywhere_msg(status == OMPFACT_BAD_ARGUMENT && is_one_line(message) && strstr(message, partial) != NULL &&
                                  strstr(message, " 32 rows ") != NULL && strstr(message, "ompfact_schur()") != NULL,
                              "call %d: status %d, \"%s\"", c, (int)status, message);
        assert_everywhere(ompfact_eliminated(o.A) == FIRST && ompfact_holds(o.A) == OMPFACT_HOLDS_PART);
    }
    assert_everywhere(factor(o.A, p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(factor(o.like, p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(same(o.A, o.like, p));
    ompfact_matrix_destroy(&o.B);
    ompfact_matrix_destroy(&o.like);
    ompfact_matrix_destroy(&o.A);
}

START_TEST(refused)
{
    static call_function *const definite[] = { by_posv_refined, by_hetrf, by_sytrf, by_hesv, by_sysv, by_trtri, by_trsm,
                                               by_residual, by_residual_of_solve, by_potrs, by_hetrs, by_update,
                                               by_downdate, by_potri, by_determinant, by_rcond, by_save };
    static call_function *const general[] = { by_gesv_refined, by_trsm, by_geqrf, by_gels, by_residual, by_getrs, by_getri,
                                              by_determinant, by_rcond, by_save };
    struct problem p = square('d', _i == 0, N);
    if (_i == 0)
        check_refusals(&p, "ompfact_potrf_partial()", definite, sizeof definite / sizeof *definite);
    else
        check_refusals(&p, "ompfact_getrf_partial()", general, sizeof general / sizeof *general);
}
END_TEST

/* For a matrix with more columns than rows A^H would be factored. */
START_TEST(refused_wide)
{
    struct problem p = { .type = 'd', .m = 40, .n = N, .seed = 3 };
    struct operands o = { .A = cut_matrix(&p, "2dbc") };
    int64_t info = -1;
    o.B = new_rhs(o.A, 1);
    assert_everywhere(ompfact_getrf_partial(o.A, FIRST, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(by_gels(&o, &info) == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "ompfact_getrf_partial()"));
    ompfact_matrix_destroy(&o.B);
    ompfact_matrix_destroy(&o.A);
}
END_TEST

/* ---- redistribution ----------------------------------------------------------------------------------------------------- */

/* Eliminated rows stay eliminated in another layout, with other tiles before and after the cut, and the factorization continues
   there. */
START_TEST(moved)
{
    static const int heights[] = { 5, 27, 30, 8, 13 };
    struct problem p = square("sz"[_i / 3], _i % 3 > 0, N);
    p.upper = _i % 3 == 2;
    ompfact_shape other = shape_of(&p, NB, "2dbc"), wrong = other;
    other.row_heights = other.col_widths = heights;
    other.mt = other.nt = 5;
    wrong.nb = NB - 1;
    ompfact_matrix *A = cut_matrix(&p, "g2dbc"), *B = new_matrix(grid, &other), *C = new_matrix(grid, &wrong);
    int64_t info = -1;
    fill(B, &p);    /* NaNs beside the triangle */
    assert_everywhere((p.hermitian ? ompfact_potrf_partial : ompfact_getrf_partial)(A, FIRST, &info) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_redistribute(A, C) == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "cut"));
    assert_everywhere(ompfact_redistribute(A, B) == OMPFACT_SUCCESS && ompfact_eliminated(B) == FIRST);
    assert_everywhere(factor(B, &p, &info) == OMPFACT_SUCCESS && info == 0 && ompfact_eliminated(A) == FIRST);
    number *F = gather(B, &p);
    double ratio = factor_ratio(&p, F);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    free(F);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Interchanged rows stay interchanged. */
START_TEST(moved_with_pivots)
{
    ompfact_grid *pivoting = new_grid((ompfact_options){ .threads = 1, .pivot = OMPFACT_PIVOT_PARTIAL });
    struct problem p = { .type = 'd', .m = N, .n = N, .seed = 5, .pivots = true };
    ompfact_shape shape = shape_of(&p, NB, "2dbc");
    shape.cut = FIRST;
    ompfact_matrix *F = new_matrix(pivoting, &shape), *G, *A;
    shape.nb = NB - 1;
    shape.layout = "g2dbc";
    G = new_matrix(pivoting, &shape);
    A = new_like(G);
    int64_t info = -1;
    double ratio = -1;
    fill(A, &p);
    fill(F, &p);
    assert_everywhere(ompfact_getrf_partial(F, FIRST, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_redistribute(F, G) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_getrf(G, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_factors(A, G, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&G);
    ompfact_matrix_destroy(&F);
    ompfact_grid_destroy(&pivoting);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("holds");
    TCase *tcase = tcase_create("holds");
    tcase_add_unchecked_fixture(tcase, create_grid, destroy_grid);
    tcase_add_test(tcase, contents_reported);
    tcase_add_loop_test(tcase, refused, 0, 2);
    tcase_add_test(tcase, refused_wide);
    tcase_add_loop_test(tcase, moved, 0, 6);
    tcase_add_test(tcase, moved_with_pivots);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
