#include "src/page/packed_numbers.h"
#include "src/page/page_parts.h"

#include <stdlib.h>

static void add_byte(struct packed_numbers *n, unsigned byte)
{
    if (page_grow(&n->byte, n->count, &n->room, 1))
        n->byte[n->count++] = (unsigned char)byte;
    else
        n->no_memory = true;
}

void packed_add(struct packed_numbers *n, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        add_byte(n, (unsigned)(number & 0x7f) | 0x80);
    add_byte(n, (unsigned)number);
}

void packed_add_all(struct packed_numbers *n, const struct packed_numbers *others)
{
    for (int64_t b = 0; b < others->count; b++)
        add_byte(n, others->byte[b]);
    n->no_memory |= others->no_memory;
}

void packed_add_signed(struct packed_numbers *n, int64_t number)
{
    packed_add(n, number >= 0 ? 2 * (uint64_t)number : 2 * (uint64_t)(-(number + 1)) + 1);
}

void packed_write(FILE *out, const struct packed_numbers *n)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int64_t b = 0; b < n->count; b += 3) {
        int left = n->count - b < 3 ? (int)(n->count - b) : 3;
        unsigned bits =
            (unsigned)n->byte[b] << 16 | (left > 1 ? (unsigned)n->byte[b + 1] << 8 : 0) | (left > 2 ? n->byte[b + 2] : 0);
        for (int k = 0; k < 4; k++)
            fputc(k <= left ? letters[bits >> (18 - 6 * k) & 63] : '=', out);
    }
}

void packed_forget(struct packed_numbers *n)
{
    free(n->byte);
    *n = (struct packed_numbers){ 0 };
}
