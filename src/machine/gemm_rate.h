/* The rate of GEMM in this process, to compare with. Local. */
#ifndef OMPFACT_SRC_MACHINE_GEMM_RATE_H
#define OMPFACT_SRC_MACHINE_GEMM_RATE_H

/*
 * GFLOP/s of so many cores, from a few threads at most, each multiplying matrices of its own for about so many seconds, in
 * 32 MiB of memory at most: the rate of a core times their number. Where clocks fall with the cores at work it is a little high.
 * 0: no memory.
 */
double gemm_rate(int cores, char type, double seconds);
/* GFLOP/s of so many threads together with matrices of so many rows, each thread in its own processor time; 0: no memory. */
double gemm_rate_of_order(int threads, char type, int order);

#endif
