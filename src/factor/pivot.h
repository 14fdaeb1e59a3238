/*
 * LU with pivoting on any layout: the search for a step's pivots, and the resulting interchanges of rows, as loops over tasks.
 *
 * The search. The ranks that own tiles of column k copy their rows to a stack.
 *   - tournament   each rank chooses its candidates by elimination; ranks merge four sets of candidates into one, repeatedly;
 *     the diagonal's owner makes the last choice (Grigori, Demmel, Xiang, "CALU: A Communication Optimal LU Factorization
 *     Algorithm", 2011)
 *   - partial      the diagonal's owner gets all rows, and so chooses as LAPACK does
 * A column with one owner is the same for both; the owner keeps the factors that the search has computed.
 *
 * The interchange, in each tile column n. The owner of (k,n), `top`, saves the rows that leave its tile in a buffer, `down`;
 * the other ranks collect theirs in a buffer `up`. Each rank reads only the rows that it needs, and so only its part of
 * `down`.
 *
 *     top:   out  piv, A_kn -> down        others:   up    piv, A_mn -> up      for each of their tiles below
 *            swap piv, down, A_mn, A_kn              down  piv, down -> A_mn
 *            in   piv, up of rank q -> A_kn
 *
 * Which memory is written when. A rank has two buffers for each tile column, for even and odd steps, and one for candidates.
 * Other ranks read them after their publication; if they read in place, they read even later, when a task runs. No buffer is
 * written again before it has been read:
 *   - up(k,n) is read before U_kn is computed, and its owner's tasks of the next step wait for updates with U_kn.
 *   - down(k,n) is written again in step k + 2 at the earliest. By then its owner has updated its tiles of column n with
 *     U_{k+1,n}. For U_{k+1,n} every rank with tiles there gave its rows in step k + 1, after it had read down(k,n) into each
 *     of them.
 *   - Candidates of step k are read before the pivots of step k are known, and tiles of column k + 1 wait for these.
 *   - The pivots of each step have a place of their own.
 * Tasks wait only for tasks and tiles that come before them in the order of the loops, so the argument of run.h against
 * deadlock holds.
 */
#ifndef OMPFACT_SRC_FACTOR_PIVOT_H
#define OMPFACT_SRC_FACTOR_PIVOT_H

#include "src/factor/beside.h"

enum { MERGED = 4 };    /* number of sets of candidates that become one */

/* The memory beside the matrix: a window, and a stack. */
struct pivoting {
    struct attachment attached;         /* attachment to A */
    const ompfact_matrix *A;
    bool partial;
    int width;                          /* columns of the widest panel */
    int steps, most_owners;             /* number of steps; the most owners of a tile column */
    int first, end, mt;                 /* a run: its first step, its last one, and the end of the tile rows that it searches */
    int buffers;                        /* buffers of a rank for each tile column: one if no other rank reads it */
    struct rma_space *space;            /* the window; NULL on paper */
    struct row_stack *stack;            /* the stack; NULL on paper */
    size_t pivots_bytes, candidates_bytes, panel_bytes, buffer_bytes;       /* bytes of one piece of each kind */
    MPI_Aint candidates_at, panel_at, buffers_at;
    int64_t candidates_id, panel_id, down_id, up_id;
    int *number, numbers;               /* numbers of columns, for names: layout_number_columns() */
    struct tile_owners owners;
    struct tile_rows rows;
    struct moved_rows moved;
    bool left_is_done;                  /* whether the run has also interchanged the rows of columns left of the panels */
    int *ranks;                         /* scratch memory */
    unsigned char *seen;                /* scratch memory, zero */
    int64_t *ipiv;                      /* ipiv of the matrix */
};

_Static_assert(offsetof(struct pivoting, attached) == 0, "an attachment is taken for its struct");

/* The requested method, or the best one for this number of ranks. */
static inline ompfact_pivot pivot_method(ompfact_pivot requested, int ranks)
{
    return requested != OMPFACT_PIVOT_AUTO ? requested : ranks == 1 ? OMPFACT_PIVOT_PARTIAL : OMPFACT_PIVOT_TOURNAMENT;
}

/* Computes sizes and places for A's shape, without memory; `partial` or tournament. */
bool pivoting_plan(const ompfact_matrix *A, bool partial, struct pivoting *p);      /* false: no memory */
void pivoting_free(struct pivoting *p);
int64_t pivoting_bytes(const struct pivoting *p);   /* bytes of this rank: A->me */
/* pivoting_begin: allocates the memory, which remains attached to A, before a factorization. pivoting_end: adds the moved rows
   to A's report after it. Collective. */
ompfact_status pivoting_begin(ompfact_matrix *A, bool partial, struct pivoting **p);
ompfact_status pivoting_end(const struct pivoting *p, ompfact_matrix *A);
void pivoting_memory(const struct job *job, struct job_plan *plan);     /* for struct algorithm */
size_t pivoting_slot_bytes(const struct pivoting *p);       /* bytes of the largest piece that one rank reads from another */

/* For checkpoints: the first rank's list of a step's pivots. */
void keep_pivots(const struct job *job, int k, void (*each)(void *context, int kind, const struct operand *o), void *context);
int64_t most_pivots(const struct job *job);
int64_t pivot_candidates(const struct pivoting *p); /* number of candidates' tiles that ranks send in a factorization */

/* ---- loops -------------------------------------------------------------------------------------------------------------- */

/* Finds and records the pivots of the step. Returns whether column k has one owner, whose stack has its factors. */
bool find_pivots(struct run *run, const struct job *job, int k);
/* Copies that owner's tiles from the stack, for rows that were searched. */
void take_factors(struct run *run, const struct job *job, int k);
/*
 * For several owners: when the rows have moved, copies A_kk = L_kk U_kk from the stack of its owner, as the last choice has
 * computed it. Elimination of the moved rows without pivoting would round differently. If the panel has numerically no full
 * rank, so that its pivots are roundoff, it could find small or zero pivots where the search found none.
 */
void take_diagonal(struct run *run, const struct job *job, int k);
/* Moves the rows of tile column n by the pivots of step k. */
void exchange_rows(struct run *run, const struct job *job, int k, int n);
/* After the last step: moves the rows of L's columns by the pivots of all later steps, on a single rank whose devices have all
   columns. In all other cases, and if L is saved or guarded, interchange_left() follows the run. */
void exchange_left(struct run *run, const struct job *job);

#endif
