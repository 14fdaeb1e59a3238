/*
 * Random matrices with given singular values or eigenvalues: A = U S V^H. S is diagonal. U and V are products of two random
 * reflectors and a diagonal of phases, so an entry costs a few random numbers. Sums over the whole matrix are computed once, by
 * spectrum_prepare. Local and thread-safe. Private to src/generate.
 */
#ifndef OMPFACT_SRC_GENERATE_SPECTRUM_H
#define OMPFACT_SRC_GENERATE_SPECTRUM_H

#include <stdbool.h>
#include <stdint.h>

/* How the values fall from 1 to 1 / cond, by SLATE's names. */
enum spectrum_distribution { SPECTRUM_LOGRAND, SPECTRUM_ARITH, SPECTRUM_GEO, SPECTRUM_CLUSTER0, SPECTRUM_CLUSTER1 };

/* DIAG: U = V = I. SVD: any U and V. POEV: U = V, so that A is Hermitian positive definite. */
enum spectrum_form { SPECTRUM_DIAG, SPECTRUM_SVD, SPECTRUM_POEV };

enum { SPECTRUM_REFLECTORS = 2 };

/* D (I - W T W^T). Column r of W and the phases D are random numbers under their keys. */
struct spectrum_factor {
    uint64_t key[SPECTRUM_REFLECTORS], phase_key;
    double T[SPECTRUM_REFLECTORS][SPECTRUM_REFLECTORS];     /* upper triangular */
};

struct spectrum {
    enum spectrum_distribution distribution;
    bool reversed;
    double cond;
    int64_t count;                          /* number of values: min(m, n) */
    bool diagonal, hermitian;
    uint64_t key;                           /* the key of random values */
    struct spectrum_factor left, right;
    double core[SPECTRUM_REFLECTORS][SPECTRUM_REFLECTORS];  /* T_U W_U^T S W_V T_V^T */
};

/* The caller sets distribution, reversed and cond before. The function fills in the rest, in time that grows with m + n. */
void spectrum_prepare(struct spectrum *s, enum spectrum_form form, int64_t m, int64_t n, uint64_t seed);

/* The data that all entries of a row, or of a column, share. */
struct spectrum_line {
    int64_t at;
    double value;                           /* S_at, or 0 past the last value */
    double w[SPECTRUM_REFLECTORS];          /* row `at` of W */
    double re, im;                          /* the phase */
};
struct spectrum_line spectrum_row(const struct spectrum *s, int64_t i);
struct spectrum_line spectrum_column(const struct spectrum *s, int64_t j);

/* A_ij; im is 0 for the real matrix, which has no phases. */
void spectrum_entry(const struct spectrum *s, const struct spectrum_line *row, const struct spectrum_line *column,
                    bool is_complex, double *re, double *im);

#endif
