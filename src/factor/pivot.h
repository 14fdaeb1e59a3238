/*
 * LU with pivoting on any layout: the search for a step's pivots, and the exchange of rows that they ask for, as loops over
 * tasks.
 *
 * The search. The ranks that own tiles of column k put their rows on a stack.
 *   tournament   each lets elimination choose its candidates; ranks merge four sets of candidates into one, again and again; the
 *                diagonal's owner makes the last choice (Grigori, Demmel, Xiang, "CALU: A Communication Optimal LU Factorization
 *                Algorithm", 2011)
 *   partial      the diagonal's owner gets all rows, and so chooses as LAPACK does
 * A column with one owner is the same for both; the owner keeps the factors that the search has made anyway.
 *
 * The exchange, in each tile column n. The owner of (k,n), `top`, saves the rows that leave its tile in a buffer, `down`; the
 * others collect theirs in one, `up`. Each pulls what is for it, its own part of `down` alone.
 *
 *     top:   out  piv, A_kn -> down        others:   up    piv, A_mn -> up      for each tile of theirs below
 *            swap piv, down, A_mn, A_kn              down  piv, down -> A_mn
 *            in   piv, up of rank q -> A_kn
 *
 * Whose memory is written when. A rank has two buffers for each tile column, for even and odd steps, and one for candidates.
 * Others read them after their publication, in place even later, when a task runs. None is written again before it has been read:
 *   - up(k,n) is read before U_kn is computed, and its owner's tasks of the next step wait for updates with U_kn.
 *   - down(k,n) is written again at step k + 2 at the soonest. By then its owner has updated its tiles of column n with
 *     U_{k+1,n}, for which every rank with tiles there gave its rows at step k + 1, after it had read down(k,n) into each of
 *     them.
 *   - Candidates of step k are read before the pivots of step k are known, and tiles of column k + 1 wait for these.
 *   - The pivots of each step have a place of their own.
 * No task waits but for tasks and tiles that come before it in the order of the loops, so what run.h says of deadlock holds.
 */
#ifndef OMPFACT_SRC_FACTOR_PIVOT_H
#define OMPFACT_SRC_FACTOR_PIVOT_H

#include "src/factor/beside.h"

enum { MERGED = 4 };    /* sets of candidates that become one */

/* The memory beside the matrix: a window, and a stack. */
struct pivoting {
    struct attachment attached;         /* to A */
    const ompfact_matrix *A;
    bool partial;
    int width;                          /* of the widest panel */
    int steps, most_owners;             /* of a tile column */
    int first, end, mt;                 /* of a run: its steps, and the end of the tile rows among which it searches */
    int buffers;                        /* of a rank for each tile column: one where no other rank reads it */
    struct rma_space *space;            /* NULL on paper */
    struct row_stack *stack;            /* NULL on paper */
    size_t pivots_bytes, candidates_bytes, panel_bytes, buffer_bytes;       /* of one each */
    MPI_Aint candidates_at, panel_at, buffers_at;
    int64_t candidates_id, panel_id, down_id, up_id;
    int *number, numbers;               /* of columns, in names: layout_number_columns() */
    struct tile_owners owners;
    struct tile_rows rows;
    struct moved_rows moved;
    bool left_is_done;                  /* the run has exchanged the rows of columns left of the panels, too */
    int *ranks;                         /* scratch */
    unsigned char *seen;                /* scratch, zero */
    int64_t *ipiv;                      /* the matrix's */
};

_Static_assert(offsetof(struct pivoting, attached) == 0, "an attachment is taken for its struct");

/* What is asked for, or on so many ranks does best. */
static inline ompfact_pivot pivot_method(ompfact_pivot asked, int ranks)
{
    return asked != OMPFACT_PIVOT_AUTO ? asked : ranks == 1 ? OMPFACT_PIVOT_PARTIAL : OMPFACT_PIVOT_TOURNAMENT;
}

/* For A's shape; `partial` or tournament. On paper: sizes and places alone. */
bool pivoting_plan(const ompfact_matrix *A, bool partial, struct pivoting *p);      /* false: no memory */
void pivoting_free(struct pivoting *p);
int64_t pivoting_bytes(const struct pivoting *p);   /* of this rank: A->me */
/* With its memory, which stays with A, before a factorization; and what was moved beside tiles, into A's report, behind it.
   Collective. */
ompfact_status pivoting_begin(ompfact_matrix *A, bool partial, struct pivoting **p);
ompfact_status pivoting_end(const struct pivoting *p, ompfact_matrix *A);
void pivoting_memory(const struct job *job, struct job_plan *plan);     /* of the algorithm */
size_t pivoting_slot_bytes(const struct pivoting *p);       /* the largest thing that one rank reads from another */

/* Of those who save: the first rank's list of a step's pivots. */
void keep_pivots(const struct job *job, int k, void (*each)(void *context, int kind, const struct operand *o), void *context);
int64_t most_pivots(const struct job *job);
int64_t pivot_candidates(const struct pivoting *p); /* tiles of candidates that go from rank to rank in a factorization */

/* ---- loops -------------------------------------------------------------------------------------------------------------- */

/* The step's pivots are found and recorded. Returns whether column k has one owner, on whose stack its factors are. */
bool find_pivots(struct run *run, const struct job *job, int k);
/* That owner's tiles from the stack, of rows that were searched. */
void take_factors(struct run *run, const struct job *job, int k);
/*
 * Else, when the rows have moved, A_kk = L_kk U_kk from the stack of its owner, as the last choice has made it. Elimination of
 * the moved rows without pivoting would round otherwise, and where the panel has numerically no full rank, so that its pivots are
 * roundoff, find small or zero pivots where the search has found none.
 */
void take_diagonal(struct run *run, const struct job *job, int k);
/* Rows of tile column n move as the pivots of step k say. */
void exchange_rows(struct run *run, const struct job *job, int k, int n);
/* Behind the last step: those of L's columns as the pivots of all later steps say, on one rank whose devices have them all. Else,
   and where L is saved or guarded, interchange_left() follows the run. */
void exchange_left(struct run *run, const struct job *job);

#endif
