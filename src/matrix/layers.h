/*
 * A matrix in copies: layers of ranks, one behind another, each of which has a layout of all tiles on its own ranks and does some
 * steps of a factorization (src/factor/layer_sums.c). The first layer is the matrix itself, as its callers know it; the others
 * are matrices of their own in its window.
 *
 * Factors are spread, each tile on the layer that did its step, until a call brings them home to the first one
 * (ompfact_bring_home(), src/move/redistribute.c). factor_at() is the one place that says where a tile of them is.
 */
#ifndef OMPFACT_SRC_MATRIX_LAYERS_H
#define OMPFACT_SRC_MATRIX_LAYERS_H

#include "src/matrix/matrix.h"

/* Who is on which layer. */
struct roster {
    int count, ranks;           /* layers, and ranks of all of them */
    int *first, *rank;          /* [count + 1], [ranks]: those of layer l are rank[first[l]] .. rank[first[l + 1] - 1] */
    int *layer, *place;         /* [ranks]: of each rank its layer, and its number there */
};

/*
 * The ranks in their order, node by node where node_of is not NULL, fall into so many layers: the first layers get one more where
 * not all can have as many. Each gets so many in a row, so that it is on few nodes; or, dealt, in turn with the others, so that
 * what is added up is on few nodes. False: no memory; forget either way.
 */
bool roster_create(struct roster *roster, int ranks, int count, const int *node_of, bool dealt);
void roster_free(struct roster *roster);
static inline int roster_ranks(const struct roster *roster, int layer)
{
    return roster->first[layer + 1] - roster->first[layer];
}

struct layers {
    int count, steps;
    struct roster roster;
    int *of_step;               /* [steps]: the layer that does it */
    int *first_step;            /* [count]: that each does; steps: it does none */
    bool *does;                 /* [count][steps] */
    ompfact_matrix **layer;     /* [count] */
};

/* Of a shape. */
static inline int copies_of_shape(const ompfact_shape *shape)
{
    return shape->copies > 1 ? (int)shape->copies : 1;
}

/* On paper: A becomes the first of the layers of a roster, which becomes theirs. Each does its share of the steps: by its ranks
   or, if speeds is not NULL, by their sum. Local; false: no memory. */
bool layers_create(ompfact_matrix *A, struct roster *roster, const double *speeds);
/* And this one another, which is A's from then on. */
void layers_add(ompfact_matrix *A, int layer, ompfact_matrix *of_layer);
/* With A. */
void layers_destroy(ompfact_matrix *A);
/* What A's window has become the layers' too, whose tiles have their flags behind A's. */
void layers_settle(ompfact_matrix *A);

static inline int layers_count(const ompfact_matrix *A)
{
    return A->layers != NULL ? A->layers->count : 1;
}
static inline ompfact_matrix *layer_of(const ompfact_matrix *A, int layer)
{
    return A->layers != NULL ? A->layers->layer[layer] : (ompfact_matrix *)A;
}
/* Where this rank's tiles are, and any rank's. */
static inline ompfact_matrix *layer_of_rank(const ompfact_matrix *A, int rank)
{
    return A->layers != NULL ? A->layers->layer[A->layers->roster.layer[rank]] : (ompfact_matrix *)A;
}
static inline ompfact_matrix *my_layer(const ompfact_matrix *A)
{
    return layer_of_rank(A, A->me);
}
/* Whether a layer has something of the tiles of step k before it: the first one A, the others the updates of earlier steps. */
static inline bool layer_holds(const struct layers *layers, int layer, int k)
{
    return layer == 0 || layers->first_step[layer] < k;
}
/* How many have to hand it over to the one that does the step. */
int layers_that_add(const struct layers *layers, int k);
/* Tiles that become final in step k. */
static inline int64_t tiles_of_step(const ompfact_matrix *A, int k)
{
    return A->mt - k + (stores_triangle(&A->shape) ? 0 : A->nt - k - 1);
}
/* Tiles that are added up in all steps, and those of steps of other layers than the first one. */
int64_t layers_sums(const ompfact_matrix *A);
int64_t layers_tiles_away(const ompfact_matrix *A);

/* ---- where elements, or factors, are --------------------------------------------------------------------------------------- */

/* In which a tile becomes final. */
static inline int step_of(int i, int j)
{
    return i < j ? i : j;
}
static inline bool is_spread(const ompfact_matrix *A)
{
    return A->layers != NULL && A->layers->layer[0]->spread;
}
/* Whose tile (i,j) it is: the first layer's, of factors that are spread the one's that did the step. */
static inline ompfact_matrix *factor_at(const ompfact_matrix *A, int i, int j)
{
    const struct layers *s = A->layers;
    return s == NULL ? (ompfact_matrix *)A : s->layer[is_spread(A) ? s->of_step[step_of(i, j)] : 0];
}
static inline struct operand fetch_factor(const ompfact_matrix *A, int i, int j)
{
    return fetch(factor_at(A, i, j), i, j);
}
/* Among whose tiles this rank has some of them, and whether (i,j), one of this rank's there, is one of them. */
static inline ompfact_matrix *matrix_here(const ompfact_matrix *A)
{
    return is_spread(A) ? my_layer(A) : (ompfact_matrix *)A;
}
static inline bool is_here(const ompfact_matrix *here, int i, int j)
{
    return factor_at(here, i, j) == here;
}

#endif
