/* Packed tiles on all kinds of processors that this processor can run as, in all four types: triangular solves and
   factorizations. No MPI. */
#include "tests/omp/kernels/packed_tiles.h"

/* X T = B, with T and B in column order or transposed. X is packed in the memory of B, or is stored in column order. */
static void check_solve(int m, int n, bool transposed, bool unit, bool stays_packed)
{
    ompfact_tile T = new_tile(n, n, 2), B = transposed ? new_tile(n, m, 3) : new_tile(m, n, 3), X = new_tile(m, n, 4);
    enum uplo part = transposed ? LOWER : UPPER;
    enum diag diag = unit ? UNIT : NON_ZERO;
    for (int c = 0; c < n; c++) {
        for (int r = 0; r < n; r++)
            set(&T, r, c, at(&T, r, c) / n);
        set(&T, c, c, c % 5 == 3 ? 0 : 1 + at(&T, c, c));      /* a zero counts as one */
    }
    hide_rest(&T, part, diag);
    void *work = malloc(packed->solve_bytes(m, n));
    unsigned char *P = stays_packed ? new_packed(&X) : NULL;
    struct triangle triangle = { transposed ? view_of_transpose(&T) : view_of(&T), diag };
    struct view rows = transposed ? view_of_transpose(&B) : view_of(&B);
    ompfact_tile before = copy_of(&B);
    packed->solve(m, n, triangle, rows, work, P, stays_packed ? (struct view){ 0 } : view_of(&X));
    if (stays_packed) {
        check_behind(&X, P);
        packed->unpack(m, n, P, view_of(&X));
    }
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            number sum = 0;
            for (int i = 0; i <= c; i++) {
                number t = unit && i == c ? 1 : factor_at(&T, part, diag, transposed ? CONJ_TRANS : NO_TRANS, i, c);
                sum += at(&X, r, i) * (i == c && t == 0 ? 1 : t);
            }
            check_close(sum, transposed ? conj(at(&before, c, r)) : at(&before, r, c), 4 * n + 4, "solve", r, c);
        }
    free(work);
    free(P);
    FREE(&T, &B, &X, &before);
}

/* Both orders of T and B, unit diagonals, and both places of X. */
START_TEST(solve)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int way = 0; way < 8; way++)
            check_solve(sizes[(s + way) % SIZES], sizes[s], way & 1, way & 2, way & 4);
}
END_TEST

/* Pivots with reciprocals that overflow or are denormal: the kernel divides columns by them. */
START_TEST(extreme_pivots)
{
    if (!use_processor(_i))
        return;
    enum { N = 33 };
    double extreme[] = { precision->smallest / 4, 1 / precision->smallest * 2 }, quotient[] = { 1, 0x1p-6 };
    for (int e = 0; e < 2; e++) {
        ompfact_tile T = new_tile(N, N, 2), B = new_tile(N, N, 3), X = new_tile(N, N, 4);
        for (int c = 0; c < N; c++)
            for (int r = 0; r < N; r++) {
                set(&T, r, c, r == c ? extreme[e] : 0);
                set(&B, r, c, extreme[e] * quotient[e] * (r + 1));
            }
        void *work = malloc(packed->solve_bytes(N, N));
        packed->solve(N, N, (struct triangle){ view_of(&T), NON_UNIT }, view_of(&B), work, NULL, view_of(&X));
        for (int c = 0; c < N; c++)
            for (int r = 0; r < N; r++)
                check_close(at(&X, r, c) / (quotient[e] * (r + 1)), 1, 4, "solve", r, c);
        free(work);
        FREE(&T, &B, &X);
    }
}
END_TEST

/* A solve in the memory of B has the result of a solve in other memory. One pivot requires division. */
static void check_in_place(int m, int n, bool transposed)
{
    ompfact_tile T = new_tile(n, n, 2), B = transposed ? new_tile(n, m, 3) : new_tile(m, n, 3);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(&T, r, c, r != c ? at(&T, r, c) / n : c == 5 ? 2 / precision->smallest : 2);
    unsigned char *P = new_packed(&B), *Q = new_packed(&B);
    for (int c = 0; c < B.nb; c++)
        memcpy(P + (size_t)c * (size_t)B.mb * precision->size,
               (unsigned char *)B.data + (size_t)c * (size_t)B.ld * precision->size, (size_t)B.mb * precision->size);
    struct triangle triangle = { transposed ? view_of_transpose(&T) : view_of(&T), NON_UNIT };
    struct view rows = transposed ? (struct view){ P, B.mb, 1, true } : (struct view){ P, 1, B.mb, false };
    void *work = malloc(packed->solve_bytes(m, n));
    packed->solve(m, n, triangle, rows, work, Q, (struct view){ 0 });
    packed->solve(m, n, triangle, rows, work, P, (struct view){ 0 });
    check_behind(&B, P);
    ck_assert_mem_eq(P, Q, (size_t)m * (size_t)n * precision->size);
    free(work);
    free(P);
    free(Q);
    FREE(&T, &B);
}

/* Orders that fill strips, and an order that does not. */
START_TEST(solve_in_place)
{
    if (!use_processor(_i))
        return;
    int orders[] = { 16, 48, 64, 80, 112, 33 };
    for (int i = 0; i < 6; i++)
        for (int transposed = 0; transposed < 2; transposed++)
            check_in_place(orders[i], orders[i], transposed);
    check_in_place(64, 48, true);
    check_in_place(64, 48, false);
    check_in_place(19, 32, true);
}
END_TEST

/* Y T = B P. Each column of X is a column of Y with a weight, or the sum of two such columns. */
static void check_pivoted(int m, int n, bool transposed, bool in_place)
{
    ompfact_tile T = new_tile(n, n, 2), B = transposed ? new_tile(n, m, 3) : new_tile(m, n, 3), X = new_tile(m, n, 4);
    ompfact_tile weights = new_tile(2 * n, 1, 5), Y = new_tile(m, n, 6);
    int *order = malloc((size_t)n * sizeof *order), *from = malloc(2 * (size_t)n * sizeof *from);
    for (int c = 0; c < n; c++) {
        order[c] = (c + n / 2) % n;
        from[2 * c] = (c + n / 3) % n;
        from[2 * c + 1] = c % 3 == 0 ? (c + 1) % n : -1;
        for (int r = 0; r < n; r++)
            set(&T, r, c, r == c ? NAN : at(&T, r, c) / n);
    }
    unsigned char *P = new_packed(&X);
    struct view rows = transposed ? view_of_transpose(&B) : view_of(&B);
    if (in_place) {     /* columns without padding */
        for (int c = 0; c < B.nb; c++)
            memcpy(P + (size_t)c * (size_t)B.mb * precision->size,
                   (unsigned char *)B.data + (size_t)c * (size_t)B.ld * precision->size, (size_t)B.mb * precision->size);
        rows = transposed ? (struct view){ P, B.mb, 1, true } : (struct view){ P, 1, B.mb, false };
    }
    void *work = malloc(packed->solve_pivoted_bytes(m, n));
    struct pivoted_columns columns = { order, from, weights.data };
    packed->solve_pivoted(m, n, (struct triangle){ transposed ? view_of_transpose(&T) : view_of(&T), UNIT }, rows, &columns, work,
                          P);
    check_behind(&X, P);
    packed->unpack(m, n, P, view_of(&X));
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            number y = transposed ? conj(at(&B, order[c], r)) : at(&B, r, order[c]);
            for (int i = 0; i < c; i++)
                y -= at(&Y, r, i) * (transposed ? conj(at(&T, c, i)) : at(&T, i, c));
            set(&Y, r, c, y);
        }
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            number want = at(&Y, r, from[2 * c]) * at(&weights, 2 * c, 0);
            if (from[2 * c + 1] >= 0)
                want += at(&Y, r, from[2 * c + 1]) * at(&weights, 2 * c + 1, 0);
            check_close(at(&X, r, c), want, 8 * n + 8, "pivoted solve", r, c);
        }
    free(work);
    free(P);
    free(order);
    free(from);
    FREE(&T, &B, &X, &Y, &weights);
}

/* Both orders of T and B, in the memory of B and in other memory. */
START_TEST(pivoted)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int way = 0; way < 4; way++)
            check_pivoted(sizes[(s + way) % SIZES], sizes[s], way & 1, way & 2);
}
END_TEST

/* A = L L^H or L U: the product of the factors is the tile. */
START_TEST(factors)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int hermitian = 0; hermitian < 2; hermitian++) {
            int n = sizes[s];
            struct problem p = { .type = precision->type, .hermitian = hermitian, .m = n, .n = n, .seed = 5 };
            ompfact_tile A = new_tile(n, n, 1);
            fill_tile(&p, &A);
            void *work = malloc(hermitian ? packed->potrf_bytes(n) : packed->getrf_bytes(n));
            int info = hermitian ? packed->potrf(n, view_of(&A), work) : packed->getrf(n, A.data, A.ld, work);
            ck_assert_int_eq(info, 0);
            number *dense = calloc((size_t)n * (size_t)n, sizeof *dense);
            for (int c = 0; c < n; c++)
                for (int r = 0; r < n; r++)
                    dense[r + c * n] = is_beyond(&p, r, c) ? 0 : at(&A, r, c);
            for (int c = 0; c < n; c++)
                for (int r = 0; r < n; r++)
                    check_close(product_of_factors(&p, dense, r, c), entry_of(&p, r, c), 20 * n, "factors", r, c);
            free(dense);
            free(work);
            check_padding(&A);
            FREE(&A);
        }
}
END_TEST

/* An entry of a Hermitian or symmetric matrix. Its diagonal has large, zero and small elements, for pivots of both orders. */
static number rook_entry(bool symmetric, int r, int c)
{
    number a = random_number(precision->type, 5, r > c ? r : c, r > c ? c : r);
    if (r == c)
        return r % 5 == 0 ? 30 : r % 5 == 1 || symmetric ? 0 : creal(a);
    return r > c || symmetric ? a : conj(a);
}

static number rook_l(const ompfact_tile *A, int r, int c)
{
    return r > c ? at(A, r, c) : r == c;
}

/* (L D)(r,i) */
static number rook_w(const ompfact_tile *A, const struct rook_pivots *p, bool symmetric, int r, int i)
{
    number sum = rook_l(A, r, i) * at(A, i, i);
    int first = p->pair[i] == 2 ? i - 1 : i;
    double e[2] = { 0, 0 };
    if (p->pair[i] != 0)
        precision->get((const char *)p->below + (size_t)first * precision->size, &e[0], &e[1]);
    number below = e[0] + I * e[1];
    if (p->pair[i] == 1)
        sum += rook_l(A, r, i + 1) * below;
    if (p->pair[i] == 2)
        sum += rook_l(A, r, i - 1) * (symmetric ? below : conj(below));
    return sum;
}

static void check_rook(int n, bool symmetric)
{
    ompfact_tile A = new_tile(n, n, 1);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(&A, r, c, rook_entry(symmetric, r, c));
    hide_rest(&A, LOWER, NON_UNIT);
    int *order = calloc(2 * (size_t)n, sizeof *order), wrong = 0;
    void *work = malloc(packed->rook_bytes(n)), *below = calloc((size_t)n, precision->size);
    struct rook_pivots p = { .symmetric = symmetric, .order = order, .pair = order + n, .below = below };
    packed->rook(n, view_of(&A), &p, work);
    for (int r = 0; r < n; r++)
        for (int c = 0; c <= r; c++) {
            number sum = 0;
            for (int i = 0; i <= c || (i < n && p.pair[i] == 2); i++) {
                number l = rook_l(&A, c, i);
                sum += rook_w(&A, &p, symmetric, r, i) * (symmetric ? l : conj(l));
            }
            check_close(sum, rook_entry(symmetric, order[r], order[c]), 60 * n + 60, "rook", r, c);
            wrong += r > c && cabs(at(&A, r, c)) > (precision->flops_scale > 1 ? 16 : 3);
        }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(p.perturbed, 0);
    check_padding(&A);
    free(order);
    free(work);
    free(below);
    FREE(&A);
}

/* P A P^H = L D L^H with bounded L, and the same without conjugates. */
START_TEST(rook)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++) {
        check_rook(sizes[s], false);
        check_rook(sizes[s], true);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { solve, extreme_pivots, solve_in_place, pivoted, factors, rook };
    Suite *suite = suite_create("solves with packed tiles");
    TCase *tcase = tcase_create("solves with packed tiles");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_loop_test(tcase, tests[i], 0, PROCESSORS * TYPE_LETTERS);
    suite_add_tcase(suite, tcase);
    return run_serial_suite(suite);
}
