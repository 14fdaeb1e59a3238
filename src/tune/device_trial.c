/* Measures how long a kernel takes on a device. */
#include "src/tune/tune.h"

#include "omp/run.h"

#include <math.h>
#include <stdlib.h>

struct trial {
    struct devices *devices;
    enum device_trial kernel;
    char type;
    int n;
    double seconds;
};

static void compute(const struct trial *t, const char *A, char *C)
{
    const struct kernels *k = t->devices->kernels(t->type);
    if (t->kernel == TRIAL_HERK)
        k->herk(LOWER, NO_TRANS, t->n, t->n, -1, A, t->n, C, t->n);
    else
        k->trsm(RIGHT, LOWER, CONJ_TRANS, NON_UNIT, t->n, t->n, A, t->n, C, t->n);
}

static double passed(const struct trial *t, const char *A, char *C, int times)
{
    double start = run_clock();
    for (int i = 0; i < times; i++)
        compute(t, A, C);
    t->devices->wait(t->devices);
    return run_clock() - start;
}

/* Measures as many tiles that share a factor as a panel may have on a device. Each try uploads the factor again. */
static void measure(struct trial *t, char *here, char *there)
{
    enum { TILES = 8, TRIES = 3 };
    const double ENOUGH = 0.2, start = run_clock();
    struct devices *devices = t->devices;
    size_t bytes = (size_t)t->n * (size_t)t->n * precision_of(t->type)->size;
    devices->begin(devices, 1, LANE_UPDATE);
    devices->up(devices, there + bytes, here, bytes);
    for (int i = 0; i < TRIES && (i == 0 || run_clock() - start < ENOUGH); i++) {
        devices->up(devices, there, here, bytes);
        devices->wait(devices);
        t->seconds = fmin(t->seconds, passed(t, there, there + bytes, TILES) / TILES);
    }
    device_end_and_wait(devices);
}

/* Runs on a thread of a team, as kernels do in a run. */
static void try(void *context, int thread)
{
    struct trial *t = context;
    struct devices *devices = t->devices;
    const struct precision *p = precision_of(t->type);
    size_t bytes = (size_t)t->n * (size_t)t->n * p->size;
    struct device_needs needs = { .type = t->type, .rows = t->n, .columns = t->n, .last_rows = t->n, .last_columns = t->n,
                                  .tickets = 1 };
    devices->prepare(devices, &needs);
    char *here = malloc(bytes), *there = devices->allocate(devices, 1, 2 * bytes);
    (void)thread;
    if (here != NULL && there != NULL) {
        for (int e = 0; e < t->n * t->n; e++)       /* near a unit matrix: repeated kernels neither overflow nor underflow */
            p->set(here + (size_t)e * p->size, e % (t->n + 1) == 0 ? 1 : 0.25 / t->n, 0);
        bool pinned = devices->pin(devices, here, bytes, false);
        measure(t, here, there);
        if (pinned)
            devices->unpin(devices, here);
    }
    if (there != NULL)
        devices->release(devices, 1, there);
    free(here);
}

double device_trial(struct devices *devices, enum device_trial kernel, char type, int n)
{
    struct trial t = { devices, kernel, type, n, INFINITY };
    run_on_threads(1, try, &t);
    return devices->failure(devices) == NULL ? t.seconds : INFINITY;
}
