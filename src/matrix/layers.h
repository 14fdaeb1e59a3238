/*
 * A matrix in copies: layers of ranks. Each layer has a layout of all tiles over its ranks, and does some steps of a
 * factorization (src/factor/layer_sums.c). The first layer is the matrix that callers see; the others are separate matrices in
 * its window.
 *
 * Factors are spread, each tile on the layer that did its step, until a call moves them to the first layer
 * (ompfact_bring_home(), src/move/redistribute.c). factor_at() is the only place that determines where a tile of the factors
 * is.
 */
#ifndef OMPFACT_SRC_MATRIX_LAYERS_H
#define OMPFACT_SRC_MATRIX_LAYERS_H

#include "src/matrix/matrix.h"

/* The ranks of each layer. */
struct roster {
    int count, ranks;           /* number of layers, and of all their ranks */
    int *first, *rank;          /* [count + 1], [ranks]: the ranks of layer l are rank[first[l]] .. rank[first[l + 1] - 1] */
    int *layer, *place;         /* [ranks]: layer of each rank, and its number there */
};

/*
 * Divides the ranks, node by node if node_of is not NULL, into `count` layers; the first layers get one more rank if the
 * numbers cannot be equal. Each layer gets consecutive ranks, so that a layer is on few nodes. dealt: layers get ranks in
 * turn, so that tiles that are added up are on few nodes. False: no memory; roster_free must follow either way.
 */
bool roster_create(struct roster *roster, int ranks, int count, const int *node_of, bool dealt);
void roster_free(struct roster *roster);
static inline int roster_ranks(const struct roster *roster, int layer)
{
    return roster->first[layer + 1] - roster->first[layer];
}

/* Of layers on nodes with several ranks: whether these are dealt, and what either way sends between nodes. */
struct layers_placement {
    bool compared, dealt;
    int64_t in_a_row, in_turn;
};

struct layers {
    int count, steps;
    struct layers_placement placement;
    struct roster roster;
    int *of_step;               /* [steps]: the layer that does the step */
    int *first_step;            /* [count]: first step of each layer; steps: none */
    bool *does;                 /* [count][steps]: whether the layer does the step */
    ompfact_matrix **layer;     /* [count]: the layers */
};

/* The number of copies in a shape. */
static inline int copies_of_shape(const ompfact_shape *shape)
{
    return shape->copies > 1 ? (int)shape->copies : 1;
}

/* On paper: A becomes the first layer, and takes over the roster. Each layer does its share of the steps: in proportion to its
   number of ranks or, if speeds is not NULL, to the sum of their speeds. Local; false: no memory. */
bool layers_create(ompfact_matrix *A, struct roster *roster, const double *speeds);
/* On paper: gives A as many layers of as many ranks, which do the steps that A has as those of a matrix that is no smaller. */
bool layers_create_like(ompfact_matrix *A, const struct layers *other);
/* Adds a layer, which A owns from then on. */
void layers_add(ompfact_matrix *A, int layer, ompfact_matrix *of_layer);
/* Makes A's window that of the layers. Their flags are behind A's. */
void layers_settle(ompfact_matrix *A);

static inline int layers_count(const ompfact_matrix *A)
{
    return A->layers != NULL ? A->layers->count : 1;
}
static inline ompfact_matrix *layer_of(const ompfact_matrix *A, int layer)
{
    return A->layers != NULL ? A->layers->layer[layer] : (ompfact_matrix *)A;
}
/* layer_of_rank: the layer with this rank's tiles. my_layer: that of the calling rank. */
static inline ompfact_matrix *layer_of_rank(const ompfact_matrix *A, int rank)
{
    return A->layers != NULL ? A->layers->layer[A->layers->roster.layer[rank]] : (ompfact_matrix *)A;
}
static inline ompfact_matrix *my_layer(const ompfact_matrix *A)
{
    return layer_of_rank(A, A->me);
}
/* Whether a layer has a part of the tiles of step k before this step: the first layer has A, the others the updates of their
   earlier steps. */
static inline bool layer_holds(const struct layers *layers, int layer, int k)
{
    return layer == 0 || layers->first_step[layer] < k;
}
/* The number of tiles that become final in step k. */
static inline int64_t tiles_of_step(const ompfact_matrix *A, int k)
{
    return A->mt - k + (stores_triangle(&A->shape) ? 0 : A->nt - k - 1);
}
/* layers_sums: the number of tiles that are added up in all steps. layers_tiles_elsewhere: the number of tiles whose steps
   other layers than the first do. */
int64_t layers_sums(const ompfact_matrix *A);
int64_t layers_tiles_elsewhere(const ompfact_matrix *A);

/* ---- places of elements and factors ---------------------------------------------------------------------------------------- */

/* The step in which a tile becomes final. */
static inline int step_of(int i, int j)
{
    return i < j ? i : j;
}
static inline bool is_spread(const ompfact_matrix *A)
{
    return A->layers != NULL && A->layers->layer[0]->spread;
}
/* The matrix that has tile (i,j): the first layer or, if factors are spread, the layer that did the step. */
static inline ompfact_matrix *factor_at(const ompfact_matrix *A, int i, int j)
{
    const struct layers *s = A->layers;
    return s == NULL ? (ompfact_matrix *)A : s->layer[is_spread(A) ? s->of_step[step_of(i, j)] : 0];
}
static inline struct operand fetch_factor(const ompfact_matrix *A, int i, int j)
{
    return fetch(factor_at(A, i, j), i, j);
}
/* matrix_here: the layer in which this rank has tiles of the matrix. is_here: whether tile (i,j) of this rank in it is a tile
   of the matrix. */
static inline ompfact_matrix *matrix_here(const ompfact_matrix *A)
{
    return is_spread(A) ? my_layer(A) : (ompfact_matrix *)A;
}
static inline bool is_here(const ompfact_matrix *here, int i, int j)
{
    return factor_at(here, i, j) == here;
}

#endif
