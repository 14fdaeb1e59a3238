#include "src/machine/quick_rates.h"
#include "src/io/c_locale.h"

#include <math.h>

/* Tile sizes, the most informative first: on slow cores, or in a type with more arithmetic, the time is up before the last. */
static const int sizes[] = { 192, 96, 320, 448, 48, 0 };

static const double KERNEL_SECONDS = 0.006, ALL_SECONDS = 0.4;
enum { FEWEST_CALLS = 6 };                      /* least calls of a kernel, however long one takes: kernel_rate() */
static const int64_t THREAD_BYTES = 64 << 20;   /* most memory that kernel_rate() takes for a thread */

/* The ranks that measure: the first `ranks` of the first rank's node, each with `threads` threads. */
struct crew {
    int ranks, threads;
};

static struct crew crew_of(int busy, int threads)
{
    struct crew c = { .threads = threads < busy ? threads : busy };
    c.ranks = c.threads > 0 ? busy / c.threads : 0;
    return c;
}

/* Rounds as the file does, so that rates from the file lead to the same choices. */
static double as_kept(double gflops)
{
    char text[32];
    snprintf(text, sizeof text, MACHINE_RATE, gflops);
    return c_locale_real(text, NULL);
}

/* GFLOP/s of this rank's threads together. NAN: not known; any sum with it is NAN, too. */
static void measure_size(struct rate_pool *pool, char type, int nb, double rate[RATE_KERNELS])
{
    for (int kernel = 0; kernel < RATE_KERNELS; kernel++) {
        rate[kernel] = kernel_rate(pool, &(struct rate_case){ .type = type, .kernel = (enum rate_kernel)kernel, .nb = nb,
                                                              .cold = true, .seconds = KERNEL_SECONDS });
        if (!(rate[kernel] > 0))
            rate[kernel] = NAN;
    }
}

/* Seconds that the least number of calls of all kernels takes. */
static double least_seconds(char type, int nb, int threads, const double rate[RATE_KERNELS])
{
    double seconds = 0;
    for (int kernel = 0; kernel < RATE_KERNELS; kernel++)
        seconds += FEWEST_CALLS * rate_kernel_flops((enum rate_kernel)kernel, nb, type) * threads / (1e9 * rate[kernel]);
    return seconds;
}

static void keep(struct machine *m, char type, int busy, int nb, const struct crew *crew, const double rate[RATE_KERNELS])
{
    for (int kernel = 0; kernel < RATE_KERNELS; kernel++)
        if (isfinite(rate[kernel]))
            m->rate[m->rates++] = (struct machine_rate){ .type = type, .kernel = (enum rate_kernel)kernel, .threads = busy,
                                                         .nb = nb,
                                                         .gflops = as_kept(rate[kernel] * busy / (crew->ranks * crew->threads)) };
}

/* Measures sizes in turn. pool: NULL on ranks that do not measure. The first rank decides when time is up. */
static ompfact_status measure(ompfact_grid *grid, char type, int busy, const struct crew *crew, struct rate_pool *pool,
                              struct machine *m)
{
    enum { STOP = RATE_KERNELS, COUNT };
    bool first = rma_rank(grid->rma) == 0;
    double begin = run_clock();
    for (const int *nb = sizes; *nb > 0; nb++) {
        double shared[COUNT] = { 0 }, start = run_clock();
        if (pool != NULL)
            measure_size(pool, type, *nb, shared);
        if (first && nb[1] > 0) {
            double now = run_clock(), next = now - start + least_seconds(type, nb[1], crew->threads, shared);
            shared[STOP] = now - begin + next > ALL_SECONDS;
        }
        TRY_MPI(grid, rma_allreduce(grid->rma, shared, COUNT, MPI_DOUBLE, MPI_SUM));
        if (first)
            keep(m, type, busy, *nb, crew, shared);
        if (shared[STOP] > 0)
            break;
    }
    return OMPFACT_SUCCESS;
}

ompfact_status quick_rates(ompfact_grid *grid, char type, int busy, struct machine *m)
{
    int64_t room, with_first = rma_rank(grid->rma) == 0, before = 1;
    TRY(memory_share(grid, &room));
    struct crew crew = crew_of(busy, grid->cores);
    if (room / 2 < crew.threads * THREAD_BYTES)
        crew.ranks = 0;
    TRY_MPI(grid, rma_bcast(grid->rma, &crew, sizeof crew, MPI_BYTE, 0));
    if (crew.ranks == 0)
        return OMPFACT_SUCCESS;
    TRY_MPI(grid, rma_node_sum(grid->rma, &with_first));
    TRY_MPI(grid, rma_node_before(grid->rma, &before));
    bool takes_part = with_first > 0 && before < crew.ranks;
    CLEANUP(rate_pool_destroy) struct rate_pool *pool = takes_part ? rate_pool_create(crew.threads) : NULL;
    int short_of_memory = takes_part && pool == NULL;
    TRY_MPI(grid, rma_allreduce(grid->rma, &short_of_memory, 1, MPI_INT, MPI_MAX));
    return short_of_memory ? OMPFACT_SUCCESS : measure(grid, type, busy, &crew, pool, m);
}
