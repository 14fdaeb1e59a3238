/*
 * Points in the plane or in space, in Morton order. Neighbours in this order are neighbours in space, so a matrix over pairs of
 * points has smooth tiles away from its diagonal. G. M. Morton, "A computer oriented geodetic data base and a new technique in
 * file sequencing", IBM, 1966. All functions are local.
 */
#ifndef OMPFACT_SRC_GENERATE_POINTS_H
#define OMPFACT_SRC_GENERATE_POINTS_H

#include <stdint.h>

#include "src/io/io_text.h"

enum { POINTS_DIMS = 3 };

/* Point k in Morton order is row origin[k] of the file; row i of the file is point place[i]. Both arrays have `count`
   elements. */
struct points {
    int64_t count;
    int dims;                       /* 2 or 3 */
    double *x[POINTS_DIMS];         /* coordinates in Morton order; NULL beyond dims */
    int64_t *origin, *place;
};

/* Points that arrived in batches. Each batch is sorted separately, so a later batch does not move earlier points. Points after
   the last batch make another one. NULL: there were no batches. */
struct batches {
    int count;
    int64_t *end;                   /* batch b ends before point end[b]; ascending */
    uint64_t digest;                /* points_digest() of all their points; ignored if count is 0 */
};

/*
 * Reads the rows of a .npy file of real numbers or integers with 2 or 3 columns, all finite. Returns 0, or 1 and one line in text
 * that names the file. It also fails if the batches had other points than the file, or more. points_forget frees the result of
 * this function and of the next.
 */
int points_read(const char *path, const struct batches *before, struct points *p, char text[IO_TEXT]);

/* Makes points uniform in the unit square. Point i is the same for every count. Returns 0, or 1 and one line in text. */
int points_make(int64_t count, uint64_t seed, const struct batches *before, struct points *p, char text[IO_TEXT]);

/* A digest of the first `count` points in Morton order. */
uint64_t points_digest(const struct points *p, int64_t count);

void points_forget(struct points *p);

#endif
