/* What a kind of matrix is, for generate.c, which makes its entries, and generate_kind.c, which knows them by name.
   Private to src/generate. */
#ifndef OMPFACT_SRC_GENERATE_GENERATOR_KIND_H
#define OMPFACT_SRC_GENERATE_GENERATOR_KIND_H

#include "src/generate/kernel.h"
#include "src/generate/spectrum.h"

struct entry_place {
    int64_t i, j;
    int64_t size;           /* max(m, n) */
    int64_t last;           /* column */
    double argument;
};

enum matrix_family { FORMULA, RANDOM, SPECTRUM, KERNEL, SADDLE };
enum distribution { UNIFORM, TWO_POINT, NORMAL };

struct generator_kind {
    const char *name;
    enum matrix_family family;
    double (*formula)(struct entry_place p);
    const char *argument;                   /* its name, or NULL */
    double usual;                           /* the argument where none is given */
    enum distribution distribution;         /* of random ones: */
    double low, high;                       /* ends of the interval, or the two values */
    bool sized;                             /* its formula depends on the matrix's size */
    double dominance;                       /* times max(m,n), and 2 if complex: more than the others of a row can sum up to */
    enum spectrum_form form;
    enum kernel_form kernel;
};

#endif
