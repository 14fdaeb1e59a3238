/*
 * Generated matrices. An entry depends on the kind, the seed, i, j, m and n alone, so that every number of ranks, layout and
 * tile size sees the same matrix, and each rank makes its own tiles.
 *
 * Kinds have the names and formulas of SLATE's matgen (2025.05); those are from Higham, "Accuracy and Stability of Numerical
 * Algorithms", 2nd ed., SIAM 2002, chapter 28, and his Test Matrix Toolbox. (Kernels of points: kernel.h.) All is local and
 * thread-safe.
 */
#ifndef OMPFACT_SRC_GENERATE_GENERATE_H
#define OMPFACT_SRC_GENERATE_GENERATE_H

#include "src/generate/kernel.h"
#include "src/generate/spectrum.h"
#include "src/io/io_text.h"

struct generator_kind;

/* What A_ij is for i < j: by the kind; conj(A_ji), and A_ii is real; A_ji. Of a real matrix the last two are one. */
enum generate_symmetry { GENERATE_GENERAL, GENERATE_HERMITIAN, GENERATE_SYMMETRIC };

/* A value: copy it freely within a process, but let each process parse for itself. */
struct generator {
    const struct generator_kind *kind;
    enum generate_symmetry symmetry;
    bool averaged;          /* (A + A^H) / 2 of a Hermitian matrix, else (A + A^T) / 2 */
    bool dominant;
    int scaling;            /* -2, -1, 1, 2: near underflow, its root, the root of overflow, overflow, of the type; 0: none */
    int64_t m, n;
    int64_t zero;           /* a column of zeros, of a symmetric matrix also the row; -1: none */
    uint64_t seed;
    double argument;        /* rho of kms, alpha of pei, cond of diag, svd and poev, m of kkt */
    struct spectrum spectrum;       /* of these three */
    struct kernel kernel;           /* of a function of the distance of two points */
};

/*
 * spec is KIND[_SUFFIX...][:ARG], ARG a number or NAME=number, of kernels LENGTH or LENGTH,NUGGET. Suffixes, SLATE's:
 *
 *   _dominant                   of random kinds: a multiple of max(m,n) is added to the diagonal, as small as makes every such
 *                               matrix strictly diagonally dominant by rows and columns, and with symmetric positive definite.
 *                               (1 for rand, rands and randb, as in SLATE; 2 for randr and 9 for randn, where 1 could leave
 *                               the matrix singular; twice that if complex.)
 *   _logrand _[r]arith _[r]geo  of diag, svd and poev: how the values fall (with r rise) between 1 and 1 / cond, logrand if
 *   _[r]cluster0 _[r]cluster1   nothing is said; clusters: all but the first are 1 / cond, all but the last are 1
 *   _ufl _small _large _ofl     all is multiplied by a power of two near underflow, its root, and so on
 *   _zerocolN _zerocolFRACTION  column N from 0, or FRACTION (with a point) of the way from the first to the last, is zero
 *   _sym                        of both A_ij and A_ji the mean, where else those below the diagonal of a symmetric or Hermitian
 *                               matrix count alone; not SLATE's
 *
 * What is symmetric of some kind, poev, kkt and kernels need m == n; kkt is Hermitian also in a general matrix. A kernel has no
 * points yet. Returns 0, or 1 and one line in text.
 */
int generate_parse(const char *spec, enum generate_symmetry symmetry, int64_t m, int64_t n, uint64_t seed, struct generator *g,
                   char text[IO_TEXT]);

/* Does a matrix with more rows and columns begin with the one that has fewer? */
bool generate_is_nested(const struct generator *g);

/* Is it a kernel? Then generate_on gives it its points, n in number, which stay the caller's. */
bool generate_wants_points(const struct generator *g);
void generate_on(struct generator *g, const struct points *points);

/* "zeros ones ... pei[:alpha] ..." and "_dominant _ufl ..." for messages and help. */
void generate_kinds(char list[IO_TEXT]);
void generate_suffixes(char list[IO_TEXT]);

/*
 * A_ij, 0-based, of a matrix of type 's' 'd' 'c' 'z'. The real part is the same whether complex or not, but for the diagonal of a
 * dominant matrix, and for svd and poev. Uniform kinds give the same double on any machine; randn, kms and those with a spectrum
 * are as exact as the C library's log, cos, sin and pow. Kernels give the same double for the same points, and no imaginary part.
 */
void generate_entry(const struct generator *g, char type, int64_t i, int64_t j, double *re, double *im);

/* tile := A(i0 : i0+rows, j0 : j0+cols), column-major, leading dimension ld >= rows, elements of type 's' 'd' 'c' 'z'. */
void generate_tile(const struct generator *g, char type, int64_t i0, int64_t j0, int rows, int cols, void *tile, int ld);

#endif
