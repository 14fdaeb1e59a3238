#include "src/gemm_speed.h"

#include "offload/offload.h"
#include "omp/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SLICE = 0.04;       /* seconds */

static int upwards(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

void sort_upwards(int count, double *values)
{
    qsort(values, (size_t)count, sizeof *values, upwards);
}

/* C -= A A, all n x n, one behind the other. */
static void multiply(const struct kernels *k, int n, char *memory)
{
    size_t bytes = (size_t)n * (size_t)n * k->size;
    k->gemm(NO_TRANS, NO_TRANS, n, n, n, -1, memory, n, memory, n, memory + bytes, n);
}

static double gflops(int n, int times)
{
    return 2e-9 * n * n * n * times;
}

/* ---- threads --------------------------------------------------------------------------------------------------------------------- */

struct slices {
    int count;
    double *rate;       /* count of each thread, one thread after the other */
};

/* On tiles that stay in the cache, in wall time: what else runs on the core counts. */
static void measure_thread(void *context, int thread)
{
    enum { TILE = 192 };
    const struct slices *s = context;
    const struct kernels *k = kernels_of('d');
    char *memory = calloc(2 * TILE * TILE, k->size);
    for (int i = -1; i < s->count && memory != NULL; i++) {     /* the first one wakes the core */
        double start = run_clock(), seconds;
        int times = 0;
        do {
            multiply(k, TILE, memory);
            times++;
            seconds = run_clock() - start;
        } while (seconds < SLICE);
        if (i >= 0)
            s->rate[thread * s->count + i] = gflops(TILE, times) / seconds;
    }
    free(memory);
}

/* The sums over threads, in the first thread's place. */
static bool add_threads(int threads, const struct slices *s)
{
    bool measured = true;
    for (int i = 0; i < s->count; i++)
        for (int thread = 0; thread < threads; thread++) {
            measured &= s->rate[thread * s->count + i] > 0;
            s->rate[i] += thread > 0 ? s->rate[thread * s->count + i] : 0;
        }
    return measured;
}

static bool measure_threads(int threads, int slices, struct gemm_speed *speed)
{
    struct slices s = { .count = slices, .rate = calloc((size_t)threads * (size_t)slices, sizeof *s.rate) };
    if (s.rate == NULL)
        return false;
    run_on_threads(threads, measure_thread, &s);
    bool measured = add_threads(threads, &s);
    sort_upwards(slices, s.rate);
    if (measured) {
        speed->threads = s.rate[slices / 2];
        speed->spread = (s.rate[3 * slices / 4] - s.rate[slices / 4]) / speed->threads;
    }
    free(s.rate);
    return measured;
}

/* ---- devices --------------------------------------------------------------------------------------------------------------------- */

static double seconds_since(struct devices *devices, double start)
{
    devices->wait(devices);
    return run_clock() - start;
}

struct device_case {
    struct devices *devices;
    char type;
    int n;
    struct device_speed speed;
};

/* On a thread of a team, as in a run: LLVM's runtime minds where target regions with teams of their own are met. */
static void measure_device(void *context, int thread)
{
    struct device_case *c = context;
    struct devices *devices = c->devices;
    const struct kernels *k = devices->kernels(c->type);
    size_t bytes = 2 * (size_t)c->n * (size_t)c->n * k->size;
    void *here = malloc(bytes), *there = devices->allocate(devices, 1, bytes);
    (void)thread;
    if (here != NULL && there != NULL) {
        memset(here, 0x3f, bytes);      /* numbers below 1, in pages that are there */
        devices->pin(devices, here, bytes);
        for (int i = 0; i < 2; i++) {
            devices->begin(devices, 1, LANE_UPDATE);
            double start = run_clock();
            devices->up(devices, there, here, bytes);
            c->speed.up = (double)bytes / seconds_since(devices, start);
            start = run_clock();
            multiply(k, c->n, there);
            c->speed.gemm = k->flops_scale * 2.0 * c->n * c->n * c->n / seconds_since(devices, start);
            start = run_clock();
            devices->down(devices, here, there, bytes);
            c->speed.down = (double)bytes / seconds_since(devices, start);
            devices->done(devices, devices->end(devices));      /* it has been waited for */
        }
        devices->unpin(devices, here);
    }
    if (there != NULL)
        devices->release(devices, 1, there);
    free(here);
}

struct device_speed device_speed_measure(struct devices *devices, char type, int n)
{
    struct device_case c = { devices, type, n, { 0 } };
    run_on_threads(1, measure_device, &c);
    return devices->failure(devices) == NULL ? c.speed : (struct device_speed){ 0 };
}

/* ---- both ------------------------------------------------------------------------------------------------------------------------ */

bool gemm_speed_measure(int threads, struct devices *devices, int slices, struct gemm_speed *speed)
{
    *speed = (struct gemm_speed){ 0 };
    if (!measure_threads(threads, slices, speed))
        return false;
    if (devices != NULL)
        speed->devices = 1e-9 * devices->count * device_speed_measure(devices, 'd', devices->asynchronous ? 2048 : 256).gemm;
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
