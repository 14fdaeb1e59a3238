/*
 * QR as blocks of reflectors I - V T V^H on any layout, and how they act on the columns of a matrix.
 *
 * Panel k. The ranks that own tiles of column k, from row k down, each factor theirs in one piece: such a part of the column, the
 * tiles D of one rank, is a *domain*, d = 0 that of the diagonal tile. Their triangles R_d are put together two at a time along a
 * tree, until one is left in domain 0: a *merge*. (Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and
 * sequential QR and LU factorizations", 2012.) Both are a block of reflectors; a panel's blocks are numbered, domains first.
 *
 *     domain   ( A_top,k ) = Q ( R_d )       V_mk in the tiles of D, V_top,k unit lower; T_d
 *              ( A_m,k   )     (  0  )
 *     merge    ( R_a ) = Q ( R_a )           V = ( I V_ab )^T, V_ab upper triangular; T_ab
 *              ( R_b )     (  0  )
 *
 * A block acts on a tile column n of a matrix C, which is A, or has tile rows like A's, in three moves. The rank of C_top,n
 * leads.
 *
 *     in      X_q = sum V_mk^H C_mn on each rank q that owns tiles C_mn of the block's rows, and the leader adds up W = sum X_q
 *     scale   W = T^H W  (for Q^H, else T W)
 *     out     C_mn = C_mn - V_mk W
 *
 * So what travels is X_q to the leader and W back, which is the one tile there and back of Song, Dongarra, "A Scalable Framework
 * for Heterogeneous GPU-Based Clusters", SPAA 2012, section 6 (sink and source of a minor output), with the arithmetic left where
 * the tiles are. A merge is the same with two tiles, C_top of a (V = I) and C_top of b.
 *
 * Whose memory is written when. T, R and V_ab have places of their own for each block. For each of its tile columns a rank has
 * one buffer for X and two for W, which blocks use in turn. Others read them after their publication, in place even later, when a
 * task runs. So:
 *   - X_q is written again only after tasks of q that had read W (reflect_out reads X too, for that alone), and W came after X_q
 *     was read.
 *   - When q is through with W it says so by a signal, which to its tasks is one more writer of X_q: so it comes after all of
 *     them. The leader waits for it before it writes that buffer of W again.
 * Tasks wait for tasks and tiles alone that come before them in the order of the loops, the same on all ranks: what run.h asks
 * for.
 */
#ifndef OMPFACT_SRC_FACTOR_REFLECTORS_H
#define OMPFACT_SRC_FACTOR_REFLECTORS_H

#include "src/factor/beside.h"
#include "src/factor/qr_tree.h"

/* What geqrf leaves beside the matrix. */
struct reflectors {
    struct attachment attached;     /* to A */
    const ompfact_matrix *A;
    ompfact_tree tree;              /* resolved */
    int ib;
    int steps, width, most_domains;
    int first;                      /* panel: those before it are done already */
    struct panel_tree *panel;       /* [steps] */
    int32_t **shape;                /* [steps]: their shapes (restored.h), from when they are saved on; NULL before */
    int *domains_of, *merges_of;    /* [rank] */
    size_t square_bytes;            /* of one width x width */
    int64_t first_id;
    struct rma_space *space;        /* NULL on paper */
    struct row_stack *stack;
    struct travel *travel;          /* in A itself */
};

_Static_assert(offsetof(struct reflectors, attached) == 0, "an attachment is taken for its struct");

/* The buffers for X and W of the columns of a matrix, and signals. */
struct travel {
    const struct reflectors *Q;
    const ompfact_matrix *C;
    size_t bytes;                   /* of one buffer */
    int pairs;                      /* of a leader and another rank, at most in one step and column */
    bool behind_squares;            /* of Q, in its window; or in one of its own */
    int64_t first_id;
    int *number, numbers;           /* of columns, in names: layout_number_columns() */
    struct rma_space *space;        /* NULL on paper */
    int *ranks;                     /* scratch */
    unsigned char *seen;            /* scratch, zero */
};

/* Names of a panel's blocks. */
static inline int64_t reflectors_blocks(const struct reflectors *Q)
{
    return 2 * (int64_t)Q->most_domains;
}

/* For A's shape, on paper. */
bool reflectors_plan(const ompfact_matrix *A, ompfact_tree tree, int ib, struct reflectors *Q);     /* false: no memory */
/* With A->done panels that are to be restored, by their shapes (restored.h). */
bool reflectors_plan_restored(const ompfact_matrix *A, ompfact_tree tree, int ib, const int32_t *shapes, struct reflectors *Q);
bool travel_plan(const struct reflectors *Q, const ompfact_matrix *C, struct travel *t);            /* false: no memory */
void reflectors_free(struct reflectors *Q);
void travel_free(struct travel *t);
int64_t reflectors_bytes(const struct reflectors *Q);       /* of this rank, beside the matrix, the stack included: */
int64_t reflectors_window(const struct reflectors *Q, int rank);    /* two squares, T and R, a domain, then V and T a merge */
int64_t reflectors_rows(const struct reflectors *Q);                /* of the stack */
int64_t travel_bytes(const struct travel *t);               /* of this rank, flags included */
int64_t travel_window(const struct travel *t);              /* without */
/* Where a rank's buffers for a tile column begin: one for X, then two for W. */
MPI_Aint travel_place(const struct travel *t, int rank, int column);
/* Of flags, for each step and number of columns: X and a signal of each pair, then W of each block */
int64_t travel_ids(const struct travel *t);
int64_t travel_last_id(const struct travel *t);             /* and one more: flags of the window */
size_t travel_slot_bytes(const struct travel *t);           /* the largest thing that one rank reads from another, beside tiles */

/* With their memory. Collective. */
ompfact_status reflectors_get(ompfact_matrix *A, struct reflectors **Q);    /* A's, made if need be, for what travels in A too */
ompfact_status reflectors_create(ompfact_matrix *A, const int32_t *shapes);
struct reflectors *reflectors_of(const ompfact_matrix *A);                  /* NULL before */
void reflectors_memory(const struct job *job, struct job_plan *plan);       /* of the algorithm */
ompfact_status travel_create(const struct reflectors *Q, ompfact_matrix *C, struct travel **t);     /* C is not A */
void travel_destroy(struct travel **t);
/* R into the upper triangles of diagonal tiles where it is not there yet. Local, after a run. */
void put_triangles(ompfact_matrix *A, const struct reflectors *Q);

/* ---- loops -------------------------------------------------------------------------------------------------------------- */

/* Column n of C = job->travel->C := Q_k^H C or, job->trans NO_TRANS, Q_k C. reflect.c */
void reflect_column(struct run *run, const struct job *job, int k, int n);

/* ---- operands ----------------------------------------------------------------------------------------------------------- */

/* Square memory of block f of panel k. */
enum qr_square { SQUARE_T, SQUARE_R, SQUARE_V };
struct operand square_of(const struct job *job, enum qr_square what, int k, int f);
struct operand stack_of(const struct job *job, int k);
/* Which tiles are packed: on top of a domain is a triangle of R, or of V, which is read as columns. reflectors_memory.c */
bool packs_reflectors(const ompfact_matrix *A, int i, int j);
/* Who reads a tile of the panel. */
int panel_readers(const struct job *job, const struct operand *tile, int *ranks);

#endif
