/* Layers: their ranks, their steps, their creation. */
#include "src/matrix/layers.h"

#include "layouts/unequal/plan.h"

#include <stdlib.h>
#include <string.h>

/* Orders all ranks by nodes. False: no memory. */
static bool order_ranks(int ranks, const int *node_of, int *order)
{
    int nodes = 1;
    for (int rank = 0; node_of != NULL && rank < ranks; rank++)
        nodes = node_of[rank] >= nodes ? node_of[rank] + 1 : nodes;
    int *next = calloc((size_t)nodes + 1, sizeof *next);        /* of each node: the place of its next rank */
    if (next == NULL)
        return false;
    for (int rank = 0; node_of != NULL && rank < ranks; rank++)
        next[node_of[rank] + 1]++;
    for (int node = 1; node < nodes; node++)
        next[node] += next[node - 1];
    for (int rank = 0; rank < ranks; rank++)
        order[next[node_of != NULL ? node_of[rank] : 0]++] = rank;
    free(next);
    return true;
}

/* All lists are in one piece of memory, which begins with `first`. */
static size_t roster_numbers(const struct roster *r)
{
    return (size_t)r->count + 1 + 3 * (size_t)r->ranks;
}

static bool roster_allocate(struct roster *r, int ranks, int count)
{
    *r = (struct roster){ .count = count, .ranks = ranks };
    r->first = calloc(roster_numbers(r), sizeof *r->first);
    if (r->first == NULL)
        return false;
    r->rank = r->first + count + 1;
    r->layer = r->rank + ranks;
    r->place = r->layer + ranks;
    return true;
}

static bool roster_copy(const struct roster *from, struct roster *r)
{
    bool made = roster_allocate(r, from->ranks, from->count);
    if (made)
        memcpy(r->first, from->first, roster_numbers(from) * sizeof *r->first);
    return made;
}

bool roster_create(struct roster *r, int ranks, int count, const int *node_of, bool dealt)
{
    CLEANUP(free_at) int *order = calloc((size_t)ranks, sizeof *order);
    bool made = roster_allocate(r, ranks, count) && order != NULL && order_ranks(ranks, node_of, order);
    for (int l = 0; made && l < count; l++) {
        int size = ranks / count + (l < ranks % count), first = r->first[l];
        for (int i = 0; i < size; i++) {
            int rank = r->rank[first + i] = order[dealt ? l + i * count : first + i];
            r->layer[rank] = l;
            r->place[rank] = i;
        }
        r->first[l + 1] = first + size;
    }
    return made;
}

void roster_free(struct roster *r)
{
    free(r->first);
    *r = (struct roster){ 0 };
}

/* Deals the steps in turn if layers have equal shares. done: [count], zero. */
static void deal_steps(struct layers *s, const double *share, int *done)
{
    for (int l = 0; l < s->count; l++)
        s->first_step[l] = s->steps;
    for (int k = 0; k < s->steps; k++) {
        int next = s->of_step[k] = deal_next(share, NULL, s->count, done);
        s->does[(int64_t)next * s->steps + k] = true;
        if (done[next] == 1)
            s->first_step[next] = k;
    }
}

static void add_up_speeds(const struct roster *r, const double *speeds, double *share)
{
    for (int l = 0; l < r->count; l++)
        for (int i = r->first[l]; i < r->first[l + 1]; i++)
            share[l] += speeds != NULL ? speeds[r->rank[i]] : 1;
}

/* Without steps dealt. False: no memory; what there is A destroys. */
static bool allocate(ompfact_matrix *A, struct roster *roster)
{
    size_t layers = (size_t)roster->count, steps = (size_t)steps_of(A) + 1;
    struct layers *s = A->layers = calloc(1, sizeof *s);
    if (s == NULL)
        return false;
    *s = (struct layers){ .count = roster->count, .steps = steps_of(A), .roster = *roster,
                          .of_step = calloc(steps, sizeof *s->of_step), .first_step = calloc(layers, sizeof *s->first_step),
                          .does = calloc(layers * steps, 1), .layer = calloc(layers, sizeof *s->layer) };
    *roster = (struct roster){ 0 };
    if (s->of_step == NULL || s->first_step == NULL || s->does == NULL || s->layer == NULL)
        return false;
    s->layer[0] = A;
    return true;
}

bool layers_create(ompfact_matrix *A, struct roster *roster, const double *speeds)
{
    size_t layers = (size_t)roster->count;
    CLEANUP(free_at) int *done = calloc(layers, sizeof *done);
    CLEANUP(free_at) double *share = calloc(layers, sizeof *share);
    if (done == NULL || share == NULL || !allocate(A, roster))
        return false;
    add_up_speeds(&A->layers->roster, speeds, share);
    deal_steps(A->layers, share, done);
    return true;
}

bool layers_create_like(ompfact_matrix *A, const struct layers *other)
{
    struct roster roster;
    bool made = roster_copy(&other->roster, &roster) && allocate(A, &roster);
    roster_free(&roster);
    for (int l = 0; made && l < other->count; l++) {
        struct layers *s = A->layers;
        s->first_step[l] = other->first_step[l] < s->steps ? other->first_step[l] : s->steps;
        for (int k = 0; k < s->steps; k++) {
            s->of_step[k] = other->of_step[k];
            s->does[(int64_t)l * s->steps + k] = other->does[(int64_t)l * other->steps + k];
        }
    }
    return made;
}

void layers_add(ompfact_matrix *A, int layer, ompfact_matrix *of_layer)
{
    of_layer->layers = A->layers;
    of_layer->layer = layer;
    A->layers->layer[layer] = of_layer;
}

void layers_settle(ompfact_matrix *A)
{
    if (A->layers != NULL)
        rma_space_repeats(A->space, A->nt);
    for (int l = 1; l < layers_count(A); l++) {
        ompfact_matrix *layer = A->layers->layer[l];
        layer->grid = A->grid;
        grid_hold(A->grid);
        layer->space = A->space;
        layer->first_byte = A->first_byte;
        layer->first_id = A->first_id + l * (int64_t)A->mt * A->nt;
    }
}

int64_t layers_tiles_elsewhere(const ompfact_matrix *A)
{
    int64_t tiles = 0;
    for (int k = 0; A->layers != NULL && k < A->layers->steps; k++)
        tiles += A->layers->of_step[k] == 0 ? 0 : tiles_of_step(A, k);
    return tiles;
}

int64_t layers_sums(const ompfact_matrix *A)
{
    int64_t sums = 0;
    for (int k = 0; A->layers != NULL && k < A->layers->steps; k++)
        for (int l = 0; l < A->layers->count; l++)
            sums += l != A->layers->of_step[k] && layer_holds(A->layers, l, k) ? tiles_of_step(A, k) : 0;
    return sums;
}
