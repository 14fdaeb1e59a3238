/*
 * The data of a factorization with signs beside the matrix: a signed block for each step (omp/kernels/signed_block.h), with
 * the part of G_kk that is not in tile (k,k).
 *
 * Which memory is written when. Block k has a place of its own, in the window of the owner of (k,k). It is written once in a
 * factorization, by the task that factors that tile. After that a task without arithmetic publishes it to its readers. These
 * are the ranks that have another tile of the trailing matrix; each reads it once, in step k. So no rank writes a block that
 * others may still read, except in the next factorization of the matrix, which begins when all ranks have ended this one.
 *
 * Why it cannot deadlock. Only tasks that come after the task that makes a block, in the order of the loops, wait for the
 * block, so the argument of run.h holds. The block may arrive through a tree, through ranks that read it only in updates, to
 * others that read it in the panel. So all ranks request it with the panel, before they wait for anything (rma/routes.c).
 *
 * The blocks are part of the factors: solves read those of their own rank.
 *
 * Devices have no kernels for G. So if tiles are on devices, a rank computes W = G_kk^-H J_k for each panel in which it has
 * tiles, for its own use, and multiplies by W. There are places for two W, used in turn: step k + 2 overwrites that of step k
 * after all tasks that read it, by names in depend clauses, and these tasks wait for nothing that comes later.
 */
#ifndef OMPFACT_SRC_FACTOR_SIGNS_H
#define OMPFACT_SRC_FACTOR_SIGNS_H

#include "omp/kernels/signed_block.h"
#include "src/factor/beside.h"
#include "src/factor/snapshot.h"

struct signs {
    struct attachment attached;         /* attachment to the matrix */
    struct rma_space *space;            /* the window; NULL on paper */
    size_t bytes;                       /* bytes of a block's place */
    int *last;                          /* [rank]: the last step whose block the rank reads; -1: none */
    double scale;                       /* the largest modulus of the matrix */
    struct devices *devices;            /* the devices; NULL: none */
    char *inverse;                      /* memory for two W, if there are devices */
    int depth;                          /* depth of the butterfly W: the factored matrix is W^T A W */
};

_Static_assert(offsetof(struct signs, attached) == 0, "an attachment is taken for its struct");

/* For a matrix on paper. false: no memory; then nothing needs to be freed. Local. */
bool signs_on_paper(const ompfact_matrix *A, struct signs *signs);
void signs_free(struct signs *signs);
/* The signs of A; NULL before its first such factorization. */
struct signs *signs_of(const ompfact_matrix *A);
/* Creates them if necessary. Collective. */
ompfact_status signs_begin(ompfact_matrix *A, struct signs **signs);
/* The name of the pivoting for checkpoints, with a butterfly of this depth. The matrix in a checkpoint is mixed from the first
   step on. */
const char *signs_pivoting(int depth);
int64_t signs_bytes(const ompfact_matrix *A, bool devices);     /* bytes of this rank: A->me */
void signs_memory(const struct job *job, struct job_plan *plan);        /* for struct algorithm */

/* Requests block k with the panel, on a rank that reads it. */
void signs_request(struct run *run, const struct job *job, int k);
/* signs_inverts: whether tiles are on devices, so that panels are multiplied by W. signs_invert: computes the W of step k, if
   this rank has a tile to multiply. signs_inverse: this W. */
bool signs_inverts(const ompfact_matrix *A);
void signs_invert(struct run *run, const struct job *job, int k);
struct operand signs_inverse(const struct job *job, int k);
/* Block k as an operand to read; with_access(UPDATE, ..) on its owner to write it. */
struct operand signs_at(const struct job *job, int k);
/* A block of this rank, for functions that examine factors. */
const struct signed_block *signs_block(const ompfact_matrix *A, int k);
/* The number of transfers of blocks to other owners in the first steps of a factorization: between ranks, by A's layout, or
   between nodes, by the layout of layout_of_nodes(). false: no memory. Local. */
struct signs_moves {
    int64_t transfers, bytes;
};
bool signs_count(const ompfact_matrix *A, const struct layout *owners, int steps, struct signs_moves *moves);

/* For checkpoints: saves block k, and restores it. */
keep_function keep_signs;
resume_beside restore_signs;
int64_t most_signs(const struct job *job);

#endif
