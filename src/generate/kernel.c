#include "src/generate/kernel.h"

#include <math.h>
#include <string.h>

/* Results must not depend on whether the processor fuses products and sums. */
#pragma STDC FP_CONTRACT OFF

#define INLINED static inline __attribute__((always_inline))
/* Two of the widest vectors, four or eight of narrower ones: the processor computes with some of these while it waits for the sum
   of another. Without -O2 the compiler makes no vectors; that is not worth a warning. */
#define IN_VECTORS _Pragma("clang loop vectorize_width(16)")
#pragma clang diagnostic ignored "-Wpass-failed"

/* exp(-s) for s >= 0, without a branch. s = -(k log 2 + r) with |r| <= log 2 / 2, and Taylor's polynomial for exp(r) has a
   remainder below 0.04 units of the last place. log 2 is the sum of two numbers; the first has 33 bits, so that k times it is
   exact (Cody and Waite, "Software Manual for the Elementary Functions", Prentice-Hall 1980). */
INLINED double exp_of_minus(double s)
{
    static const double inverse[] = {       /* reciprocals of factorials, from 13 to 2 */
        1 / 6227020800., 1 / 479001600., 1 / 39916800., 1 / 3628800., 1 / 362880., 1 / 40320., 1 / 5040., 1 / 720., 1 / 120.,
        1 / 24., 1 / 6., 1 / 2.,
    };
    const double last = 708.39;             /* the smallest normal number is exp(-708.396...) */
    const double log2_e = 1.4426950408889634, log_2_high = 0x1.62e42feep-1, log_2_low = 0x1.a39ef35793c76p-33;
    const double to_integer = 0x1.8p52;     /* a small number plus to_integer is rounded to an integer, which is in the last
                                               bits */
    const double within = s < last ? s : last;
    const double shifted = to_integer - within * log2_e, k = shifted - to_integer;
    const double r = (-within - k * log_2_high) - k * log_2_low;
    double sum = inverse[0], power;
    uint64_t bits;
    for (size_t term = 1; term < sizeof inverse / sizeof *inverse; term++)
        sum = sum * r + inverse[term];
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;             /* 2^k */
    memcpy(&power, &bits, sizeof power);
    sum = power * (1 + (r + r * r * sum));
    return s < last ? sum : 0;
}

/* Squares of distances, in lengths. */
INLINED void measure(const struct kernel *kernel, int64_t first, int64_t at, int count, double *restrict square)
{
    const struct points *p = &kernel->points;
    const double scale = 1 / kernel->length, x0 = p->x[0][at], y0 = p->x[1][at], z0 = p->dims == 3 ? p->x[2][at] : 0;
    const double *x = p->x[0] + first, *y = p->x[1] + first, *z = p->dims == 3 ? p->x[2] + first : NULL;
    for (int k = 0; k < count; k++) {
        const double dx = (x[k] - x0) * scale, dy = (y[k] - y0) * scale;
        square[k] = dx * dx + dy * dy;
    }
    for (int k = 0; z != NULL && k < count; k++) {
        const double dz = (z[k] - z0) * scale;
        square[k] += dz * dz;
    }
}

/* s = a r / L, cut where exp(-s) is 0. */
INLINED double argument(double a, double square)
{
    const double s = a * __builtin_elementwise_sqrt(square);    /* not sqrt(), which may set errno */
    return s < 1000 ? s : 1000;
}

INLINED void evaluate(const struct kernel *kernel, int64_t first, int64_t at, int count, double *restrict value)
{
    const double root_3 = 1.7320508075688772, root_5 = 2.23606797749979, scale = 1 / kernel->length;
    measure(kernel, first, at, count, value);
    switch (kernel->form) {
    case KERNEL_SQEXP:
        IN_VECTORS for (int k = 0; k < count; k++)
            value[k] = exp_of_minus(0.5 * value[k]);
        break;
    case KERNEL_MATERN12:
        IN_VECTORS for (int k = 0; k < count; k++)
            value[k] = exp_of_minus(argument(1, value[k]));
        break;
    case KERNEL_MATERN32:
        IN_VECTORS for (int k = 0; k < count; k++) {
            const double s = argument(root_3, value[k]);
            value[k] = (1 + s) * exp_of_minus(s);
        }
        break;
    case KERNEL_MATERN52:
        IN_VECTORS for (int k = 0; k < count; k++) {
            const double s = argument(root_5, value[k]);
            value[k] = (1 + s + s * s * (1 / 3.)) * exp_of_minus(s);
        }
        break;
    case KERNEL_INVDIST:
        IN_VECTORS for (int k = 0; k < count; k++)
            value[k] = scale / __builtin_elementwise_sqrt(value[k] + 1);
        break;
    }
}

/* The loops are compiled for three kinds of processor. That makes them faster, and changes no result. */
#if defined __x86_64__
__attribute__((target("arch=x86-64-v4"), min_vector_width(512)))
static void evaluate_wide(const struct kernel *kernel, int64_t first, int64_t at, int count, double *value)
{
    evaluate(kernel, first, at, count, value);
}

__attribute__((target("arch=x86-64-v3")))
static void evaluate_middle(const struct kernel *kernel, int64_t first, int64_t at, int count, double *value)
{
    evaluate(kernel, first, at, count, value);
}
#endif

static void evaluate_plain(const struct kernel *kernel, int64_t first, int64_t at, int count, double *value)
{
    evaluate(kernel, first, at, count, value);
}

void kernel_run(const struct kernel *kernel, int64_t first, int64_t at, int count, double *value)
{
#if defined __x86_64__
    if (__builtin_cpu_supports("x86-64-v4"))
        evaluate_wide(kernel, first, at, count, value);
    else if (__builtin_cpu_supports("x86-64-v3"))
        evaluate_middle(kernel, first, at, count, value);
    else
#endif
        evaluate_plain(kernel, first, at, count, value);
    if (first <= at && at < first + count)
        value[at - first] += kernel->nugget;
}
