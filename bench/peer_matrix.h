/* The entries of the peers' matrices: uniform in (-1, 1), the same whatever the distribution. */
#ifndef OMPFACT_BENCH_PEER_MATRIX_H
#define OMPFACT_BENCH_PEER_MATRIX_H

#include <stdint.h>

/* Mixes as SplitMix64 does (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). */
static inline double uniform(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)(int64_t)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/* For potrf symmetric with a dominant diagonal, so positive definite; for getrf none of that, so that pivoting has its work. */
static inline double peer_entry(int cholesky, int64_t n, int64_t i, int64_t j)
{
    if (!cholesky)
        return uniform((uint64_t)(i + j * n));
    return i == j ? (double)n : uniform((uint64_t)(i > j ? i + j * n : j + i * n));
}

static inline double peer_flops(int cholesky, double n)
{
    return cholesky ? n * n * n / 3 + n * n / 2 + n / 6 : 2 * n * n * n / 3 - n * n / 2 - n / 6;
}

#endif
