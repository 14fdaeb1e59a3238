/* Data of GMRES for a tile column of right-hand sides, above all the basis of each column, with its sums and operations. */
#ifndef OMPFACT_SRC_SOLVE_GMRES_BASIS_H
#define OMPFACT_SRC_SOLVE_GMRES_BASIS_H

#include "src/solve/refine.h"

#include <complex.h>

typedef double complex number;

/* GMRES restarts after so many steps. */
enum { STEPS = 20, TRIANGLE = STEPS * (STEPS + 1) / 2 };

/* Data of one right-hand side. */
struct column {
    bool done;
    int steps;
    double z;
    double norm;                    /* of w */
    number h[STEPS];                /* of this step */
    number upper[TRIANGLE];         /* H after the rotations, column by column */
    number c[STEPS];                /* the rotations: ( conj(c) s; -s c ) */
    double s[STEPS];
    number g[STEPS + 1];            /* z e_0 after the rotations */
};

/* This rank's tiles in a tile row. */
struct block {
    ompfact_tile v, w;
    char *basis;                    /* STEPS vectors for each column of w, each as long as w */
};

struct gmres {
    ompfact_matrix *V, *W, *Y;      /* one tile column each: v_j, w, and the right-hand sides of solves with the factors */
    int tile_column;                /* of X, to which they belong */
    void *memory;                   /* of all arrays, the basis too */
    struct column *columns;
    int width;                      /* number of columns */
    struct block *blocks;
    int64_t blocks_count;
    int shares;
    int vectors;                    /* number of vectors of the basis in the products; 0: products of w with itself */
    char *sums;                     /* for each share and column that many sums, or 1; elements of X's type */
    double *totals;                 /* room for the first share's totals, two numbers each */
};

/* Allocates the memory. Collective; after an error gmres_destroy() frees what there is. */
ompfact_status gmres_create(struct refinement *f);

/* For all of this rank's blocks, the context f: in unfinished columns w = R D^-1; v_j = w / |w|, which joins the basis; w -= V h,
   where h are the latest sums; and X -= V y D, where the sums are y D, in the columns that have taken steps. Local. */
void gmres_each_block(struct refinement *f, void (*body)(void *context, int64_t q));
void gmres_begin_block(void *context, int64_t q);
void gmres_keep_block(void *context, int64_t q);
void gmres_reject_block(void *context, int64_t q);
void gmres_update_block(void *context, int64_t q);

/* The sums of V^H w for so many vectors of V, or of w^H w for 0, over all ranks. Collective. */
ompfact_status gmres_multiply(struct refinement *f, int vectors);
/* Sum k of column c. */
number gmres_sum(const struct refinement *f, int c, int k);
void gmres_set_sum(const struct refinement *f, int c, int k, number sum);

#endif
