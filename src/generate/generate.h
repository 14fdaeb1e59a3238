/*
 * Generated matrices. An entry depends on the kind, the seed, i, j, m and n alone. So the matrix is the same for every number of
 * ranks, layout and tile size, and each rank generates its own tiles.
 *
 * Kinds have the names and formulas of SLATE's matgen (2025.05); those are from Higham, "Accuracy and Stability of Numerical
 * Algorithms", 2nd ed., SIAM 2002, chapter 28, and his Test Matrix Toolbox. kernel.h has the kernels of points. All functions are
 * local and thread-safe.
 */
#ifndef OMPFACT_SRC_GENERATE_GENERATE_H
#define OMPFACT_SRC_GENERATE_GENERATE_H

#include "src/generate/kernel.h"
#include "src/generate/spectrum.h"
#include "src/io/io_text.h"

struct generator_kind;

/* A_ij for i < j: GENERAL: by the kind; HERMITIAN: conj(A_ji), and A_ii is real; SYMMETRIC: A_ji. The last two are the same for a
   real matrix. */
enum generate_symmetry { GENERATE_GENERAL, GENERATE_HERMITIAN, GENERATE_SYMMETRIC };

/* A value that may be copied within a process. Each process must parse for itself. */
struct generator {
    const struct generator_kind *kind;
    enum generate_symmetry symmetry;
    bool averaged;          /* (A + A^H) / 2 of a Hermitian matrix, else (A + A^T) / 2 */
    bool dominant;
    int scaling;            /* by which power of two of the type entries are scaled: -2: near underflow, -1: its square root, 1:
                               the square root of overflow, 2: near overflow, 0: none */
    int64_t m, n;
    int64_t zero;           /* the column that is zero, with the row if there is a symmetry; -1: none */
    uint64_t seed;
    double argument;        /* rho of kms, alpha of pei, cond of diag, svd and poev, m of kkt */
    struct spectrum spectrum;       /* for diag, svd and poev */
    struct kernel kernel;           /* for a function of the distance of two points */
};

/*
 * spec is KIND[_SUFFIX...][:ARG]. ARG is a number or NAME=number, for kernels LENGTH or LENGTH,NUGGET. The suffixes are SLATE's,
 * except _sym:
 *
 *   _dominant                   for random kinds: a multiple of max(m,n) is added to the diagonal. It is the smallest that makes
 * every
 *                               such matrix strictly diagonally dominant by rows and columns, and positive definite if symmetric.
 *                               (1 for rand, rands and randb, as in SLATE; 2 for randr and 9 for randn, where 1 could leave
 *                               the matrix singular; twice that if complex.)
 *   _logrand _[r]arith _[r]geo  for diag, svd and poev: how the values fall (with r: rise) between 1 and 1 / cond. The default is
 *   _[r]cluster0 _[r]cluster1   logrand. cluster0: all but the first are 1 / cond; cluster1: all but the last are 1
 *   _ufl _small _large _ofl     entries are scaled by a power of two near underflow, its square root, and so on
 *   _zerocolN _zerocolFRACTION  column N from 0 is zero, or the column at FRACTION (with a decimal point) of the way to the last
 *   _sym                        an entry is the mean of the formula's A_ij and A_ji. Otherwise a symmetric or Hermitian matrix
 * takes
 *                               the entries below the diagonal
 *
 * Matrices with a symmetry, poev, kkt and kernels need m == n; kkt is Hermitian also in a general matrix. A kernel has no points
 * yet. Returns 0, or 1 and one line in text.
 */
int generate_parse(const char *spec, enum generate_symmetry symmetry, int64_t m, int64_t n, uint64_t seed, struct generator *g,
                   char text[IO_TEXT]);

/* Whether a larger matrix has the smaller one as its leading part. */
bool generate_is_nested(const struct generator *g);

/* Whether the kind is a kernel. The caller must then pass n points to generate_on, and keeps them. */
bool generate_wants_points(const struct generator *g);
void generate_on(struct generator *g, const struct points *points);

/* Writes "zeros ones ... pei[:alpha] ..." and "_dominant _ufl ..." for messages and help. */
void generate_kinds(char list[IO_TEXT]);
void generate_suffixes(char list[IO_TEXT]);

/*
 * A_ij, 0-based, of a matrix of type 's' 'd' 'c' 'z'. The real part is the same in real and complex types, except for the
 * diagonal of a dominant matrix, and for svd and poev. Uniform kinds give the same double on any machine; randn, kms and the
 * kinds with a spectrum are as exact as the C library's log, cos, sin and pow. Kernels give the same double for the same points,
 * and no imaginary part.
 */
void generate_entry(const struct generator *g, char type, int64_t i, int64_t j, double *re, double *im);

/* tile := A(i0 : i0+rows, j0 : j0+cols), column-major, leading dimension ld >= rows, elements of type 's' 'd' 'c' 'z'. */
void generate_tile(const struct generator *g, char type, int64_t i0, int64_t j0, int rows, int cols, void *tile, int ld);

#endif
