/*
 * Kernels: functions of the distance of two points, by which covariance matrices are made. Matern's are those of half-integer
 * smoothness: Rasmussen and Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, section 4.2.1. Local and
 * thread-safe. Private to src/generate.
 */
#ifndef OMPFACT_SRC_GENERATE_KERNEL_H
#define OMPFACT_SRC_GENERATE_KERNEL_H

#include <stdint.h>

#include "src/generate/points.h"

/* Of the distance r of two points, L being the length: */
enum kernel_form {
    KERNEL_SQEXP,       /* exp(-r^2 / 2 L^2) */
    KERNEL_MATERN12,    /* exp(-r / L) */
    KERNEL_MATERN32,    /* (1 + s) exp(-s), s = sqrt(3) r / L */
    KERNEL_MATERN52,    /* (1 + s + s^2 / 3) exp(-s), s = sqrt(5) r / L */
    KERNEL_INVDIST,     /* 1 / sqrt(r^2 + L^2) */
};

struct kernel {
    enum kernel_form form;
    double length;              /* positive, and so is its reciprocal */
    double nugget;              /* is added where a point meets itself */
    struct points points;       /* owned by the caller */
};

/*
 * value[k] := K(first + k, at) for k < count, of points in their order. Symmetric in the two, and the same double on
 * any machine; where exp is below the smallest normal number it is 0.
 */
void kernel_run(const struct kernel *kernel, int64_t first, int64_t at, int count, double *value);

#endif
