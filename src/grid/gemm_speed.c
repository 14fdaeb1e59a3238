/* Measures GEMM on the threads of this rank and on its first device. */
#include "src/grid/gemm_speed.h"

#include "omp/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* C -= A A. All three are n x n, have elements of `size` bytes, and are adjacent in memory. */
static void multiply(const struct kernels *k, size_t size, int n, char *memory)
{
    size_t bytes = (size_t)n * (size_t)n * size;
    k->gemm(NO_TRANS, NO_TRANS, n, n, n, -1, memory, n, memory, n, memory + bytes, n);
}

static double gflops(int n, int times)
{
    return 2e-9 * n * n * n * times;
}

/* ---- threads ------------------------------------------------------------------------------------------------------------ */

enum { HALVES = 2, TILE = 192 };

struct window {
    double seconds;
    double (*half)[HALVES];     /* GFLOP/s of each thread in both halves of the time; 0: no memory */
};

static double rate_of(double seconds, const struct kernels *k, char *memory)
{
    double start = run_clock(), passed;
    int times = 0;
    do {
        multiply(k, sizeof(double), TILE, memory);
        times++;
        passed = run_clock() - start;
    } while (passed < seconds);
    return gflops(TILE, times) / passed;
}

/* Measures wall time with tiles that stay in the cache. Other programs on the core, and pauses that the system imposes, so
   count. */
static void measure_thread(void *context, int thread)
{
    const double WAKING = 0.04;
    const struct window *w = context;
    const struct kernels *k = precision_of('d')->kernels;
    char *memory = calloc(2 * TILE * TILE, sizeof(double));
    if (memory != NULL)
        rate_of(WAKING, k, memory);
    for (int i = 0; i < HALVES && memory != NULL; i++)
        w->half[thread][i] = rate_of(w->seconds / HALVES, k, memory);
    free(memory);
}

static bool measure_threads(int threads, double seconds, struct gemm_speed *speed)
{
    struct window w = { .seconds = seconds, .half = calloc((size_t)threads, sizeof *w.half) };
    double half[HALVES] = { 0 };
    bool measured = w.half != NULL;
    if (measured)
        run_on_threads(threads, measure_thread, &w);
    for (int thread = 0; measured && thread < threads; thread++)
        for (int i = 0; i < HALVES; i++) {
            half[i] += w.half[thread][i];
            measured &= w.half[thread][i] > 0;
        }
    free(w.half);
    speed->threads = (half[0] + half[1]) / 2;
    speed->spread = measured ? fabs(half[0] - half[1]) / speed->threads : 0;
    return measured;
}

/* ---- devices ------------------------------------------------------------------------------------------------------------ */

static double seconds_since(struct devices *devices, double start)
{
    devices->wait(devices);
    return run_clock() - start;
}

struct device_case {
    struct devices *devices;
    int n;
    struct device_speed speed;
};

/* Runs on a thread of a team, as in a run: LLVM's runtime depends on where it meets target regions with teams. */
static void measure_device(void *context, int thread)
{
    struct device_case *c = context;
    struct devices *devices = c->devices;
    const struct precision *p = precision_of('d');
    size_t bytes = 2 * (size_t)c->n * (size_t)c->n * p->size;
    void *here = malloc(bytes), *there = devices->allocate(devices, 1, bytes);
    (void)thread;
    if (here != NULL && there != NULL) {
        memset(here, 0x3f, bytes);      /* numbers below 1; also touches the pages */
        bool pinned = devices->pin(devices, here, bytes, false);
        for (int i = 0; i < 2; i++) {
            devices->begin(devices, 1, LANE_UPDATE);
            double start = run_clock();
            devices->up(devices, there, here, bytes);
            c->speed.up = (double)bytes / seconds_since(devices, start);
            start = run_clock();
            multiply(devices->kernels(p->type), p->size, c->n, there);
            c->speed.gemm = 2.0 * c->n * c->n * c->n / seconds_since(devices, start);
            start = run_clock();
            devices->down(devices, here, there, bytes);
            c->speed.down = (double)bytes / seconds_since(devices, start);
            device_end_and_wait(devices);
        }
        if (pinned)
            devices->unpin(devices, here);
    }
    if (there != NULL)
        devices->release(devices, 1, there);
    free(here);
}

struct device_speed device_speed_measure(struct devices *devices, int n)
{
    struct device_case c = { devices, n, { 0 } };
    run_on_threads(1, measure_device, &c);
    return devices->failure(devices) == NULL ? c.speed : (struct device_speed){ 0 };
}

/* ---- both --------------------------------------------------------------------------------------------------------------- */

bool gemm_speed_measure(int threads, struct devices *devices, double seconds, struct gemm_speed *speed)
{
    *speed = (struct gemm_speed){ 0 };
    if (!measure_threads(threads, seconds, speed))
        return false;
    if (devices != NULL)
        speed->devices = 1e-9 * devices->count * device_speed_measure(devices, devices->asynchronous ? 2048 : 256).gemm;
    return true;
}

double gemm_speed_share(const struct gemm_speed *speed)
{
    return speed->devices > 0 ? speed->threads / (speed->threads + speed->devices) : 0;
}

double gemm_speed_together(const struct gemm_speed *speed, double share)
{
    double device_time = share < 1 ? (1 - share) / speed->devices : 0;
    return 1 / fmax(share / speed->threads, device_time);
}
