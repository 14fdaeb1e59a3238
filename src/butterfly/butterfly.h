/*
 * Random butterflies before a factorization that searches pivots in diagonal tiles alone (M. Baboulin, D. Becker, J. Dongarra,
 * "A parallel tiled solver for dense symmetric indefinite systems on multicore architectures", IPDPS 2012):
 *
 *     A' = W^T A W,    A x = b   is   A' y = W^T b,  x = W y
 *
 * W = W_0 W_1 is real, so A' is Hermitian or symmetric as A is. Each level mixes rows in pairs, by 1/sqrt(2) [ r 1/r; r -1/r ],
 * r = exp(x/10), x in (-1/2, 1/2) by the number of the row: the same on any ranks, whatever the tiles. So det(W) is 1 or -1. With
 * h = n/2, rounded down,
 *
 *     level 0    row a and row n - h + a,                                        a < h
 *     level 1    in both halves the a-th row from above and that from below      (depth 2)
 *
 * and what is left over in the middle stays. The second pairing is not the usual one, by quarters: with it
 * tiles on the diagonal of matrices that have elements on the other diagonal alone, or n/2 beside theirs, or that have a
 * block of zeros first, become regular ones. doc/results/accuracy.md has the figures.
 *
 * Up to four rows that the levels mix among each other are an orbit; a group is where the rows of one span of orbits meet the
 * columns of another. One rank of those that have its parts computes a group: the others send it theirs, and get them back.
 */
#ifndef OMPFACT_SRC_BUTTERFLY_BUTTERFLY_H
#define OMPFACT_SRC_BUTTERFLY_BUTTERFLY_H

#include "src/matrix/matrix.h"

/* Levels of W. */
int butterfly_depth(ompfact_butterfly choice);

/* What goes from rank to rank, as tiles, parts of which are added up, and in bytes; of a matrix with a triangle, which may be on
   paper. Of these, what crosses between nodes, by the node of each rank; NULL: each is one. Local. false: no memory. */
struct butterfly_moves {
    int64_t transfers, bytes, wire_transfers, wire_bytes;
};
bool butterfly_count(const ompfact_matrix *A, int depth, const int *node_of, struct butterfly_moves *moves);
/* Memory of a rank that it takes, in bytes. Local. */
int64_t butterfly_bytes(const ompfact_matrix *A, int depth);

/* Of so many rows: whom each is mixed with, and by what, in either level. Local. false: no memory. */
bool butterfly_rows(const struct tiling *tiling, int depth, ompfact_ldl_row *rows);

/* A := W^T A W, of which a triangle is stored; B := W^T B, or, back, B := W B. What that took is added to the report. Dense; the
   tiles' memory, and some of a fixed size, is all that it takes. Collective. */
ompfact_status butterfly_of_matrix(ompfact_matrix *A, int depth, ompfact_report *report);
ompfact_status butterfly_of_rhs(ompfact_matrix *B, int depth, bool back, ompfact_report *report);

#endif
