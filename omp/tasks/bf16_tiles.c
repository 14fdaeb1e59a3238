#include "omp/tasks/bf16_tiles.h"
#include "omp/kernels/bf16.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/workspace.h"

#include <string.h>

bool open_bf16(struct task *t, const struct task_tile *C)
{
    if (rank_of(C) != TILE_BF16)
        return true;
    size_t bytes = numbers_in(C) * bf16_precision.size;
    char *copy = workspace_take(bytes);
    bool grown = copy != NULL && tile_grows(C->traits.form, numbers_in(C) * single_of(t)->size);
    if (grown) {
        memcpy(copy, C->data, bytes);
        tile_in_precision(false, C->mb, C->nb, &bf16_precision, copy, single_of(t), C->data);
        C->traits.form->rank = TILE_SINGLE;
    } else {
        note_lost_tile(C->traits.form->how, t->i, t->j);
        task_no_memory(t);
    }
    workspace_give(copy);
    return grown;
}

void close_bf16(struct task *t, const struct task_tile *B, int m, int n, double triangle)
{
    struct tile_form *form = B->traits.form;
    if (form->filled != IN_BF16 || form->rank != TILE_SINGLE)
        return;
    struct bf16_rounded kept = bf16_measure(m, n, (const float *)B->data);
    double change = kept.change * triangle, rounded = change * change;
    if (!(rounded <= form->how->roundings - form->rounded))
        return;
    size_t bytes = numbers_in(B) * bf16_precision.size;
    char *copy = workspace_take(bytes);
    if (copy == NULL) {
        task_no_memory(t);
        return;
    }
    tile_in_precision(B->traits.packed, m, n, single_of(t), B->data, &bf16_precision, copy);
    memcpy(B->data, copy, bytes);
    form->rank = TILE_BF16;
    form->rounded += rounded;
    atomic_store_explicit(&form->norm, kept.norm, memory_order_relaxed);
    workspace_give(copy);
}

static bool may_multiply(const struct task *t)
{
    for (int i = 0; i < t->count - 1; i++)
        if (rank_of(&t->tile[i]) != TILE_BF16 || !t->tile[i].traits.packed)
            return false;
    return bf16_multiplies();
}

bool multiply_bf16(const struct task *t, char *C)
{
    const struct task_tile *a = &t->tile[0], *b = &t->tile[1], *c = &t->tile[t->count - 1];
    const struct task_arguments *with = &t->with;
    if (!may_multiply(t))
        return false;
    if (t->count == 2)
        bf16_herk(with->uplo, c->nb, with->k, with->alpha, a->data, (float *)C, c->mb);
    else
        bf16_gemm(c->mb, c->nb, with->k, with->alpha, a->data, b->data, (float *)C, c->mb);
    return true;
}
