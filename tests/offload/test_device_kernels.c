/*
 * The kernels of devices against the host's, for all types, in ragged sizes. What a kernel must not read is NaN, and what lies
 * between the columns of a tile must stay. Of a table that is the host's own this tests that it works on memory of devices;
 * cuBLAS's is tested where there is an NVIDIA device. No MPI.
 */
#include "omp/kernels/bf16_numbers.h"
#include "omp/kernels/panel.h"
#include "omp/kernels/panel_qr.h"
#include "tests/offload/devices.h"
#include "tests/omp/kernels/test_kernels.h"

static const int orders[] = { 0, 1, 5, 32, 33, 70 };
enum { ORDERS = sizeof orders / sizeof orders[0] };

static struct devices *devices;
static const struct kernels *there;     /* the devices' table for the type under test */

/* ---- tiles on a device -------------------------------------------------------------------------------------------------- */

static int device;      /* the last of two, if there are two */

static size_t bytes_of(const ompfact_tile *t)
{
    return (size_t)t->ld * (size_t)t->nb * precision->size;
}

/* Within begin and end, as all that follows. */
static void *put_there(const ompfact_tile *t)
{
    void *data = devices->allocate(devices, device, bytes_of(t));
    ck_assert_ptr_nonnull(data);
    devices->up(devices, data, t->data, bytes_of(t));
    devices->wait(devices);     /* the host's copy is computed with at once */
    return data;
}

static void begin(void)
{
    devices->begin(devices, device, LANE_UPDATE);
}

/* Returns the info that came with the ticket. */
static int end(void)
{
    int info = 0;
    devices->wait(devices);
    uint64_t ticket = devices->end(devices);
    while (ticket != 0 && !devices->done(devices, ticket, &info))
        ;
    const char *failure = devices->failure(devices);
    ck_assert_msg(failure == NULL, "%s", failure);
    return info;
}

/* Gets a tile back, compares it with what the host has made of it, and releases it. NaNs must be where they were. */
static void compare(const ompfact_tile *want, void *data, double terms, const char *what)
{
    ompfact_tile have = copy_of(want);
    devices->down(devices, have.data, data, bytes_of(want));
    devices->wait(devices);
    double largest = 1;
    for (int c = 0; c < want->nb; c++)
        for (int r = 0; r < want->mb; r++)
            largest = fmax(largest, cabs(at(want, r, c)));
    for (int c = 0; c < want->nb; c++)
        for (int r = 0; r < want->mb; r++) {
            number h = at(&have, r, c), w = at(want, r, c);
            bool same = isnan(creal(w)) ? isnan(creal(h)) : cabs(h - w) <= 8 * terms * precision->eps * largest;
            if (!same)
                ck_abort_msg("%s %c%s: element (%d,%d) of %d x %d is %g, not %g", devices->backend, precision->type, what, r, c,
                             want->mb, want->nb, creal(h), creal(w));
        }
    check_padding(&have);
    free(have.data);
    devices->release(devices, device, data);
}

static void drop(void *data)
{
    devices->wait(devices);
    devices->release(devices, device, data);
}

/* Opens the backend of test _i, of which there are four for each: its types. False where this machine has no device for it. */
static bool open_for(int i)
{
    devices = open_some(backends[i / 4], 2);
    if (devices == NULL)
        return false;
    device = devices->count;
    use_type("sdcz"[i % 4]);
    there = devices->kernels("sdcz"[i % 4]);
    void (*all[sizeof *there / sizeof(void (*)(void))])(void);
    memcpy(all, there, sizeof all);
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++)
        ck_assert_msg(all[f] != NULL, "kernel %zu of the table is missing", f);
    ck_assert_ptr_null(devices->kernels('q'));
    return true;
}

/* Where the devices' kernels may be made of blocks, of so many columns; 0: they are in one piece. */
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

/* C += alpha op(A) op(A)^H, or of `plain` ones op(A)^T, on one triangle. */
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

/* Well conditioned; with zeros on the diagonal where they are to be. */
static void prepare(const ompfact_tile *A, bool zeros)
{
    int n = A->nb;
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(A, r, c, r != c ? at(A, r, c) / n : zeros && (r == n / 2 || r == n - 1) ? 0 : 2 + at(A, r, c) / 2);
}

/* trsm, where a zero on the diagonal counts as one if it is to, and trmm: all sides, triangles and forms. */
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

/* Another triangle there and here, and one that can be solved with. */
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

/* What was made of a triangle for one solve is not taken for another one of the same place: a product, a sum, a copy, a move has
   changed it. */
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

/* ---- factorizations ----------------------------------------------------------------------------------------------------- */

/* Diagonally dominant, and one triangle of a Hermitian one. */
static ompfact_tile dominant(int m, int n, bool hermitian, enum uplo uplo)
{
    ompfact_tile A = new_tile(m, n, 4);
    for (int i = 0; i < m && i < n; i++)
        set(&A, i, i, hermitian ? n + 1 : at(&A, i, i) + n + 1);
    if (hermitian)
        hide_rest(&A, uplo, NON_UNIT);
    return A;
}

/* A = L L^H or U^H U, and info where a leading minor is not positive. */
START_TEST(potrf)
{
    if (!open_for(_i))
        return;
    for (int v = 0; v < 4 * ORDERS; v++) {
        int n = orders[v / 4], fails = v & 2 && n > 0 ? (v & 1 ? n : (n + 1) / 2) : 0;
        enum uplo uplo = v & 1 ? LOWER : UPPER;
        ompfact_tile A = dominant(n, n, true, uplo);
        if (fails > 0)
            set(&A, fails - 1, fails - 1, -1);
        begin();
        void *a = put_there(&A);
        int info = there->potrf(uplo, n, a, A.ld);
        ck_assert_int_eq(k->potrf(uplo, n, A.data, A.ld), fails);
        if (fails == 0)
            compare(&A, a, n + 2, "potrf");
        else
            drop(a);
        ck_assert_int_eq(info + end(), fails);
        FREE(&A);
    }
    offload_close(&devices);
}
END_TEST

/* A = L U of any shape; past zero pivots it goes on as the host does. */
START_TEST(getrf)
{
    if (!open_for(_i))
        return;
    for (int v = 0; v < 2 * ORDERS * ORDERS; v++) {
        int m = orders[v / 2 % ORDERS], n = orders[v / 2 / ORDERS], order = m < n ? m : n;
        int zero = v & 1 && order > 0 ? (order + 1) / 2 : 0;
        ompfact_tile A = dominant(m, n, false, GENERAL);
        for (int r = 0; zero > 0 && r < m; r++)
            set(&A, r, zero - 1, 0);
        begin();
        void *a = put_there(&A);
        int info = there->getrf(m, n, a, A.ld);
        ck_assert_int_eq(k->getrf(m, n, A.data, A.ld), zero);
        compare(&A, a, order + 2, "getrf");
        ck_assert_int_eq(info + end(), zero);
        FREE(&A);
    }
    offload_close(&devices);
}
END_TEST

/* ---- panels in one piece ------------------------------------------------------------------------------------------------ */

static const int heights[] = { 1, 5, 33, 70, 300 };
enum { HEIGHTS = sizeof heights / sizeof heights[0] };

/* Pinned memory for what comes from a device; not within begin and end. */
static void *new_pages(size_t bytes)
{
    enum { PAGE = 4096 };
    void *memory = aligned_alloc(PAGE, (bytes + PAGE) / PAGE * PAGE);
    ck_assert_ptr_nonnull(memory);
    devices->pin(devices, memory, bytes, false);
    return memory;
}

static void free_pages(void *memory)
{
    devices->unpin(devices, memory);
    free(memory);
}

/* Of a random panel, with a column of zeros or without. */
static ompfact_tile new_panel(int m, int n, bool with_zeros)
{
    ompfact_tile A = new_tile(m, n, 6);
    for (int r = 0; with_zeros && r < m; r++)
        set(&A, r, n / 2, 0);
    return A;
}

/* P A = L U: LAPACK's pivots, and info, whether or not the caller requests it. */
START_TEST(getrf_of_panels)
{
    if (!open_for(_i))
        return;
    atomic_int idle = 0;
    for (int v = 0; devices->panels != NULL && v < 4 * HEIGHTS * HEIGHTS; v++) {
        int m = heights[v / 4 % HEIGHTS], n = heights[v / 4 / HEIGHTS], order = m < n ? m : n, here[300];
        bool has_info = v & 1;
        ompfact_tile A = new_panel(m, n, v & 2);
        int *swap = new_pages((size_t)order * sizeof *swap);
        begin();
        void *a = put_there(&A);
        int found = devices->panels(precision->type)->getrf(m, n, a, A.ld, swap, has_info);
        int info = getrf_panel(precision, &idle, m, n, A.data, A.ld, here);
        compare(&A, a, 16 * order, "getrf of a panel");
        found += end();
        for (int j = 0; j < order; j++)
            ck_assert_int_eq(swap[j], here[j] + 1);
        ck_assert_int_eq(has_info ? found : info, info);
        free_pages(swap);
        FREE(&A);
    }
    offload_close(&devices);
}
END_TEST

/* A = Q R, Q = I - V T V^H. */
START_TEST(geqrt_of_panels)
{
    if (!open_for(_i))
        return;
    atomic_int idle = 0;
    for (int v = 0; devices->panels != NULL && v < 2 * HEIGHTS * HEIGHTS; v++) {
        int m = heights[v / 2 % HEIGHTS], n = heights[v / 2 / HEIGHTS], q = m < n ? m : n;
        ompfact_tile A = new_panel(m, n, v & 1), T = { .mb = q, .nb = q, .ld = q }, of_host = new_tile(q, q, 7);
        T.data = new_pages((size_t)q * (size_t)q * precision->size);
        begin();
        void *a = put_there(&A);
        devices->panels(precision->type)->geqrt(m, n, a, A.ld, T.data, T.ld);
        ck_assert_int_eq(geqrt_panel(precision, &idle, m, n, FEW_COLUMNS, A.data, A.ld, of_host.data, of_host.ld), 0);
        compare(&A, a, 64 * q + m, "geqrt of a panel");
        ck_assert_int_eq(end(), 0);
        for (int c = 0; c < q; c++)
            for (int r = 0; r < q; r++)
                ck_assert_double_le(cabs(at(&T, r, c) - at(&of_host, r, c)), 8 * (64 * q + m) * precision->eps);
        free_pages(T.data);
        FREE(&A, &of_host);
    }
    offload_close(&devices);
}
END_TEST

/* An exact zero pivot above elements that are none: the column stays as it is, and what follows is LAPACK's without pivoting. */
START_TEST(getrf_goes_on)
{
    if (!open_for(_i))
        return;
    for (int n = 2; n <= 70; n += 17) {
        ompfact_tile A = dominant(n, n, false, GENERAL);
        for (int i = 0; i < n; i++)
            if (i != 0)
                set(&A, 0, i, 0);       /* nothing changes the second pivot */
        set(&A, 0, 0, 1);
        set(&A, 1, 1, 0);
        begin();
        void *a = put_there(&A);
        int info = there->getrf(n, n, a, A.ld);
        ck_assert_int_eq(k->getrf(n, n, A.data, A.ld), 2);
        compare(&A, a, 4 * n, "getrf with a zero pivot");
        ck_assert_int_eq(info + end(), 2);
        FREE(&A);
    }
    offload_close(&devices);
}
END_TEST

/* ---- the rest ----------------------------------------------------------------------------------------------------------- */

/* B += alpha A, B := A^H, A := 0, and rows copied with either list, both or none. */
/* In a tile's memory, which has room for half of its columns at least. */
static void fill_with_other(ompfact_tile *t)
{
    const struct precision *other = precision_of(precision->other);
    for (int c = 0; c < t->nb / 2; c++)
        for (int r = 0; r < t->mb; r++)
            other->set((char *)t->data + ((size_t)r + (size_t)c * (size_t)t->ld) * other->size, r - 0.1 * c, r + c);
}

START_TEST(from_other_precision)
{
    if (!open_for(_i))
        return;
    for (int v = 0; v < ORDERS; v++) {
        int m = orders[v], n = orders[(v + 2) % ORDERS];
        ompfact_tile A = new_tile(m, n, 1), B = new_tile(m, n, 2);
        fill_with_other(&A);
        begin();
        void *a = put_there(&A), *b = put_there(&B);
        there->from_other(m, n / 2, a, A.ld, b, B.ld);
        k->from_other(m, n / 2, A.data, A.ld, B.data, B.ld);
        compare(&B, b, 0, "from_other");
        drop(a);
        end();
        FREE(&A, &B);
    }
    offload_close(&devices);
}
END_TEST

START_TEST(rows_and_sums)
{
    if (!open_for(_i))
        return;
    for (int v = 0; v < 4 * ORDERS; v++) {
        int m = orders[v / 4], n = orders[(v / 4 + 2) % ORDERS], from[70], to[70];
        for (int r = 0; r < m; r++) {
            from[r] = m - 1 - r;
            to[r] = (r + m / 2) % m;
        }
        ompfact_tile A = new_tile(m, n, 1), B = new_tile(m, n, 2), C = new_tile(m, n, 3), H = new_tile(n, m, 4);
        begin();
        void *a = put_there(&A), *b = put_there(&B), *c = put_there(&C), *h = put_there(&H);
        there->copy_rows(m, n, v & 1 ? from : NULL, a, A.ld, v & 2 ? to : NULL, b, B.ld);
        k->copy_rows(m, n, v & 1 ? from : NULL, A.data, A.ld, v & 2 ? to : NULL, B.data, B.ld);
        there->conj_transpose(m, n, a, A.ld, h, H.ld);
        k->conj_transpose(m, n, A.data, A.ld, H.data, H.ld);
        there->add(m, n, -2, b, B.ld, c, C.ld);
        k->add(m, n, -2, B.data, B.ld, C.data, C.ld);
        there->clear(m, n, a, A.ld);
        k->clear(m, n, A.data, A.ld);
        compare(&A, a, 0, "clear");
        compare(&B, b, 0, "copy_rows");
        compare(&C, c, 2, "add");
        compare(&H, h, 0, "conj_transpose");
        end();
        FREE(&A, &B, &C, &H);
    }
    offload_close(&devices);
}
END_TEST

/* Sums of squares of all of a tile, and of each triangle, whose other triangle may hold large numbers. */
START_TEST(squares)
{
    if (!open_for(_i))
        return;
    static const enum uplo parts[] = { GENERAL, LOWER, UPPER };
    for (int v = 0; v < 3 * ORDERS; v++) {
        int n = orders[v / 3], m = parts[v % 3] == GENERAL ? orders[(v / 3 + 2) % ORDERS] : n;
        ompfact_tile A = new_tile(m, n, 1);
        double want = 0, sum = -1;
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++)
                if (!(parts[v % 3] == LOWER && r < c) && !(parts[v % 3] == UPPER && r > c))
                    want += pow(cabs(at(&A, r, c)), 2);
        begin();
        void *a = put_there(&A), *there_sum = devices->allocate(devices, device, sizeof sum);
        there->squares(parts[v % 3], m, n, a, A.ld, there_sum);
        devices->down(devices, &sum, there_sum, sizeof sum);
        drop(there_sum);
        drop(a);
        end();
        ck_assert_msg(fabs(sum - want) <= 1e-12 * want, "%s %c, %d x %d: %g, not %g", devices->backend, precision->type, m, n,
                      sum, want);
        FREE(&A);
    }
    offload_close(&devices);
}
END_TEST

/* Numbers to bfloat16 and back, what that changes, and products of such numbers. Conversions must be those of the host. */
START_TEST(bf16)
{
    if (!open_for(_i))
        return;
    enum { N = 37, COUNT = N * N };
    uint16_t rounded[COUNT];
    float numbers[COUNT], back[COUNT], want[COUNT];
    double wide[COUNT], sum = -1, changes = 0;
    for (int i = 0; i < COUNT; i++) {
        wide[i] = i % 50 == 0 ? 0x1p-140 : (i % 2 ? 1 : -1) * (1 + 0.37 * i) / N;
        numbers[i] = (float)wide[i];
        want[i] = bf16_value(bf16_bits(numbers[i]));
        changes += pow(bf16_change(wide[i]), 2);
    }
    begin();
    char *memory = devices->allocate(devices, device, 20 * COUNT + 64);
    double *d = (double *)memory, *s = d + COUNT;
    float *f = (float *)(s + 1);
    void *b = f + COUNT;
    devices->up(devices, d, wide, sizeof wide);
    devices->up(devices, f, numbers, sizeof numbers);
    devices->wait(devices);
    devices->bf16->changes(COUNT, d, s);
    devices->bf16->round(COUNT, f, b);
    devices->bf16->widen(COUNT, b, f);
    devices->down(devices, &sum, s, sizeof sum);
    devices->down(devices, rounded, b, sizeof rounded);
    devices->down(devices, back, f, sizeof back);
    devices->wait(devices);
    for (int i = 0; i < COUNT; i++)
        ck_assert_msg(back[i] == want[i] && rounded[i] == bf16_bits(numbers[i]), "%s: %g is %g", devices->backend, wide[i],
                      back[i]);
    ck_assert_msg(fabs(sum - changes) <= 1e-12 * changes, "%s: %g, not %g", devices->backend, sum, changes);
    for (int v = 0; v < 4 && devices->bf16->gemm != NULL; v++) {        /* f = b, and f -= op(b) op(b) */
        devices->bf16->widen(COUNT, b, f);
        devices->bf16->gemm(v % 2 ? TRANS : NO_TRANS, v / 2 ? CONJ_TRANS : NO_TRANS, N, N, N, -1, b, N, b, N, f, N);
        devices->down(devices, back, f, sizeof back);
        devices->wait(devices);
        for (int i = 0; i < COUNT; i++) {
            double right = want[i];
            for (int l = 0; l < N; l++)
                right -= (double)want[v % 2 ? l + i % N * N : i % N + l * N] * want[v / 2 ? i / N + l * N : l + i / N * N];
            ck_assert_msg(fabs(back[i] - right) <= 1, "%s: %g, not %g", devices->backend, back[i], right);
        }
    }
    devices->release(devices, device, memory);
    end();
    offload_close(&devices);
}
END_TEST

/* Several threads at once, each on its device or on one that another one uses too, get what one thread gets. */
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
    const TTest *const tests[] = { gemm, herk_and_syrk, hemm, product, triangles, triangles_that_change, potrf, getrf,
                                   getrf_goes_on, getrf_of_panels, geqrt_of_panels, from_other_precision, rows_and_sums,
                                   squares, bf16, threads };
    skip_without_devices();
    Suite *suite = suite_create("device kernels");
    TCase *tcase = tcase_create("device kernels");
    const char *asked = getenv("OMPFACT_TEST_BACKEND");     /* one alone */
    for (int b = 0; b < BACKENDS; b++)
        for (size_t i = 0; i < sizeof tests / sizeof tests[0] && (asked == NULL || strcmp(asked, backends[b]) == 0); i++)
            for (int type = 0; type < 4; type += in_full_tier() ? 1 : 3)
                tcase_add_loop_test(tcase, tests[i], 4 * b + type, 4 * b + type + 1);
    suite_add_tcase(suite, tcase);
    blas_select_kernels();
    return run_serial_suite(suite);
}
