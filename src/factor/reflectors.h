/*
 * QR as blocks of reflectors I - V T V^H on any layout, and their application to the columns of a matrix.
 *
 * Panel k. The ranks that own tiles of column k, from row k down, each factor their tiles in one piece. Such a part of the
 * column, the tiles D of one rank, is a *domain*; d = 0 is that of the diagonal tile. The triangles R_d are merged in pairs
 * along a tree, until one is left in domain 0: a *merge*. (Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel
 * and sequential QR and LU factorizations", 2012.) Both are a block of reflectors; a panel's blocks are numbered, domains
 * first.
 *
 *     domain   ( A_top,k ) = Q ( R_d )       V_mk in the tiles of D, V_top,k unit lower; T_d
 *              ( A_m,k   )     (  0  )
 *     merge    ( R_a ) = Q ( R_a )           V = ( I V_ab )^T, V_ab upper triangular; T_ab
 *              ( R_b )     (  0  )
 *
 * A block acts on a tile column n of a matrix C, which is A, or has tile rows like A's, in three moves. The rank of C_top,n is
 * the leader.
 *
 *     in      X_q = sum V_mk^H C_mn on each rank q that owns tiles C_mn of the block's rows, and the leader adds up W = sum X_q
 *     scale   W = T^H W  (for Q^H, else T W)
 *     out     C_mn = C_mn - V_mk W
 *
 * So X_q travels to the leader and W travels back: the same two tiles as in Song, Dongarra, "A Scalable Framework for
 * Heterogeneous GPU-Based Clusters", SPAA 2012, section 6 (sink and source of a minor output), but the arithmetic remains
 * where the tiles are. A merge is the same with two tiles, C_top of a (V = I) and C_top of b.
 *
 * Which memory is written when. T, R and V_ab have places of their own for each block. For each of its tile columns a rank has
 * one buffer for X and two for W, which blocks use in turn. Other ranks read them after their publication; if they read in
 * place, they read even later, when a task runs. So:
 *   - X_q is written again only after the tasks of q that read W (reflect_out depends on X, too, for this reason only), and W
 *     was computed after X_q was read.
 *   - When q has finished with W, it publishes a signal. For its tasks the signal is another writer of X_q, so it comes after
 *     all of them. The leader waits for the signal before it writes that buffer of W again.
 * Tasks wait only for tasks and tiles that come before them in the order of the loops, which is the same on all ranks. This is
 * what run.h requires.
 */
#ifndef OMPFACT_SRC_FACTOR_REFLECTORS_H
#define OMPFACT_SRC_FACTOR_REFLECTORS_H

#include "src/factor/beside.h"
#include "src/factor/qr_tree.h"

/* The data of geqrf beside the matrix. */
struct reflectors {
    struct attachment attached;     /* attachment to A */
    const ompfact_matrix *A;
    ompfact_tree tree;              /* the tree, resolved */
    int ib;
    int steps, width, most_domains;
    int first;                      /* the first panel to be factored; earlier ones are done */
    struct panel_tree *panel;       /* [steps] */
    int32_t **shape;                /* [steps]: shapes of panels (restored.h), once they are saved; NULL before */
    int *domains_of, *merges_of;    /* [rank]: numbers of domains and merges */
    size_t square_bytes;            /* bytes of one width x width square */
    int64_t first_id;
    struct rma_space *space;        /* the window; NULL on paper */
    struct row_stack *stack;
    struct travel *travel;          /* for data that travel in A itself */
};

_Static_assert(offsetof(struct reflectors, attached) == 0, "an attachment is taken for its struct");

/* The buffers for X and W of the columns of a matrix, and signals. */
struct travel {
    const struct reflectors *Q;
    const ompfact_matrix *C;
    size_t bytes;                   /* bytes of one buffer */
    int pairs;                      /* most pairs of a leader and another rank in one step and column */
    bool behind_squares;            /* whether the buffers are behind the squares in Q's window; else they have a window of
                                       their own */
    int64_t first_id;
    int *number, numbers;           /* numbers of columns, for names: layout_number_columns() */
    struct rma_space *space;        /* the window; NULL on paper */
    int *ranks;                     /* scratch memory */
    unsigned char *seen;            /* scratch memory, zero */
};

/* The number of names of a panel's blocks. */
static inline int64_t reflectors_blocks(const struct reflectors *Q)
{
    return 2 * (int64_t)Q->most_domains;
}

/* Computes trees, sizes and places for A's shape, without memory. */
bool reflectors_plan(const ompfact_matrix *A, ompfact_tree tree, int ib, struct reflectors *Q);     /* false: no memory */
/* The same with A->done panels to be restored, by their shapes (restored.h). */
bool reflectors_plan_restored(const ompfact_matrix *A, ompfact_tree tree, int ib, const int32_t *shapes, struct reflectors *Q);
bool travel_plan(const struct reflectors *Q, const ompfact_matrix *C, struct travel *t);            /* false: no memory */
void reflectors_free(struct reflectors *Q);
void travel_free(struct travel *t);
int64_t reflectors_bytes(const struct reflectors *Q);       /* bytes of this rank beside the matrix, including the stack */
int64_t reflectors_window(const struct reflectors *Q, int rank);    /* bytes of the window: two squares, T and R, for a domain,
                                                                       then V and T for a merge */
int64_t reflectors_rows(const struct reflectors *Q);                /* rows of the stack */
int64_t travel_bytes(const struct travel *t);               /* bytes of this rank, including flags */
int64_t travel_window(const struct travel *t);              /* bytes of the window without flags */
/* The place of a rank's buffers for a tile column: one for X, then two for W. */
MPI_Aint travel_place(const struct travel *t, int rank, int column);
/* The number of flags, for each step and number of columns: X and a signal for each pair, then W for each block. */
int64_t travel_ids(const struct travel *t);
int64_t travel_last_id(const struct travel *t);             /* the end of the flags' numbers: flags of the window */
size_t travel_slot_bytes(const struct travel *t);           /* bytes of the largest piece beside tiles that one rank reads from
                                                               another */

/* With memory. Collective. */
ompfact_status reflectors_get(ompfact_matrix *A, struct reflectors **Q);    /* A's reflectors, created if necessary, also for
                                                                               data that travel in A */
struct reflectors *reflectors_of(const ompfact_matrix *A);                  /* NULL before reflectors_get */
void reflectors_memory(const struct job *job, struct job_plan *plan);       /* for struct algorithm */
ompfact_status travel_create(const struct reflectors *Q, ompfact_matrix *C, struct travel **t);     /* C is not A */
void travel_destroy(struct travel **t);
/* Copies R to the upper triangles of diagonal tiles where it is not stored yet. Local, after a run. */
void put_triangles(ompfact_matrix *A, const struct reflectors *Q);

/* ---- loops -------------------------------------------------------------------------------------------------------------- */

/* Column n of C = job->travel->C := Q_k^H C or, job->trans NO_TRANS, Q_k C. reflect.c */
void reflect_column(struct run *run, const struct job *job, int k, int n);

/* ---- operands ----------------------------------------------------------------------------------------------------------- */

/* The square memory of block f of panel k. */
enum qr_square { SQUARE_T, SQUARE_R, SQUARE_V };
struct operand square_of(const struct job *job, enum qr_square what, int k, int f);
struct operand stack_of(const struct job *job, int k);
/* Whether the tile is packed. A tile on top of a domain is not: it has a triangle of R, or of V, which is read as columns.
   reflectors_memory.c */
bool packs_reflectors(const ompfact_matrix *A, int i, int j);
/* The readers of a tile of the panel. */
int panel_readers(const struct job *job, const struct operand *tile, int *ranks);

#endif
