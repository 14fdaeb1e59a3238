/*
 * Sums that go with a tile, to find bits that have flipped in it and put them right.
 *
 *     S = A W     m x 3,   W = ( 1  1 + 1/b  1 + 1/p )      b: columns of the widest tile
 *                              ( 1  1 + 2/b  1 + 2/p )      p: the root of b, rounded up
 *                              ( :     :        :    )
 *                              ( :     :     1 + p/p )
 *                              ( :     :     1 + 1/p )      and so on
 *
 * What acts on A from the left acts on S alike, so a factorization takes S along (K.-H. Huang, J. A. Abraham, "Algorithm-based
 * fault tolerance for matrix operations", 1984; P. Du, A. Bouteiller, G. Bosilca, P. Luszczek, J. Dongarra, "Algorithm-based
 * fault tolerance for dense matrix factorizations", PPoPP 2012). If S - A W = ( d0 d1 d2 ) is not rounding in a row, one of the
 * row's elements is wrong by -d0, that of the column whose weights are d1 / d0 and d2 / d0. These tell it as a clock's hands tell
 * the time, so weights of any two columns are at least 1/p apart, and not as little as 1/b. The element is set to the sum less
 * the other elements: a bit of the exponent may have made it so large that nothing is left of d0's digits. If just one of d0, d1
 * and d2 is not rounding it is that sum itself that is wrong, for all weights are from 1 to 2. A factorization may have spread
 * what was wrong in one place over its column, as reflections do: then all rows together tell the column, by least squares, and
 * all of them are put right, or what is left in some would be worse than what there was.
 *
 * How large is rounding? A sum and the elements that it is of have gone through the same updates, h products deep. Each of these
 * rounds by u times what the element, or the sum, is at that moment, and roundings add up like a random walk (N. Higham,
 * "Accuracy and Stability of Numerical Algorithms", 2nd ed., 2002, sections 2.8 and 3.1; N. Higham, T. Mary, "A New Approach to
 * Probabilistic Rounding Error Analysis", 2019, theorem 3.1: sqrt(h) in the place of h). With e the largest that an element of
 * the tile has ever been, and s the largest of its sums, that is sqrt(h) u e in each of n elements, sqrt(n h) u e in what they
 * add up to, and sqrt(h) u s in the sum:
 *
 *     noise = sqrt(h) u ( sqrt(n) e + s )
 *
 * Where all roundings of a row are alike (equal columns) the first term is n sqrt(h) u e; but then s is n e, too. Elements are
 * mostly several times smaller than the largest, and so is what rounding leaves: vectors d0, d1 and d2 of m rows that are longer
 * than
 *
 *     limit = 4 sqrt(max(m, b)) noise
 *
 * are none. To tell a column from the others takes |d0| > p noise, about, so what is found can be located. What is let pass is a
 * change of the matrix of at most limit in the Frobenius norm. The residual that LAPACK's tests allow is 30 n u ||A||_1, for a
 * matrix of equal elements 30 n^2 u e, and reflections make a change's 1-norm up to sqrt(n) times as large: with m = b, h = n and
 * s = sqrt(b) e limit comes to 8 b sqrt(n) u e, so to 8 b n u e, a quarter of it where b = n. That is in units of e, to which
 * elements of LU may have grown.
 * A tile that has been computed in single, in part, is wrong by another matrix E, of whose norm |E| its tasks keep account
 * (omp/tasks/single_tiles.h). Its roundings, too, are alike in a row as far as the elements are, so what they add up to in m rows
 * is |E| times 1 to sqrt(n), by what s has of n e:
 *
 *     noise += |E| / sqrt(m) ( 1 + s / (sqrt(n) e) )
 *
 * The largest element and sum of the tile as it is count for e and s, too, but a bit that has flipped must not hide itself
 * behind them: their share is at most a quarter of it, a half with its sum.
 */
#ifndef OMPFACT_OMP_KERNELS_TILE_SUMS_H
#define OMPFACT_OMP_KERNELS_TILE_SUMS_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>

enum { SUMS = 3, HEAVIEST = 2, NORMS = 2 };     /* W's columns; its largest element; numbers in a tile_scale */

/* Elements that they take behind a tile: SUMS as long as either of its sides, and norms; and in columns of m rows. */
static inline int room_for_sums(int m, int n)
{
    return SUMS * (m > n ? m : n) + NORMS;
}
static inline int columns_of_sums(int m, int n)
{
    return (room_for_sums(m, n) + m - 1) / m;
}
/* Where they begin behind a tile that is m x n in memory. Those of one in single, too, are in double, the precision of `size`. */
static inline size_t bytes_before_sums(int m, int n, size_t size, bool in_single)
{
    size_t elements = (size_t)m * (size_t)n;
    return (in_single ? (elements + 1) / 2 : elements) * size;
}
/* And how many bytes they take in its place. */
static inline size_t bytes_of_sums(int m, int n, size_t size)
{
    return (size_t)m * (size_t)columns_of_sums(m, n) * size;
}

/* The largest modulus of a tile's elements (of complex ones of their parts; NaN does not count), and of its sums (a NaN wins). */
struct tile_scale {
    double element, sum;
};

/* S = A W, A m x n; widest: b. */
struct tile_scale tile_sums(const struct precision *precision, int widest, int m, int n, const void *A, int lda, void *S);
/* Of a Hermitian, or complex symmetric, tile of which the triangle `part` is there, n x n, lda = n: S = A W. Returns 0, or 1:
   there is no memory. */
int triangle_sums(const struct precision *precision, int widest, enum uplo part, bool symmetric, int n, const void *A, void *S,
                  struct tile_scale *scale);
/* p, and what W has in row j for that sum. */
int sums_period(int widest);
double sums_weight(int widest, int j, int sum);
/* The first rows of W. */
void tile_weights(const struct precision *precision, int widest, int rows, void *W);
/* V = W^T A of a packed tile, packed: SUMS more rows of it, a strip by themselves. Returns a bound of the largest 2-norm of A's
   rows (the root of a row's 1-norm times its largest element), and V's largest one. */
struct tile_scale packed_sums(const struct precision *precision, int widest, int m, int n, const void *P, void *V);
/* Such a bound for columns of any other tile; for rows. Infinite where one is no number. Returns 0, or 1: there is no memory. */
int column_norm(const struct precision *precision, int m, int n, const void *A, double *norm);
int row_norm(const struct precision *precision, int m, int n, const void *A, double *norm);

/* A tile with its sums, and what is known of it. */
struct summed_tile {
    const struct precision *precision;
    int widest, m, n;
    void *A, *S;                /* lda = m */
    enum uplo part;             /* LOWER, UPPER: A is Hermitian, and this triangle is there, */
    bool symmetric;             /*   or A is complex symmetric */
    double depth;               /* h */
    double rounded;             /* what elements are wrong by for computing in single, a Frobenius norm; 0: they never were */
    struct tile_scale past;     /* e and s */
};

/* What a look at it has shown. */
struct tile_finding {
    int found, corrected;       /* wrong elements, or where reflections have spread one columns, and sums */
    bool lost;                  /* what is wrong could not be located */
};

/* Compares A with S, and puts right what is wrong. Returns 0, or 1: there is no memory. */
int tile_repair(const struct summed_tile *tile, struct tile_finding *finding);

#endif
