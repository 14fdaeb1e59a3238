#include "omp/tasks/narrow_tiles.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"
#include "omp/tasks/low_rank_tiles.h"
#include "omp/tasks/single_tiles.h"

#include <string.h>

/* A copy of a task in which all tiles are in double. Tiles in single are copied, and have forms of their own. */
struct in_double {
    struct task task;
    struct tile_form form[TASK_OPERANDS];
    char *copy[TASK_OPERANDS];
};

static bool has_narrow(const struct task *t)
{
    for (int i = 0; i < t->count; i++)
        if (kept_in(&t->tile[i]) != IN_DOUBLE)
            return true;
    return false;
}

/* The number of stored elements of the tile. */
static size_t elements_of(const struct task_tile *T)
{
    int rank = rank_of(T);
    return rank >= 0 ? (size_t)rank * (size_t)(T->mb + T->nb) : (size_t)T->mb * (size_t)T->nb;
}

/* A packed factor, the first or the second operand, has the rows of op(T) in strips. */
static void widen(const struct task *t, int i, char *copy)
{
    const struct task_tile *T = &t->tile[i], *C = &t->tile[t->count - 1];
    const struct precision *has = precision_in(t, T);
    if (T->traits.packed && rank_of(T) < 0 && i < t->count - 1)
        tile_in_precision(true, i == 0 ? C->mb : C->nb, t->with.k, has, T->data, t->precision, copy);
    else
        tile_in_precision(false, (int)elements_of(T), 1, has, T->data, t->precision, copy);
}

/* Copies a tile in double. The copy of an output is no memory of the matrix. */
static bool take_in_double(const struct task *t, int i, struct in_double *d)
{
    const struct task_tile *T = &t->tile[i];
    const struct tile_form *form = T->traits.form;
    bool output = i == t->count - 1;    /* before settle() it may need all of its room */
    size_t elements = output ? tile_room(form->how, T->mb, T->nb) : elements_of(T);
    d->copy[i] = workspace_take(elements * t->precision->size + 1);
    if (d->copy[i] == NULL)
        return false;
    int rank = rank_of(T);
    d->form[i] = (struct tile_form){ .rank = rank >= 0 ? rank : TILE_DENSE, .touched = SIZE_MAX };
    if (form != NULL) {
        d->form[i].how = form->how;
        d->form[i].pending = form->pending;
        d->form[i].left_out = form->left_out;
    }
    widen(t, i, d->copy[i]);
    d->task.tile[i].data = d->copy[i];
    d->task.tile[i].traits.form = &d->form[i];
    return true;
}

/* Makes the copies. False: no memory. */
static bool begin(struct task *t, struct in_double *d)
{
    bool made = true;
    d->task = *t;
    memset(d->copy, 0, sizeof d->copy);
    for (int i = 0; i < t->count && made; i++)
        made = kept_in(&t->tile[i]) == IN_DOUBLE || take_in_double(t, i, d);
    if (!made)
        task_no_memory(t);
    return made;
}

static void end(struct task *t, struct in_double *d)
{
    t->flops = d->task.flops;
    for (int i = t->count - 1; i >= 0; i--)
        workspace_give(d->copy[i]);
}

/* Stores the copy as the output: in single if that adds at most `allowed` to the tile's rounding errors, else in double. */
static void settle(struct task *t, struct in_double *d, double scale, double allowed)
{
    const struct task_tile *C = &t->tile[t->count - 1];
    const struct tile_form *now = &d->form[t->count - 1];
    struct tile_form *form = C->traits.form;
    const char *data = d->copy[t->count - 1];
    int rank = now->rank;
    size_t elements = rank >= 0 ? (size_t)rank * (size_t)(C->mb + C->nb) : (size_t)C->mb * (size_t)C->nb;
    size_t bytes = elements * t->precision->size;
    char *single = workspace_take(bytes / 2 + 1);
    if (single == NULL) {
        task_no_memory(t);
        return;
    }
    double change = scale * (rank >= 0 ? columns_to_single(t->precision, C->mb, C->nb, rank, data, single)
                                       : tile_to_single(t->precision, C->mb, C->nb, data, single));
    bool fits = change * change <= allowed;
    if (tile_grows(form, fits ? bytes / 2 : bytes)) {
        memcpy(C->data, fits ? single : data, fits ? bytes / 2 : bytes);
        form->rank = rank >= 0 ? rank : fits ? TILE_SINGLE : TILE_DENSE;
        form->narrow = fits && rank >= 0;
        form->rounded += fits ? change * change : 0;
        form->pending = now->pending;
        form->left_out = now->left_out;
        set_norm(C, form->rank == TILE_SINGLE ? frobenius_norm(t->precision, GENERAL, C->mb, C->nb, data, C->mb) : 0);
    } else {
        note_lost_tile(form->how, t->i, t->j);
        task_no_memory(t);
    }
    workspace_give(single);
}

static void update(struct task *t, void (*compute)(struct task *t))
{
    struct in_double d;
    bool narrow = kept_in(&t->tile[t->count - 1]) != IN_DOUBLE;
    if (!has_narrow(t)) {
        compute(t);
        return;
    }
    if (begin(t, &d)) {
        compute(&d.task);
        if (narrow)
            settle(t, &d, 1, single_allowed(t));
    }
    end(t, &d);
}

void narrow_gemm(struct task *t)
{
    update(t, low_rank_gemm);
}

void narrow_herk(struct task *t)
{
    update(t, low_rank_herk_task);
}

bool narrow_trsm(struct task *t)
{
    const struct task_tile *T = &t->tile[0], *B = &t->tile[1];
    struct in_double d;
    if (!is_narrow(B))
        return low_rank_trsm(t);
    bool solved = true, begun = begin(t, &d);
    if (begun) {
        solved = low_rank_trsm(&d.task);
        double triangle = triangle_norm2_bound(t->precision, t->with.uplo, t->with.diag, t->with.side == LEFT ? B->mb : B->nb,
                                               T->data, T->mb);
        settle(t, &d, solved ? triangle : 1, B->traits.form->how->roundings - B->traits.form->rounded);
    }
    end(t, &d);
    return solved;
}
