/* The rate of GEMM in this process, to compare with. Local. */
#ifndef OMPFACT_SRC_COMMAND_GEMM_RATE_H
#define OMPFACT_SRC_COMMAND_GEMM_RATE_H

/* GFLOP/s of so many threads together, each multiplying large matrices of its own for a quarter of a second; 0: no memory. */
double gemm_rate(int threads, char type);
/* The same with matrices of so many rows, each thread in its own processor time. */
double gemm_rate_of_order(int threads, char type, int order);

#endif
