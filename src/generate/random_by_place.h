/*
 * Random numbers by place. A number depends only on a key and an index, so any rank can compute any number. Private to
 * src/generate.
 */
#ifndef OMPFACT_SRC_GENERATE_RANDOM_BY_PLACE_H
#define OMPFACT_SRC_GENERATE_RANDOM_BY_PLACE_H

#include <stdint.h>
#include <string.h>

/* SplitMix64's final mixing: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014. */
static inline uint64_t random_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static const uint64_t random_golden = 0x9e3779b97f4a7c15u;      /* SplitMix64's increment: 2^64 / golden ratio, odd */

/* The key of one of two streams of column j. Vectors for other uses have negative j. */
static inline uint64_t random_key(uint64_t seed, int64_t j, int stream)
{
    return random_mix(random_mix(seed + random_golden) + random_golden * (2 * (uint64_t)j + (uint64_t)stream + 1));
}

/*
 * A column is a SplitMix64 sequence that starts at its key. Many sequences of one increment would overlap, so a second round
 * mixes the key in again.
 */
static inline uint64_t random_draw(uint64_t key, int64_t i)
{
    return random_mix(random_mix(key + random_golden * (uint64_t)i) + key);
}

/* An odd multiple of 2^-53 in (0,1), all equally likely. Every step is exact. */
static inline double random_uniform(uint64_t bits)
{
    double x;
    bits = bits >> 12 | (uint64_t)1023 << 52;       /* 1 + k 2^-52 */
    memcpy(&x, &bits, sizeof x);
    return x - (1 - 0x1p-53);
}

#endif
