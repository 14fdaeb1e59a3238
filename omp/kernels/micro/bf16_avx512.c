/*
 * Products of packed tiles in bfloat16 (bf16.h), in single, on x86-64 with AVX512-BF16: an instruction adds two products to each
 * of 16 numbers. It takes numbers below single's normal ones for zeros.
 *
 *     block of C       strips of A           pairs of B's columns
 *     ( c c c )        ( aa aa aa .. )       ( bb bb bb .. )
 *     ( c c c )  +=    ( aa aa aa .. )   x   ( bb bb bb .. )       pairs of B are broadcast
 *     ( c c c )        ( aa aa aa .. )       ( bb bb bb .. )
 */
#include "omp/kernels/micro/processors.h"

#if defined __x86_64__ && __has_include(<avx512bf16intrin.h>)
#include <immintrin.h>
#include <stdint.h>

#define TARGET __attribute__((target("arch=x86-64-v4,avx512bf16")))
#define INLINED static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")

enum {
    HIGH = 16,                  /* rows of a strip */
    STRIPS = 3, GROUP = 8,      /* of A, and columns of B, at once: 24 of 32 registers hold sums */
    BLOCK_BYTES = 384 << 10,    /* of A at once: less than half of a second-level cache */
};

/* A packed tile of pairs: `rows` is the height of the strip that is meant, of which all others have HIGH. */
struct factor {
    const uint32_t *pair;
    int rows;
};

/* C += alpha A B^T of so many strips and columns, where the last strip has `a.rows` rows. */
TARGET INLINED void add_block(int strips, int group, int pairs, float alpha, struct factor a, struct factor b, float *C, int ldc)
{
    const ptrdiff_t apart = (ptrdiff_t)pairs * HIGH;
    const __mmask16 mask = (__mmask16)((1u << a.rows) - 1);
    __m512 sum[GROUP][STRIPS];
    UNROLLED
    for (int j = 0; j < group; j++)
        UNROLLED
        for (int i = 0; i < strips; i++)
            sum[j][i] = _mm512_setzero_ps();
    for (int l = 0; l < pairs; l++) {
        __m512bh x[STRIPS];
        UNROLLED
        for (int i = 0; i < strips; i++)
            x[i] = (__m512bh)_mm512_maskz_loadu_epi32(mask, a.pair + i * apart + (ptrdiff_t)l * a.rows);
        UNROLLED
        for (int j = 0; j < group; j++) {
            __m512bh y = (__m512bh)_mm512_set1_epi32((int)b.pair[(ptrdiff_t)l * b.rows + j]);
            UNROLLED
            for (int i = 0; i < strips; i++)
                sum[j][i] = _mm512_dpbf16_ps(sum[j][i], x[i], y);
        }
    }
    UNROLLED
    for (int j = 0; j < group; j++)
        UNROLLED
        for (int i = 0; i < strips; i++) {
            float *c = C + (ptrdiff_t)j * ldc + i * HIGH;
            __m512 before = _mm512_maskz_loadu_ps(mask, c);
            _mm512_mask_storeu_ps(c, mask, _mm512_fmadd_ps(_mm512_set1_ps(alpha), sum[j][i], before));
        }
}

/* All columns of a strip of B, times so many strips of A. */
TARGET INLINED void add_columns(int strips, int pairs, float alpha, struct factor a, struct factor b, float *C, int ldc)
{
    int j = 0;
    for (; j + GROUP <= b.rows; j += GROUP)
        add_block(strips, GROUP, pairs, alpha, a, (struct factor){ b.pair + j, b.rows }, C + (ptrdiff_t)j * ldc, ldc);
    for (; j < b.rows; j++)
        add_block(strips, 1, pairs, alpha, a, (struct factor){ b.pair + j, b.rows }, C + (ptrdiff_t)j * ldc, ldc);
}

/* `m` rows of A, times a strip of B. */
TARGET static void add_rows(int m, int pairs, float alpha, const uint32_t *A, struct factor b, float *C, int ldc)
{
    int i = 0;
    for (; i + STRIPS * HIGH <= m; i += STRIPS * HIGH)
        add_columns(STRIPS, pairs, alpha, (struct factor){ A + (ptrdiff_t)i * pairs, HIGH }, b, C + i, ldc);
    for (; i + HIGH <= m; i += HIGH)
        add_columns(1, pairs, alpha, (struct factor){ A + (ptrdiff_t)i * pairs, HIGH }, b, C + i, ldc);
    if (i < m)
        add_columns(1, pairs, alpha, (struct factor){ A + (ptrdiff_t)i * pairs, m - i }, b, C + i, ldc);
}

static void multiply(int m, int n, int pairs, float alpha, const void *A, const void *B, float *C, int ldc)
{
    const uint32_t *a = A, *b = B;
    int most = BLOCK_BYTES / (int)sizeof *a / (pairs > 0 ? pairs : 1) / (STRIPS * HIGH) * (STRIPS * HIGH);
    int high = most > STRIPS * HIGH ? most : STRIPS * HIGH;
    for (int i = 0; i < m; i += high)
        for (int j = 0; j < n; j += HIGH) {
            struct factor strip = { b + (ptrdiff_t)j * pairs, n - j < HIGH ? n - j : HIGH };
            add_rows(m - i < high ? m - i : high, pairs, alpha, a + (ptrdiff_t)i * pairs, strip, C + i + (ptrdiff_t)j * ldc, ldc);
        }
}

bf16_multiply *bf16_product(void)
{
    return vectors() == VECTORS_WIDE && __builtin_cpu_supports("avx512bf16") ? multiply : NULL;
}
#else
bf16_multiply *bf16_product(void)
{
    return NULL;
}
#endif
