#include "src/machine/kernel_rates.h"

#include "omp/kernels/packed_tile.h"
#include "omp/run.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of memory for each thread: a third is for tiles that kernels write, the rest for tiles that they read. */
enum { POOL_BYTES = 48 << 20 };

struct rate_pool {
    int threads;
    unsigned char *memory;
    struct rate_case last;      /* the last measurement in this pool; nb 0: none */
};

/* One thread's tiles. */
struct tiles {
    const struct precision *precision;
    unsigned char *memory;
    size_t bytes;           /* of a tile */
    int inputs, outputs;    /* how many tiles there are */
};

struct measurement {
    const struct rate_pool *pool;
    const struct rate_case *what;
    bool fresh;             /* the tiles are to be filled */
    double *rate;           /* rate of each thread */
};

static const char *const names[RATE_KERNELS] = { "potrf", "getrf", "trsm", "syrk", "gemm" };

const char *rate_kernel_name(enum rate_kernel kernel)
{
    return names[kernel];
}

int rate_kernel_find(const char *name)
{
    for (int i = 0; i < RATE_KERNELS; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

double rate_kernel_flops(enum rate_kernel kernel, double nb, char type)
{
    static const double cubes[RATE_KERNELS] = { 1 / 3.0, 2 / 3.0, 1, 1, 2 };
    return cubes[kernel] * nb * nb * nb * (type == 'c' || type == 'z' ? 4 : 1);
}

struct rate_pool *rate_pool_create(int threads)
{
    struct rate_pool *pool = malloc(sizeof *pool);
    if (pool == NULL)
        return NULL;
    *pool = (struct rate_pool){ .threads = threads, .memory = aligned_alloc(64, (size_t)threads * POOL_BYTES) };
    if (pool->memory == NULL)
        rate_pool_destroy(&pool);
    return pool;
}

void rate_pool_destroy(struct rate_pool **pool)
{
    if (*pool != NULL)
        free((*pool)->memory);
    free(*pool);
    *pool = NULL;
}

double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Fills a tile so near a unit matrix that it can be factored in place, and solved with, a million times: each time its diagonal
   shrinks a little. */
static void fill_tile(const struct precision *p, int nb, unsigned char *tile)
{
    unsigned state = 1;
    for (int j = 0; j < nb; j++)
        for (int i = 0; i < nb; i++)
            p->set(tile + ((size_t)i + (size_t)j * (size_t)nb) * p->size,
                   (i == j) + (next_random(&state) * 0x1p-23 - 1) / (64 * nb), 0);
}

static struct tiles tiles_of(const struct measurement *m, int64_t thread)
{
    const struct rate_case *c = m->what;
    struct tiles t = { .precision = precision_of(c->type), .memory = m->pool->memory + (size_t)thread * POOL_BYTES };
    t.bytes = ((size_t)c->nb * (size_t)c->nb * t.precision->size + 63) / 64 * 64;
    t.outputs = c->cold ? (int)(POOL_BYTES / 3 / t.bytes) : 1;
    t.inputs = 2 * t.outputs;
    for (int i = 0; m->fresh && i < t.inputs + t.outputs; i++)
        if (i == 0)
            fill_tile(t.precision, c->nb, t.memory);
        else
            memcpy(t.memory + (size_t)i * t.bytes, t.memory, t.bytes);
    return t;
}

/* Calls the kernel once. Returns 0, or 1: no memory. */
static int call(const struct tiles *t, enum rate_kernel kernel, int nb, unsigned *state)
{
    const struct kernels *k = t->precision->kernels;
    const struct packed_kernels *packed = packed_kernels_of(t->precision->type);
    const void *A = t->memory + next_random(state) % (unsigned)t->inputs * t->bytes;
    const void *B = t->memory + next_random(state) % (unsigned)t->inputs * t->bytes;
    void *C = t->memory + ((unsigned)t->inputs + next_random(state) % (unsigned)t->outputs) * t->bytes;
    switch (kernel) {
    case RATE_POTRF: k->potrf(LOWER, nb, C, nb); break;
    case RATE_GETRF: k->getrf(nb, nb, C, nb); break;
    case RATE_TRSM:  return packed_trsm(t->precision, RIGHT, CONJ_TRANS, NON_UNIT, nb, nb, A, nb, C, nb, true);
    case RATE_SYRK:  packed->herk(LOWER, nb, nb, A, C, nb); break;
    default:         packed->gemm(nb, nb, nb, -1, A, B, 0, C, nb);
    }
    return 0;
}

static void measure(void *context, int thread)
{
    const struct measurement *m = context;
    const struct rate_case *c = m->what;
    struct tiles t = tiles_of(m, thread);
    unsigned state = (unsigned)thread + 1;
    for (int i = 0; i < 2; i++)
        call(&t, c->kernel, c->nb, &state);
    double start = clock_seconds(CLOCK_THREAD_CPUTIME_ID), seconds;
    int times = 0, failed = 0;
    do {
        for (int i = 0; i < 4; i++)
            failed |= call(&t, c->kernel, c->nb, &state);
        times += 4;
        seconds = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    } while (seconds < c->seconds);
    m->rate[thread] = failed ? 0 : 1e-9 * rate_kernel_flops(c->kernel, c->nb, c->type) * times / seconds;
}

double kernel_rate(struct rate_pool *pool, const struct rate_case *c)
{
    const struct precision *p = precision_of(c->type);
    if (p == NULL || c->nb < 1 || (double)c->nb * c->nb * (double)p->size > POOL_BYTES / 3 - 64)
        return 0;
    struct measurement m = { .pool = pool, .what = c, .rate = calloc((size_t)pool->threads, sizeof *m.rate) };
    double sum = 0;
    if (m.rate == NULL)
        return 0;
    /* To fill tiles takes as long as to measure. Kernels later in the list can use what potrf, getrf and trsm leave in tiles, but
       not the reverse. */
    const struct rate_case *last = &pool->last;
    m.fresh = last->type != c->type || last->nb != c->nb || last->cold != c->cold || last->kernel > c->kernel;
    pool->last = *c;
    run_on_threads(pool->threads, measure, &m);
    for (int i = 0; i < pool->threads; i++)
        sum = m.rate[i] > 0 && sum >= 0 ? sum + m.rate[i] : -1;
    free(m.rate);
    return sum > 0 ? sum : 0;
}
