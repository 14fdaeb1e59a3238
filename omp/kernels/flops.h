/* Operations of kernels, as if the elements were real, for those who count before there is a task. */
#ifndef OMPFACT_OMP_KERNELS_FLOPS_H
#define OMPFACT_OMP_KERNELS_FLOPS_H

/* Of an LU factorization of m x n (LAPACK Working Note 41). */
static inline double getrf_flops(double m, double n)
{
    double k = m < n ? m : n;
    return 2 * m * n * k - (m + n) * k * k + 2 * k * k * k / 3;
}

#endif
