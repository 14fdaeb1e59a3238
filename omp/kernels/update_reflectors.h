/*
 * The change of a Cholesky factor when V V^H is added to its matrix, or subtracted from it, where V has k columns: reflectors
 * of a tile row.
 *
 *     ( L_jj V_j ) Q = ( L'_jj 0 ),   L'_jj L'_jj^H = L_jj L_jj^H + V_j V_j^H,   and on the rows below it ( L V ) Q = ( L' V' )
 *
 * Row r of the tile has a reflector I - (1 + q) w w^H, w = ( e_r; u ). It maps (l, v), where v is row r of V, to (-l', 0):
 *
 *     l' = sqrt(l^2 + |v|^2),   u = v^H / (l + l'),   q = l / l'
 *
 * The reflectors of a block of rows are I - ( I; U ) (I + C) ( I; U )^H, where U has k rows, and C is upper triangular with
 * all q on its diagonal. With the signs of its columns changed, for that of l', the block maps rows ( L V ), where L has the
 * block's columns, to
 *
 *     Y = V U,   L' = (L + Y) C + Y,   V' = V - (L + L') U^H
 *
 * If V V^H is subtracted, L' and L change places: the same Q leads back. Then (l, 0) is the image of (l', v), and
 *
 *     L' = (L - Y) C^-1 - Y,   V' = V - (L + L') U^H
 *
 * so that V' comes from L' and V by a unitary matrix: the stable way to use hyperbolic transformations of A. Bojanczyk, R.
 * Brent, P. Van Dooren, F. de Hoog, "A note on downdating the Cholesky factorization", 1987; by rows and columns it is that of
 * G. W. Stewart, "The effects of rounding error on an algorithm for downdating a Cholesky factorization", 1979. Blocks of
 * reflectors are those of R. Schreiber and C. Van Loan, "A storage-efficient WY representation for products of Householder
 * transformations", 1989.
 *
 * U is k x n, where n is the number of rows of the tile. Behind it are the matrices C of the blocks, one beside the other. All
 * code is untyped except for the few lines of update_reflectors_body.h.
 */
#ifndef OMPFACT_OMP_KERNELS_UPDATE_REFLECTORS_H
#define OMPFACT_OMP_KERNELS_UPDATE_REFLECTORS_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>

size_t update_reflectors_bytes(int n, int k, size_t size);

/* A tile of L, or of L^H if mirrored. */
struct factor_rows {
    void *data;
    int ld;
    bool mirrored;
};

/* Computes the reflectors Q of the diagonal tile L, of which a triangle is read and written, and of V, which is destroyed: n
   rows of both, k columns of V. subtracts: V V^H is subtracted. Returns 0, or r if row r, from 1, has no positive diagonal any
   more, or -1 if there is no memory. */
int update_reflectors(const struct precision *precision, bool subtracts, int n, int k, struct factor_rows L, void *V, int ldv,
                      void *Q);
/* ( L V ) := ( L V ) Q, for m rows; Q is of n rows. Returns 0, or -1 if there is no memory. */
int update_reflect(const struct precision *precision, bool subtracts, int m, int n, int k, const void *Q, struct factor_rows L,
                   void *V, int ldv);

#endif
