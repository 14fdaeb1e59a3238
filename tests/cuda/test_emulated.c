/*
 * Tests the emulated CUDA itself. Right programs get right numbers and counts, and no accusation; each fault is reported. Every
 * program runs in a process of its own, with its own report. No MPI.
 */
#include "offload/device_code.h"
#include "tests/cuda/programs.h"

#include <math.h>
#include <pthread.h>
#include <sys/mman.h>

/* ---- right programs ----------------------------------------------------------------------------------------------------- */

static void product(void)
{
    make_all();
    HOLDS(put(a, A, s) == 0 && put(b, B, s) == 0);
    t_after_s();
    HOLDS(multiply() == 0 && get(C, c, t) == 0);
    wait_by_query(t);
    for (int i = 0; i < N * N; i++) {
        double x = 0;
        for (int k = 0; k < N; k++)
            x += A[k * N + i % N] * B[k * N + i / N];
        HOLDS(x == C[i]);
    }
    HOLDS(cu.cudaStreamSynchronize(s) == 0 && cu.cudaMemcpy(b, C, BYTES, UP) == 0 && release_all() == 0);
}

/* C = A B^T on two streams gives right numbers and counts, with delays and without. */
START_TEST(right_use)
{
    assert_right(product, _i == 0 ? "devices=2" : "devices=2,delay=20000,seed=3");
    ck_assert_int_eq(counted("operations"), 5);
    ck_assert_int_eq(counted("kernels"), 1);
    ck_assert_int_eq(counted("bytes_to_device"), 3 * BYTES);
    ck_assert_int_eq(counted("bytes_from_device"), BYTES);
    ck_assert_int_eq(counted("waits"), 2);
    ck_assert_int_eq(counted("allocations"), 11);
    ck_assert_int_eq(counted("device_memory_allocations"), 3);
    ck_assert_int_eq(counted("kernels_before_last_allocation"), 0);
    ck_assert_int_eq(count_lines("counts"), 1);
}
END_TEST

static void goes_on_after_its_last_handle(void)
{
    product();
    product();
    _exit(0);
}

/* A process that ends by _exit is counted, in one line although its handles are all gone twice. */
START_TEST(one_line_of_counts)
{
    assert_right(goes_on_after_its_last_handle, "devices=2");
    ck_assert_int_eq(count_lines("counts"), 1);
    ck_assert_int_eq(counted("kernels"), 2);
    ck_assert_int_eq(counted("kernels_before_last_allocation"), 1);
    ck_assert_int_eq(counted("allocations"), 22);
}
END_TEST

static void registrations(void)
{
    enum { PAGE = 4096, READ_ONLY = 8 };
    make_all();
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    HOLDS(pages != MAP_FAILED && mprotect(pages, PAGE, PROT_READ | PROT_WRITE) == 0);
    HOLDS(cu.cudaHostRegister(pages, 2 * PAGE, 1) == 1 && cu.cudaHostRegister(pages + PAGE, PAGE, 1 | READ_ONLY) == 801);
    HOLDS(cu.cudaHostRegister(pages, PAGE, 1) == 0 && cu.cudaMemcpyAsync(a, pages, PAGE, UP, s) == 0);
    HOLDS(cu.cudaMemcpyAsync(a, pages, PAGE + 8, UP, s) == 1 && cu.cudaStreamSynchronize(s) == 0);
    HOLDS(cu.cudaHostUnregister(pages) == 0);
    HOLDS(release_all() == 0);
}

/* Writable memory can be registered, and read-only memory cannot, as on most devices. No copy crosses the end of an
   allocation. */
START_TEST(registered_memory)
{
    assert_right(registrations, "");
}
END_TEST

static double difference(const double *X, const double *Y)
{
    double most = 0;
    for (int i = 0; i < N * N; i++)
        most = fmax(most, fabs(X[i] - Y[i]));
    return most;
}

static void factors(void)
{
    int size = 0, info = -1;
    void *work, *on_device;
    make_all();
    for (int i = 0; i < N * N; i++)     /* symmetric */
        A[i] = 1.0 / (1 + abs(i % N - i / N)) + (i % (N + 1) == 0 ? N : 0);
    HOLDS(cu.cusolverDnDpotrf_bufferSize(solver, 0, N, a, N, &size) == 0 && size > 0);
    HOLDS(cu.cudaMalloc(&work, (size_t)size * 8) == 0 && cu.cudaMalloc(&on_device, 4) == 0);
    HOLDS(put(a, A, t) == 0 && put(b, B, t) == 0 && put(c, B, t) == 0);
    HOLDS(cu.cusolverDnDpotrf(solver, 0, N, a, N, work, size, on_device) == 0 && get(C, a, t) == 0);
    HOLDS(cu.cudaStreamSynchronize(t) == 0 && C[N] == A[N] && C[1] != A[1]);      /* one triangle alone */
    HOLDS(cu.cudaMemcpy(&info, on_device, 4, DOWN) == 0 && info == 0);
    /* B = L (L^-1 B), by a product that is not in place; B^T^T */
    HOLDS(cu.cublasDtrsm_v2(blas, 0, 0, 0, 0, N, N, &one, a, N, b, N) == 0);
    HOLDS(cu.cublasDtrmm_v2(blas, 0, 0, 0, 0, N, N, &one, a, N, b, N, c, N) == 0);
    HOLDS(cu.cublasDgeam(blas, 1, 0, N, N, &one, c, N, &zero, NULL, N, b, N) == 0);
    HOLDS(cu.cublasDgeam(blas, 1, 0, N, N, &one, b, N, &zero, c, N, c, N) == 0 && get(C, c, t) == 0);
    HOLDS(cu.cudaStreamSynchronize(t) == 0 && difference(B, C) < 1e-12);
    /* A - L U = 0: B = U, then A := A - L U */
    HOLDS(put(a, A, t) == 0 && cu.cusolverDnDgetrf(solver, N, N, a, N, work, NULL, on_device) == 0 && get(C, a, t) == 0);
    HOLDS(cu.cudaStreamSynchronize(t) == 0);
    for (int i = 0; i < N * N; i++)
        C[i] = i % N > i / N ? 0 : C[i];
    HOLDS(put(b, C, t) == 0 && cu.cublasDtrmm_v2(blas, 0, 0, 0, 1, N, N, &less, a, N, b, N, b, N) == 0 && put(c, A, t) == 0);
    HOLDS(cu.cublasDgeam(blas, 0, 0, N, N, &one, b, N, &one, c, N, c, N) == 0 && get(C, c, t) == 0);
    for (int i = 0; i < N * N; i++)
        B[i] = 0;
    HOLDS(cu.cudaStreamSynchronize(t) == 0 && difference(B, C) < 1e-12);
    HOLDS(cu.cudaFree(work) == 0 && cu.cudaFree(on_device) == 0 && release_all() == 0);
}

/* Kernels compute what NVIDIA's do: a product undoes a solve, and factors of A multiply to A. */
START_TEST(kernels)
{
    assert_right(factors, "delay=1000");
}
END_TEST

static void rounded_products(void)
{
    /* `known` is e such that 1 + e is exact, `unknown` such that it becomes 1 */
    static const struct { int compute; float known, unknown; } way[] = {
        { 68, 0x1p-23f, 0x1p-24f }, { 78, 0x1p-23f, 0x1p-24f }, { 77, 0x1p-10f, 0x1p-11f }, { 75, 0x1p-7f, 0x1p-8f }
    };
    float unit = 1, none = 0, two[] = { 0, 1 };
    make_all();
    for (int i = 0; i < 4; i++) {
        float *in = (float *)A, *out = (float *)C;
        in[0] = 1 + way[i].known, in[1] = 1 + way[i].unknown, in[2] = 1;
        HOLDS(put(a, A, t) == 0);
        /* [in0 in1]^T 1, a real product */
        HOLDS(cu.cublasGemmEx(blas, 1, 0, 2, 1, 1, &unit, a, 0, 1, (float *)a + 2, 0, 1, &none, c, 0, 2, way[i].compute,
                              -1) == 0);
        HOLDS(get(C, c, t) == 0 && cu.cudaStreamSynchronize(t) == 0);
        HOLDS(out[0] == 1 + way[i].known && out[1] == 1);
        /* i (in0 + in1 i), a complex product */
        in[2] = 1, in[3] = 0;
        HOLDS(put(a, A, t) == 0);
        HOLDS(cu.cublasGemmEx(blas, 0, 0, 1, 1, 1, two, a, 4, 1, (float *)a + 2, 4, 1, (float[]){ 0, 0 }, c, 4, 1, way[i].compute,
                              -1) == 0);
        HOLDS(get(C, c, t) == 0 && cu.cudaStreamSynchronize(t) == 0);
        HOLDS(out[0] == -1 && out[1] == 1 + way[i].known);
    }
    HOLDS(cu.cublasGemmEx(blas, 0, 0, 1, 1, 1, &unit, a, 0, 1, a, 0, 1, &none, c, 0, 1, 64, -1) == 15);
    HOLDS(release_all() == 0);
}

/* Factors of a product in single precision are rounded to the nearest number of the bits that the computation's name states. */
START_TEST(products_of_fewer_bits)
{
    assert_right(rounded_products, "delay=1000");
}
END_TEST

static void strips(void)
{
    make_all();
    size_t pitch = N * 8, half = pitch / 2;
    HOLDS(cu.cudaMemcpy2DAsync(a, pitch, A, pitch, half, N, UP, s) == 0);
    HOLDS(cu.cudaMemcpy2DAsync((char *)a + half, pitch, (char *)A + half, pitch, half, N, UP, t) == 0);
    HOLDS(cu.cudaMemset2DAsync(b, pitch, 0, half, N, s) == 0);
    HOLDS(cu.cudaMemset2DAsync((char *)b + half, pitch, 0, half, N, t) == 0);
    HOLDS(cu.cudaDeviceSynchronize() == 0 && release_all() == 0);
}

/* Rows of one matrix on two streams do not overlap, though their first and last bytes interleave. */
START_TEST(strips_of_one_matrix)
{
    assert_right(strips, "delay=1000");
}
END_TEST

static struct row_lists lists = { .count = 3, .to_is_given = 1, .to = { 5, 6, 2 } };

static void rows(void)
{
    void *module, *function;
    int n = N, ld = N;
    void *parameters[] = { &lists, &n, &a, &ld, &c, &ld };
    make_all();
    HOLDS(cu.cuModuleLoadData(&module, "not PTX") != 0);
    HOLDS(cu.cuModuleLoadData(&module, ".version 7.0\n.visible .entry ompfact_copy_rows_8(\n") == 0);
    HOLDS(cu.cuModuleGetFunction(&function, module, "ompfact_copy_rows_4") == 500);
    HOLDS(cu.cuModuleGetFunction(&function, module, "ompfact_copy_rows_8") == 0);
    HOLDS(put(a, A, t) == 0 && put(c, B, t) == 0);
    HOLDS(cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, t, parameters, NULL) == 0);
    HOLDS(get(C, c, t) == 0 && cu.cudaStreamSynchronize(t) == 0);
    for (int j = 0; j < N; j++)
        HOLDS(C[5 + j * N] == A[j * N] && C[6 + j * N] == A[1 + j * N] && C[2 + j * N] == A[2 + j * N] && C[j * N] == B[j * N]);
    HOLDS(cu.cuModuleUnload(module) == 0 && release_all() == 0);
}

/* A kernel of the library is found by its name in the PTX, and moves rows. */
START_TEST(modules)
{
    assert_right(rows, "delay=1000");
    ck_assert_int_eq(counted("kernels"), 1);
}
END_TEST

/* ---- wrong programs ----------------------------------------------------------------------------------------------------- */

static void without_order(void)
{
    make_all();
    put(a, A, s);
    multiply();
}

static void read_then_written(void)
{
    make_all();
    put(a, A, t);
    multiply();
    put(b, B, s);
}

static void event_recorded_too_early(void)
{
    make_all();
    cu.cudaEventRecord(e, s);
    put(a, A, s);
    cu.cudaStreamWaitEvent(t, e, 0);
    multiply();
}

/* The host has not waited for the operations: that they are done by chance does not count. */
static void done_by_luck(void)
{
    make_all();
    put(a, A, s);
    usleep(50000);
    multiply();
}

static void from_a_stack(void)
{
    double x = 1;
    make_all();
    HOLDS(cu.cudaMemcpyAsync(a, &x, sizeof x, UP, s) == 0);
}

static void unregistered_early(void)
{
    make_all();
    put(a, A, s);
    cu.cudaHostUnregister(A);
}

static void written_by_two(void)
{
    make_all();
    get(C, a, s);
    get(C, b, t);
}

static void freed_early(void)
{
    make_all();
    put(a, A, s);
    cu.cudaFree(a);
}

static void freed_before(void)
{
    make_all();
    HOLDS(cu.cudaFree(a) == 0 && put(a, A, s) != 0 && multiply() != 0);
}

static void beyond_its_end(void)
{
    make_all();
    HOLDS(cu.cublasDgemm_v2(blas, 0, 0, N, N, N, &one, a, N + 1, b, N, &zero, c, N) != 0);
}

static void unknown_names(void)
{
    void *x = &x;
    make_all();
    HOLDS(cu.cudaStreamSynchronize(x) != 0 && cu.cudaEventRecord(x, s) != 0 && cu.cublasDestroy_v2(x) != 0);
    HOLDS(cu.cudaStreamDestroy(e) != 0 && cu.cudaEventDestroy(s) != 0 && cu.cudaFree(A) != 0 && cu.cuModuleUnload(a) != 0);
    HOLDS(cu.cudaStreamDestroy(s) == 0 && cu.cudaStreamQuery(s) != 0 && cu.cudaStreamDestroy(s) != 0);
}

static void another_device(void)
{
    make_all();
    cu.cudaSetDevice(1);
    HOLDS(multiply() != 0);
}

/* A change of stream discards the workspace. */
static void products_in_pieces(void)
{
    void *work;
    make_all();
    HOLDS(cu.cudaMalloc(&work, BYTES) == 0 && cu.cublasSetMathMode(blas, 8) == 0 && put(a, A, t) == 0 && put(b, B, t) == 0);
    HOLDS(cu.cublasSetWorkspace_v2(blas, work, BYTES) == 0 && multiply() == 0 && cu.cublasSetStream_v2(blas, t) == 0);
    multiply();
}

static void *stranger(void *x)
{
    cu.cudaMalloc(&x, 8);
    return NULL;
}

static void no_device(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
}

static const struct {
    void (*program)(void);
    const char *kind;
} wrong[] = {
    { without_order, "unordered" },      { read_then_written, "unordered" }, { event_recorded_too_early, "unordered" },
    { done_by_luck, "unordered" },       { from_a_stack, "pageable" },       { unregistered_early, "moving" },
    { written_by_two, "moving" },        { freed_early, "in_use" },          { freed_before, "destroyed" },
    { beyond_its_end, "destroyed" },     { unknown_names, "destroyed" },     { another_device, "device" },
    { no_device, "device" },             { products_in_pieces, "allocating" },
};

/* Each fault has its accusation and no other, with delays and without. No program crashes. */
START_TEST(accusations)
{
    char kind[60];
    snprintf(kind, sizeof kind, "\"kind\": \"%s\"", wrong[_i].kind);
    for (int delayed = 0; delayed < 2; delayed++) {
        int status = run(wrong[_i].program, delayed ? "devices=2,delay=10000" : "devices=2");
        ck_assert_msg(status == 0, "exit status %d: %s", status, report);
        ck_assert_msg(reported(kind) && count_lines("accusation") == count_lines(kind), "not (only) %s: %s", kind, report);
    }
}
END_TEST

/* ---- faults ------------------------------------------------------------------------------------------------------------- */

static void three_allocations(void)
{
    void *p[3];
    cu.cudaSetDevice(1);
    HOLDS(cu.cudaMalloc(&p[0], 8) == 0 && cu.cudaMalloc(&p[1], 8) == 2 && cu.cudaMalloc(&p[2], 8) == 0);
    HOLDS(cu.cudaGetLastError() == 2 && cu.cudaGetLastError() == 0);
    HOLDS(cu.cudaFree(p[0]) == 0 && cu.cudaFree(p[2]) == 0);
}

/* The second request for memory fails, and no other. */
START_TEST(no_memory)
{
    assert_right(three_allocations, "fail_alloc=2,rank=0");
    ck_assert(reported("fault") && reported("fail_alloc"));
    ck_assert_int_eq(counted("device_memory_allocations"), 2);
}
END_TEST

static void lost_after_two(void)
{
    size_t available, total;
    void *p = NULL;
    make_all();
    HOLDS(put(a, A, s) == 0);
    t_after_s();
    HOLDS(put(b, B, t) == 0 && put(b, B, t) == LOST && multiply() == 13 && cu.cudaEventRecord(e, t) == LOST);
    HOLDS(cu.cudaEventQuery(e) == LOST && cu.cudaStreamSynchronize(t) == LOST && cu.cudaDeviceSynchronize() == LOST);
    HOLDS(cu.cudaMalloc(&p, 8) == LOST && cu.cudaMemGetInfo(&available, &total) == LOST && cu.cudaSetDevice(0) == LOST);
    release_all();
}

/* When devices are lost all calls fail, none hangs, and memory is still released. */
START_TEST(lost_devices)
{
    assert_right(lost_after_two, "lose_after=2,delay=100000");
    ck_assert(reported("fault") && reported("lose_after"));
    ck_assert_int_eq(counted("operations"), 2);
}
END_TEST

/* Faults happen on one rank alone. */
START_TEST(another_rank)
{
    assert_right(product, "lose_after=2,fail_alloc=1,rank=7");
    ck_assert(!reported("fault"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("emulated CUDA");
    TCase *tests = tcase_create("emulated CUDA");
    tcase_add_loop_test(tests, right_use, 0, 2);
    tcase_add_test(tests, one_line_of_counts);
    tcase_add_test(tests, registered_memory);
    tcase_add_test(tests, kernels);
    tcase_add_test(tests, products_of_fewer_bits);
    tcase_add_test(tests, strips_of_one_matrix);
    tcase_add_test(tests, modules);
    tcase_add_loop_test(tests, accusations, 0, (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(tests, no_memory);
    tcase_add_test(tests, lost_devices);
    tcase_add_test(tests, another_rank);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
