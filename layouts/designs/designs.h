/*
 * Block designs with every pair of points in exactly one block (S(2,k,v) Steiner systems) and covers with few members:
 * symmetric patterns by construction. Each function returns 0 and blocks that the caller destroys, or 1 if no design has this
 * parameter or without memory.
 */
#ifndef OMPFACT_LAYOUTS_DESIGNS_DESIGNS_H
#define OMPFACT_LAYOUTS_DESIGNS_DESIGNS_H

#include "layouts/designs/blocks.h"

/* PG(2,q), q a prime power: q^2+q+1 points and lines, block p is B + p for Singer's difference set B; T = q+1. */
int projective_plane(int q, struct blocks *b);
/* AG(2,q): PG(2,q) without a line and its points: q^2 points, q^2+q lines, T = q+1. */
int affine_plane(int q, struct blocks *b);
/* The Hermitian unital, q a prime power: q^3+1 points, q^2 (q^2-q+1) blocks of q+1, T = q^2. */
int hermitian_unital(int q, struct blocks *b);
/* Denniston's maximal arc of PG(2,q), q and n > 1 powers of two, n <= q: the (n-1) (q+1) + 1 points whose quadratic form is below
   n, no two of them on a line with other than n; blocks of n, T = q+1. P = 255: q = 16, n = 8. */
int maximal_arc(int q, int n, struct blocks *b);
/* Steiner triple systems by Bose (v = 6t+3) and Skolem (v = 6t+1): v (v-1) / 6 triples, T = (v-1) / 2. */
int steiner_triples(int v, struct blocks *b);

/* Residues whose differences are all residues modulo `modulus`: P blocks B + p on P points, T = |B|. Writes the residues to
   `cover`, with room for `modulus` of them, and returns their number; 0 without memory. */
int cyclic_cover(int modulus, int *cover);
/* The residues of PG(2,q)'s difference set, q+1 of them modulo q^2+q+1, increasing. Returns 0, or 1 if q is no prime power, or
   without memory. */
int singer_difference_set(int q, int *residues);
/* The blocks B + p. */
int cyclic_blocks(int modulus, const int *residues, int count, struct blocks *b);
/* The pattern of these blocks: rank p owns one cell of every difference. NULL without memory. */
struct pattern *cyclic_pattern(int modulus, const int *residues, int count);

#endif
