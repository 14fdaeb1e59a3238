/* The rate of GEMM in this process, as a reference for other rates. Local. */
#ifndef OMPFACT_SRC_MACHINE_GEMM_RATE_H
#define OMPFACT_SRC_MACHINE_GEMM_RATE_H

/*
 * GFLOP/s of `cores` cores: the rate of a core, measured on at most a few threads, times the number of cores. Each thread
 * multiplies matrices of its own for about `seconds`. The measurement takes at most 32 MiB of memory. The result is a little high
 * where clocks fall when more cores work. 0: no memory.
 */
double gemm_rate(int cores, char type, double seconds);
/* GFLOP/s of `threads` threads together with matrices of `order` rows, each thread in its own processor time; 0: no memory. */
double gemm_rate_of_order(int threads, char type, int order);

#endif
