/* Random numbers that are the same on all machines: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
#ifndef OMPFACT_LAYOUTS_RANDOM_H
#define OMPFACT_LAYOUTS_RANDOM_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Returns 0 .. limit - 1. */
static inline int random_below(uint64_t *state, int limit)
{
    return (int)(((random_bits(state) >> 32) * (uint64_t)limit) >> 32);
}

#endif
