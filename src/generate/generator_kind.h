/* The properties of a kind of matrix. generate.c computes entries from them; generate_kind.c has the table. Private to
   src/generate. */
#ifndef OMPFACT_SRC_GENERATE_GENERATOR_KIND_H
#define OMPFACT_SRC_GENERATE_GENERATOR_KIND_H

#include "src/generate/kernel.h"
#include "src/generate/spectrum.h"

struct entry_place {
    int64_t i, j;
    int64_t size;           /* max(m, n) */
    int64_t last;           /* the last column */
    double argument;
};

enum formula { ZEROS, ONES, IDENTITY, IJ, MINIJ, HILB, LEHMER, KMS, FIEDLER, MOLER, PARTER, CAUCHY, PEI, CIRCUL, GFPP, ORTHOG,
               EXCHANGE };
enum matrix_family { FORMULA, RANDOM, SPECTRUM, KERNEL, SADDLE };
enum distribution { UNIFORM, TWO_POINT, NORMAL };

struct generator_kind {
    const char *name;
    enum matrix_family family;
    enum formula formula;
    const char *argument;                   /* its name, or NULL */
    double usual;                           /* the default of the argument */
    enum distribution distribution;         /* for random kinds */
    double low, high;                       /* ends of the interval, or the two values */
    bool sized;                             /* the formula depends on the size of the matrix */
    double dominance;                       /* factor of max(m,n), and of 2 if complex: more than the sum of the other entries of
                                               a row */
    enum spectrum_form form;
    enum kernel_form kernel;
};

/* An entry by its formula. */
double formula_entry(enum formula formula, struct entry_place p);

#endif
