/*
 * Random matrices with given singular values or eigenvalues, entry by entry: A = U S V^H. S is diagonal; U and V are products of
 * two random reflectors and a diagonal of phases, so that an entry costs a few random numbers, and all that is added up over the
 * matrix is added up once, here. Local and thread-safe. Private to src/generate.
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

/* D (I - W T W^T), column r of W and the phases D being random numbers under their keys. */
struct spectrum_factor {
    uint64_t key[SPECTRUM_REFLECTORS], phase_key;
    double T[SPECTRUM_REFLECTORS][SPECTRUM_REFLECTORS];     /* upper triangular */
};

struct spectrum {
    enum spectrum_distribution distribution;
    bool reversed;
    double cond;
    int64_t count;                          /* of values: min(m, n) */
    bool diagonal, hermitian;
    uint64_t key;                           /* of random values */
    struct spectrum_factor left, right;
    double core[SPECTRUM_REFLECTORS][SPECTRUM_REFLECTORS];  /* T_U W_U^T S W_V T_V^T */
};

/* distribution, reversed and cond are the caller's, set before; this does the rest, in time that grows with m + n. */
void spectrum_prepare(struct spectrum *s, enum spectrum_form form, int64_t m, int64_t n, uint64_t seed);

/* What all entries of a row, or of a column, have in common. */
struct spectrum_line {
    int64_t at;
    double value;                           /* S_at, 0 past the last one */
    double w[SPECTRUM_REFLECTORS];          /* this row of W */
    double re, im;                          /* the phase */
};
struct spectrum_line spectrum_row(const struct spectrum *s, int64_t i);
struct spectrum_line spectrum_column(const struct spectrum *s, int64_t j);

/* A_ij; of the real matrix, without phases, im is 0. */
void spectrum_entry(const struct spectrum *s, const struct spectrum_line *row, const struct spectrum_line *column,
                    bool is_complex, double *re, double *im);

#endif
