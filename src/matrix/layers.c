/* Layers: who is in which, which does which step, and their life. */
#include "src/matrix/layers.h"

#include <stdlib.h>

/* Is the next step rather this layer's? The one is to be ahead of the other as it has more ranks. */
static bool is_behind(const struct layers *s, const int *done, int layer, int other)
{
    int64_t ranks = s->first_rank[layer + 1] - s->first_rank[layer], of_other = s->first_rank[other + 1] - s->first_rank[other];
    return (done[layer] + 1) * of_other < (done[other] + 1) * ranks;
}

/* In turn, where layers are equal. done: [count], zero. */
static void deal_steps(struct layers *s, int *done)
{
    for (int l = 0; l < s->count; l++)
        s->first_step[l] = s->steps;
    for (int k = 0; k < s->steps; k++) {
        int next = 0;
        for (int l = 1; l < s->count; l++)
            next = is_behind(s, done, l, next) ? l : next;
        s->of_step[k] = next;
        s->does[(int64_t)next * s->steps + k] = true;
        if (done[next]++ == 0)
            s->first_step[next] = k;
    }
}

bool layers_create(ompfact_matrix *A, int count)
{
    size_t layers = (size_t)count, steps = (size_t)steps_of(A) + 1;
    struct layers *s = A->layers = calloc(1, sizeof *s);
    int *done = calloc(layers, sizeof *done);
    if (s == NULL || done == NULL) {
        free(done);
        return false;
    }
    *s = (struct layers){ .count = count, .steps = steps_of(A), .of_step = calloc(steps, sizeof *s->of_step),
                          .first_step = calloc(layers, sizeof *s->first_step),
                          .first_rank = calloc(layers + 1, sizeof *s->first_rank), .does = calloc(layers * steps, 1),
                          .layer = calloc(layers, sizeof *s->layer) };
    bool made = s->of_step != NULL && s->first_step != NULL && s->first_rank != NULL && s->does != NULL && s->layer != NULL;
    if (made) {
        for (int l = 0; l <= count; l++)
            s->first_rank[l] = ranks_before_layer(A->ranks, count, l);
        deal_steps(s, done);
        s->layer[0] = A;
    }
    free(done);
    return made;
}

void layers_add(ompfact_matrix *A, int layer, ompfact_matrix *of_layer)
{
    of_layer->layers = A->layers;
    of_layer->layer = layer;
    A->layers->layer[layer] = of_layer;
}

void layers_destroy(ompfact_matrix *A)
{
    struct layers *s = A->layers;
    if (s == NULL || A->layer > 0)
        return;
    for (int l = 1; s->layer != NULL && l < s->count; l++)
        ompfact_matrix_destroy(&s->layer[l]);
    free(s->of_step);
    free(s->first_step);
    free(s->first_rank);
    free(s->does);
    free(s->layer);
    free(s);
    A->layers = NULL;
}

void layers_settle(ompfact_matrix *A)
{
    if (A->layers != NULL)
        rma_space_repeats(A->space, A->nt);
    for (int l = 1; l < layers_count(A); l++) {
        ompfact_matrix *layer = A->layers->layer[l];
        layer->grid = A->grid;
        layer->space = A->space;
        layer->first_byte = A->first_byte;
        layer->first_id = A->first_id + l * (int64_t)A->mt * A->nt;
    }
}

ompfact_matrix *layer_of_rank(const ompfact_matrix *A, int rank)
{
    const struct layers *s = A->layers;
    if (s == NULL)
        return (ompfact_matrix *)A;
    int l = s->count - 1;
    while (l > 0 && rank < s->first_rank[l])
        l--;
    return s->layer[l];
}

int layers_that_add(const struct layers *s, int k)
{
    int count = 0;
    for (int l = 0; l < s->count; l++)
        count += l != s->of_step[k] && layer_holds(s, l, k);
    return count;
}

int64_t layers_tiles_away(const ompfact_matrix *A)
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
        sums += tiles_of_step(A, k) * layers_that_add(A->layers, k);
    return sums;
}
