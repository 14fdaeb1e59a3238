/* Operations of kernels, as if the elements were real, for code that counts them before a task exists. */
#ifndef OMPFACT_OMP_KERNELS_FLOPS_H
#define OMPFACT_OMP_KERNELS_FLOPS_H

/* LU factorization of m x n (LAPACK Working Note 41). */
static inline double getrf_flops(double m, double n)
{
    double k = m < n ? m : n;
    return 2 * m * n * k - (m + n) * k * k + 2 * k * k * k / 3;
}

/* qr_flops: QR of m x n numbers. tpqrt_flops: QR of a triangle of n columns on top of a triangle or trapezoid of m rows. */
static inline double qr_flops(double m, double n)
{
    return m >= n ? 2 * n * n * (m - n / 3) : 2 * m * m * (n - m / 3);
}
static inline double tpqrt_flops(double m, double n)
{
    return 2 * m * n * n - 2 * n * m * m + 2 * m * m * m / 3;
}
/* reflect_flops: V^H C or C - V W, where V has `rows` rows and q reflectors; with `top`, V begins with a unit lower triangle,
   whose products by TRMM cost half of GEMM. triangle_flops: a triangle times W. */
static inline double reflect_flops(double rows, int top, double q, double columns)
{
    return 2 * (rows * q - (top ? q * q / 2 : 0)) * columns;
}
static inline double triangle_flops(double q, double columns)
{
    return q * q * columns;
}

/* For tiles of low rank (truncation.h): QR of m x n columns with the triangular factor of its block reflector. */
static inline double long_qr_flops(double m, double n)
{
    return m >= n ? 2 * n * n * (m - n / 3) + n * n * m : 2 * m * m * (n - m / 3) + m * m * m;
}
/* The product of such a Q, of k reflectors, and k x r numbers above zeros. */
static inline double long_product_flops(double m, double k, double r)
{
    return 2 * r * k * (m - k) + 3 * r * k * k;
}
/* low_rank_reduce() of m x n numbers to this rank. */
static inline double reduce_flops(double m, double n, double rank)
{
    return 4 * m * n * rank + 2 * m * rank * rank;
}

#endif
