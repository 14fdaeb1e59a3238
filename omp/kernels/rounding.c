#include "omp/kernels/rounding.h"
#include "omp/kernels/bf16.h"
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"

#include <math.h>
#include <string.h>

enum { STRIP_BYTES = 64 };      /* bytes of the rows of a packed strip */

/* Rounds consecutive real numbers. */
static void round_numbers(size_t count, const double *restrict from, float *restrict to)
{
    for (size_t k = 0; k < count; k++)
        to[k] = (float)from[k];
}

static void widen_numbers(size_t count, const float *restrict from, double *restrict to)
{
    for (size_t k = 0; k < count; k++)
        to[k] = from[k];
}

/*
 * A strip of singles is as high as two strips of doubles:
 *
 *     ( s_0 .. s_15 )  ( s_0 .. s_15 )  ..        <->       ( d_0 .. d_7 )   ( d_0 .. d_7 )   ..
 *                                                           ( d_8 .. d_15 )  ( d_8 .. d_15 )  ..
 */
static void convert_packed(bool to_single, int parts, int m, int n, const void *from, void *to)
{
    enum { HIGH = STRIP_BYTES / sizeof(float), HALF = HIGH / 2 };
    const float *singles = to_single ? to : from;
    const double *doubles = to_single ? from : to;
    for (int i = 0; i < m; i += HIGH) {
        int rows = m - i < HIGH ? m - i : HIGH;
        for (int half = 0; half < rows; half += HALF) {
            int high = rows - half < HALF ? rows - half : HALF;
            const float *s = singles + (size_t)i * (size_t)n * (size_t)parts + half;
            const double *d = doubles + (size_t)(i + half) * (size_t)n * (size_t)parts;
            for (ptrdiff_t l = 0; l < (ptrdiff_t)n * parts; l++)
                if (to_single)
                    round_numbers((size_t)high, d + l * high, (float *)s + l * rows);
                else
                    widen_numbers((size_t)high, s + l * rows, (double *)d + l * high);
        }
    }
}

void tile_in_precision(bool packed, int m, int n, const struct precision *of_a, const void *A, const struct precision *of_b,
                       void *B)
{
    size_t numbers = (size_t)m * (size_t)n * (size_t)reals_of(of_a);
    if (of_a->type == of_b->type)
        memcpy(B, A, (size_t)m * (size_t)n * of_a->size);
    else if (is_bf16(of_a) || is_bf16(of_b))
        bf16_convert(packed, m, n, of_a, A, of_b, B);
    else if (packed)
        convert_packed(is_single(of_b), reals_of(of_a), m, n, A, B);
    else if (is_single(of_b))
        round_numbers(numbers, A, B);
    else
        widen_numbers(numbers, A, B);
}

double tile_norm(const struct precision *of_a, int m, int n, const void *A)
{
    if (is_bf16(of_a))
        return bf16_norm((size_t)m * (size_t)n * (size_t)reals_of(of_a), A);
    return frobenius_norm(of_a, GENERAL, m, n, A, m);
}

void add_single_tile(const struct precision *of_b, int m, int n, const void *A, void *B)
{
    const float *restrict a = A;
    double *restrict b = B;
    size_t numbers = (size_t)m * (size_t)n * (size_t)reals_of(of_b);
    for (size_t k = 0; k < numbers; k++)
        b[k] += a[k];
}

/* b += u conj(v). */
static void add_complex_column(int m, const float *restrict u, double re, double im, double *restrict b)
{
    for (int i = 0; i < m; i++) {
        b[2 * i] += u[2 * i] * re + u[2 * i + 1] * im;
        b[2 * i + 1] += u[2 * i + 1] * re - u[2 * i] * im;
    }
}

static void add_real_column(int m, const float *restrict u, double v, double *restrict b)
{
    for (int i = 0; i < m; i++)
        b[i] += u[i] * v;
}

void add_single_columns(const struct precision *of_b, int m, int n, int rank, const void *UV, void *B)
{
    int parts = reals_of(of_b);
    for (int k = 0; k < rank; k++) {
        const float *u = (const float *)UV + (ptrdiff_t)k * (m + n) * parts, *v = u + (ptrdiff_t)m * parts;
        for (int j = 0; j < n; j++) {
            double *b = (double *)B + (ptrdiff_t)j * m * parts;
            if (parts == 1)
                add_real_column(m, u, v[j], b);
            else
                add_complex_column(m, u, v[2 * j], v[2 * j + 1], b);
        }
    }
}

/* The norm of some numbers, and the norm of their change by rounding. */
struct rounded {
    double norm, change;
};

static struct rounded round_part(size_t count, const double *restrict from, float *restrict to)
{
    double squares = 0, changes = 0;
    for (size_t k = 0; k < count; k++) {
        to[k] = (float)from[k];
        double change = from[k] - to[k];
        squares += from[k] * from[k];
        changes += change * change;
    }
    return (struct rounded){ sqrt(squares), sqrt(changes) };
}

double tile_to_single(const struct precision *of_a, int m, int n, const void *A, void *B)
{
    return round_part((size_t)m * (size_t)n * (size_t)reals_of(of_a), A, B).change;
}

/* |U V^H - (U + dU) (V + dV)^H| is at most the sum of |u| |dv| + |du| |v| + |du| |dv| over their columns. */
double columns_to_single(const struct precision *of_uv, int m, int n, int rank, const void *UV, void *B)
{
    size_t high = (size_t)m * (size_t)reals_of(of_uv), low = (size_t)n * (size_t)reals_of(of_uv);
    double change = 0;
    for (int k = 0; k < rank; k++) {
        const double *from = (const double *)UV + (size_t)k * (high + low);
        float *to = (float *)B + (size_t)k * (high + low);
        struct rounded u = round_part(high, from, to), v = round_part(low, from + high, to + high);
        change += u.norm * v.change + u.change * v.norm + u.change * v.change;
    }
    return change;
}

static double modulus(const struct precision *precision, const void *element)
{
    double re, im;
    precision->get(element, &re, &im);
    return hypot(re, im);
}

double triangle_norm2_bound(const struct precision *precision, enum uplo uplo, enum diag diag, int n, const void *T, int ldt)
{
    double *columns = workspace_take(2 * (size_t)n * sizeof *columns + 1), *rows = columns + n, most[2] = { 0, 0 };
    if (columns == NULL)
        return INFINITY;
    memset(columns, 0, 2 * (size_t)n * sizeof *columns);
    precision->host->sums(uplo, n, n, T, ldt, columns, rows);       /* rows: sums of the strict part only */
    for (int j = 0; j < n; j++) {
        double stored = modulus(precision, (const char *)T + (size_t)j * ((size_t)ldt + 1) * precision->size);
        double used = diag == UNIT ? 1 : stored;
        double sums[2] = { columns[j] - stored + used, rows[j] + used };
        for (int k = 0; k < 2; k++)
            most[k] = fmax(most[k], sums[k]);
    }
    workspace_give(columns);
    return sqrt(most[0]) * sqrt(most[1]);
}
