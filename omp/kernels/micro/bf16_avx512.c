/*
 * Products of packed tiles in bfloat16 (bf16.h), in single, on x86-64 with AVX512-BF16: an instruction adds two products to each
 * of 16 numbers. It takes numbers below single's normal ones for zeros.
 *
 *     block of C       strips of A           pairs of B's columns
 *     ( c c c )        ( aa aa aa .. )       ( bb bb bb .. )
 *     ( c c c )  +=    ( aa aa aa .. )   x   ( bb bb bb .. )       pairs of B are broadcast
 *     ( c c c )        ( aa aa aa .. )       ( bb bb bb .. )
 *
 * A pair of complex factors is an element, a and b. Each part of a conj(b) is one instruction:
 *
 *     real part         (re a, im a) x (re b, im b)
 *     imaginary part    (re a, im a) x (-im b, re b)
 */
#include "omp/kernels/micro/processors.h"
#include "omp/kernels/micro/targets.h"

#if defined __x86_64__ && __has_include(<avx512bf16intrin.h>)
#include <immintrin.h>
#include <stdint.h>

#define TARGET __attribute__((target("arch=x86-64-v4,avx512bf16")))

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

/* The pair of a column of B whose product with A's pairs is this part of C. */
INLINED int pair_for(int part, uint32_t pair)
{
    return (int)(part == 0 ? pair : (pair << 16 | pair >> 16) ^ 0x8000);
}

/* c += alpha sum on the first `rows` of a strip of C. */
TARGET INLINED void add_reals(int rows, __m512 alpha, __m512 sum, float *c)
{
    const __mmask16 mask = (__mmask16)((1u << rows) - 1);
    _mm512_mask_storeu_ps(c, mask, _mm512_fmadd_ps(alpha, sum, _mm512_maskz_loadu_ps(mask, c)));
}

/* The same with sums of real and of imaginary parts. */
TARGET INLINED void add_complexes(int rows, __m512 alpha, __m512 re, __m512 im, float *c)
{
    const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(HIGH / 2));
    const int half = HIGH / 2, below = rows < half ? rows : half;
    add_reals(2 * below, alpha, _mm512_permutex2var_ps(re, low, im), c);
    add_reals(2 * (rows - below), alpha, _mm512_permutex2var_ps(re, high, im), c + HIGH);
}

/* C += alpha A B^H of so many strips and columns, where the last strip has `a.rows` rows. */
TARGET INLINED void add_block(int parts, int strips, int columns, int pairs, float alpha, struct factor a, struct factor b,
                              float *C, int ldc)
{
    const int group = parts * columns;
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
            __m512bh y = (__m512bh)_mm512_set1_epi32(pair_for(j % parts, b.pair[(ptrdiff_t)l * b.rows + j / parts]));
            UNROLLED
            for (int i = 0; i < strips; i++)
                sum[j][i] = _mm512_dpbf16_ps(sum[j][i], x[i], y);
        }
    }
    UNROLLED
    for (int j = 0; j < columns; j++)
        UNROLLED
        for (int i = 0; i < strips; i++) {
            float *c = C + ((ptrdiff_t)j * ldc + i * HIGH) * parts;
            if (parts == 1)
                add_reals(a.rows, _mm512_set1_ps(alpha), sum[j][i], c);
            else
                add_complexes(a.rows, _mm512_set1_ps(alpha), sum[2 * j][i], sum[2 * j + 1][i], c);
        }
}

/* All columns of a strip of B, times so many strips of A. */
TARGET INLINED void add_columns(int parts, int strips, int pairs, float alpha, struct factor a, struct factor b, float *C,
                                int ldc)
{
    const int most = GROUP / parts;
    int j = 0;
    for (; j + most <= b.rows; j += most)
        add_block(parts, strips, most, pairs, alpha, a, (struct factor){ b.pair + j, b.rows }, C + (ptrdiff_t)j * ldc * parts,
                  ldc);
    for (; j < b.rows; j++)
        add_block(parts, strips, 1, pairs, alpha, a, (struct factor){ b.pair + j, b.rows }, C + (ptrdiff_t)j * ldc * parts, ldc);
}

/* `m` rows of A, times a strip of B. */
TARGET INLINED void add_rows(int parts, int m, int pairs, float alpha, const uint32_t *A, struct factor b, float *C, int ldc)
{
    int i = 0;
    for (; i + STRIPS * HIGH <= m; i += STRIPS * HIGH)
        add_columns(parts, STRIPS, pairs, alpha, (struct factor){ A + (ptrdiff_t)i * pairs, HIGH }, b, C + i * parts, ldc);
    for (; i + HIGH <= m; i += HIGH)
        add_columns(parts, 1, pairs, alpha, (struct factor){ A + (ptrdiff_t)i * pairs, HIGH }, b, C + i * parts, ldc);
    if (i < m)
        add_columns(parts, 1, pairs, alpha, (struct factor){ A + (ptrdiff_t)i * pairs, m - i }, b, C + i * parts, ldc);
}

TARGET static void add_real_rows(int m, int pairs, float alpha, const uint32_t *A, struct factor b, float *C, int ldc)
{
    add_rows(1, m, pairs, alpha, A, b, C, ldc);
}

TARGET static void add_complex_rows(int m, int pairs, float alpha, const uint32_t *A, struct factor b, float *C, int ldc)
{
    add_rows(2, m, pairs, alpha, A, b, C, ldc);
}

static void multiply(int parts, int m, int n, int pairs, float alpha, const void *A, const void *B, float *C, int ldc)
{
    const uint32_t *a = A, *b = B;
    int most = BLOCK_BYTES / (int)sizeof *a / (pairs > 0 ? pairs : 1) / (STRIPS * HIGH) * (STRIPS * HIGH);
    int high = most > STRIPS * HIGH ? most : STRIPS * HIGH;
    for (int i = 0; i < m; i += high)
        for (int j = 0; j < n; j += HIGH) {
            struct factor strip = { b + (ptrdiff_t)j * pairs, n - j < HIGH ? n - j : HIGH };
            (parts == 1 ? add_real_rows : add_complex_rows)(m - i < high ? m - i : high, pairs, alpha, a + (ptrdiff_t)i * pairs,
                                                            strip, C + (i + (ptrdiff_t)j * ldc) * parts, ldc);
        }
}

static void multiply_real(int m, int n, int pairs, float alpha, const void *A, const void *B, float *C, int ldc)
{
    multiply(1, m, n, pairs, alpha, A, B, C, ldc);
}

static void multiply_complex(int m, int n, int pairs, float alpha, const void *A, const void *B, float *C, int ldc)
{
    multiply(2, m, n, pairs, alpha, A, B, C, ldc);
}

bf16_multiply *bf16_product(int parts)
{
    if (vectors() != VECTORS_WIDE || !__builtin_cpu_supports("avx512bf16"))
        return NULL;
    return parts == 1 ? multiply_real : multiply_complex;
}
#else
bf16_multiply *bf16_product(int parts)
{
    (void)parts;
    return NULL;
}
#endif
