/*
 * Points in the plane or in space, in Morton order: neighbours in the order are neighbours in space, so that the tiles of a
 * matrix over pairs of points away from its diagonal are smooth. G. M. Morton, "A computer oriented geodetic data base and a new
 * technique in file sequencing", IBM, 1966. All is local.
 */
#ifndef OMPFACT_SRC_GENERATE_POINTS_H
#define OMPFACT_SRC_GENERATE_POINTS_H

#include <stdint.h>

#include "src/io/io_text.h"

enum { POINTS_DIMS = 3 };

/* Point k of the order is row origin[k] of the file, row i of the file is point place[i]: arrays of `count`. */
struct points {
    int64_t count;
    int dims;                       /* 2 or 3 */
    double *x[POINTS_DIMS];         /* coordinates in the order; beyond dims NULL */
    int64_t *origin, *place;
};

/* Points that arrived in batches: each batch is sorted separately, so that a later batch does not move earlier points. Points
   after the last batch are one more. NULL: there were none. */
struct batches {
    int count;
    int64_t *end;                   /* batch b ends before point end[b]; ascending */
    uint64_t digest;                /* points_digest() of all their points; ignored if count is 0 */
};

/*
 * The rows of a .npy of real numbers (or integers) with 2 or 3 columns, all finite. Returns 0, or 1 and one line in text that
 * names the file, also where the batches had other points, or more. points_forget is for both.
 */
int points_read(const char *path, const struct batches *before, struct points *p, char text[IO_TEXT]);

/* Uniform in the unit square: point i is the same for every count. Returns 0, or 1 and one line in text. */
int points_make(int64_t count, uint64_t seed, const struct batches *before, struct points *p, char text[IO_TEXT]);

/* Of the first points of the order. */
uint64_t points_digest(const struct points *p, int64_t count);

void points_forget(struct points *p);

#endif
