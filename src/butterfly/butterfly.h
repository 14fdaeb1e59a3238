/*
 * Random butterflies before a factorization that searches pivots in diagonal tiles alone (M. Baboulin, D. Becker, J. Dongarra, "A
 * parallel tiled solver for dense symmetric indefinite systems on multicore architectures", IPDPS 2012):
 *
 *     A' = W^T A W,    A x = b   is   A' y = W^T b,  x = W y
 *
 * W = W_0 W_1 is real, so A' is Hermitian or symmetric as A is. Each level mixes rows in pairs by 1/sqrt(2) [ r 1/r; r -1/r ]. r
 * = exp(x/10), and the row number determines x in (-1/2, 1/2), so W depends neither on the ranks nor on the tiles. det(W) is 1 or
 * -1. With h = n/2, rounded down, the pairs are
 *
 *     level 0    row a and row n - h + a,                                         a < h
 *     level 1    in both halves the a-th row from above and the a-th from below   (depth 2)
 *
 * The rows in the middle that have no partner stay unchanged. The usual second level pairs rows by quarters. The pairing here
 * also makes diagonal tiles regular for three kinds of matrices: nonzeros only on the antidiagonal, nonzeros n/2 beside it, and a
 * block of zeros at the beginning. doc/results/accuracy.md has the figures.
 *
 * Up to four rows that the levels mix with each other are an orbit. A group is where the rows of one span of orbits meet the
 * columns of another. One of the ranks that own parts of a group computes the group: the other owners send their parts to this
 * rank, and receive the results.
 */
#ifndef OMPFACT_SRC_BUTTERFLY_BUTTERFLY_H
#define OMPFACT_SRC_BUTTERFLY_BUTTERFLY_H

#include "src/matrix/matrix.h"

/* The number of levels of W. */
int butterfly_depth(ompfact_butterfly choice);

/* Traffic between ranks in tiles (parts of tiles are added up) and in bytes, of a matrix with a triangle, which may be on paper.
   The other two members count the traffic between nodes. node_of gives the node of each rank; NULL: each rank is a node. Local.
   false: no memory. */
struct butterfly_moves {
    int64_t transfers, bytes, wire_transfers, wire_bytes;
};
bool butterfly_count(const ompfact_matrix *A, int depth, const int *node_of, struct butterfly_moves *moves);
/* Bytes of memory that the butterflies take on a rank. Local. */
int64_t butterfly_bytes(const ompfact_matrix *A, int depth);

/* The partner of each row, and the factors, in both levels, for a matrix with these tile rows. Local. false: no memory. */
bool butterfly_rows(const struct tiling *tiling, int depth, ompfact_ldl_row *rows);

/* A := W^T A W, of which a triangle is stored; B := W^T B, or B := W B with `back`. The traffic is added to the report. The
   matrix is dense. Beside its tiles the function takes memory of a fixed size. Collective. */
ompfact_status butterfly_of_matrix(ompfact_matrix *A, int depth, ompfact_report *report);
ompfact_status butterfly_of_rhs(ompfact_matrix *B, int depth, bool back, ompfact_report *report);

#endif
