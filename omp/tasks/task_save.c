/* A task that passes the memory of a tile to a function that saves it: an unpacked copy of a packed tile, the stored data of a
   tile that has a form. */
#include "omp/kernels/bf16.h"
#include "omp/kernels/workspace.h"
#include "omp/packing.h"
#include "omp/tasks/task_places.h"

/* A copy of a packed tile in columns. NULL: no memory. */
static void *unpacked(const struct task *t, const struct task_tile *A, const struct precision *precision, size_t bytes)
{
    void *copy = workspace_take(bytes);
    bool turned = t->with.transa != NO_TRANS;
    int m = turned ? A->nb : A->mb, n = turned ? A->mb : A->nb, missing = 0;
    if (copy == NULL)
        return NULL;
    if (is_bf16(precision))
        missing = bf16_unpack(&(struct packed_tile){ precision, m, n, view_of_op(t->with.transa, A->data, A->mb) }, copy);
    else
        packed_kernels_of(precision->type)->unpack(m, n, A->data, view_of_op(t->with.transa, copy, A->mb));
    if (missing == 0)
        return copy;
    workspace_give(copy);
    return NULL;
}

static void save(struct task *t)
{
    const struct task_tile *A = &t->tile[0];
    const struct saving *to = t->with.saving;
    struct to_save what = { .kind = t->with.k, .i = t->i, .j = t->j, .data = A->data, .form = A->traits.form,
                            .bytes = t->with.bytes };
    const struct precision *precision = precision_in(t, A);
    int rank = rank_of(A);
    bool packed = A->traits.packed && rank < 0;
    if (rank >= 0)
        what.bytes = (size_t)rank * (size_t)(A->mb + A->nb) * precision->size;
    else if (rank != TILE_DENSE)
        what.bytes = numbers_in(A) * precision->size;
    void *copy = NULL;
    if (packed)
        what.data = copy = unpacked(t, A, precision, what.bytes);
    to->save(to->context, &what);
    workspace_give(copy);
}

void task_save(struct run *run, const struct saving *to, int kind, struct operand A)
{
    struct task *t = task_create(run, TASK_SAVE, save, 0, 1, &A);
    bool is_tile = A.address.what == NULL;
    size_t tile = (size_t)A.mb * (size_t)A.nb * A.precision->size;
    task_submit_with(t, (struct task_arguments){ .k = kind, .saving = to, .transa = trans_in_memory(&A, NO_TRANS),
                                                 .bytes = is_tile ? tile : A.address.bytes });
}
