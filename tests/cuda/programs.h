/* Programs that use CUDA, for test_emulated.c. Each runs in a process of its own; then the emulation's report is checked. */
#ifndef OMPFACT_TESTS_CUDA_PROGRAMS_H
#define OMPFACT_TESTS_CUDA_PROGRAMS_H

#include "tests/cuda/calls.h"
#include "tests/suite.h"

#include <sys/wait.h>

enum { N = 48, BYTES = N * N * 8 };
static _Alignas(4096) double A[N * N], B[N * N], C[N * N];
static void *a, *b, *c, *s, *t, *e, *blas, *solver;
static const double one = 1, zero = 0, less = -1;
static char report[1 << 16];    /* the report of the last program */

/* In the child process: a condition that does not hold ends it with the line's number. */
#define HOLDS(condition)                                                                                                        \
    do {                                                                                                                        \
        if (!(condition)) {                                                                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
            _exit(92);                                                                                                          \
        }                                                                                                                       \
    } while (0)

/* ---- programs ----------------------------------------------------------------------------------------------------------- */

/* Runs the program in a child process. Returns its exit status. */
static int run(void (*program)(void), const char *settings)
{
    char path[] = "/tmp/test_emulated.XXXXXX", all[400];
    int file = mkstemp(path), status = 0;
    ck_assert_int_ge(file, 0);
    pid_t child = fork();
    if (child == 0) {
        snprintf(all, sizeof all, "report=%s,%s", path, settings);
        setenv("OMPFACT_TEST_CUDA", all, 1);
        load_calls();
        program();
        exit(0);
    }
    waitpid(child, &status, 0);
    ssize_t length = read(file, report, sizeof report - 1);
    report[length < 0 ? 0 : length] = '\0';
    close(file);
    unlink(path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static bool reported(const char *text)
{
    return strstr(report, text) != NULL;
}

/* The sum of a count over devices. */
static long counted(const char *key)
{
    char text[80];
    long sum = 0;
    snprintf(text, sizeof text, "\"%s\": ", key);
    for (const char *at = report; (at = strstr(at, text)) != NULL;) {
        at += strlen(text);
        sum += atol(at);
    }
    return sum;
}

static int count_lines(const char *text)
{
    int count = 0;
    for (const char *at = report; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

static void assert_right(void (*program)(void), const char *settings)
{
    int status = run(program, settings);
    ck_assert_msg(status == 0 && !reported("accusation"), "exit status %d: %s", status, report);
    ck_assert_msg(counted("left") == 0, "%s", report);
}

/* Creates registered matrices, memory for them on device 0, two streams, an event, and handles on the second stream. */
static void make_all(void)
{
    HOLDS(cu.cudaSetDevice(0) == 0);
    for (int i = 0; i < N * N; i++)
        A[i] = 1 + i % 7 + (i % (N + 1) == 0 ? 8 * N : 0), B[i] = i % 5, C[i] = -1;
    HOLDS(cu.cudaHostRegister(A, BYTES, 1) == 0 && cu.cudaHostRegister(B, BYTES, 1) == 0);
    HOLDS(cu.cudaHostRegister(C, BYTES, 1) == 0 && cu.cudaHostRegister(C, BYTES, 1) == 712);
    HOLDS(cu.cudaMalloc(&a, BYTES) == 0 && cu.cudaMalloc(&b, BYTES) == 0 && cu.cudaMalloc(&c, BYTES) == 0);
    HOLDS(cu.cudaStreamCreateWithPriority(&s, 1, 0) == 0 && cu.cudaStreamCreateWithPriority(&t, 1, 0) == 0);
    HOLDS(cu.cudaEventCreateWithFlags(&e, 2) == 0);
    HOLDS(cu.cublasCreate_v2(&blas) == 0 && cu.cublasSetStream_v2(blas, t) == 0);
    HOLDS(cu.cusolverDnCreate(&solver) == 0 && cu.cusolverDnSetStream(solver, t) == 0);
}

static int release_all(void)
{
    int error = cu.cudaHostUnregister(A) | cu.cudaHostUnregister(B) | cu.cudaHostUnregister(C);
    error |= cu.cudaFree(a) | cu.cudaFree(b) | cu.cudaFree(c);
    error |= cu.cublasDestroy_v2(blas) | cu.cusolverDnDestroy(solver);
    return error | cu.cudaStreamDestroy(s) | cu.cudaStreamDestroy(t) | cu.cudaEventDestroy(e);
}

static int put(void *on_device, const double *on_host, void *stream)
{
    return cu.cudaMemcpyAsync(on_device, on_host, BYTES, UP, stream);
}

static int get(double *on_host, const void *on_device, void *stream)
{
    return cu.cudaMemcpyAsync(on_host, on_device, BYTES, DOWN, stream);
}

/* Later operations of t follow the present ones of s. */
static void t_after_s(void)
{
    HOLDS(cu.cudaEventRecord(e, s) == 0 && cu.cudaStreamWaitEvent(t, e, 0) == 0);
}

static void wait_by_query(void *stream)
{
    int error;
    HOLDS(cu.cudaEventRecord(e, stream) == 0);
    while ((error = cu.cudaEventQuery(e)) == NOT_READY)
        usleep(100);
    HOLDS(error == 0);
}

static int multiply(void)
{
    return cu.cublasDgemm_v2(blas, 0, 1, N, N, N, &one, a, N, b, N, &zero, c, N);
}

#endif
