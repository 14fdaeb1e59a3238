/* Arithmetic of small integers. */
#ifndef OMPFACT_LAYOUTS_ARITHMETIC_H
#define OMPFACT_LAYOUTS_ARITHMETIC_H

#include <stdint.h>

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline int greatest(int a, int b)
{
    return a > b ? a : b;
}

static inline int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* ceil(sqrt(n)) for n >= 1. */
static inline int ceil_sqrt(int n)
{
    int root = 1;
    while ((int64_t)root * root < n)
        root++;
    return root;
}

/* The grid nprow x npcol = ranks with the least nprow + npcol, and so the least T, and nprow <= npcol. */
static inline void best_grid(int ranks, int *nprow, int *npcol)
{
    *nprow = 1;
    for (int p = 1; (int64_t)p * p <= ranks; p++)
        if (ranks % p == 0)
            *nprow = p;
    *npcol = ranks / *nprow;
}

#endif
