/* Rates of the kernels of a tile, in a factorization's conditions: many tiles, one kernel a thread. Local. */
#ifndef OMPFACT_SRC_MACHINE_KERNEL_RATES_H
#define OMPFACT_SRC_MACHINE_KERNEL_RATES_H

#include <stdbool.h>

enum rate_kernel { RATE_POTRF, RATE_GETRF, RATE_TRSM, RATE_SYRK, RATE_GEMM, RATE_KERNELS };

/* "potrf" and so on; a kernel's number from its name, or -1. */
const char *rate_kernel_name(enum rate_kernel kernel);
int rate_kernel_find(const char *name);
/* Floating-point operations on tiles of order nb, real ones. */
double rate_kernel_flops(enum rate_kernel kernel, double nb, char type);

/* Seconds of a processor that the calling thread has had. */
double thread_time(void);

/* Memory for the tiles of so many threads, more than the caches hold. NULL: no memory. */
struct rate_pool;
struct rate_pool *rate_pool_create(int threads);
void rate_pool_destroy(struct rate_pool **pool);

struct rate_case {
    char type;
    enum rate_kernel kernel;
    int nb;
    bool cold;          /* every operand comes from memory, else from the cache */
    double seconds;     /* how long to measure */
};

/* GFLOP/s of all threads together, each in its own processor time: what else the machine does counts little. 0: such tiles are
   too large for the pool, or the type is unknown. */
double kernel_rate(struct rate_pool *pool, const struct rate_case *c);

#endif
