/* The rate of GEMM in this process, to compare with. Local. */
#ifndef OMPFACT_SRC_COMMAND_GEMM_RATE_H
#define OMPFACT_SRC_COMMAND_GEMM_RATE_H

/* GFLOP/s of so many threads together, each multiplying large matrices of its own for a quarter of a second; 0: no memory. */
double gemm_rate(int threads, char type);

#endif
