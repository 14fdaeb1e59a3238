/*
 * Generated matrices. An entry depends on the kind, the seed, i, j, m and n alone, so that every number of ranks, layout and
 * tile size sees the same matrix, and each rank makes its own tiles.
 *
 * Kinds have the names and formulas of SLATE's matgen (2025.05); those are from Higham, "Accuracy and Stability of Numerical
 * Algorithms", 2nd ed., SIAM 2002, chapter 28, and his Test Matrix Toolbox. All is local and thread-safe.
 */
#ifndef OMPFACT_IO_GENERATE_H
#define OMPFACT_IO_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#ifndef IO_TEXT
#define IO_TEXT 256     /* characters in an error text, its end included */
#endif

struct generator_kind;

/* A value: copy it freely within a process, but let each process parse for itself. */
struct generator {
    const struct generator_kind *kind;
    bool symmetric;         /* A_ij for i < j is conj(A_ji), and A_ii is real */
    bool dominant;
    int64_t m, n;
    uint64_t seed;
    double argument;        /* rho of kms, alpha of pei */
};

/*
 * spec is KIND[:ARG], random kinds also KIND_dominant: then a multiple of max(m,n) is added to the diagonal, as small as makes
 * every such matrix strictly diagonally dominant by rows and columns, and with symmetric positive definite. (1 for rand, rands
 * and randb, as in SLATE; 2 for randr and 9 for randn, where 1 could leave the matrix singular; twice that if complex.)
 * symmetric needs m == n. Returns 0, or 1 and one line in text.
 */
int generate_parse(const char *spec, bool symmetric, int64_t m, int64_t n, uint64_t seed, struct generator *g,
                   char text[IO_TEXT]);

/* "zeros, ones, ..., pei[:alpha], ..." for messages and help. */
void generate_kinds(char list[IO_TEXT]);

/*
 * A_ij, 0-based. The real part is the same whether is_complex or not, but for the diagonal of a dominant matrix. Uniform kinds
 * give the same double on any machine; randn and kms are as exact as the C library's log, cos, sin and pow.
 */
void generate_entry(const struct generator *g, int64_t i, int64_t j, double *re, double *im, bool is_complex);

/* tile := A(i0 : i0+rows, j0 : j0+cols), column-major, leading dimension ld >= rows, elements of type 's' 'd' 'c' 'z'. */
void generate_tile(const struct generator *g, char type, int64_t i0, int64_t j0, int rows, int cols, void *tile, int ld);

#endif
