/* Which layout a matrix gets, and tiles of which size: what its shape says, or else the best that there are for it. */
#ifndef OMPFACT_SRC_CHOOSE_CHOOSE_H
#define OMPFACT_SRC_CHOOSE_CHOOSE_H

#include "src/factor/factor.h"
#include "src/machine/tile_size.h"

/* ---- the layout of a shape: shape_layout.c ------------------------------------------------------------------------------ */

/* A pattern for the shape with one copy, which matrix_on_paper takes. bytes: memory of a rank, which "auto" heeds; 0: not known.
   Local. */
ompfact_status shape_pattern(const ompfact_shape *shape, int ranks, int64_t bytes, struct pattern **pattern,
                             char message[MESSAGE]);
/* The matrix on paper, seen by rank `me`, with all its layers: who is on which goes by what is sent between nodes. Local.
   shape_layers.c */
ompfact_status shape_on_paper(const ompfact_shape *shape, int ranks, int64_t bytes, int me, ompfact_matrix **A,
                              char message[MESSAGE]);
/* Are nodes and speeds, if there are any, those of so many ranks? */
ompfact_status shape_check_ranks(const ompfact_shape *shape, int ranks, char message[MESSAGE]);
/* What layouts/ returned. */
ompfact_status status_of_layout(int code);
bool shape_is_auto(const ompfact_shape *shape);
/* Where the shape has weights, the most loaded rank's over the mean in place of *max_over_mean. False: no memory. */
bool shape_weigh(const ompfact_shape *shape, const struct layout *layout, double *max_over_mean);
/* What "auto" had to choose from. */
ompfact_status shape_choose(const ompfact_shape *shape, int ranks, int64_t bytes, struct layout_choice *choice,
                            char message[MESSAGE]);
/* The same for A's shape, of a matrix in copies for the ranks of the first layer. shape_layers.c */
ompfact_status shape_choose_for(const ompfact_shape *shape, const ompfact_matrix *A, struct layout_choice *choice,
                                char message[MESSAGE]);
/* Whether a few ranks less would send much less; fewer->ranks is 0 where not.
   choice: what shape_choose() found for these ranks. */
ompfact_status shape_choose_fewer(const ompfact_shape *shape, int ranks, int64_t bytes, const struct layout_choice *choice,
                                  struct layout_fewer *fewer, char message[MESSAGE]);
/* How "1d1d" or one of its kin comes to its layout; the caller destroys the plan. The shape's speeds have been checked. */
struct plan;
ompfact_status shape_plan(const ompfact_shape *shape, const char *layout, int ranks, struct plan **plan, char message[MESSAGE]);
/* What layers send, all together; tiles and elements. Local: layers_count.c */
struct layers_moves {
    int64_t transfers, elements, wire_transfers, wire_elements;
};
/* nodes: of all ranks, so many. False: no memory. */
bool layers_moved(const ompfact_matrix *A, const int *node_of, int nodes, struct layers_moves *moves);
/* And have, in place of what a summary says of the first one: tiles, their bytes, transfers and balance. False: no memory. */
bool layers_sum_up(const ompfact_matrix *A, const double *speeds, ompfact_layout_counts *counts);
/* The work of each rank, in nb^3 / 3, of one copy, too; its tiles. */
void work_of_ranks(const ompfact_matrix *A, int64_t *work);
int64_t tiles_of_rank(const ompfact_matrix *A, int rank);
/* Adds what each node sends and receives: [nodes]. False: no memory. */
bool links_of_nodes(const ompfact_matrix *A, const int *node_of, int nodes, struct layout_links *links);
/* What the layout of A, which may be on paper, comes to for Cholesky, or for LU. Local: layout_count.c */
ompfact_status layout_counts(const ompfact_matrix *A, const double *speeds, ompfact_layout_counts *counts, char message[MESSAGE]);
/* The rank that holds most tiles, of any layer, whose memory is asked for. */
int fullest_rank(const ompfact_matrix *A);

/* ---- the tile size of a shape: shape_tiles.c ---------------------------------------------------------------------------- */

/* What the shape says; 0: it is to be chosen, */
int shape_nb(const ompfact_shape *shape);
/*   if it can be: not where tiles have weights. */
ompfact_status shape_check_choice(const ompfact_shape *shape, char message[MESSAGE]);
/* What the choice goes by. */
struct tile_question shape_question(const ompfact_shape *shape, ompfact_pivot pivot, int ranks, int threads, int ranks_on_node);
/* Local, for so many ranks with all cores of such a machine each. */
ompfact_status shape_guess_nb(const ompfact_shape *shape, int ranks, int *nb, char message[MESSAGE]);

/* The tile sizes of a shape that has a cut, and a tile size: it is given these, which the caller forgets, also after an error.
   Local. shape_cut.c */
struct cut_sizes {
    int *heights, *widths;          /* NULL: not needed */
};
ompfact_status shape_cut(ompfact_shape *shape, struct cut_sizes *own, char message[MESSAGE]);
void cut_sizes_forget(struct cut_sizes *own);

/* ---- critical path bounds that a layout leaves open: step_bounds.c ------------------------------------------------------ */

/* "1d1d-c" or "1d1d-cs" without bounds? */
bool shape_leaves_bounds(const ompfact_shape *shape);
/* The layout with bounds of a machine: one step's panel, solve and update, one after the other on threads of a rank of each
   speed, and two transfers, in updates of the slowest rank. threads: of rank 0. The shape has a tile size, a type, and speeds of
   so many ranks or none. */
enum { BOUNDED_LAYOUT = 120 };
void bounds_of_machine(const ompfact_shape *shape, const struct machine *machine, int ranks, int threads,
                       char layout[BOUNDED_LAYOUT]);
/* Where the first rank's machine was measured by --tune the shape gets that layout, which has to live as long. Collective; the
   same on every rank, of shapes that are the same. */
ompfact_status shape_choose_bounds(ompfact_grid *grid, ompfact_shape *shape, char layout[BOUNDED_LAYOUT]);

/* ---- what a shape leaves open: create.c --------------------------------------------------------------------------------- */

/* Has to be the same everywhere, and is then given its tile size and largest rank. Collective. */
ompfact_status shape_complete(ompfact_grid *grid, const ompfact_shape *shape, ompfact_shape *tiled);

/* ---- what QR takes: of a rank from its loops, qr_count.c; of all in sums, qr_sums.c ------------------------------------- */

/* What a factorization takes of rank A->me. A may be on paper. */
struct run_needs {
    struct run_tally tally;
    int64_t bytes;          /* beside the matrix and what is read from other ranks */
    size_t slot_bytes;      /* of the largest thing that is read from another rank */
};
/* What QR takes; of A^H where shape_is_transposed(). Local; false: no memory. */
bool qr_needs(const ompfact_matrix *A, ompfact_tree tree, int ib, struct run_needs *needs);

/* All ranks together. Local; false: no memory. */
struct qr_counts {
    int64_t transfers, transfer_bytes;
    int64_t wire_transfers, wire_bytes;     /* of these, those from one node to another */
    double flops_max_over_mean;
    double abe_max_over_mean;       /* of flops over speed, with the speeds of A's shape */
};
/* Told now and then how far a count is, 0 to 1. */
struct watcher {
    void (*look)(void *context, double done);
    void *context;
};
/* nodes: NULL where each rank is one; whose ranks read each other's tiles in place. watcher: or NULL */
bool qr_count(ompfact_matrix *A, ompfact_tree tree, int ib, const struct rma_nodes *nodes, const struct watcher *watcher,
              struct qr_counts *counts);

/* ---- what inverses take: inverse_count.c -------------------------------------------------------------------------------- */

/* Of the inverse alone, made from the factors. */
struct inverse_counts {
    int64_t transfers, transfer_bytes;
    double flops_max_over_mean;     /* of its runs, one after the other: the most loaded rank of each */
    double abe_max_over_mean;       /* that of flops over speed, with the speeds of A's shape */
};
/* Of A = L L^H or A = L U, or of the triangle that a Hermitian A is made of. A may be on paper. Local; false: no memory. */
bool inverse_count(const ompfact_matrix *A, bool triangular, struct inverse_counts *counts);

#endif
