/* A 64-bit digest that shows whether bytes have changed; it is not cryptographic. A change within eight bytes at a multiple of
   eight always changes the digest; another change leaves it the same once in 2^64. */
#ifndef OMPFACT_SRC_IO_DIGEST_H
#define OMPFACT_SRC_IO_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Continues the digest `before` with more bytes; `before` is 0 for the first. */
uint64_t digest_of(uint64_t before, const void *data, size_t bytes);

#endif
