/* Matrices of a shape on paper: with one copy, or in layers of ranks (src/matrix/layers.h), each with a layout of its own. */
#include "src/choose/choose.h"

#include "src/matrix/layers.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- a layer ------------------------------------------------------------------------------------------------------------- */

/* The nodes of so many ranks, which are some of `all`, numbered by the first of their ranks; returns how many there are, 0: no
   memory. */
static int number_nodes(const int *node_of, int ranks, int all, int *numbered)
{
    int nodes = 0, *number = calloc((size_t)all, sizeof *number);      /* 1 + that of each node; 0: it has none yet */
    for (int rank = 0; number != NULL && rank < ranks; rank++) {
        int *of_node = &number[node_of[rank]];
        if (*of_node == 0)
            *of_node = ++nodes;
        numbered[rank] = *of_node - 1;
    }
    free(number);
    return nodes;
}

/* The shape for the ranks of one layer, and what it says of these, freed by the caller. */
struct of_layer {
    ompfact_shape shape;
    const int *rank;
    int ranks;
    int *node_of;               /* numbered, and behind that as the shape has them */
    double *speeds;
};

static void forget_layer(struct of_layer *of)
{
    free(of->node_of);
    free(of->speeds);
}

/* To be forgotten either way. */
static ompfact_status take_layer(const ompfact_shape *shape, const struct roster *roster, int layer, struct of_layer *of,
                                 char message[MESSAGE])
{
    *of = (struct of_layer){ .shape = *shape, .rank = roster->rank + roster->first[layer], .ranks = roster_ranks(roster, layer) };
    size_t ranks = (size_t)of->ranks;
    if (shape->node_of != NULL)
        of->shape.node_of = of->node_of = malloc(2 * ranks * sizeof *of->node_of);
    if (shape->speeds != NULL)
        of->shape.speeds = of->speeds = malloc(ranks * sizeof *of->speeds);
    if ((shape->node_of != NULL && of->node_of == NULL) || (shape->speeds != NULL && of->speeds == NULL))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the nodes and speeds of ranks");
    for (int i = 0; i < of->ranks; i++) {
        if (of->node_of != NULL)
            of->node_of[of->ranks + i] = shape->node_of[of->rank[i]];
        if (of->speeds != NULL)
            of->speeds[i] = shape->speeds[of->rank[i]];
    }
    if (of->node_of != NULL)
        of->shape.nodes = number_nodes(of->node_of + of->ranks, of->ranks, shape->nodes, of->node_of);
    return of->node_of == NULL || of->shape.nodes > 0 ? OMPFACT_SUCCESS
                                                      : fail_with(message, OMPFACT_NO_MEMORY, "no memory for the nodes of ranks");
}

/* By the numbers of all ranks. */
static ompfact_status layer_pattern(const ompfact_shape *shape, const struct roster *roster, int layer, int64_t bytes,
                                    struct pattern **pattern, char message[MESSAGE])
{
    CLEANUP(forget_layer) struct of_layer of;
    *pattern = NULL;
    TRY(take_layer(shape, roster, layer, &of, message));
    TRY(shape_pattern(&of.shape, of.ranks, bytes, pattern, message));
    struct pattern *p = *pattern;
    for (int64_t c = 0; c < (int64_t)p->rows * p->cols; c++)
        p->cell[c] = p->cell[c] == LAYOUT_FREE ? LAYOUT_FREE : of.rank[p->cell[c]];
    p->ranks = roster->ranks;
    return OMPFACT_SUCCESS;
}

ompfact_status shape_choose_for(const ompfact_shape *shape, const ompfact_matrix *A, struct layout_choice *choice,
                                char message[MESSAGE])
{
    if (A->layers == NULL)
        return shape_choose(shape, A->ranks, A->room, choice, message);
    CLEANUP(forget_layer) struct of_layer of;
    TRY(take_layer(shape, &A->layers->roster, 0, &of, message));
    return shape_choose(&of.shape, of.ranks, A->room, choice, message);
}

/* ---- all layers ----------------------------------------------------------------------------------------------------------- */

static ompfact_status check_copies(const ompfact_shape *s, int ranks, char message[MESSAGE])
{
    bool even = s->weights == NULL && s->accuracy == 0 && s->tile_precision == 0;
    bool factored = s->purpose == OMPFACT_FOR_LU;
    if (s->copies < 0 || (s->copies > ranks && s->copies > 1)) {
        snprintf(message, MESSAGE, "%lld copies of a matrix cannot be on %d rank%s: 1 to %d can", (long long)s->copies, ranks,
                 ranks == 1 ? "" : "s", ranks);
        return OMPFACT_BAD_ARGUMENT;
    }
    if (s->copies > 1 && !(even && factored))
        return fail_with(message, OMPFACT_BAD_ARGUMENT,
                         even ? "copies of a matrix are for Cholesky and LU alone"
                              : "copies of a matrix have no weights, accuracy or tile_precision");
    return OMPFACT_SUCCESS;
}

static ompfact_status add_layer(const ompfact_shape *shape, int64_t bytes, ompfact_matrix *A, int l, char message[MESSAGE])
{
    struct pattern *pattern;
    ompfact_matrix *layer;
    ompfact_shape bare = *shape;
    bare.speeds = NULL;
    bare.node_of = NULL;
    TRY(layer_pattern(shape, &A->layers->roster, l, bytes, &pattern, message));
    TRY(matrix_on_paper(&bare, pattern, A->me, &layer, message));
    layers_add(A, l, layer);
    return OMPFACT_SUCCESS;
}

/* The roster becomes the layers'. */
static ompfact_status add_layers(const ompfact_shape *shape, struct roster *roster, int64_t bytes, int me, ompfact_matrix **A,
                                 char message[MESSAGE])
{
    struct pattern *pattern;
    int count = roster->count;
    TRY(layer_pattern(shape, roster, 0, bytes, &pattern, message));
    TRY(matrix_on_paper(shape, pattern, me, A, message));
    if (!layers_create(*A, roster, shape->speeds))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the layers of a matrix in copies");
    for (int l = 1; l < count; l++)
        TRY(add_layer(shape, bytes, *A, l, message));
    return OMPFACT_SUCCESS;
}

/* What there is of A the caller destroys, after an error, too. */
static ompfact_status in_layers(const ompfact_shape *shape, int ranks, int64_t bytes, int me, bool dealt, ompfact_matrix **A,
                                char message[MESSAGE])
{
    CLEANUP(roster_free) struct roster roster;
    *A = NULL;
    if (!roster_create(&roster, ranks, copies_of_shape(shape), shape->node_of, dealt))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the ranks of layers");
    return add_layers(shape, &roster, bytes, me, A, message);
}

/* Where nodes have several ranks *A becomes what sends less between nodes, *A or its ranks dealt to the layers. */
static ompfact_status try_dealt(const ompfact_shape *shape, int64_t bytes, ompfact_matrix **A, char message[MESSAGE])
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *dealt = NULL;
    struct layers_moves in_a_row, in_turn;
    if (shape->node_of == NULL || shape->nodes <= 1 || shape->nodes >= (*A)->ranks || (*A)->mt == 0 || (*A)->nt == 0)
        return OMPFACT_SUCCESS;
    TRY(in_layers(shape, (*A)->ranks, bytes, (*A)->me, true, &dealt, message));
    if (!layers_moved(*A, shape->node_of, shape->nodes, &in_a_row) ||
        !layers_moved(dealt, shape->node_of, shape->nodes, &in_turn))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to count what layers send");
    bool better = in_turn.wire_transfers < in_a_row.wire_transfers;
    if (better) {
        ompfact_matrix *in_order = *A;
        *A = dealt;
        dealt = in_order;
    }
    (*A)->layers->placement = (struct layers_placement){ true, better, in_a_row.wire_transfers, in_turn.wire_transfers };
    return OMPFACT_SUCCESS;
}

ompfact_status shape_on_paper(const ompfact_shape *shape, int ranks, int64_t bytes, int me, ompfact_matrix **A,
                              char message[MESSAGE])
{
    struct pattern *pattern;
    *A = NULL;
    TRY(check_copies(shape, ranks, message));
    if (copies_of_shape(shape) == 1) {
        TRY(shape_pattern(shape, ranks, bytes, &pattern, message));
        return matrix_on_paper(shape, pattern, me, A, message);
    }
    TRY(shape_check_ranks(shape, ranks, message));
    TRY(in_layers(shape, ranks, bytes, me, false, A, message));
    return try_dealt(shape, bytes, A, message);
}
