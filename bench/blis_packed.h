/* BLIS's own micro-kernel on operands in its packed form: another way to multiply packed tiles. */
#ifndef OMPFACT_BENCH_BLIS_PACKED_H
#define OMPFACT_BENCH_BLIS_PACKED_H

#include <stdbool.h>

/* Measures GFLOP/s of one thread's C -= A B, all of order nb, in double precision, for `seconds`. cold: random tiles from
   48 MiB of them. 0: nb is no multiple of the micro-kernel's rows and columns, or there is no BLIS, or no memory. */
double blis_packed_rate(int nb, bool cold, double seconds);

#endif
