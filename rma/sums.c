/*
 * Entries of boards: a flag and, with checksums, the checksum of the published bytes. A checksum detects a tile that is read
 * before it is final, or written while others may still read it, whatever effect this has on the numbers: a reader sums up the
 * bytes that it sees.
 */
#include "rma/state.h"

#include <string.h>

typedef _Atomic uint64_t rma_word_bits;
_Static_assert(sizeof(rma_word_bits) == sizeof(struct rma_word), "a word travels as one number");

size_t rma_word_bytes(const struct rma_space *space)
{
    return space->sums ? sizeof(struct rma_word) : sizeof(rma_flag);
}

struct rma_word rma_word_read(const struct rma_space *space, unsigned char *board, int64_t id)
{
    struct rma_word word = { 0 };
    if (space->sums) {
        uint64_t bits = atomic_load_explicit(&((rma_word_bits *)(void *)board)[id], memory_order_acquire);
        memcpy(&word, &bits, sizeof word);
    } else {
        word.flag = atomic_load_explicit(&rma_board(board)[id], memory_order_acquire);
    }
    return word;
}

void rma_word_write(const struct rma_space *space, unsigned char *board, int64_t id, struct rma_word word)
{
    uint64_t bits;
    memcpy(&bits, &word, sizeof bits);
    if (space->sums)
        atomic_store_explicit(&((rma_word_bits *)(void *)board)[id], bits, memory_order_release);
    else
        atomic_store_explicit(&rma_board(board)[id], word.flag, memory_order_release);
}

/* Four independent sums run at the speed of memory; the constants are those of splitmix64. */
static uint32_t sum_of_bytes(const void *data, size_t bytes)
{
    enum { LANES = 4 };
    const unsigned char *from = data;
    uint64_t sum[LANES] = { bytes, 1, 2, 3 }, word[LANES];
    for (; bytes >= sizeof word; bytes -= sizeof word, from += sizeof word) {
        memcpy(word, from, sizeof word);
        for (int i = 0; i < LANES; i++)
            sum[i] = (sum[i] ^ word[i]) * UINT64_C(0xbf58476d1ce4e5b9) + (sum[i] >> 47);
    }
    memset(word, 0, sizeof word);
    memcpy(word, from, bytes);
    uint64_t all = 0;
    for (int i = 0; i < LANES; i++)
        all = (all ^ sum[i] ^ word[i]) * UINT64_C(0x94d049bb133111eb) + (all >> 29);
    uint32_t folded = (uint32_t)(all ^ all >> 32);
    return folded == 0 ? 1 : folded;
}

static const char *begin(const struct rma_address *tile)
{
    return (const char *)rma_space_base(tile->space) + tile->disp;
}

uint32_t rma_sum_of_tile(const struct rma_address *tile)
{
    return tile->space->sums ? sum_of_bytes(begin(tile), tile->bytes) : 0;
}

uint32_t rma_sum_of_part(const struct rma_address *tile, uint32_t part)
{
    if (!tile->space->sums)
        return 0;
    return sum_of_bytes(begin(tile) + part / (RMA_PART_MAX + 1) * tile->unit, part % (RMA_PART_MAX + 1) * tile->unit);
}

bool rma_slot_is_intact(const struct rma_slot *slot)
{
    return slot->sum == 0 || sum_of_bytes(slot->route.in_parent ? slot->parent_data : slot->data, slot->from.bytes) == slot->sum;
}

bool rma_has_sums(const struct rma *rma)
{
    return rma->sums;
}
