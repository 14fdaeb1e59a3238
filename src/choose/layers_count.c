/* Counts for the layers of a matrix in copies, whose work src/factor/layer_sums.c describes; one copy is one layer. */
#include "src/choose/choose.h"

#include "src/matrix/layers.h"

#include <math.h>
#include <stdlib.h>

static enum layout_algorithm algorithm_for(const ompfact_matrix *A)
{
    return stores_triangle(&A->shape) ? LAYOUT_CHOLESKY : LAYOUT_LU;
}

/* The steps of the layer; NULL: all. */
static const bool *steps_of_layer(const ompfact_matrix *A, int l)
{
    return A->layers != NULL ? A->layers->does + (int64_t)l * A->layers->steps : NULL;
}

/* ---- tiles and work -------------------------------------------------------------------------------------------------------- */

int64_t tiles_of_rank(const ompfact_matrix *A, int rank)
{
    return layout_tiles(layer_of_rank(A, rank)->layout, rank);
}

int fullest_rank(const ompfact_matrix *A)
{
    int fullest = 0;
    for (int rank = 1; rank < A->ranks; rank++)
        if (tiles_of_rank(A, rank) > tiles_of_rank(A, fullest))
            fullest = rank;
    return fullest;
}

void work_of_ranks(const ompfact_matrix *A, int64_t *work)
{
    for (int rank = 0; rank < A->ranks; rank++)
        work[rank] = 0;
    for (int l = 0; l < layers_count(A); l++)
        layout_add_work_in(layer_of(A, l)->layout, algorithm_for(A), steps_of_layer(A, l), work);
}

void find_balance(const int64_t *work, const double *speeds, int ranks, double *of_work, double *of_time)
{
    double all = 0, together = 0, most = 0, longest = 0;
    for (int rank = 0; rank < ranks; rank++) {
        double here = (double)work[rank], speed = speeds != NULL ? speeds[rank] : 1;
        most = fmax(most, here);
        longest = fmax(longest, here / speed);
        all += here;
        together += speed;
    }
    *of_work = all > 0 ? most * ranks / all : 1;
    *of_time = longest * together / all;
}

bool layers_sum_up(const ompfact_matrix *A, const double *speeds, ompfact_layout_counts *counts)
{
    struct layers_moves moves;
    CLEANUP(free_at) int64_t *work = calloc((size_t)A->ranks, sizeof *work);
    if (work == NULL || !layers_moved(A, NULL, A->ranks, &moves))
        return false;
    work_of_ranks(A, work);
    find_balance(work, speeds, A->ranks, &counts->flops_max_over_mean, &counts->abe_max_over_mean);
    int fullest = fullest_rank(A);
    counts->transfers = moves.transfers;
    counts->tiles_max = counts->tiles_min = tiles_of_rank(A, fullest);
    counts->bytes_max = matrix_bytes(layer_of_rank(A, fullest), fullest);
    for (int rank = 0; rank < A->ranks; rank++)
        if (tiles_of_rank(A, rank) < counts->tiles_min)
            counts->tiles_min = tiles_of_rank(A, rank);
    return true;
}

/* ---- transfers ------------------------------------------------------------------------------------------------------------- */

/* Visits each tile that is sent to be added: its size, its sender and its receiver. */
typedef void visit_sum(void *context, int64_t elements, int from, int to);

static void visit_tile(const ompfact_matrix *A, int i, int j, visit_sum *visit, void *context)
{
    const struct layers *s = A->layers;
    int k = i < j ? i : j, adds = s->of_step[k], to = layout_owner(s->layer[adds]->layout, i, j);
    int64_t elements = (int64_t)tiling_size(&A->rows, i) * tiling_size(&A->cols, j);
    for (int l = 0; l < s->count; l++)
        if (l != adds && layer_holds(s, l, k))
            visit(context, elements, layout_owner(s->layer[l]->layout, i, j), to);
}

static void visit_sums(const ompfact_matrix *A, visit_sum *visit, void *context)
{
    for (int k = 0; A->layers != NULL && k < steps_of(A); k++) {
        for (int i = k; i < A->mt; i++)
            visit_tile(A, i, k, visit, context);
        for (int j = k + 1; j < A->nt && !stores_triangle(&A->shape); j++)
            visit_tile(A, k, j, visit, context);
    }
}

struct counting {
    const int *node_of;
    struct layers_moves moves;
};

static void count_sum(void *context, int64_t elements, int from, int to)
{
    struct counting *c = context;
    bool crosses = c->node_of == NULL || c->node_of[from] != c->node_of[to];
    c->moves.transfers++;
    c->moves.elements += elements;
    c->moves.wire_transfers += crosses;
    c->moves.wire_elements += crosses ? elements : 0;
}

/* Transfers of a layer's final tiles to their readers. -1: no memory. */
static int64_t sent_by_layer(const ompfact_matrix *A, int l, const struct layout *layout, bool sized)
{
    CLEANUP(free_at) int *heights = tiling_sizes(&A->rows), *widths = tiling_sizes(&A->cols);
    return heights == NULL || widths == NULL ? -1 : layout_transferred_in(layout, algorithm_for(A), sized ? heights : NULL,
                                                                          sized ? widths : NULL, steps_of_layer(A, l));
}

/* Counts for one layer, between ranks, or between nodes with a layout of nodes. False: no memory. */
static bool add_layer(const ompfact_matrix *A, int l, const struct layout *layout, int64_t *tiles, int64_t *elements)
{
    int64_t sent = sent_by_layer(A, l, layout, false), all = sent_by_layer(A, l, layout, true);
    *tiles += sent;
    *elements += all;
    return sent >= 0 && all >= 0;
}

bool layers_moved(const ompfact_matrix *A, const int *node_of, int nodes, struct layers_moves *moves)
{
    struct counting c = { .node_of = node_of };
    bool counted = true;
    visit_sums(A, count_sum, &c);
    for (int l = 0; l < layers_count(A) && counted; l++) {
        const struct layout *layout = layer_of(A, l)->layout;
        struct layout *of_nodes = NULL;
        char unread[LAYOUT_TEXT];
        counted = add_layer(A, l, layout, &c.moves.transfers, &c.moves.elements);
        if (node_of != NULL)
            counted &= layout_of_nodes(layout, node_of, nodes, &of_nodes, unread) == 0 &&
                       add_layer(A, l, of_nodes, &c.moves.wire_transfers, &c.moves.wire_elements);
        layout_destroy(&of_nodes);
    }
    *moves = c.moves;
    return counted;
}

struct loading {
    const int *node_of;
    struct layout_links *links;
};

static void load_sum(void *context, int64_t elements, int from, int to)
{
    const struct loading *l = context;
    if (l->node_of[from] == l->node_of[to])
        return;
    l->links->sent[l->node_of[from]] += elements;
    l->links->received[l->node_of[to]] += elements;
}

bool links_of_nodes(const ompfact_matrix *A, const int *node_of, int nodes, struct layout_links *links)
{
    CLEANUP(free_at) int *heights = tiling_sizes(&A->rows), *widths = tiling_sizes(&A->cols);
    bool loaded = heights != NULL && widths != NULL;
    visit_sums(A, load_sum, &(struct loading){ node_of, links });
    for (int l = 0; l < layers_count(A) && loaded; l++) {
        struct layout *of_nodes = NULL;
        char unread[LAYOUT_TEXT];
        loaded = layout_of_nodes(layer_of(A, l)->layout, node_of, nodes, &of_nodes, unread) == 0 &&
                 layout_load_links(of_nodes, algorithm_for(A), heights, widths, steps_of_layer(A, l), links) == 0;
        layout_destroy(&of_nodes);
    }
    return loaded;
}
