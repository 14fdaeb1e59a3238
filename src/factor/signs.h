/*
 * What a factorization with signs keeps beside the matrix: of each step a signed block (omp/kernels/signed_block.h), with what
 * G_kk needs that is not in tile (k,k).
 *
 * Who writes it when. Block k has a place of its own, in the window of the owner of (k,k), and is written once in a
 * factorization, by the task that factors that tile; behind it a task without arithmetic tells its readers. These are the ranks
 * that have another tile of the trailing matrix, which all read it in step k, each once. So nobody writes what others may still
 * read, but the next factorization of the matrix, which begins when all ranks have ended this one.
 *
 * Why nothing waits for ever. Nothing waits for a block but tasks behind the one that makes it, in the order of the loops, so
 * what run.h says of deadlock holds. It may come down a tree, through ranks that read it in updates alone, to others that
 * read it in the panel: so all ask for it with the panel, before they wait for anything (rma/routes.c).
 *
 * The blocks are part of the factors: solves read those of their own rank.
 *
 * Where tiles live on devices, which have no kernels for G, a rank makes W = G_kk^-H J_k of each panel that it has tiles of, for
 * itself alone, and multiplies with it. There are places for two such W, taken in turn: step k + 2 writes over step k's behind
 * all tasks that read that, as names in depend clauses say, and these wait for nothing that comes later.
 */
#ifndef OMPFACT_SRC_FACTOR_SIGNS_H
#define OMPFACT_SRC_FACTOR_SIGNS_H

#include "omp/kernels/signed_block.h"
#include "src/factor/beside.h"
#include "src/factor/snapshot.h"

struct signs {
    struct attachment attached;         /* to the matrix */
    struct rma_space *space;            /* NULL on paper */
    size_t bytes;                       /* of a block's place */
    int *last;                          /* [rank]: it reads the blocks of steps up to this one; -1: none */
    double scale;                       /* the largest modulus of the matrix */
    struct devices *devices;            /* NULL: none */
    char *inverse;                      /* where there are devices, two W */
    int depth;                          /* of the butterfly W: what was factored is W^T A W */
};

_Static_assert(offsetof(struct signs, attached) == 0, "an attachment is taken for its struct");

/* For a matrix on paper. false: no memory; then there is nothing to forget. Local. */
bool signs_on_paper(const ompfact_matrix *A, struct signs *signs);
void signs_free(struct signs *signs);
/* Those of A; NULL before its first such factorization. */
struct signs *signs_of(const ompfact_matrix *A);
/* Makes them if need be. Collective. */
ompfact_status signs_begin(ompfact_matrix *A, struct signs **signs);
/* How it pivots, for checkpoints, whose matrix is mixed from the first step on: behind a butterfly of this depth. */
const char *signs_pivoting(int depth);
size_t signs_slot_bytes(const ompfact_matrix *A);       /* of one block */
int64_t signs_bytes(const ompfact_matrix *A, bool devices);     /* all of this rank: A->me */
void signs_memory(const struct job *job, struct job_plan *plan);        /* of the algorithm */

/* Of a rank that reads block k: asks for it, with the panel. */
void signs_request(struct run *run, const struct job *job, int k);
/* Do its tiles live on devices, so that panels are multiplied with W? Then step k's, if I have a tile to multiply; and W. */
bool signs_inverts(const ompfact_matrix *A);
void signs_invert(struct run *run, const struct job *job, int k);
struct operand signs_inverse(const struct job *job, int k);
/* Block k for the loops, to read; and with_access(UPDATE, ..), where it is mine, to write. */
struct operand signs_at(const struct job *job, int k);
/* A block of mine, for those who look at factors. */
const struct signed_block *signs_block(const ompfact_matrix *A, int k);
/* Blocks that go to other owners in the first steps of a factorization, where they count as transfers: ranks, by A's layout, or
   nodes, by what layout_of_nodes() makes of it. false: no memory. Local. */
struct signs_moves {
    int64_t transfers, bytes;
};
bool signs_count(const ompfact_matrix *A, const struct layout *owners, int steps, struct signs_moves *moves);

/* Of those who save: block k, and back. */
keep_function keep_signs;
resume_beside restore_signs;
int64_t most_signs(const struct job *job);

#endif
