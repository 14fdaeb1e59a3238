/* Calls and shapes that compressed matrices do not support are refused, and change nothing. */
#include "tests/matrix/compressed_shapes.h"

/* A wrong accuracy or band is refused. */
START_TEST(refused_shapes)
{
    static const double accuracies[] = { -1e-3, 1, 2, NAN, INFINITY };
    struct smooth s = problem_of('d', 1);
    ompfact_matrix *A;
    for (int k = 0; k < 5; k++) {
        ompfact_shape shape = compressed_shape(&s, accuracies[k]);
        assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT && A == NULL);
        assert_everywhere(strstr(ompfact_message(grid), "accuracy") != NULL && is_one_line(ompfact_message(grid)));
    }
    ompfact_shape shape = compressed_shape(&s, 1e-3);
    shape.band = -1;
    assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grid), "band") != NULL);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------------------------------------- */

/* C is compressed and has factors, D is dense, of the same shape, and empty; both are general or both Hermitian. */
struct pair {
    ompfact_matrix *C, *D, *B, *X;      /* B, X: right-hand sides of C */
    int64_t info;
    int iterations;
    double number;
    ompfact_matrix *made;
};

static ompfact_status call_geqrf(struct pair *p) { return ompfact_geqrf(p->C); }
static ompfact_status call_gels(struct pair *p) { return ompfact_gels(p->C, p->B, &p->made, &p->info); }
static ompfact_status call_adopt_geqrf(struct pair *p) { return ompfact_adopt_geqrf(p->C, NULL); }
static ompfact_status call_tau(struct pair *p) { return ompfact_tau(p->C, NULL); }
static ompfact_status call_unmqr(struct pair *p) { return ompfact_unmqr(p->C, false, p->D); }
static ompfact_status call_conj_transpose(struct pair *p) { return ompfact_conj_transpose(p->C, &p->made); }
static ompfact_status call_potri(struct pair *p) { return ompfact_potri(p->C, &p->info); }
static ompfact_status call_getri(struct pair *p) { return ompfact_getri(p->C, &p->info); }
static ompfact_status call_trtri(struct pair *p) { return ompfact_trtri(p->C, false, &p->info); }
static ompfact_status call_redistribute(struct pair *p) { return ompfact_redistribute(p->C, p->D); }
static ompfact_status call_redistribute_to(struct pair *p) { return ompfact_redistribute(p->D, p->C); }
static ompfact_status call_posv_refined(struct pair *p) { return ompfact_posv_refined(p->C, p->B, &p->info, &p->iterations); }
static ompfact_status call_gesv_refined(struct pair *p) { return ompfact_gesv_refined(p->C, p->B, &p->info, &p->iterations); }
static ompfact_status call_residual_factors(struct pair *p) { return ompfact_residual_factors(p->D, p->C, &p->number); }
static ompfact_status call_residual_of_c(struct pair *p) { return ompfact_residual_factors(p->C, p->D, &p->number); }
static ompfact_status call_residual_inverse(struct pair *p) { return ompfact_residual_inverse(p->D, p->C, false, &p->number); }
static ompfact_status call_residual_qr(struct pair *p) { return ompfact_residual_qr(p->D, p->C, &p->number); }
static ompfact_status call_residual_gels(struct pair *p) { return ompfact_residual_gels(p->C, p->X, p->B, &p->number); }

static ompfact_status call_trsm(struct pair *p)
{
    return ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, p->C, p->B);
}
static ompfact_status call_trsm_to(struct pair *p)
{
    return ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, p->D, p->C);
}
static const int descriptor[9] = { 1, 0, N, N, NB, NB, 0, 0, N };
static ompfact_status call_from_scalapack(struct pair *p)
{
    static double local[N * N];
    ompfact_scalapack array = { .nprow = 1, .npcol = 1, .desc = my_rank() == 0 ? descriptor : NULL };
    return ompfact_from_scalapack(p->C, &array, local);
}
static ompfact_status call_to_scalapack(struct pair *p)
{
    static double local[N * N];
    ompfact_scalapack array = { .nprow = 1, .npcol = 1, .desc = my_rank() == 0 ? descriptor : NULL };
    return ompfact_to_scalapack(p->C, &array, local);
}

enum { GENERAL_ONE = 1, HERMITIAN_ONE = 2, EITHER = 3 };
static const struct { const char *name; ompfact_status (*call)(struct pair *p); int of; } calls[] = {
    { "geqrf", call_geqrf, GENERAL_ONE }, { "gels", call_gels, GENERAL_ONE }, { "adopt_geqrf", call_adopt_geqrf, GENERAL_ONE },
    { "tau", call_tau, GENERAL_ONE }, { "unmqr", call_unmqr, GENERAL_ONE },
    { "conj_transpose", call_conj_transpose, GENERAL_ONE }, { "potri", call_potri, HERMITIAN_ONE },
    { "getri", call_getri, GENERAL_ONE }, { "trtri", call_trtri, HERMITIAN_ONE }, { "redistribute", call_redistribute, EITHER },
    { "redistribute to", call_redistribute_to, EITHER }, { "posv_refined", call_posv_refined, HERMITIAN_ONE },
    { "gesv_refined", call_gesv_refined, GENERAL_ONE }, { "residual_factors", call_residual_factors, EITHER },
    { "residual of a compressed one", call_residual_of_c, EITHER }, { "residual_inverse", call_residual_inverse, EITHER },
    { "residual_qr", call_residual_qr, GENERAL_ONE }, { "residual_gels", call_residual_gels, GENERAL_ONE },
    { "trsm", call_trsm, EITHER }, { "trsm to", call_trsm_to, GENERAL_ONE }, { "from_scalapack", call_from_scalapack, EITHER },
    { "to_scalapack", call_to_scalapack, EITHER },
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* Calls that do not support compressed matrices refuse them with a message, and change nothing. */
START_TEST(refusals)
{
    for (int structure = 0; structure < 3; structure++) {
        struct smooth s = problem_of('d', structure);
        ompfact_shape shape = compressed_shape(&s, 1e-5), dense_shape = shape_of(&s.p, NB, "2dbc");
        struct pair p = { .C = new_smooth(grid, &s, &shape), .D = new_smooth(grid, &s, &dense_shape) };
        p.B = new_rhs(p.C, 3);
        p.X = new_rhs(p.C, 3);
        fill_rhs(p.B, &s.p);
        fill_rhs(p.X, &s.p);
        assert_everywhere((s.p.hermitian ? ompfact_potrf(p.C, &p.info) : ompfact_getrf(p.C, &p.info)) == OMPFACT_SUCCESS);
        number *before = gather_compressed(p.C, &s.p), *dense_before = gather_compressed(p.D, &s.p);
        number *rhs_before = gather(p.B, NULL);
        for (int c = 0; c < CALLS; c++) {
            bool is_for_it = (calls[c].of & (s.p.hermitian ? HERMITIAN_ONE : GENERAL_ONE)) != 0;
            if (!is_for_it || (structure == 2 && calls[c].call == call_trsm))
                continue;
            ompfact_status status = calls[c].call(&p);
            assert_everywhere_msg(status == OMPFACT_BAD_ARGUMENT && p.made == NULL, "%s: %d, %s", calls[c].name, (int)status,
                                  ompfact_message(grid));
            bool other_reason = calls[c].call == call_tau || calls[c].call == call_unmqr;       /* reflectors */
            assert_everywhere_msg(other_reason || strstr(ompfact_message(grid), "compressed") != NULL, "%s: %s", calls[c].name,
                                  ompfact_message(grid));
            number *now = gather_compressed(p.C, &s.p), *dense_now = gather_compressed(p.D, &s.p), *rhs_now = gather(p.B, NULL);
            assert_everywhere_msg(memcmp(now, before, N * N * sizeof *now) == 0, "%s", calls[c].name);
            assert_everywhere_msg(memcmp(dense_now, dense_before, N * N * sizeof *now) == 0, "%s", calls[c].name);
            assert_everywhere_msg(memcmp(rhs_now, rhs_before, 3 * N * sizeof *now) == 0, "%s", calls[c].name);
            free(now);
            free(dense_now);
            free(rhs_now);
        }
        assert_everywhere((s.p.hermitian ? ompfact_potrs(p.C, p.B) : ompfact_getrs(p.C, p.B)) == OMPFACT_SUCCESS);
        free(before);
        free(dense_before);
        free(rhs_before);
        ompfact_matrix_destroy(&p.X);
        ompfact_matrix_destroy(&p.B);
        ompfact_matrix_destroy(&p.D);
        ompfact_matrix_destroy(&p.C);
    }
}
END_TEST

/* Rows of compressed tiles cannot be exchanged, so both kinds of pivoting are refused; Q cannot be applied, either. */
START_TEST(pivots_refused)
{
    ompfact_pivot pivot = _i ? OMPFACT_PIVOT_PARTIAL : OMPFACT_PIVOT_TOURNAMENT;
    ompfact_grid *pivoting = new_grid((ompfact_options){ .threads = 1, .pivot = pivot });
    struct smooth s = problem_of('d', 0);
    ompfact_shape shape = compressed_shape(&s, 1e-5), dense_shape = shape_of(&s.p, NB, "2dbc");
    ompfact_matrix *A = new_smooth(pivoting, &s, &shape), *Q = new_smooth(pivoting, &s, &dense_shape), *B = new_rhs(A, 1);
    number *before = gather_compressed(A, &s.p);
    int64_t info;
    int iterations;
    fill_rhs(B, &s.p);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_BAD_ARGUMENT && ompfact_gesv(A, B, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_gesv_refined(A, B, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_geqrf(Q) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_unmqr(Q, true, A) == OMPFACT_BAD_ARGUMENT && ompfact_ungqr(Q, A) == OMPFACT_BAD_ARGUMENT);
    number *now = gather_compressed(A, &s.p);
    assert_everywhere(memcmp(now, before, N * N * sizeof *now) == 0);
    free(now);
    free(before);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&Q);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&pivoting);
}
END_TEST

static Suite *compressed_suite(void)
{
    Suite *suite = suite_create("refusals of compressed matrices");
    TCase *tests = tcase_create("refusals of compressed matrices");
    tcase_add_checked_fixture(tests, create_grid, destroy_grid);
    tcase_add_test(tests, refused_shapes);
    tcase_add_test(tests, refusals);
    tcase_add_loop_test(tests, pivots_refused, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, compressed_suite());
}
