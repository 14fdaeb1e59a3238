/* A sum of bytes that tells whether they are what was written: 64 bits, no secret in it. Any change within eight bytes in a row
   at a multiple of eight changes it for certain, any other one but for one in 2^64. */
#ifndef OMPFACT_SRC_IO_DIGEST_H
#define OMPFACT_SRC_IO_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Of the bytes behind those that `before` is the digest of; 0: of none. */
uint64_t digest_of(uint64_t before, const void *data, size_t bytes);

#endif
