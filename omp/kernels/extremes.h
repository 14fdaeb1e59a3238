/* The extremes of two numbers. */
#ifndef OMPFACT_OMP_KERNELS_EXTREMES_H
#define OMPFACT_OMP_KERNELS_EXTREMES_H

#include <stddef.h>

static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

static inline size_t larger_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

#endif
