/*
 * The library under ScaLAPACK's names, on process grids of every kind. Sub-matrices begin anywhere in arrays whose blocks are not
 * square, and elements outside them stay. Naive products of gathered matrices check the results. Wrong parameters must have the
 * info that ScaLAPACK itself returns.
 */
#include "tests/scalapack/arrays_on_grids.h"

#include <dlfcn.h>

/* ---- Cholesky ----------------------------------------------------------------------------------------------------------- */

/* PxPOCON of the factors in a, whose matrix has that norm. */
static double condition(struct array *a, char type, char uplo, int n, double norm)
{
    float small_norm = (float)norm, small = -1;
    double rcond = -1, work[256];
    int lwork = 128, iwork[256], liwork = 256, info = -7;
    bool single = type == 's' || type == 'c';
    void *anorm = single ? (void *)&small_norm : (void *)&norm, *result = single ? (void *)&small : (void *)&rcond;
    CALL(pocon, type, &uplo, &n, ARRAY(*a), anorm, result, work, &lwork, iwork, &liwork, &info);
    assert_everywhere(info == 0 || !here.member);
    return single ? (double)small : rcond;
}

START_TEST(cholesky)
{
    char type = types[_i % 4];
    int n = ORDER_OF_A, nrhs = RIGHT_SIDES, info = -7;
    set_up(_i / 8);
    struct problem p = { .type = type, .hermitian = true, .upper = _i / 4 % 2, .m = n, .n = n, .seed = 11 };
    char uplo = p.upper ? 'u' : 'L';
    struct array a = place(type, n, n, 5, 4), b = place(type, n, nrhs, 3, 7);
    number *A = dense_problem(&p);
    fill_array(&a, &p);
    fill_sides(&b, &p, n, nrhs);
    CALL(potrf, type, &uplo, &n, ARRAY(a), &info);
    number *F = gather_array(&a, n, n);
    assert_everywhere(info == 0 && rest_is_as_it_was(&a, &p, n, n));
    double ratio = factor_ratio(&p, F);
    assert_everywhere_msg(ratio < 30, "potrf %c: %g", type, ratio);
    CALL(potrs, type, &uplo, &n, &nrhs, ARRAY(a), ARRAY(b), &info);
    number *X = gather_array(&b, n, nrhs);
    assert_everywhere(info == 0 && rest_is_as_it_was(&b, NULL, n, nrhs));
    ratio = solve_ratio(&p, X, nrhs);
    assert_everywhere_msg(ratio < 30, "potrs %c: %g", type, ratio);
    double rcond = condition(&a, type, uplo, n, dense_norm1(A, n, n));
    CALL(potri, type, &uplo, &n, ARRAY(a), &info);
    number *Y = gather_array(&a, n, n);
    assert_everywhere(info == 0 && rest_is_as_it_was(&a, &p, n, n));
    for (int64_t g = 0; g < n * n; g++)
        Y[g] = is_beyond(&p, g % n, g / n) ? conj(Y[g / n + g % n * n]) : Y[g];
    ratio = product_error(type, n, n, A, Y, NULL);
    assert_everywhere_msg(ratio < 30, "potri %c: %g", type, ratio);
    double true_rcond = 1 / (dense_norm1(A, n, n) * dense_norm1(Y, n, n));
    assert_everywhere_msg(!here.member || (rcond > 0.99 * true_rcond && rcond < 3 * true_rcond), "pocon %c: %g, not %g", type,
                          rcond, true_rcond);

    fill_array(&a, &p);
    fill_sides(&b, &p, n, nrhs);
    CALL(posv, type, &uplo, &n, &nrhs, ARRAY(a), ARRAY(b), &info);
    number *Z = gather_array(&b, n, nrhs), *G = gather_array(&a, n, n);
    ratio = larger(solve_ratio(&p, Z, nrhs), factor_ratio(&p, G));
    assert_everywhere_msg(info == 0 && ratio < 30, "posv %c: %g", type, ratio);
    p.fails = 17;
    fill_array(&a, &p);
    CALL(potrf, type, &uplo, &n, ARRAY(a), &info);
    assert_everywhere(!here.member || info == 17);
    FREE_ALL(A, F, X, Y, Z, G);
    free_array(&b);
    free_array(&a);
    tear_down();
}
END_TEST

/* ---- LU ----------------------------------------------------------------------------------------------------------------- */

/* The rows of A in the order of its factors, from ScaLAPACK's ipiv. Collective. */
static void order_of_rows(const struct array *a, const int *ipiv, int64_t m, int64_t count, int64_t *rows)
{
    int64_t swaps[64] = { 0 };
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < a->desc[N_]; j++) {
            int64_t g = i + ROW - 1 + j * a->desc[M_];
            if (a->owner[g] == my_rank())
                swaps[i] = ipiv[a->place[g] % a->desc[LLD_]];
        }
    reduce(swaps, (int)count, MPI_INT64_T, MPI_MAX);
    for (int64_t i = 0; i < m; i++)
        rows[i] = i;
    for (int64_t i = 0; i < count; i++) {
        int64_t other = swaps[i] - ROW, kept = rows[i];
        rows[i] = rows[other];
        rows[other] = kept;
    }
}

/* P A = L U of any shape. */
START_TEST(lu)
{
    static const int shapes[][2] = { { 23, 23 }, { 31, 17 }, { 17, 31 } };
    char type = types[_i % 4];
    int m = shapes[_i / 4 % 3][0], n = shapes[_i / 4 % 3][1], info = -7, ipiv[64];
    set_up(_i / 12);
    struct problem p = { .type = type, .m = m, .n = n, .seed = 12, .pivots = true };
    struct array a = place(type, m, n, 5, 4);
    int64_t rows[64];
    fill_array(&a, &p);
    CALL(getrf, type, &m, &n, ARRAY(a), ipiv, &info);
    number *F = gather_array(&a, m, n);
    assert_everywhere(info == 0 && rest_is_as_it_was(&a, NULL, m, n));
    order_of_rows(&a, ipiv, m, m < n ? m : n, rows);
    p.rows = rows;
    double ratio = factor_ratio(&p, F);
    assert_everywhere_msg(ratio < 30, "getrf %c, %d x %d: %g", type, m, n, ratio);
    p.rows = NULL;
    p.fails = 9;
    fill_array(&a, &p);
    CALL(getrf, type, &m, &n, ARRAY(a), ipiv, &info);
    assert_everywhere(!here.member || info == 9);
    free(F);
    free_array(&a);
    tear_down();
}
END_TEST

START_TEST(systems)
{
    char type = types[_i % 4];
    int n = ORDER_OF_A, nrhs = RIGHT_SIDES, info = -7, ipiv[64], minus_one = -1, lwork = 1, iwork[4];
    double work[4];
    set_up(_i / 4);
    struct problem p = { .type = type, .m = n, .n = n, .seed = 12, .pivots = true };
    struct array a = place(type, n, n, 5, 4), b = place(type, n, nrhs, 3, 7);
    number *A = dense_problem(&p), *B = dense_sides(&p, n, nrhs);
    fill_array(&a, &p);
    CALL(getrf, type, &n, &n, ARRAY(a), ipiv, &info);
    for (int t = 0; t < 3; t++) {
        char trans = "NTC"[t];
        fill_sides(&b, &p, n, nrhs);
        CALL(getrs, type, &trans, &n, &nrhs, ARRAY(a), ipiv, ARRAY(b), &info);
        number *X = gather_array(&b, n, nrhs), *T = dense_problem(&p);
        transpose(T, n, trans);
        double ratio = product_error(type, n, nrhs, T, X, B);
        assert_everywhere_msg(info == 0 && ratio < 30, "getrs %c, %c: %g", type, trans, ratio);
        FREE_ALL(T, X);
    }
    CALL(getri, type, &n, ARRAY(a), ipiv, work, &minus_one, iwork, &minus_one, &info);
    assert_everywhere(info == 0);
    CALL(getri, type, &n, ARRAY(a), ipiv, work, &lwork, iwork, &lwork, &info);
    number *Y = gather_array(&a, n, n);
    double ratio = product_error(type, n, n, A, Y, NULL);
    assert_everywhere_msg(info == 0 && ratio < 30 && rest_is_as_it_was(&a, NULL, n, n), "getri %c: %g", type, ratio);
    fill_array(&a, &p);
    fill_sides(&b, &p, n, nrhs);
    CALL(gesv, type, &n, &nrhs, ARRAY(a), ipiv, ARRAY(b), &info);
    number *Z = gather_array(&b, n, nrhs);
    ratio = product_error(type, n, nrhs, A, Z, B);
    assert_everywhere_msg(info == 0 && ratio < 30, "gesv %c: %g", type, ratio);
    FREE_ALL(A, B, Y, Z);
    free_array(&b);
    free_array(&a);
    tear_down();
}
END_TEST

/* ---- triangles ---------------------------------------------------------------------------------------------------------- */

/* op(T), T the triangle of p, with zeros beyond it. */
static number *dense_triangle(const struct problem *p, bool unit, char trans)
{
    number *T = dense_problem(p);
    for (int64_t g = 0; g < p->n * p->n; g++) {
        bool diagonal = g % p->n == g / p->n;
        T[g] = diagonal && unit ? 1 : is_beyond(p, g % p->n, g / p->n) ? 0 : T[g];
    }
    transpose(T, p->n, trans);
    return T;
}

/* max |op(T) X - 2 B| or |X op(T) - 2 B|, T n x n, X m x k, over the bound for roundings. */
static double trsm_error(char type, bool left, int64_t n, int64_t m, int64_t k, const number *T, const number *X, const number *B)
{
    double worst = 0, size = 0, norm = 0;
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < m; i++) {
            number sum = -2 * B[i + j * m];
            for (int64_t l = 0; l < n; l++)
                sum += left ? T[i + l * n] * X[l + j * n] : X[i + l * m] * T[l + j * n];
            worst = larger(worst, cabs(sum));
            size = larger(size, cabs(X[i + j * m]));
        }
    for (int64_t g = 0; g < n * n; g++)
        norm = larger(norm, cabs(T[g]));
    return worst / ((double)(n * n) * norm * size * precision_of(type)->eps);
}

static void check_trsm(char type, int v)
{
    int n = ORDER_OF_A, wide = 9, info = 0;
    double alpha[2] = { 2, 0 };
    float small[2] = { 2, 0 };
    struct problem p = { .type = type, .hermitian = true, .upper = v % 2, .m = n, .n = n, .seed = 13 };
    char uplo = p.upper ? 'U' : 'L', diag = v / 2 % 2 ? 'U' : 'N', side = v / 4 % 2 ? 'R' : 'L', trans = "NTC"[v / 8];
    int m = side == 'L' ? n : wide, k = side == 'L' ? wide : n;
    struct array a = place(type, n, n, 5, 4), b = place(type, m, k, 6, 2);
    number *T = dense_triangle(&p, diag == 'U', trans), *B = dense_sides(&p, m, k);
    void *factor = type == 's' || type == 'c' ? (void *)small : (void *)alpha;
    fill_array(&a, &p);
    fill_sides(&b, &p, m, k);
    CALL(trsm, type, &side, &uplo, &trans, &diag, &m, &k, factor, ARRAY(a), ARRAY(b));
    number *X = gather_array(&b, m, k);
    double error = trsm_error(type, side == 'L', n, m, k, T, X, B);
    assert_everywhere_msg(error < 30 && rest_is_as_it_was(&b, NULL, m, k), "trsm %c, %c%c%c%c: %g", type, side, uplo, trans, diag,
                          error);
    if (side == 'L' && trans == 'N') {
        CALL(trtri, type, &uplo, &diag, &n, ARRAY(a), &info);
        number *Y = gather_array(&a, n, n);
        assert_everywhere(info == 0 && rest_is_as_it_was(&a, &p, n, n));
        for (int64_t g = 0; g < n * n; g++)
            Y[g] = diag == 'U' && g % n == g / n ? 1 : is_beyond(&p, g % n, g / n) ? 0 : Y[g];
        double ratio = product_error(type, n, n, T, Y, NULL);
        assert_everywhere_msg(ratio < 30, "trtri %c, %c%c: %g", type, uplo, diag, ratio);
        free(Y);
    }
    FREE_ALL(X, B, T);
    free_array(&b);
    free_array(&a);
}

START_TEST(triangles)
{
    set_up(_i / 4);
    for (int v = 0; v < 24; v++)
        check_trsm(types[_i % 4], v);
    tear_down();
}
END_TEST

/* ---- QR ----------------------------------------------------------------------------------------------------------------- */

static const struct { int m, n; } sizes[] = { { 31, 17 }, { 17, 31 }, { 23, 23 } };

/* max |A - Q R| and |Q^H Q - I|, Q m x k, R the upper triangle of F. */
static double qr_error(const struct problem *p, int64_t k, const number *F, const number *Q)
{
    int64_t m = p->m, n = p->n;
    double worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            number sum = -entry_of(p, i, j);
            for (int64_t l = 0; l < k && l <= j; l++)
                sum += Q[i + l * m] * F[l + j * m];
            worst = larger(worst, cabs(sum));
        }
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < k; i++) {
            number sum = -(number)(i == j);
            for (int64_t l = 0; l < m; l++)
                sum += conj(Q[l + i * m]) * Q[l + j * m];
            worst = larger(worst, cabs(sum));
        }
    return worst / ((double)(m + n) * precision_of(p->type)->eps);
}

/* The first k rows of Q^H C, or columns of C Q, equal those of the m x k matrix Q itself. */
static void check_product(const struct problem *p, char side, struct array *a, void *tau, int k, const number *Q)
{
    char type = p->type, trans = side == 'R' ? 'N' : is_complex(type) ? 'C' : 'T';
    int m = (int)p->m, wide = 9, info = -7, lwork = 1, rows = side == 'L' ? m : wide, cols = side == 'L' ? wide : m;
    double work[4], worst = 0;
    struct array c = place(type, rows, cols, 7, 3);
    fill_sides(&c, p, rows, cols);
    if (is_complex(type))
        CALL(unmqr, type, &side, &trans, &rows, &cols, &k, ARRAY(*a), tau, ARRAY(c), work, &lwork, &info);
    else
        CALL(ormqr, type, &side, &trans, &rows, &cols, &k, ARRAY(*a), tau, ARRAY(c), work, &lwork, &info);
    number *C = gather_array(&c, rows, cols);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < wide; j++) {
            number sum = side == 'L' ? -C[i + j * m] : -C[j + i * wide];
            for (int64_t l = 0; l < m; l++)
                sum += side == 'L' ? conj(Q[l + i * m]) * rhs_entry(p, l, j) : rhs_entry(p, j, l) * Q[l + i * m];
            worst = larger(worst, cabs(sum));
        }
    assert_everywhere_msg(info == 0 && worst < 30 * m * precision_of(type)->eps && rest_is_as_it_was(&c, NULL, rows, cols),
                          "product with Q, %c %c: %g", type, side, worst);
    free(C);
    free_array(&c);
}

START_TEST(orthogonal)
{
    char type = types[_i % 4];
    int m = sizes[_i / 4 % 3].m, n = sizes[_i / 4 % 3].n, k = m < n ? m : n, info = -7, lwork = 1, minus_one = -1;
    double work[4];
    number tau[64];
    set_up(_i / 12);
    struct problem p = { .type = type, .m = m, .n = n, .seed = 14, .pivots = true };
    struct array a = place(type, m, n, 5, 4), q = place(type, m, k, 5, 4);
    fill_array(&a, &p);
    CALL(geqrf, type, &m, &n, ARRAY(a), tau, work, &minus_one, &info);
    assert_everywhere(info == 0);
    CALL(geqrf, type, &m, &n, ARRAY(a), tau, work, &lwork, &info);
    number *F = gather_array(&a, m, n);
    assert_everywhere(info == 0 && rest_is_as_it_was(&a, NULL, m, n));
    fill_array(&q, NULL);
    for (int64_t g = 0; g < m * k; g++)
        put_element(&q, g % m, g / m, F[g]);
    if (is_complex(type))
        CALL(ungqr, type, &m, &k, &k, ARRAY(q), tau, work, &lwork, &info);
    else
        CALL(orgqr, type, &m, &k, &k, ARRAY(q), tau, work, &lwork, &info);
    number *Q = gather_array(&q, m, k);
    double error = qr_error(&p, k, F, Q);
    assert_everywhere_msg(info == 0 && error < 30 && rest_is_as_it_was(&q, NULL, m, k), "geqrf %c, %d x %d: %g", type, m, n,
                          error);
    check_product(&p, 'L', &a, tau, k, Q);
    check_product(&p, 'R', &a, tau, k, Q);
    FREE_ALL(Q, F);
    free_array(&q);
    free_array(&a);
    tear_down();
}
END_TEST

static number op_entry(const struct problem *p, char trans, int64_t i, int64_t j)
{
    return trans == 'N' ? entry_of(p, i, j) : conj(entry_of(p, j, i));
}

/* With as many rows as columns or more op(A)^H (op(A) X - B) = 0; with fewer op(A) X = B. */
static double gels_error(const struct problem *p, char trans, int64_t rows, int64_t cols, int64_t nrhs, const number *X,
                         int64_t ldx)
{
    number R[64];
    double worst = 0;
    for (int64_t c = 0; c < nrhs; c++) {
        for (int64_t i = 0; i < rows; i++) {
            R[i] = -rhs_entry(p, i, c);
            for (int64_t l = 0; l < cols; l++)
                R[i] += op_entry(p, trans, i, l) * X[l + c * ldx];
            worst = larger(worst, rows <= cols ? cabs(R[i]) : 0);
        }
        for (int64_t j = 0; j < cols && rows > cols; j++) {
            number sum = 0;
            for (int64_t i = 0; i < rows; i++)
                sum += conj(op_entry(p, trans, i, j)) * R[i];
            worst = larger(worst, cabs(sum) / (double)(2 * ldx));
        }
    }
    return worst / ((double)ldx * precision_of(p->type)->eps);
}

START_TEST(least_squares)
{
    char type = types[_i % 4], trans = _i / 4 % 2 == 0 ? 'N' : is_complex(type) ? 'C' : 'T';
    int m = sizes[_i / 8 % 3].m, n = sizes[_i / 8 % 3].n, nrhs = RIGHT_SIDES, info = -7, lwork = 1;
    int rows = trans == 'N' ? m : n, cols = trans == 'N' ? n : m, longer = m > n ? m : n;
    double work[4];
    set_up(_i / 8);
    struct problem p = { .type = type, .m = m, .n = n, .seed = 15 };
    struct array a = place(type, m, n, 5, 4), b = place(type, longer, nrhs, 3, 7);
    fill_array(&a, &p);
    fill_sides(&b, &p, longer, nrhs);
    CALL(gels, type, &trans, &m, &n, &nrhs, ARRAY(a), ARRAY(b), work, &lwork, &info);
    number *X = gather_array(&b, longer, nrhs);
    double error = gels_error(&p, trans, rows, cols, nrhs, X, longer);
    assert_everywhere_msg(info == 0 && error < 30 && rest_is_as_it_was(&b, NULL, longer, nrhs), "gels %c, %c, %d x %d: %g", type,
                          trans, m, n, error);
    free(X);
    free_array(&b);
    free_array(&a);
    tear_down();
}
END_TEST

/* ---- wrong parameters --------------------------------------------------------------------------------------------------- */

typedef void pdpotrf_function(const char *uplo, const int *n, double *a, const int *ia, const int *ja, const int *desca,
                              int *info);

/* The library returns the same info as ScaLAPACK for each wrong parameter. */
START_TEST(wrong_parameters)
{
    static const struct { int uplo, n, ia, ja, entry, value; } cases[] = {
        { 'X', 8, 1, 1, -1, 0 },     { 'L', -1, 1, 1, -1, 0 },  { 'L', 8, 0, 1, -1, 0 },  { 'U', 8, 1, -3, -1, 0 },
        { 'L', 8, 1, 1, DTYPE_, 2 }, { 'L', 8, 1, 1, MB_, 0 },  { 'L', 8, 1, 1, NB_, -1 }, { 'L', 8, 1, 1, RSRC_, 77 },
        { 'L', 8, 1, 1, CSRC_, -1 }, { 'L', 8, 1, 1, M_, -1 },
        { 'L', 8, 21, 1, -1, 0 },    { 'L', 8, 1, 25, -1, 0 },  { 'L', 8, 13, 1, -1, 0 }, { 'L', 8, 1, 13, -1, 0 } };
    pdpotrf_function *theirs;
    set_up(0);
    *(void **)&theirs = dlsym(RTLD_NEXT, "pdpotrf_");
    struct array a = place('d', 8, 8, 4, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && here.member; i++) {
        char uplo = (char)cases[i].uplo;
        int n = cases[i].n, ia = cases[i].ia, ja = cases[i].ja, info = -7, expected = -8, desc[9];
        memcpy(desc, a.desc, sizeof desc);
        if (cases[i].entry >= 0)
            desc[cases[i].entry] = cases[i].value;
        fill_array(&a, NULL);
        struct call c = { .routine = &scalapack_potrf, .type = 'd',
                          .parameter = (void *[]){ &uplo, &n, a.local, &ia, &ja, desc, &info } };
        call_open(&c);
        theirs(&uplo, &n, a.local, &ia, &ja, desc, &expected);
        info = check_parameters(&c);
        ck_assert_msg(info == expected, "case %zu: %d, ScaLAPACK returns %d", i, info, expected);
    }
    free_array(&a);
    tear_down();
}
END_TEST

static void serve_all(void)
{
    setenv("OMPFACT_SCALAPACK_MIN", "0", 1);
    setenv("OMP_NUM_THREADS", "2", 1);
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("names");
    TCase *tests = tcase_create("ScaLAPACK's names");
    tcase_add_unchecked_fixture(tests, serve_all, NULL);
    tcase_add_loop_test(tests, cholesky, 0, 40);
    tcase_add_loop_test(tests, lu, 0, 60);
    tcase_add_loop_test(tests, systems, 0, 20);
    tcase_add_loop_test(tests, triangles, 0, 20);
    tcase_add_loop_test(tests, orthogonal, 0, 60);
    tcase_add_loop_test(tests, least_squares, 0, 24);
    tcase_add_test(tests, wrong_parameters);
    tcase_set_timeout(tests, 0);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
