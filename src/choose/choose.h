/* Chooses the layout and the tile sizes of a matrix: those that its shape gives, or the best. */
#ifndef OMPFACT_SRC_CHOOSE_CHOOSE_H
#define OMPFACT_SRC_CHOOSE_CHOOSE_H

#include "src/factor/factor.h"
#include "src/machine/tile_size.h"

/* ---- the layout of a shape: shape_layout.c ------------------------------------------------------------------------------ */

/* Makes the pattern of the shape for one copy; matrix_on_paper takes the pattern. bytes: memory of a rank, which "auto" respects;
   0: not known. Local. */
ompfact_status shape_pattern(const ompfact_shape *shape, int ranks, int64_t bytes, struct pattern **pattern,
                             char message[MESSAGE]);
/* Makes the matrix on paper, as rank `me` sees it, with all its layers. Transfers between nodes decide which rank belongs to
   which layer. The caller destroys A, after an error, too. Local. shape_layers.c */
ompfact_status shape_on_paper(const ompfact_shape *shape, int ranks, int64_t bytes, int me, ompfact_matrix **A,
                              char message[MESSAGE]);
/* Checks that nodes and speeds, if there are any, are those of so many ranks. */
ompfact_status shape_check_ranks(const ompfact_shape *shape, int ranks, char message[MESSAGE]);
/* Converts a return value of layouts/. */
ompfact_status status_of_layout(int code);
bool shape_is_auto(const ompfact_shape *shape);
/* For a shape with weights, sets *max_over_mean to the largest weight of a rank over the mean. False: no memory. */
bool shape_weigh(const ompfact_shape *shape, const struct layout *layout, double *max_over_mean);
/* Finds the candidates of "auto". */
ompfact_status shape_choose(const ompfact_shape *shape, int ranks, int64_t bytes, struct layout_choice *choice,
                            char message[MESSAGE]);
/* The same for A's shape; for a matrix in copies, for the ranks of the first layer. shape_layers.c */
ompfact_status shape_choose_for(const ompfact_shape *shape, const ompfact_matrix *A, struct layout_choice *choice,
                                char message[MESSAGE]);
/* Finds whether slightly fewer ranks would send much less; otherwise fewer->ranks is 0. choice: the result of shape_choose() for
   these ranks. */
ompfact_status shape_choose_fewer(const ompfact_shape *shape, int ranks, int64_t bytes, const struct layout_choice *choice,
                                  struct layout_fewer *fewer, char message[MESSAGE]);
/* Returns how a layout of the "1d1d" family is made; the caller destroys the plan. The shape's speeds have been checked. */
struct plan;
ompfact_status shape_plan(const ompfact_shape *shape, const char *layout, int ranks, struct plan **plan, char message[MESSAGE]);
/* Transfers of all layers together, in tiles and elements. Local: layers_count.c */
struct layers_moves {
    int64_t transfers, elements, wire_transfers, wire_elements;
};
/* nodes: the number of nodes of all ranks. False: no memory. */
bool layers_moved(const ompfact_matrix *A, const int *node_of, int nodes, struct layers_moves *moves);
/* Sets the members of a summary that layers change: tiles, their bytes, transfers and balance. False: no memory. */
bool layers_sum_up(const ompfact_matrix *A, const double *speeds, ompfact_layout_counts *counts);
/* The rank of any layer that holds most tiles; the memory forecast is for this rank. */
int fullest_rank(const ompfact_matrix *A);
/* The largest work of a rank over the mean, and the same for time, which is work over speed. speeds: NULL if equal. Without
   work 1 and NAN. */
void find_balance(const int64_t *work, const double *speeds, int ranks, double *of_work, double *of_time);
/* The work of each rank, in nb^3 / 3, also for one copy, and its tiles. */
void work_of_ranks(const ompfact_matrix *A, int64_t *work);
int64_t tiles_of_rank(const ompfact_matrix *A, int rank);
/* Adds the data that each node sends and receives: [nodes]. False: no memory. */
bool links_of_nodes(const ompfact_matrix *A, const int *node_of, int nodes, struct layout_links *links);
/* Counts the layout of A, which may be on paper, for Cholesky or LU. Local: layout_count.c */
ompfact_status layout_counts(const ompfact_matrix *A, const double *speeds, ompfact_layout_counts *counts, char message[MESSAGE]);

/* ---- the tile size of a shape: shape_tiles.c ---------------------------------------------------------------------------- */

/* The nb that the shape gives; 0: the library chooses it. */
int shape_nb(const ompfact_shape *shape);
/* Checks that the library can choose nb: not for a shape with weights. */
ompfact_status shape_check_choice(const ompfact_shape *shape, char message[MESSAGE]);
/* The data that the choice depends on. */
struct tile_question shape_question(const ompfact_shape *shape, ompfact_pivot pivot, int ranks, int threads, int ranks_on_node);
/* Local, for so many ranks that each have all cores of such a machine. */
ompfact_status shape_guess_nb(const ompfact_shape *shape, int ranks, int *nb, char message[MESSAGE]);

/* Sets the tile sizes of a shape with a cut and a tile size; the caller frees them, also after an error. Local. shape_cut.c */
struct cut_sizes {
    int *heights, *widths;          /* NULL: not needed */
};
ompfact_status shape_cut(ompfact_shape *shape, struct cut_sizes *own, char message[MESSAGE]);
void cut_sizes_forget(struct cut_sizes *own);

/* ---- critical path bounds that a layout leaves open: step_bounds.c ------------------------------------------------------ */

/* Whether the layout is "1d1d-c" or "1d1d-cs" without bounds. */
bool shape_leaves_bounds(const ompfact_shape *shape);
enum { BOUNDED_LAYOUT = 120 };
/* If --tune measured the first rank's machine, sets the shape's layout to this layout, which must live as long. Collective; the
   result is the same on every rank for equal shapes. */
ompfact_status shape_choose_bounds(ompfact_grid *grid, ompfact_shape *shape, char layout[BOUNDED_LAYOUT]);

/* ---- what a shape leaves open: create.c --------------------------------------------------------------------------------- */

/* Checks that the shape is the same on every rank, and sets its tile size and largest rank. Collective. */
ompfact_status shape_complete(ompfact_grid *grid, const ompfact_shape *shape, ompfact_shape *tiled);

/* ---- what QR takes: of a rank from its loops, qr_count.c; of all in sums, qr_sums.c ------------------------------------- */

/* Needs of a factorization on rank A->me. A may be on paper. */
struct run_needs {
    struct run_tally tally;
    int64_t bytes;          /* without the matrix and without tiles that the rank reads from others */
    size_t slot_bytes;      /* of the largest object that the rank reads from another rank */
};
/* Needs of QR; of A^H if shape_is_transposed(). Local; false: no memory. */
bool qr_needs(const ompfact_matrix *A, ompfact_tree tree, int ib, struct run_needs *needs);

/* Counts for all ranks together. */
struct task_counts {
    int64_t transfers, transfer_bytes;
    int64_t wire_transfers, wire_bytes;     /* those of the transfers that go between nodes; -1: not counted */
    double flops_max_over_mean;     /* sum over all runs of the most loaded rank of each, over the mean */
    double abe_max_over_mean;       /* the same for flops over speed, with the speeds of A's shape */
};
/* A function that receives the progress of a count, 0 to 1. */
struct watcher {
    void (*look)(void *context, double done);
    void *context;
};
/* nodes: NULL if each rank is a node; ranks of a node read each other's tiles in place. watcher: may be NULL. Local; false: no
   memory. */
bool qr_count(ompfact_matrix *A, ompfact_tree tree, int ib, const struct rma_nodes *nodes, const struct watcher *watcher,
              struct task_counts *counts);

/* ---- what inverses take: inverse_count.c -------------------------------------------------------------------------------- */

/* Of the inverse alone, from the factors A = L L^H or A = L U, or the triangle of a Hermitian A. A may be on paper. Local;
   false: no memory. */
bool inverse_count(const ompfact_matrix *A, bool triangular, struct task_counts *counts);

#endif
