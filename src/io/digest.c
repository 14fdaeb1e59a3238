#include "src/io/digest.h"

#include <string.h>

/* The factor is odd, so that a product with it loses no bits; it has no regular pattern. */
static const uint64_t FACTOR = UINT64_C(0x9e3779b97f4a7c15);

enum { LANES = 4, BLOCK = LANES * 8 };      /* four sums, because a processor multiplies them side by side */

static uint64_t turned(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t added(uint64_t lane, uint64_t word)
{
    return turned((lane ^ word) * FACTOR, 29);
}

static void add_block(uint64_t *lane, const unsigned char *block)
{
    uint64_t word[LANES];
    memcpy(word, block, BLOCK);
    for (int i = 0; i < LANES; i++)
        lane[i] = added(lane[i], word[i]);
}

/* The last block is padded with zeros. */
uint64_t digest_of(uint64_t before, const void *data, size_t bytes)
{
    const unsigned char *next = data;
    unsigned char last[BLOCK] = { 0 };
    uint64_t lane[LANES], sum = before ^ (uint64_t)bytes;
    for (int i = 0; i < LANES; i++)
        lane[i] = FACTOR * (uint64_t)(i + 1);
    for (size_t left = bytes / BLOCK; left > 0; left--, next += BLOCK)
        add_block(lane, next);
    if (bytes % BLOCK > 0) {
        memcpy(last, next, bytes % BLOCK);
        add_block(lane, last);
    }
    for (int i = 0; i < LANES; i++)
        sum = added(sum, lane[i]);
    return sum ^ sum >> 32;
}
