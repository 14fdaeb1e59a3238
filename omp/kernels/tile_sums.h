/*
 * Checksums of a tile, which find bits that have flipped in it, and correct them.
 *
 *     S = A W     m x 3,   W = ( 1  1 + 1/b  1 + 1/p )      b: columns of the widest tile
 *                              ( 1  1 + 2/b  1 + 2/p )      p: the root of b, rounded up
 *                              ( :     :        :    )
 *                              ( :     :     1 + p/p )
 *                              ( :     :     1 + 1/p )      and so on
 *
 * What acts on A from the left acts on S in the same way, so a factorization updates S with A (K.-H. Huang, J. A. Abraham,
 * "Algorithm-based fault tolerance for matrix operations", 1984; P. Du, A. Bouteiller, G. Bosilca, P. Luszczek, J. Dongarra,
 * "Algorithm-based fault tolerance for dense matrix factorizations", PPoPP 2012). If S - A W = ( d0 d1 d2 ) is more than
 * rounding in a row, an element of the row is wrong by -d0, in the column whose weights are d1 / d0 and d2 / d0. The two
 * weights determine the column like the hands of a clock. So the weights of any two columns differ by at least 1/p, and not by
 * as little as 1/b. The element is set to the sum minus the other elements: an exponent's bit may have made the element so
 * large that d0 has lost all digits. If only one of d0, d1 and d2 is more than rounding, that sum itself is wrong, because all
 * weights are from 1 to 2. A factorization may have spread an error over its column, as reflections do. Then all rows together
 * determine the column, by least squares, and all of them are corrected; a correction of only some rows could leave a larger
 * error than before.
 *
 * How large is rounding? A sum and its elements have had the same updates, h products deep. Each update rounds by u times the
 * present size of the element, or of the sum, and roundings add up like a random walk (N. Higham, "Accuracy and Stability of
 * Numerical Algorithms", 2nd ed., 2002, sections 2.8 and 3.1; N. Higham, T. Mary, "A New Approach to Probabilistic Rounding
 * Error Analysis", 2019, theorem 3.1: sqrt(h) instead of h). Let e be the largest value that an element of the tile has ever
 * had, and s the largest of its sums. Then rounding is sqrt(h) u e in each of n elements, sqrt(n h) u e in their sum, and
 * sqrt(h) u s in the checksum:
 *
 *     noise = sqrt(h) u ( sqrt(n) e + s )
 *
 * If all roundings of a row are equal (equal columns) the first term is n sqrt(h) u e; but then s is n e, too. Elements are
 * mostly several times smaller than the largest, and so are their roundings. So vectors d0, d1 and d2 of m rows that are
 * longer than
 *
 *     limit = 4 sqrt(max(m, b)) noise
 *
 * are not rounding. To tell a column from the others takes about |d0| > p noise, so errors above the limit can be located. An
 * error below the limit changes the matrix by at most limit in the Frobenius norm. The residual that LAPACK's tests allow is
 * 30 n u ||A||_1, for a matrix of equal elements 30 n^2 u e, and reflections make the 1-norm of a change up to sqrt(n) times
 * as large: with m = b, h = n and s = sqrt(b) e limit comes to 8 b sqrt(n) u e, and so to 8 b n u e, a quarter of it if b = n.
 * That is in units of e, to which elements of LU may have grown.
 *
 * A tile that was partly computed in single is wrong by another matrix E, whose norm |E| its tasks record
 * (omp/tasks/single_tiles.h). Roundings in single are as similar in a row as its elements are. So their sums in m rows are |E|
 * times 1 to sqrt(n), by the ratio of s to n e:
 *
 *     noise += |E| / sqrt(m) ( 1 + s / (sqrt(n) e) )
 *
 * A tile in bfloat16 is rounded to it when it is filled, before its checksums are computed, and when it is final, after its last
 * check. The checksums of the final tile as right factor are computed from the rounded elements. So that rounding is no part of
 * E.
 *
 * The largest element and sum of the present tile count for e and s, too. But a flipped bit must not hide behind them, so
 * their share of the limit is at most a quarter of that element each.
 */
#ifndef OMPFACT_OMP_KERNELS_TILE_SUMS_H
#define OMPFACT_OMP_KERNELS_TILE_SUMS_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>

enum { SUMS = 3, HEAVIEST = 2, NORMS = 2 };     /* columns of W; largest element of W; numbers in a tile_scale */

/* The number of elements that checksums take behind a tile: SUMS as long as its longer side, and norms; and the number of
   columns of m rows for them. */
static inline int room_for_sums(int m, int n)
{
    return SUMS * (m > n ? m : n) + NORMS;
}
static inline int columns_of_sums(int m, int n)
{
    return (room_for_sums(m, n) + m - 1) / m;
}
/* The offset of the checksums behind a tile that is m x n in memory. They are in double, the precision of `size`, even if the
   tile is not. halvings: 0 for a tile in double, 1 for one in single, 2 for one in bfloat16. */
static inline size_t bytes_before_sums(int m, int n, size_t size, int halvings)
{
    size_t elements = (size_t)m * (size_t)n, in_one = (size_t)1 << halvings;
    return (elements + in_one - 1) / in_one * size;
}
/* The bytes that the checksums take. */
static inline size_t bytes_of_sums(int m, int n, size_t size)
{
    return (size_t)m * (size_t)columns_of_sums(m, n) * size;
}

/* The largest modulus of a tile's elements (for complex ones of their parts; NaN does not count), and of its sums (NaN counts
   as largest). */
struct tile_scale {
    double element, sum;
};

/* S = A W, A m x n; widest: b. */
struct tile_scale tile_sums(const struct precision *precision, int widest, int m, int n, const void *A, int lda, void *S);
/* S = A W for a Hermitian, or complex symmetric, tile with the triangle `part`, n x n, lda = n. Returns 0, or 1 if there is no
   memory. */
int triangle_sums(const struct precision *precision, int widest, enum uplo part, bool symmetric, int n, const void *A, void *S,
                  struct tile_scale *scale);
/* sums_period returns p; sums_weight returns W's element in row j for that sum. */
int sums_period(int widest);
double sums_weight(int widest, int j, int sum);
/* W = the first rows of W. */
void tile_weights(const struct precision *precision, int widest, int rows, void *W);
/* V = W^T A for a packed tile, packed: SUMS additional rows of the tile, in a strip of their own. Returns a bound for the
   largest 2-norm of A's rows (the root of a row's 1-norm times its largest element), and the largest such norm of V. */
struct tile_scale packed_sums(const struct precision *precision, int widest, int m, int n, const void *P, void *V);
/* Such a bound for the columns, or the rows, of a tile that is not packed. Infinity if an element is not finite. Returns 0, or
   1 if there is no memory. */
int column_norm(const struct precision *precision, int m, int n, const void *A, double *norm);
int row_norm(const struct precision *precision, int m, int n, const void *A, double *norm);

/* A tile with its checksums and what bounds its errors. */
struct summed_tile {
    const struct precision *precision;
    int widest, m, n;
    void *A, *S;                /* lda = m */
    enum uplo part;             /* LOWER, UPPER: A is Hermitian or complex symmetric, and this triangle is stored */
    bool symmetric;             /* whether A is complex symmetric */
    double depth;               /* depth h of the updates */
    double rounded;             /* Frobenius norm of the errors by computing in single; 0: nothing was computed in single */
    struct tile_scale past;     /* the largest element e and sum s in the past */
};

/* The result of a check. */
struct tile_finding {
    int found, corrected;       /* number of wrong elements (or columns, if reflections have spread an error) and wrong sums;
                                   number of corrected ones */
    bool lost;                  /* an error could not be located */
};

/* Compares A with S, and corrects errors. Returns 0, or 1 if there is no memory. */
int tile_repair(const struct summed_tile *tile, struct tile_finding *finding);

#endif
