/* A task that hands memory to somebody who keeps it: of a packed tile an unpacked copy, of a compressed one what there is. */
#include "omp/packing.h"
#include "omp/tasks/task_places.h"

#include "omp/kernels/workspace.h"

static void save(struct task *t)
{
    const struct task_tile *A = &t->tile[0];
    const struct saving *to = t->with.saving;
    struct to_save what = { .kind = t->with.k, .i = t->i, .j = t->j, .data = A->data, .form = A->traits.form,
                            .bytes = t->with.bytes };
    int rank = rank_of(A);
    bool packed = A->traits.packed && rank == TILE_DENSE;
    if (rank != TILE_DENSE)
        what.bytes = (size_t)rank * (size_t)(A->mb + A->nb) * t->precision->size;
    void *copy = NULL;
    if (packed) {
        copy = workspace_take(what.bytes);
        bool mirrored = t->with.top;
        struct view rows = { copy, 1, A->mb, false }, columns = { copy, A->mb, 1, true };
        if (copy != NULL)
            packed_kernels_of(t->precision->type)->unpack(mirrored ? A->nb : A->mb, mirrored ? A->mb : A->nb, A->data,
                                                          mirrored ? columns : rows);
        what.data = copy;
    }
    to->save(to->context, &what);
    workspace_give(copy);
}

void task_save(struct run *run, const struct saving *to, int kind, struct operand A)
{
    struct task *t = task_create(run, TASK_SAVE, save, 0, 1, &A);
    if (t == NULL)
        return;
    bool is_tile = A.address.what == NULL;
    size_t tile = (size_t)A.mb * (size_t)A.nb * A.precision->size;
    t->with = (struct task_arguments){ .k = kind, .saving = to, .top = A.mirrored, .bytes = is_tile ? tile : A.address.bytes };
    task_submit(t);
}
