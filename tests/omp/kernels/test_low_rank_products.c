/* Products of tiles of low rank with dense results, and norms, in all four types. No MPI. */
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"
#include "tests/omp/kernels/low_rank_products.h"

/* B + U V^H. Elements beside B stay. */
START_TEST(expand)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SHAPES; s++)
        for (int columns = 0; columns <= 18; columns += 9) {
            int m = shapes[s].m, n = shapes[s].n;
            char *UV = random_columns(m + n, columns, columns + 1, 17);
            number *A = product_of(m, n, columns, UV);
            ompfact_tile B = new_tile(m, n, 19);
            struct low_rank_work w = { .precision = precision };
            low_rank_expand(&w, m, n, columns, UV, B.data, B.ld);
            for (int c = 0; c < n; c++)
                for (int r = 0; r < m; r++)
                    check_close(at(&B, r, c), random_number(precision->type, 19, r, c) + A[r + (size_t)c * m],
                                4 + 4 * columns, "expand", r, c);
            check_padding(&B);
            ck_assert(w.flops == 2.0 * m * n * columns);
            FREE(&B);
            free(A);
            free(UV);
        }
}
END_TEST

/* C + alpha U V^H V U^H on one triangle. The other triangle is neither read nor written. */
START_TEST(herk)
{
    static const struct { int n, rows, columns; } cases[] = { { 1, 1, 1 }, { 20, 30, 4 }, { 33, 5, 12 }, { 16, 40, 0 } };
    use_type("sdcz"[_i]);
    for (size_t s = 0; s < sizeof cases / sizeof cases[0]; s++)
        for (int upper = 0; upper < 2; upper++) {
            int n = cases[s].n, rows = cases[s].rows, columns = cases[s].columns, ld = n + rows;
            enum uplo uplo = upper ? UPPER : LOWER;
            char *UV = random_columns(ld, columns, columns + 1, 23);
            number *A = product_of(n, rows, columns, UV);
            ompfact_tile C = new_tile(n, n, 29);
            for (int d = 0; d < n; d++)
                set(&C, d, d, 2);
            hide_rest(&C, uplo, NON_UNIT);
            ompfact_tile before = copy_of(&C);
            struct low_rank_work w = { .precision = precision };
            const char *V = UV + (size_t)n * precision->size;
            ck_assert_int_eq(low_rank_herk(&w, uplo, n, rows, columns, -1, UV, V, ld, C.data, C.ld), 0);
            for (int c = 0; c < n; c++)
                for (int r = 0; r < n; r++) {
                    number want = at(&before, r, c);
                    for (int k = 0; k < rows; k++)
                        want -= A[r + (size_t)k * n] * conj(A[c + (size_t)k * n]);
                    if (upper ? r <= c : r >= c)
                        check_close(at(&C, r, c), want, 16.0 * (1 + columns) * (1 + columns) * (1 + rows), "herk", r, c);
                    else
                        ck_assert(isnan(creal(at(&C, r, c))));
                }
            check_padding(&C);
            FREE(&C, &before);
            free(A);
            free(UV);
            workspace_free();
        }
}
END_TEST

/* The norm of all elements, or of the matrix that a triangle represents, whatever the other triangle contains. */
START_TEST(norms)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++)
        for (int part = 0; part < 3; part++) {
            enum uplo uplo = part == 0 ? GENERAL : part == 1 ? LOWER : UPPER;
            int n = sizes[s], m = part == 0 ? n / 2 + 1 : n;
            ompfact_tile A = new_tile(m, n, 31);
            hide_rest(&A, uplo, NON_UNIT);
            double sum = 0;
            for (int c = 0; c < n; c++)
                for (int r = 0; r < m; r++) {
                    double size = cabs(part == 1 && r < c ? at(&A, c, r) : part == 2 && r > c ? at(&A, c, r) : at(&A, r, c));
                    sum += size * size;
                }
            double norm = frobenius_norm(precision, uplo, m, n, A.data, A.ld);
            ck_assert_msg(fabs(norm - sqrt(sum)) <= 1e-13 * norm, "%c, %d x %d: %g, not %g", precision->type, m, n, norm,
                          sqrt(sum));
            FREE(&A);
        }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { expand, herk, norms };
    return run_for_all_types("products of low rank", sizeof tests / sizeof tests[0], tests);
}
