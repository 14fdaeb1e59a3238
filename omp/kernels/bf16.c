#include "omp/kernels/bf16.h"
#include "omp/kernels/bf16_numbers.h"
#include "omp/kernels/micro/processors.h"
#include "omp/kernels/workspace.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { HIGH = 16 };     /* rows of a packed strip */

const struct precision bf16_precision = { .type = 'b', .size = sizeof(uint16_t), .eps = 0x1p-8, .smallest = 0x1p-126,
                                          .flops_scale = 1 };
const struct precision bf16_complex_precision = { .type = 'y', .size = 2 * sizeof(uint16_t), .eps = 0x1p-8, .smallest = 0x1p-126,
                                                  .flops_scale = 4 };

/* ---- numbers --------------------------------------------------------------------------------------------------------------- */

/* Number i of singles, or of doubles. */
static inline float get(const void *from, bool single, size_t i)
{
    return single ? ((const float *)from)[i] : (float)((const double *)from)[i];
}

static inline void put(void *to, bool single, size_t i, float x)
{
    if (single)
        ((float *)to)[i] = x;
    else
        ((double *)to)[i] = x;
}

/* ---- columns --------------------------------------------------------------------------------------------------------------- */

static void round_columns(size_t count, bool single, const void *from, uint16_t *restrict to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (uint16_t)bf16_bits(get(from, single, i));
}

static void widen_columns(size_t count, const uint16_t *restrict from, bool single, void *to)
{
    for (size_t i = 0; i < count; i++)
        put(to, single, i, bf16_value(from[i]));
}

struct bf16_rounded bf16_measure(size_t count, const float *numbers)
{
    double squares = 0, changes = 0;
    for (size_t i = 0; i < count; i++) {
        double kept = bf16_value(bf16_bits(numbers[i])), change = numbers[i] - kept;
        squares += kept * kept;
        changes += change * change;
    }
    return (struct bf16_rounded){ sqrt(squares), sqrt(changes) };
}

double bf16_norm(size_t count, const void *numbers)
{
    const uint16_t *a = numbers;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        double x = bf16_value(a[i]);
        squares += x * x;
    }
    return sqrt(squares);
}

/* ---- strips ---------------------------------------------------------------------------------------------------------------- */

/* Some rows of a strip of pairs, which are a strip of singles, or of doubles, from `other` on. */
struct rows {
    uint32_t *pairs;
    ptrdiff_t step;             /* from one pair of columns to the next */
    void *other;
    int count;
};

static void round_rows(struct rows r, int n, bool single)
{
    for (ptrdiff_t l = 0; l < n / 2; l++)
        for (int i = 0; i < r.count; i++) {
            size_t at = (size_t)(2 * l * r.count + i);
            r.pairs[l * r.step + i] = bf16_bits(get(r.other, single, at)) |
                                      bf16_bits(get(r.other, single, at + (size_t)r.count)) << 16;
        }
}

static void widen_rows(struct rows r, int n, bool single)
{
    for (ptrdiff_t l = 0; l < n / 2; l++)
        for (int i = 0; i < r.count; i++) {
            size_t at = (size_t)(2 * l * r.count + i);
            uint32_t pair = r.pairs[l * r.step + i];
            put(r.other, single, at, bf16_value(pair & 0xffff));
            put(r.other, single, at + (size_t)r.count, bf16_value(pair >> 16));
        }
}

/* A strip of pairs is as high as one of singles, and as two of doubles. */
static void convert_strips(void (*convert)(struct rows r, int n, bool single), int m, int n, uint32_t *pairs, bool single,
                           void *other)
{
    const int step = single ? HIGH : HIGH / 2;
    const size_t size = single ? sizeof(float) : sizeof(double);
    for (int i = 0; i < m; i += HIGH) {
        int rows = m - i < HIGH ? m - i : HIGH;
        for (int first = 0; first < rows; first += step) {
            struct rows r = { .pairs = pairs + (ptrdiff_t)i * (n / 2) + first, .step = rows,
                              .other = (char *)other + size * (size_t)(i + first) * (size_t)n,
                              .count = rows - first < step ? rows - first : step };
            convert(r, n, single);
        }
    }
}

void bf16_convert(bool packed, int m, int n, const struct precision *of_a, const void *A, const struct precision *of_b, void *B)
{
    const int numbers = n * reals_of(of_a);      /* of a row */
    const size_t count = (size_t)m * (size_t)numbers;
    bool to_bf16 = is_bf16(of_b), single = is_single(to_bf16 ? of_a : of_b);
    if (packed)
        convert_strips(to_bf16 ? round_rows : widen_rows, m, numbers, to_bf16 ? B : (void *)A, single, to_bf16 ? (void *)A : B);
    else if (to_bf16)
        round_columns(count, single, A, B);
    else
        widen_columns(count, A, single, B);
}

int bf16_unpack(const struct packed_tile *tile, void *columns)
{
    const int parts = reals_of(tile->precision);
    size_t count = (size_t)tile->m * (size_t)tile->n * (size_t)parts;
    float *packed = workspace_take(2 * count * sizeof *packed), *unpacked = packed + count;
    if (packed == NULL)
        return 1;
    struct view view = tile->rows;
    view.data = unpacked;
    convert_strips(widen_rows, tile->m, tile->n * parts, tile->rows.data, true, packed);
    packed_kernels_of(parts == 1 ? 's' : 'c')->unpack(tile->m, tile->n, packed, view);
    round_columns(count, true, unpacked, columns);
    workspace_give(packed);
    return 0;
}

/* ---- products -------------------------------------------------------------------------------------------------------------- */

bool bf16_multiplies(void)
{
    return bf16_product(1) != NULL;
}

void bf16_gemm(const struct precision *of_c, int m, int n, int k, double alpha, const void *A, const void *B, void *C, int ldc)
{
    const int parts = reals_of(of_c);
    bf16_product(parts)(m, n, k * parts / 2, (float)alpha, A, B, C, ldc);
}

/* The imaginary parts of the diagonal are zero without this: a number times its conjugate adds two exact terms that cancel. */
static void clear_other(enum uplo uplo, int n, int parts, float *C, int ldc)
{
    for (int j = 0; j < n; j++) {
        float *column = C + (ptrdiff_t)j * ldc * parts;
        for (int i = uplo == LOWER ? 0 : (j + 1) * parts; i < (uplo == LOWER ? j : n) * parts; i++)
            column[i] = 0;
    }
}

/* Some columns at once, from the diagonal on. */
void bf16_herk(const struct precision *of_c, enum uplo uplo, int n, int k, double alpha, const void *A, void *C, int ldc)
{
    enum { COLUMNS = 3 * HIGH };
    const ptrdiff_t parts = reals_of(of_c), in_row = k * parts;
    const uint16_t *a = A;
    float *c = C;
    for (int j = 0; j < n; j += COLUMNS) {
        int columns = n - j < COLUMNS ? n - j : COLUMNS, first = uplo == LOWER ? j : 0, end = uplo == LOWER ? n : j + columns;
        bf16_gemm(of_c, end - first, columns, k, alpha, a + first * in_row, a + j * in_row,
                  c + parts * (first + (ptrdiff_t)j * ldc), ldc);
        clear_other(uplo, columns, (int)parts, c + parts * (j + (ptrdiff_t)j * ldc), ldc);
    }
}
