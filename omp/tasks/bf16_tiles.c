#include "omp/tasks/bf16_tiles.h"
#include "omp/kernels/bf16.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/workspace.h"
#include "omp/tasks/task_places.h"

#include <string.h>

bool open_bf16(struct task *t, const struct task_tile *C)
{
    if (rank_of(C) != TILE_BF16)
        return true;
    const struct precision *bf16 = bf16_of(t->precision);
    size_t bytes = numbers_in(C) * bf16->size;
    char *copy = workspace_take(bytes);
    if (copy == NULL) {
        task_no_memory(t);
        return false;
    }
    memcpy(copy, C->data, bytes);
    bool widened = tile_widens(t, C, IN_SINGLE);
    if (widened)
        tile_in_precision(false, C->mb, C->nb, bf16, copy, single_of(t), C->data);
    workspace_give(copy);
    return widened;
}

void close_bf16(struct task *t, const struct task_tile *B, int m, int n, double triangle)
{
    struct tile_form *form = B->traits.form;
    if (form->filled != IN_BF16 || form->rank != TILE_SINGLE)
        return;
    const struct precision *bf16 = bf16_of(t->precision);
    size_t bytes = numbers_in(B) * bf16->size;
    struct bf16_rounded kept = bf16_measure(bytes / bf16_precision.size, (const float *)B->data);
    double change = kept.change * triangle, rounded = change * change;
    if (!(rounded <= form->how->roundings - form->rounded))
        return;
    char *copy = workspace_take(bytes);
    if (copy == NULL) {
        task_no_memory(t);
        return;
    }
    tile_in_precision(B->traits.packed, m, n, single_of(t), B->data, bf16, copy);
    memcpy(B->data, copy, bytes);
    form->rank = TILE_BF16;
    form->rounded += rounded;
    atomic_store_explicit(&form->norm, kept.norm, memory_order_relaxed);
    workspace_give(copy);
}

bool may_multiply_bf16(const struct task *t)
{
    for (int i = 0; i < t->count - 1; i++)
        if (rank_of(&t->tile[i]) != TILE_BF16 || !t->tile[i].traits.packed)
            return false;
    return bf16_multiplies();
}

void multiply_bf16(const struct task *t, char *C)
{
    const struct task_tile *a = &t->tile[0], *b = &t->tile[1], *c = &t->tile[t->count - 1];
    const struct task_arguments *with = &t->with;
    if (t->count == 2)
        bf16_herk(single_of(t), with->uplo, c->nb, with->k, with->alpha, a->data, C, c->mb);
    else
        bf16_gemm(single_of(t), c->mb, c->nb, with->k, with->alpha, a->data, b->data, C, c->mb);
}
