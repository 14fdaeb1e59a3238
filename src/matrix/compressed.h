/*
 * Matrices whose tiles have forms of their own: dense or U V^H of its own rank (omp/kernels/truncation.h), or, of a matrix with
 * a tile_precision, in double or in single, whichever its owner finds.
 *
 * A tile has its place, which every rank can compute, whatever its rank is, with room for all that it may become; but memory is
 * what it has touched there, page by page. So a tile may grow where it is, addresses are computed and not asked, and how much of
 * a tile there is to be read is told with its flag (rma.h, "sized").
 */
#ifndef OMPFACT_SRC_MATRIX_COMPRESSED_H
#define OMPFACT_SRC_MATRIX_COMPRESSED_H

#include "omp/compression.h"
#include "src/grid/grid.h"
#include "src/matrix/shape.h"

struct compressed {
    struct compression how;     /* its tolerances when the matrix has been filled */
    int band;                   /* tiles (i,j) with |i - j| below it stay dense */
    _Atomic int64_t left, lost; /* bytes that my tiles may still take; see struct compression */
    struct tile_form *form;     /* of mine, in the order in which they lie in memory */
    int64_t *last;              /* [tile column]: the place of its last one among them */
    double norm;                /* the Frobenius norm of what it was filled with */
    int64_t not_finite;         /* the first such element as it was filled: ompfact_find_not_finite's place; INT64_MAX: none */
};

/* Elements that a tile has room for. */
size_t compressed_room(const ompfact_shape *shape, int m, int n);
/* False: no memory. The matrix has its layout and its tiling. */
bool compressed_create(ompfact_matrix *A);
void compressed_destroy(struct compressed **compressed);
/* What may be left out of its tiles, of a matrix of this Frobenius norm. */
void compressed_set_tolerance(ompfact_matrix *A, double norm);
/* By the rule, of a tile of this Frobenius norm whose elements are finite; of a matrix with a tile_precision, once its norm is
   known. */
bool suits_single(const ompfact_matrix *A, int i, int j, double norm);
/* Of a tile of mine, as the loops know it; NULL where the matrix is dense. */
struct tile_form *compressed_form(const ompfact_matrix *A, int i, int j);
/* The same by the caller's indices, of a matrix that is not dense. */
struct tile_form *compressed_form_at(const ompfact_matrix *A, int i, int j);
/* Tiles near the diagonal, which stay dense; of a matrix with no accuracy all. */
bool is_in_band(const ompfact_matrix *A, int i, int j);
/* ompfact_fill_tiles(), which sees every tile twice: first the norm is found. Collective. */
ompfact_status compressed_fill(ompfact_matrix *A, void (*fill)(void *context, const ompfact_tile *tile), void *context);
/* Of a call that does not know tiles of low rank: OMPFACT_BAD_ARGUMENT where the matrix may have such. */
ompfact_status check_dense(const ompfact_matrix *A);
/* Says which tile of mine there was no memory for, if there was one: then it returns the status that is given. Local. */
ompfact_status compressed_lost_message(const ompfact_matrix *A, ompfact_status status);
/* Is a tile of mine in single? By the caller's indices. */
bool is_in_single(const ompfact_matrix *A, int i, int j);
/* Was it, as the matrix was filled, and has become double? */
bool was_widened(const ompfact_matrix *A, int i, int j);
/* ompfact_tile_read() of a tile of mine. */
void matrix_read(const ompfact_matrix *A, int i, int j, void *scratch, ompfact_tile *tile);

#endif
