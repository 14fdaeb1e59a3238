#include "src/checkpoint/digest.h"

#include <string.h>

/* Odd, so that a product with it loses nothing; otherwise without a pattern. */
static const uint64_t FACTOR = UINT64_C(0x9e3779b97f4a7c15);

enum { LANES = 4, BLOCK = LANES * 8 };      /* four sums at a time: a processor multiplies them side by side */

static uint64_t turned(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t added(uint64_t lane, uint64_t word)
{
    return turned((lane ^ word) * FACTOR, 29);
}

uint64_t digest_of(uint64_t before, const void *data, size_t bytes)
{
    const unsigned char *next = data;
    uint64_t lane[LANES], word[LANES], sum = before ^ (uint64_t)bytes;
    for (int i = 0; i < LANES; i++)
        lane[i] = FACTOR * (uint64_t)(i + 1);
    for (size_t left = bytes; left > 0;) {
        size_t taken = left < BLOCK ? left : BLOCK;
        if (taken < BLOCK)
            memset(word, 0, sizeof word);
        memcpy(word, next, taken);
        for (int i = 0; i < LANES; i++)
            lane[i] = added(lane[i], word[i]);
        next += taken;
        left -= taken;
    }
    for (int i = 0; i < LANES; i++)
        sum = added(sum, lane[i]);
    return sum ^ sum >> 32;
}
