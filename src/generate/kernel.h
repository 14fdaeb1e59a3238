/*
 * Kernels: functions of the distance of two points, which define covariance matrices. The Matern kernels are those of
 * half-integer smoothness: Rasmussen and Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, section 4.2.1. All
 * functions are local and thread-safe. Private to src/generate.
 */
#ifndef OMPFACT_SRC_GENERATE_KERNEL_H
#define OMPFACT_SRC_GENERATE_KERNEL_H

#include <stdint.h>

#include "src/generate/points.h"

/* Functions of the distance r of two points; L is the length. */
enum kernel_form {
    KERNEL_SQEXP,       /* exp(-r^2 / 2 L^2) */
    KERNEL_MATERN12,    /* exp(-r / L) */
    KERNEL_MATERN32,    /* (1 + s) exp(-s), s = sqrt(3) r / L */
    KERNEL_MATERN52,    /* (1 + s + s^2 / 3) exp(-s), s = sqrt(5) r / L */
    KERNEL_INVDIST,     /* 1 / sqrt(r^2 + L^2) */
};

struct kernel {
    enum kernel_form form;
    double length;              /* positive; its reciprocal is positive, too */
    double nugget;              /* added on the diagonal */
    struct points points;       /* owned by the caller */
};

/*
 * value[k] := K(first + k, at) for k < count, for points in Morton order. K is symmetric, and gives the same double on any
 * machine. It is 0 where exp is below the smallest normal number.
 */
void kernel_run(const struct kernel *kernel, int64_t first, int64_t at, int count, double *value);

#endif
