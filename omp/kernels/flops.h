/* Operations of kernels, as if the elements were real, for those who count before there is a task. */
#ifndef OMPFACT_OMP_KERNELS_FLOPS_H
#define OMPFACT_OMP_KERNELS_FLOPS_H

/* Of an LU factorization of m x n (LAPACK Working Note 41). */
static inline double getrf_flops(double m, double n)
{
    double k = m < n ? m : n;
    return 2 * m * n * k - (m + n) * k * k + 2 * k * k * k / 3;
}

/* Of QR of m x n numbers; of a triangle of n columns on top of a triangle or trapezoid of m rows; */
static inline double qr_flops(double m, double n)
{
    return m >= n ? 2 * n * n * (m - n / 3) : 2 * m * m * (n - m / 3);
}
static inline double tpqrt_flops(double m, double n)
{
    return 2 * m * n * n - 2 * n * m * m + 2 * m * m * m / 3;
}
/*   of V^H C or C - V W, V having so many rows and q reflectors, on top with a unit lower triangle, whose products are TRMM's:
     half the work of GEMM; of the product of a triangle with W. */
static inline double reflect_flops(double rows, int top, double q, double columns)
{
    return 2 * (rows * q - (top ? q * q / 2 : 0)) * columns;
}
static inline double triangle_flops(double q, double columns)
{
    return q * q * columns;
}

/* Of tiles of low rank (truncation.h): QR of m x n columns with the triangular factor of its block reflector; */
static inline double long_qr_flops(double m, double n)
{
    return m >= n ? 2 * n * n * (m - n / 3) + n * n * m : 2 * m * m * (n - m / 3) + m * m * m;
}
/*   the product of its Q, of k reflectors, and k x r numbers above zeros; */
static inline double long_product_flops(double m, double k, double r)
{
    return 2 * r * k * (m - k) + 3 * r * k * k;
}
/*   low_rank_reduce() of m x n numbers to this rank. */
static inline double reduce_flops(double m, double n, double rank)
{
    return 4 * m * n * rank + 2 * m * rank * rank;
}

#endif
