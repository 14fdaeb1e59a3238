/* Tiles of low rank: compression and truncation to a tolerance, with orthonormal columns, in all four types. No MPI. */
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"
#include "tests/omp/kernels/low_rank_products.h"

/* ---- matrices -------------------------------------------------------------------------------------------------------------- */

/* The sum of `rank` products of columns of random numbers, each `decay` times the one before it. */
static number *sum_of_products(int m, int n, int rank, double decay, unsigned seed)
{
    number *A = zeros(m, n);
    double scale = 1;
    for (int q = 0; q < rank; q++, scale *= decay)
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++)
                A[r + (size_t)c * m] += scale * random_number(precision->type, seed, r, q) *
                                        conj(random_number(precision->type, seed + 1, c, q));
    return A;
}

static double norm_of(int m, int n, const number *A)
{
    double sum = 0;
    for (int k = 0; k < m * n; k++)
        sum += creal(A[k]) * creal(A[k]) + cimag(A[k]) * cimag(A[k]);
    return sqrt(sum);
}

/* || A - B ||_F */
static double distance(int m, int n, const number *A, const number *B)
{
    number *D = zeros(m, n);
    for (int k = 0; k < m * n; k++)
        D[k] = A[k] - B[k];
    double norm = norm_of(m, n, D);
    free(D);
    return norm;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------------- */

/* The roundoff in a product of this norm: the errors of a few QR factorizations of so many rows. */
static double roundoff(int m, int n, double norm)
{
    return 4 * (m + n) * precision->eps * norm;
}

/* Rows first .. first + m - 1 of the columns are orthonormal. */
static void check_orthonormal(int first, int m, int ld, int columns, const char *data)
{
    double worst = 0;
    for (int p = 0; p < columns; p++)
        for (int q = 0; q <= p; q++) {
            number sum = 0;
            for (int r = 0; r < m; r++)
                sum += conj(number_at(data, (size_t)(first + r) + (size_t)p * (size_t)ld)) *
                       number_at(data, (size_t)(first + r) + (size_t)q * (size_t)ld);
            worst = fmax(worst, cabs(sum - (p == q)));
        }
    ck_assert_msg(worst <= 4 * (m + columns) * precision->eps, "%c, %d x %d: off unity by %g eps", precision->type, m, columns,
                  worst / precision->eps);
}

/* An upper bound of || |U| |V|^H ||_F, in units of which a product is rounded. */
static double size_of(int m, int n, int columns, const char *UV)
{
    double size = 0;
    for (int q = 0; q < columns; q++) {
        double squares[2] = { 0, 0 };
        for (int r = 0; r < m + n; r++) {
            double modulus = cabs(number_at(UV, (size_t)r + (size_t)q * (size_t)(m + n)));
            squares[r >= m] += modulus * modulus;
        }
        size += sqrt(squares[0] * squares[1]);
    }
    return size;
}

/* The columns are A minus the reported remainder, which is within the tolerance. `allowed` is the roundoff. */
static void check_columns(const struct low_rank_work *w, int m, int n, int rank, const char *UV, const number *A,
                          double tolerance, double allowed)
{
    number *B = product_of(m, n, rank, UV);
    double error = distance(m, n, A, B);
    ck_assert_msg(error <= tolerance + allowed, "%c, %d x %d, rank %d: error %g, tolerance %g", precision->type, m, n, rank,
                  error, tolerance);
    ck_assert_msg(fabs(error - w->left_out) <= allowed, "%c, %d x %d, rank %d: error %g, reported %g", precision->type, m, n,
                  rank, error, w->left_out);
    free(B);
}

/* ---- compression ----------------------------------------------------------------------------------------------------------- */

/* Compresses and checks a tile. Returns the rank. */
static int compress_and_check(int m, int n, const number *A, double tolerance, int most)
{
    struct low_rank_work w = { .precision = precision };
    char *data = stored(m, n, A, 0), *UV = malloc((size_t)(most + LOW_RANK_BLOCK) * (size_t)(m + n) * precision->size);
    int rank = low_rank_compress(&w, m, n, data, tolerance, most, UV);
    ck_assert_int_ne(rank, LOW_RANK_NO_MEMORY);
    ck_assert_int_le(rank, most);
    if (rank >= 0) {
        ck_assert(w.left_out <= tolerance * (1 + 1e-6));
        check_columns(&w, m, n, rank, UV, A, tolerance, roundoff(m, n, norm_of(m, n, A)));
        check_orthonormal(0, m, m + n, rank, UV);
    }
    free(data);
    free(UV);
    workspace_free();
    return rank;
}

/* A sum of a few products is found with its rank, whatever the tile's shape. With memory for one column less it is refused. */
START_TEST(compress_exact)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++)
        for (unsigned seed = 1; seed <= SEEDS; seed++)
            for (int rank = 1; rank <= 17; rank += 4) {
                int m = shapes[s].m, n = shapes[s].n, order = m < n ? m : n, want = rank < order ? rank : order;
                number *A = sum_of_products(m, n, rank, 1, seed);
                double tolerance = 4 * roundoff(m, n, norm_of(m, n, A));
                ck_assert_int_eq(compress_and_check(m, n, A, tolerance, order), want);
                ck_assert_int_eq(compress_and_check(m, n, A, tolerance, want), want);
                ck_assert_int_eq(compress_and_check(m, n, A, tolerance, want - 1), LOW_RANK_NONE);
                free(A);
            }
}
END_TEST

/* Where products become smaller and smaller a few are enough; a larger tolerance needs fewer. */
START_TEST(compress_decaying)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++)
        for (unsigned seed = 1; seed <= SEEDS; seed++) {
            int m = shapes[s].m, n = shapes[s].n, order = m < n ? m : n, before = order + 1;
            number *A = sum_of_products(m, n, order, 0.25, seed);
            double norm = norm_of(m, n, A);
            for (double share = precision->eps * 1024; share < 0.5; share *= 64) {
                int rank = compress_and_check(m, n, A, share * norm, order), needed = 2 + (int)(log(1 / share) / log(4));
                ck_assert_msg(rank >= 1 && rank <= before && rank <= needed + 2, "%c, %d x %d to %g: rank %d, %d before",
                              precision->type, m, n, share, rank, before);
                before = rank;
            }
            free(A);
        }
}
END_TEST

/* Zeros, and tiles as small as the tolerance, have rank 0. */
START_TEST(compress_nothing)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++) {
        int m = shapes[s].m, n = shapes[s].n;
        number *A = zeros(m, n);
        ck_assert_int_eq(compress_and_check(m, n, A, 0, 1), 0);
        ck_assert_int_eq(compress_and_check(m, n, A, 1, 0), 0);
        A[m * n - 1] = 0.5;
        ck_assert_int_eq(compress_and_check(m, n, A, 0.5, 0), 0);
        ck_assert_int_eq(compress_and_check(m, n, A, 0.25, 0), LOW_RANK_NONE);
        ck_assert_int_eq(compress_and_check(m, n, A, roundoff(m, n, 0.5), 1), 1);
        free(A);
    }
}
END_TEST

/* Random numbers have no low rank, and tiles that are not finite are refused. */
START_TEST(compress_refuses)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++) {
        int m = shapes[s].m, n = shapes[s].n, order = m < n ? m : n;
        number *A = sum_of_products(m, n, 2 * order, 1, 5);
        double norm = norm_of(m, n, A);
        if (order >= 8)
            ck_assert_int_eq(compress_and_check(m, n, A, 1e-3 * norm, order / 2), LOW_RANK_NONE);
        A[m * n / 2] = _i % 2 ? NAN : INFINITY;
        ck_assert_int_eq(compress_and_check(m, n, A, 1e-3 * norm, order), LOW_RANK_NONE);
        free(A);
    }
}
END_TEST

/* ---- truncation ------------------------------------------------------------------------------------------------------------ */

/* Truncates and checks a product. Returns the rank. */
static int truncate_and_check(int m, int n, int columns, char *UV, double tolerance)
{
    struct low_rank_work w = { .precision = precision };
    number *A = product_of(m, n, columns, UV);
    double allowed = roundoff(m, n, size_of(m, n, columns, UV));
    int rank = low_rank_truncate(&w, m, n, UV, columns, tolerance);
    ck_assert_int_ge(rank, 0);
    check_columns(&w, m, n, rank, UV, A, tolerance, allowed);
    check_orthonormal(0, m, m + n, rank, UV);
    free(A);
    workspace_free();
    return rank;
}

/* Columns beyond a tile's order, and columns that depend on others, are dropped. Without a tolerance the product stays. */
START_TEST(truncate_columns)
{
    static const int counts[] = { 1, 3, 20, 45 };
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++)
        for (int k = 0; k < 4; k++)
            for (int repeat = counts[k]; repeat > 0; repeat = repeat > 2 ? 2 : repeat - 1) {
                int m = shapes[s].m, n = shapes[s].n, order = m < n ? m : n, want = repeat < order ? repeat : order;
                char *UV = random_columns(m + n, counts[k], repeat, 7), *again = random_columns(m + n, counts[k], repeat, 7);
                double tolerance = 2 * roundoff(m, n, size_of(m, n, counts[k], UV));
                ck_assert_int_eq(truncate_and_check(m, n, counts[k], UV, tolerance), want);
                ck_assert_int_le(truncate_and_check(m, n, counts[k], again, 0), counts[k] < order ? counts[k] : order);
                free(UV);
                free(again);
            }
}
END_TEST

/* Truncation uses the tolerance, and never exceeds it. */
START_TEST(truncate_to_tolerance)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++)
        for (double share = 2e-4; share < 3; share *= 10) {
            int m = shapes[s].m, n = shapes[s].n, order = m < n ? m : n;
            number *A = sum_of_products(m, n, order, 0.3, 3);
            double norm = norm_of(m, n, A);
            char *UV = malloc((size_t)(order + LOW_RANK_BLOCK) * (size_t)(m + n) * precision->size), *data = stored(m, n, A, 0);
            struct low_rank_work w = { .precision = precision };
            int before = low_rank_compress(&w, m, n, data, roundoff(m, n, norm), order, UV);
            int rank = truncate_and_check(m, n, before, UV, share * norm);
            ck_assert_msg(rank <= 3 + (int)(log(1 / share) / log(3)), "%c, %d x %d to %g: rank %d", precision->type, m, n, share,
                          rank);
            ck_assert(share < 1 || rank == 0);
            free(A);
            free(UV);
            free(data);
        }
}
END_TEST

/* Columns of zeros are dropped. */
START_TEST(truncate_zeros)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++)
        for (int columns = 0; columns <= 50; columns += 25) {
            int m = shapes[s].m, n = shapes[s].n;
            char *UV = calloc((size_t)(columns * (m + n)) + 1, precision->size);
            ck_assert_int_eq(truncate_and_check(m, n, columns, UV, 0), 0);
            free(UV);
        }
}
END_TEST

/* A NaN is never dropped. */
START_TEST(truncate_nan)
{
    use_type("sdcz"[_i]);
    int m = 20, n = 15, columns = 4;
    char *UV = random_columns(m + n, columns, columns, 9);
    precision->set(UV + (size_t)(m + n + 3) * precision->size, NAN, 0);
    struct low_rank_work w = { .precision = precision };
    int rank = low_rank_truncate(&w, m, n, UV, columns, 1e30);
    ck_assert_int_gt(rank, 0);
    number *A = product_of(m, n, rank, UV);
    ck_assert(isnan(norm_of(m, n, A)));
    free(A);
    free(UV);
    workspace_free();
}
END_TEST

/* The product stays, and the right columns become orthonormal. */
START_TEST(lean_right)
{
    static const int counts[] = { 0, 1, 7, 45 };
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++)
        for (int k = 0; k < 4; k++) {
            int m = shapes[s].m, n = shapes[s].n;
            char *UV = random_columns(m + n, counts[k], counts[k] + 1, 11);
            number *A = product_of(m, n, counts[k], UV);
            double allowed = roundoff(m, n, size_of(m, n, counts[k], UV));
            struct low_rank_work w = { .precision = precision, .left_out = 1 };
            int rank = low_rank_lean_right(&w, m, n, UV, counts[k]);
            ck_assert_int_eq(rank, counts[k] < n ? counts[k] : n);
            ck_assert(w.left_out == 0);
            check_columns(&w, m, n, rank, UV, A, 0, allowed);
            check_orthonormal(m, n, m + n, rank, UV);
            free(A);
            free(UV);
            workspace_free();
        }
}
END_TEST

/* A small matrix becomes Z R with as many columns as the tolerance needs. */
START_TEST(reduced)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++)
        for (double share = precision->eps; share < 2; share *= 32) {
            int m = shapes[s].m, n = shapes[s].n, order = m < n ? m : n;
            number *A = sum_of_products(m, n, order, 0.5, 13), *B = zeros(m, n);
            double norm = norm_of(m, n, A), tolerance = share * norm;
            char *K = stored(m, n, A, 0), *Z = stored(0, 0, A, m * order), *R = stored(0, 0, A, order * n);
            struct low_rank_work w = { .precision = precision };
            int rank = low_rank_reduce(&w, m, n, K, tolerance, Z, R);
            ck_assert(rank >= 0 && rank <= order && (share < 1 || rank == 0));
            for (int q = 0; q < rank; q++)
                for (int c = 0; c < n; c++)
                    for (int r = 0; r < m; r++)
                        B[r + (size_t)c * m] += number_at(Z, (size_t)(r + q * m)) * number_at(R, (size_t)(q + c * order));
            double error = distance(m, n, A, B);
            ck_assert(w.left_out <= tolerance || rank == order);
            ck_assert_msg(fabs(error - w.left_out) <= roundoff(m, n, norm), "%c, %d x %d: error %g, reported %g",
                          precision->type, m, n, error, w.left_out);
            check_orthonormal(0, m, m, rank, Z);
            free(A);
            free(B);
            free(K);
            free(Z);
            free(R);
        }
    workspace_free();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { compress_exact, compress_decaying, compress_nothing, compress_refuses, truncate_columns,
                                   truncate_to_tolerance, truncate_zeros, truncate_nan, lean_right, reduced };
    return run_for_all_types("low rank", sizeof tests / sizeof tests[0], tests);
}
