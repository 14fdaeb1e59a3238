/*
 * What changes a Cholesky factor when V V^H is added to its matrix, or taken from it, V of k columns: reflectors of a tile row.
 *
 *     ( L_jj V_j ) Q = ( L'_jj 0 ),   L'_jj L'_jj^H = L_jj L_jj^H + V_j V_j^H,   and on the rows below it ( L V ) Q = ( L' V' )
 *
 * Row r of the tile has a reflector I - (1 + q) w w^H, w = ( e_r; u ). It makes (l, v), v row r of V, (-l', 0):
 *
 *     l' = sqrt(l^2 + |v|^2),   u = v^H / (l + l'),   q = l / l'
 *
 * Those of a block of rows are I - ( I; U ) (I + C) ( I; U )^H, U of k rows, C upper triangular with all q on its diagonal. With
 * the signs of its columns changed, for that of l', the block makes of rows ( L V ), L its columns,
 *
 *     Y = V U,   L' = (L + Y) C + Y,   V' = V - (L + L') U^H
 *
 * Where V V^H is taken away L' and L change places: it is the same Q that leads back. Then (l, 0) is what (l', v) became, and
 *
 *     L' = (L - Y) C^-1 - Y,   V' = V - (L + L') U^H
 *
 * so that V' comes from L' and V by a unitary matrix: the stable way to use hyperbolic transformations of A. Bojanczyk, R. Brent,
 * P. Van Dooren, F. de Hoog, "A note on downdating the Cholesky factorization", 1987; by rows and columns it is that of G. W.
 * Stewart, "The effects of rounding error on an algorithm for downdating a Cholesky factorization", 1979. Blocks of reflectors
 * are R. Schreiber's and C. Van Loan's, "A storage-efficient WY representation for products of Householder transformations",
 * 1989.
 *
 * U is k x n, n the tile's rows, and behind it C of each block, one beside the other. All of it is untyped but for the few lines
 * of update_reflectors_body.h.
 */
#ifndef OMPFACT_OMP_KERNELS_UPDATE_REFLECTORS_H
#define OMPFACT_OMP_KERNELS_UPDATE_REFLECTORS_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>

size_t update_reflectors_bytes(int n, int k, size_t size);

/* A tile of L, or, mirrored, of L^H. */
struct factor_rows {
    void *data;
    int ld;
    bool mirrored;
};

/* The reflectors Q of the tile L on the diagonal, of which a triangle is read and written, and V, which is destroyed: n rows of
   both, k columns of V; away: V V^H is taken away. Returns 0, or r if row r, from 1, is left without a positive diagonal; or -1:
   there is no memory. */
int update_reflectors(const struct precision *precision, bool subtracts, int n, int k, struct factor_rows L, void *V, int ldv,
                      void *Q);
/* ( L V ) := ( L V ) Q, of m rows; Q of n. Returns 0, or -1: there is no memory. */
int update_reflect(const struct precision *precision, bool subtracts, int m, int n, int k, const void *Q, struct factor_rows L,
                   void *V, int ldv);

#endif
