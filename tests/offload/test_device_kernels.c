/*
 * Products and triangular solves on devices against the host's, for all types, in ragged sizes. What a kernel must not read is
 * NaN, and the padding between columns must stay unchanged. Of a backend whose table is the host's, the tests check that
 * kernels work on device memory; the vendors' tables are tested where such a device is present. No MPI.
 */
#include "tests/offload/device_memory.h"

/* Composes kernels of blocks of so many columns, where the devices support it; 0: kernels are in one piece. */
static void use_blocks(int columns)
{
    if (devices->blocks != NULL)
        devices->blocks[type_index(precision->type)] = (struct device_blocks){ .herk = columns, .trsm = columns };
}

/* ---- products ----------------------------------------------------------------------------------------------------------- */

/* C += alpha op(A) op(B). */
START_TEST(gemm)
{
    if (!open_for(_i))
        return;
    static const enum trans ways[] = { NO_TRANS, TRANS, CONJ_TRANS };
    for (int v = 0; v < 9 * ORDERS; v++) {
        int m = orders[v / 9], n = orders[(v / 9 + 1) % ORDERS], inner = orders[(v / 9 + 3) % ORDERS];
        enum trans ta = ways[v % 3], tb = ways[v / 3 % 3];
        ompfact_tile A = ta == NO_TRANS ? new_tile(m, inner, 1) : new_tile(inner, m, 1);
        ompfact_tile B = tb == NO_TRANS ? new_tile(inner, n, 2) : new_tile(n, inner, 2), C = new_tile(m, n, 3);
        begin();
        void *a = put_there(&A), *b = put_there(&B), *c = put_there(&C);
        there->gemm(ta, tb, m, n, inner, -1.5, a, A.ld, b, B.ld, c, C.ld);
        k->gemm(ta, tb, m, n, inner, -1.5, A.data, A.ld, B.data, B.ld, C.data, C.ld);
        compare(&C, c, inner + 2, "gemm");
        drop(a);
        drop(b);
        end();
        FREE(&A, &B, &C);
    }
    offload_close(&devices);
}
END_TEST

/* C += alpha op(A) op(A)^H on one triangle; `plain`: op(A)^T in place of op(A)^H. */
static void check_square(bool plain, enum uplo uplo, bool transposed, int n, int inner, double alpha)
{
    enum trans trans = !transposed ? NO_TRANS : plain ? TRANS : CONJ_TRANS;
    ompfact_tile A = transposed ? new_tile(inner, n, 1) : new_tile(n, inner, 1), C = new_tile(n, n, 2);
    for (int i = 0; i < n && !plain; i++)
        set(&C, i, i, creal(at(&C, i, i)));
    hide_rest(&C, uplo, NON_UNIT);
    begin();
    void *a = put_there(&A), *c = put_there(&C);
    (plain ? there->syrk : there->herk)(uplo, trans, n, inner, alpha, a, A.ld, c, C.ld);
    (plain ? k->syrk : k->herk)(uplo, trans, n, inner, alpha, A.data, A.ld, C.data, C.ld);
    compare(&C, c, inner + 2, plain ? "syrk" : "herk");
    drop(a);
    end();
    FREE(&A, &C);
}

START_TEST(herk_and_syrk)
{
    if (!open_for(_i))
        return;
    for (int v = 0; v < 16 * ORDERS; v++) {
        use_blocks(v & 4 ? 32 : 0);
        check_square(v & 8, v & 2 ? LOWER : UPPER, v & 1, orders[v / 16], orders[(v / 16 + 3) % ORDERS], v % 3 == 0 ? 2 : -1);
    }
    offload_close(&devices);
}
END_TEST

/* C += alpha A B, A Hermitian. */
START_TEST(hemm)
{
    if (!open_for(_i))
        return;
    for (int v = 0; v < 2 * ORDERS; v++) {
        int m = orders[v / 2], n = orders[(v / 2 + 2) % ORDERS];
        enum uplo uplo = v & 1 ? LOWER : UPPER;
        ompfact_tile A = new_tile(m, m, 1), B = new_tile(m, n, 2), C = new_tile(m, n, 3);
        for (int i = 0; i < m; i++)
            set(&A, i, i, creal(at(&A, i, i)));
        hide_rest(&A, uplo, NON_UNIT);
        begin();
        void *a = put_there(&A), *b = put_there(&B), *c = put_there(&C);
        there->hemm(uplo, m, n, 2, a, A.ld, b, B.ld, c, C.ld);
        k->hemm(uplo, m, n, 2, A.data, A.ld, B.data, B.ld, C.data, C.ld);
        compare(&C, c, 2 * m + 2, "hemm");
        drop(a);
        drop(b);
        end();
        FREE(&A, &B, &C);
    }
    offload_close(&devices);
}
END_TEST

/* C += alpha op(A) op(B), with triangles as factors. */
START_TEST(product)
{
    if (!open_for(_i))
        return;
    static const enum uplo parts[] = { GENERAL, LOWER, UPPER };
    for (int v = 0; v < 36; v++) {
        enum uplo part_a = parts[v % 3], part_b = parts[v / 3 % 3];
        enum trans ta = v / 9 % 2 ? CONJ_TRANS : NO_TRANS, tb = v / 18 ? CONJ_TRANS : NO_TRANS;
        enum diag diag = v % 2 ? UNIT : NON_UNIT;
        int m = 33, n = 20, inner = 35;
        ompfact_tile A = ta == NO_TRANS ? new_tile(m, inner, 1) : new_tile(inner, m, 1);
        ompfact_tile B = tb == NO_TRANS ? new_tile(inner, n, 2) : new_tile(n, inner, 2), C = new_tile(m, n, 3);
        hide_rest(&A, part_a, diag);
        hide_rest(&B, part_b, NON_UNIT);
        begin();
        void *a = put_there(&A), *b = put_there(&B), *c = put_there(&C);
        struct multiplicand fa = { A.data, A.ld, part_a, diag, ta }, fb = { B.data, B.ld, part_b, NON_UNIT, tb }, da = fa,
                            db = fb;
        da.data = a;
        db.data = b;
        ck_assert_int_eq(there->product(m, n, inner, -1, da, db, c, C.ld), 0);
        ck_assert_int_eq(k->product(m, n, inner, -1, fa, fb, C.data, C.ld), 0);
        compare(&C, c, inner + 2, "product");
        drop(a);
        drop(b);
        end();
        FREE(&A, &B, &C);
    }
    offload_close(&devices);
}
END_TEST

/* ---- triangles ---------------------------------------------------------------------------------------------------------- */

/* Makes a triangle well conditioned, with zeros on its diagonal if `zeros`. */
static void prepare(const ompfact_tile *A, bool zeros)
{
    int n = A->nb;
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(A, r, c, r != c ? at(A, r, c) / n : zeros && (r == n / 2 || r == n - 1) ? 0 : 2 + at(A, r, c) / 2);
}

/* trsm and trmm, with all sides, triangles and forms; trsm also where a zero on the diagonal counts as one. */
START_TEST(triangles)
{
    if (!open_for(_i))
        return;
    for (int v = 0; v < 64 * ORDERS; v++) {
        int order = orders[v / 64], other = orders[(v / 64 + 1 + v % 3) % ORDERS];
        use_blocks(v & 32);
        enum side side = v & 1 ? LEFT : RIGHT;
        enum uplo uplo = v & 2 ? LOWER : UPPER;
        enum trans trans = v & 4 ? CONJ_TRANS : NO_TRANS;
        enum diag diag = v & 8 ? UNIT : v & 16 ? NON_ZERO : NON_UNIT;
        int m = side == LEFT ? order : other, n = side == LEFT ? other : order;
        ompfact_tile A = new_tile(order, order, 1), B = new_tile(m, n, 2);
        prepare(&A, diag == NON_ZERO);
        hide_rest(&A, uplo, diag);
        begin();
        void *a = put_there(&A), *b = put_there(&B);
        if (v & 16) {
            there->trsm(side, uplo, trans, diag, m, n, a, A.ld, b, B.ld);
            k->trsm(side, uplo, trans, diag, m, n, A.data, A.ld, B.data, B.ld);
        } else {
            there->trmm(side, uplo, trans, diag, m, n, -2, a, A.ld, b, B.ld);
            k->trmm(side, uplo, trans, diag, m, n, -2, A.data, A.ld, B.data, B.ld);
        }
        compare(&B, b, 4 * order + 4, v & 16 ? "trsm" : "trmm");
        drop(a);
        end();
        FREE(&A, &B);
    }
    offload_close(&devices);
}
END_TEST

/* Changes a triangle in the same way on the device and on the host, to one that can be solved with. */
static void change(ompfact_tile *A, void *a, int how, const ompfact_tile *P, const void *p)
{
    int n = A->nb;
    switch (how) {
    case 0:
        there->gemm(NO_TRANS, CONJ_TRANS, n, n, n, 1.0 / n / n, p, P->ld, p, P->ld, a, A->ld);
        k->gemm(NO_TRANS, CONJ_TRANS, n, n, n, 1.0 / n / n, P->data, P->ld, P->data, P->ld, A->data, A->ld);
        break;
    case 1:
        there->add(n, n, 1.0 / n, p, P->ld, a, A->ld);
        k->add(n, n, 1.0 / n, P->data, P->ld, A->data, A->ld);
        break;
    case 2:
        there->copy_rows(n, n, NULL, p, P->ld, NULL, a, A->ld);
        k->copy_rows(n, n, NULL, P->data, P->ld, NULL, A->data, A->ld);
        break;
    default:
        for (int i = 0; i < n; i++)
            set(A, i, i, at(A, i, i) + 1);
        devices->up(devices, a, A->data, bytes_of(A));
        devices->wait(devices);
    }
}

/* Results that a solve has prepared from a triangle are not used after the triangle has changed by a product, a sum, a copy or an
   upload. */
START_TEST(triangles_that_change)
{
    if (!open_for(_i))
        return;
    enum { N = 70, TRIANGLES = 3, ROUNDS = 4 };
    ompfact_tile A[TRIANGLES], B = new_tile(N, N, 7), P = new_tile(N, N, 8);
    void *a[TRIANGLES];
    prepare(&P, false);
    use_blocks(32);
    begin();
    void *p = put_there(&P);
    for (int i = 0; i < TRIANGLES; i++) {
        A[i] = new_tile(N, N, i);
        prepare(&A[i], false);
        a[i] = put_there(&A[i]);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < TRIANGLES; i++) {
            enum uplo uplo = i % 2 ? LOWER : UPPER;
            ompfact_tile X = copy_of(&B);
            void *x = put_there(&X);
            there->trsm(LEFT, uplo, NO_TRANS, NON_UNIT, N, N, a[i], A[i].ld, x, X.ld);
            k->trsm(LEFT, uplo, NO_TRANS, NON_UNIT, N, N, A[i].data, A[i].ld, X.data, X.ld);
            compare(&X, x, 4 * N, "trsm of what was changed");
            change(&A[i], a[i], (round + i) % ROUNDS, &P, p);
            free(X.data);
        }
    for (int i = 0; i < TRIANGLES; i++) {
        drop(a[i]);
        free(A[i].data);
    }
    drop(p);
    end();
    FREE(&B, &P);
    offload_close(&devices);
}
END_TEST

/* Solves with one triangle in several lanes at once share neither the memory that they work in nor what they prepare. */
START_TEST(lanes)
{
    if (!open_for(_i))
        return;
    static const enum lane ways[] = { LANE_UPDATE, LANE_PANEL, LANE_UPDATE_TOO };
    enum { N = 70, WAYS = sizeof ways / sizeof ways[0], ROUNDS = 40 };
    use_blocks(8);
    for (int round = 0; round < ROUNDS; round++) {
        ompfact_tile A = new_tile(N, N, round), X[WAYS];
        void *x[WAYS];
        uint64_t ticket[WAYS];
        prepare(&A, false);
        begin();
        void *a = put_there(&A);
        for (int i = 0; i < WAYS; i++) {
            X[i] = new_tile(N, N, ROUNDS + i);
            x[i] = put_there(&X[i]);
        }
        end();
        for (int i = 0; i < WAYS; i++) {
            devices->begin(devices, device, ways[i]);
            there->trsm(LEFT, LOWER, NO_TRANS, NON_UNIT, N, N, a, A.ld, x[i], X[i].ld);
            ticket[i] = devices->end(devices);
        }
        for (int i = 0; i < WAYS; i++)
            while (ticket[i] != 0 && !devices->done(devices, ticket[i], &(int){ 0 }))
                ;
        begin();
        for (int i = 0; i < WAYS; i++) {
            k->trsm(LEFT, LOWER, NO_TRANS, NON_UNIT, N, N, A.data, A.ld, X[i].data, X[i].ld);
            compare(&X[i], x[i], 4 * N, "trsm in one of several lanes");
            free(X[i].data);
        }
        drop(a);
        end();
        free(A.data);
    }
    offload_close(&devices);
}
END_TEST

/* ---- threads --------------------------------------------------------------------------------------------------------------- */

/* Several threads at once, each on its own device or on a shared one, get the results of one thread. */
START_TEST(threads)
{
    if (!open_for(_i))
        return;
    enum { N = 70 };
    ompfact_tile A = new_tile(N, N, 1), C = new_tile(N, N, 2), want = copy_of(&C);
    for (int i = 0; i < 3; i++)
        k->gemm(NO_TRANS, CONJ_TRANS, N, N, N, -1, A.data, A.ld, A.data, A.ld, want.data, want.ld);
    int wrong = 0;
    #pragma omp parallel for num_threads(4) schedule(static, 1) reduction(+ : wrong)
    for (int t = 0; t < 16; t++) {
        int own = 1 + t % devices->count;
        ompfact_tile have = copy_of(&C);
        void *a = devices->allocate(devices, own, bytes_of(&A)), *c = devices->allocate(devices, own, bytes_of(&C));
        devices->begin(devices, own, t % 4 == 0 ? LANE_PANEL : LANE_UPDATE);
        devices->up(devices, a, A.data, bytes_of(&A));
        devices->up(devices, c, C.data, bytes_of(&C));
        for (int i = 0; i < 3; i++)
            there->gemm(NO_TRANS, CONJ_TRANS, N, N, N, -1, a, A.ld, a, A.ld, c, C.ld);
        devices->down(devices, have.data, c, bytes_of(&C));
        uint64_t ticket = devices->end(devices);
        while (ticket != 0 && !devices->done(devices, ticket, &(int){ 0 }))
            ;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                wrong += !(cabs(at(&have, i, j) - at(&want, i, j)) <= 100 * N * precision->eps);
        devices->release(devices, own, a);
        devices->release(devices, own, c);
        free(have.data);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_ptr_null(devices->failure(devices));
    FREE(&A, &C, &want);
    offload_close(&devices);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { gemm, herk_and_syrk, hemm, product, triangles, triangles_that_change, lanes, threads };
    return run_on_backends("device kernels", sizeof tests / sizeof tests[0], tests);
}
