/* Shared by the drivers of the peers: routines, sizes, and entries, uniform in (-1, 1) and independent of the distribution. */
#ifndef OMPFACT_BENCH_PEER_MATRIX_H
#define OMPFACT_BENCH_PEER_MATRIX_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum peer_routine { PEER_NONE, PEER_POTRF, PEER_GETRF, PEER_GEQRF };

static inline enum peer_routine peer_routine(const char *name)
{
    static const char *const names[] = {
        [PEER_NONE] = "", [PEER_POTRF] = "potrf", [PEER_GETRF] = "getrf", [PEER_GEQRF] = "geqrf",
    };
    for (int r = PEER_GEQRF; r > PEER_NONE; r--)
        if (strcmp(name, names[r]) == 0)
            return (enum peer_routine)r;
    return PEER_NONE;
}

/* Reads "N" or "MxN"; returns 1, or 0 for other text. */
static inline int peer_size(const char *text, int *m, int *n)
{
    char rest;
    if (sscanf(text, "%dx%d%c", m, n, &rest) != 2) {
        if (sscanf(text, "%d%c", n, &rest) != 1)
            return 0;
        *m = *n;
    }
    return *m > 0 && *n > 0;
}

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). */
static inline double uniform(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)(int64_t)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/* An element of a matrix of m rows. For potrf the matrix is symmetric with a dominant diagonal; otherwise LU must pivot. */
static inline double peer_entry(enum peer_routine routine, int64_t m, int64_t i, int64_t j)
{
    if (routine != PEER_POTRF)
        return uniform((uint64_t)(i + j * m));
    return i == j ? (double)m : uniform((uint64_t)(i > j ? i + j * m : j + i * m));
}

/* LAPACK's count of flops (LAWN 41), for QR its leading terms. bench/peers has the same formulas in Python. */
static inline double peer_flops(enum peer_routine routine, double m, double n)
{
    double less = m < n ? m : n, more = m < n ? n : m;
    double cubes = less * less * (more - less / 3);
    if (routine == PEER_POTRF)
        return n * n * n / 3 + n * n / 2 + n / 6;
    return routine == PEER_GETRF ? cubes - less * less / 2 - less / 6 : 2 * cubes;
}

#endif
