/* Many numbers in few characters: variable-length integers of seven bits a byte, the lowest bits first, as base64 (RFC 4648). */
#ifndef OMPFACT_SRC_PAGE_PACKED_NUMBERS_H
#define OMPFACT_SRC_PAGE_PACKED_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Zero-initialised: no numbers. */
struct packed_numbers {
    unsigned char *byte;
    int64_t count, room;
    bool no_memory;             /* some numbers are missing */
};

void packed_add(struct packed_numbers *numbers, uint64_t number);
void packed_add_all(struct packed_numbers *numbers, const struct packed_numbers *others);       /* appends the others */
void packed_add_signed(struct packed_numbers *numbers, int64_t number);       /* 0, -1, 1, -2, … as 0, 1, 2, 3, … */
void packed_write(FILE *out, const struct packed_numbers *numbers);
void packed_forget(struct packed_numbers *numbers);

#endif
