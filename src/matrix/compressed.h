/*
 * Matrices whose tiles have forms: dense or U V^H of its own rank (omp/kernels/truncation.h), or, for a matrix with a
 * tile_precision, in double, in single or in bfloat16, as its owner decides.
 *
 * Every rank can compute the place of a tile, for any rank of the tile, because the place has room for all forms that the tile
 * may have. But only the touched pages of the place take memory. So a tile may grow in its place, addresses need no messages,
 * and the flag of a tile has the number of bytes to read (rma.h, "sized").
 */
#ifndef OMPFACT_SRC_MATRIX_COMPRESSED_H
#define OMPFACT_SRC_MATRIX_COMPRESSED_H

#include "omp/compression.h"
#include "src/grid/grid.h"
#include "src/matrix/shape.h"

struct compressed {
    struct compression how;     /* the rules; tolerances are set when the matrix has been filled */
    int band;                   /* tiles (i,j) with |i - j| below this remain dense */
    _Atomic int64_t left, lost; /* bytes that this rank's tiles may still take; the first lost tile: see struct compression */
    struct tile_form *form;     /* forms of this rank's tiles, in the order of memory */
    int64_t *last;              /* [tile column]: index of its last tile among these */
    double norm;                /* Frobenius norm of the matrix when it was filled */
    int64_t not_finite;         /* place of the first element that was not finite at filling, as for ompfact_find_not_finite;
                                   INT64_MAX: none */
};

/* The number of elements for which a tile has room. */
size_t compressed_room(const ompfact_shape *shape, int m, int n);
/* False: no memory. The matrix must have its layout and its tiling. */
bool compressed_create(ompfact_matrix *A);
void compressed_destroy(struct compressed **compressed);
/* Sets what may be left out of the tiles of a matrix with this Frobenius norm. */
void compressed_set_tolerance(ompfact_matrix *A, double norm);
/* The precision that the rule gives to a tile of this Frobenius norm with finite elements, in a matrix with a tile_precision
   whose norm is known. */
enum tile_precision precision_by_rule(const ompfact_matrix *A, int i, int j, double norm);
/* The form of this rank's tile, by the indices of the loops; NULL if the matrix is dense. */
struct tile_form *compressed_form(const ompfact_matrix *A, int i, int j);
/* The same by the caller's indices, for a matrix that is not dense. */
struct tile_form *compressed_form_at(const ompfact_matrix *A, int i, int j);
/* Whether the tile is near the diagonal, and so remains dense; in a matrix without accuracy all tiles do. */
bool is_in_band(const ompfact_matrix *A, int i, int j);
/* Whether a tile of this rank with this form, or NULL, may be on a device. A narrow tile with checksums remains on the host, even
   after it has become double. */
bool compressed_may_be_on_device(const ompfact_matrix *A, const struct tile_form *form);
/* ompfact_fill_tiles() for two passes over all tiles: the first computes the norm. Collective. */
ompfact_status compressed_fill(ompfact_matrix *A, void (*fill)(void *context, const ompfact_tile *tile), void *context);
/* For functions that do not support tiles of low rank: OMPFACT_BAD_ARGUMENT if the matrix may have them. */
ompfact_status check_dense(const ompfact_matrix *A);
/* Sets a message about the tile of this rank for which there was no memory; without such a tile returns the given status.
   Local. */
ompfact_status compressed_lost_message(const ompfact_matrix *A, ompfact_status status);
/* The precision of a tile of this rank, by the caller's indices: now, and when the matrix was filled. */
enum tile_precision kept_precision(const ompfact_matrix *A, int i, int j);
enum tile_precision filled_precision(const ompfact_matrix *A, int i, int j);

#endif
