/* One number in bfloat16, for the host and for devices. */
#ifndef OMPFACT_OMP_KERNELS_BF16_NUMBERS_H
#define OMPFACT_OMP_KERNELS_BF16_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* The bits of x rounded: of a number of normal size the lower half of the bits is rounded away, to even; else zero. */
static inline uint32_t bf16_bits(float x)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    bool normal = (bits & 0x7f800000) != 0;
    return normal ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16 : 0;
}

static inline float bf16_value(uint32_t upper_half)
{
    uint32_t bits = upper_half << 16;
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* The change when x is rounded to single and then to bfloat16. */
static inline double bf16_change(double x)
{
    return x - bf16_value(bf16_bits((float)x));
}

#endif
