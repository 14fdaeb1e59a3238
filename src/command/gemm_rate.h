/* The rate of GEMM in this process, to compare with. Local. */
#ifndef OMPFACT_SRC_COMMAND_GEMM_RATE_H
#define OMPFACT_SRC_COMMAND_GEMM_RATE_H

#include <stdbool.h>

/* GFLOP/s of so many threads together, each multiplying large matrices of its own for a quarter of a second; 0: no memory. */
double gemm_rate(int threads, char type);
/* The same with matrices of so many rows, each thread in its own processor time. */
double gemm_rate_of_order(int threads, char type, int order);
/* Rates in double precision in so many slices of 40 ms of wall time, one after the other. False: no memory. */
bool gemm_rate_slices(int threads, int count, double *rate);

#endif
