/*
 * Single tiles on devices against the host's, for all types, in ragged sizes: factorizations, panels, copies of rows, sums, and
 * other precisions. No MPI.
 */
#include "omp/kernels/bf16_numbers.h"
#include "omp/kernels/panel.h"
#include "omp/kernels/panel_qr.h"
#include "tests/offload/device_memory.h"

/* ---- factorizations ----------------------------------------------------------------------------------------------------- */

/* Diagonally dominant, or one triangle of such a Hermitian tile. */
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

/* A = L U of any shape. After a zero pivot the device continues as the host does. */
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

/* Factorizations in several lanes at once do not share the memory that they work in. Each tile has its own zero pivot. */
START_TEST(lanes)
{
    if (!open_for(_i))
        return;
    static const enum lane ways[] = { LANE_UPDATE, LANE_PANEL, LANE_UPDATE_TOO };
    enum { N = 70, WAYS = sizeof ways / sizeof ways[0], ROUNDS = 8 };
    for (int round = 0; round < ROUNDS; round++) {
        ompfact_tile A[WAYS];
        void *a[WAYS];
        uint64_t ticket[WAYS];
        int info[WAYS];
        begin();
        for (int i = 0; i < WAYS; i++) {
            A[i] = dominant(N, N, false, GENERAL);
            for (int r = 0; r < N; r++)
                set(&A[i], r, 10 * i + round, 0);
            a[i] = put_there(&A[i]);
        }
        end();
        for (int i = 0; i < WAYS; i++) {
            devices->begin(devices, device, ways[i]);
            info[i] = there->getrf(N, N, a[i], A[i].ld);
            ticket[i] = devices->end(devices);
        }
        for (int i = 0; i < WAYS; i++) {
            int found = 0;
            while (ticket[i] != 0 && !devices->done(devices, ticket[i], &found))
                ;
            ck_assert_int_eq(info[i] + found, 10 * i + round + 1);
        }
        begin();
        for (int i = 0; i < WAYS; i++) {
            ck_assert_int_eq(k->getrf(N, N, A[i].data, A[i].ld), 10 * i + round + 1);
            compare(&A[i], a[i], N + 2, "getrf in one of several lanes");
            free(A[i].data);
        }
        end();
    }
    offload_close(&devices);
}
END_TEST

/* ---- whole panels ---------------------------------------------------------------------------------------------------------- */

static const int heights[] = { 1, 5, 33, 70, 300 };
enum { HEIGHTS = sizeof heights / sizeof heights[0] };

/* Pinned memory for results of a device; called outside begin and end. */
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

/* A random panel, with a column of zeros if `with_zeros`. */
static ompfact_tile new_panel(int m, int n, bool with_zeros)
{
    ompfact_tile A = new_tile(m, n, 6);
    for (int r = 0; with_zeros && r < m; r++)
        set(&A, r, n / 2, 0);
    return A;
}

/* P A = L U has the pivots of LAPACK, and its info, if the caller requests it or not. */
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

/* An exact zero pivot above nonzero elements: its column stays unchanged, and the other columns are those of LAPACK without
   pivoting. */
START_TEST(getrf_goes_on)
{
    if (!open_for(_i))
        return;
    for (int n = 2; n <= 70; n += 17) {
        ompfact_tile A = dominant(n, n, false, GENERAL);
        for (int i = 0; i < n; i++)
            if (i != 0)
                set(&A, 0, i, 0);       /* no update changes the second pivot */
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

/* ---- copies, sums and precisions ------------------------------------------------------------------------------------------- */

/* Writes numbers of the other precision into the memory of a tile, which has room for at least half of the columns. */
static void fill_with_other(ompfact_tile *t)
{
    const struct precision *other = precision_of(precision->other);
    for (int c = 0; c < t->nb / 2; c++)
        for (int r = 0; r < t->mb; r++)
            other->set((char *)t->data + ((size_t)r + (size_t)c * (size_t)t->ld) * other->size, r - 0.1 * c, r + c);
}

/* B := A, A in the other precision. */
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

/* B += alpha A, B := A^H, A := 0, and rows copied by either list, by both or by none. */
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

/* The sum of squares of a tile or of one triangle, whose other triangle may hold large numbers. */
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

/* Conversions to bfloat16 and back, and the changes that they make, are those of the host. Products of such numbers are right. */
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
    for (int v = 0; v < 4 && devices->bf16->gemm != NULL; v++) {        /* f = b, then f -= op(b) op(b) */
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

int main(void)
{
    const TTest *const tests[] = { potrf, getrf, lanes, getrf_goes_on, getrf_of_panels, geqrt_of_panels, from_other_precision,
                                   rows_and_sums, squares, bf16 };
    return run_on_backends("device tiles", sizeof tests / sizeof tests[0], tests);
}
