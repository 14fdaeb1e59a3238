/* Measures rates of the kernels on tiles as factorizations use them: many tiles, one kernel on each thread. Local. */
#ifndef OMPFACT_SRC_MACHINE_KERNEL_RATES_H
#define OMPFACT_SRC_MACHINE_KERNEL_RATES_H

#include <stdbool.h>
#include <time.h>

enum rate_kernel { RATE_POTRF, RATE_GETRF, RATE_TRSM, RATE_SYRK, RATE_GEMM, RATE_KERNELS };

/* "potrf" and so on; and the number of a kernel from its name, or -1. */
const char *rate_kernel_name(enum rate_kernel kernel);
int rate_kernel_find(const char *name);
/* Real floating-point operations of a kernel on tiles of order nb. */
double rate_kernel_flops(enum rate_kernel kernel, double nb, char type);

/* Seconds by this clock. Kernels are timed by the processor time of the calling thread. */
double clock_seconds(clockid_t clock);

/* Memory for the tiles of several threads, more than the caches hold. NULL: no memory. */
struct rate_pool;
struct rate_pool *rate_pool_create(int threads);
void rate_pool_destroy(struct rate_pool **pool);

struct rate_case {
    char type;
    enum rate_kernel kernel;
    int nb;
    bool cold;          /* every operand comes from memory; otherwise from the cache */
    double seconds;     /* length of the measurement */
};

/* GFLOP/s of all threads together, each in its own processor time, so that other programs count little. 0: such tiles are too
   large for the pool, or the type is unknown. */
double kernel_rate(struct rate_pool *pool, const struct rate_case *c);

#endif
