#include "omp/packing.h"
#include "omp/tasks/device_tiles.h"
#include "omp/tasks/narrow_tiles.h"
#include "omp/tasks/single_tiles.h"
#include "omp/tasks/task_places.h"

static void trsm(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    if (t->device != HOST && B->traits.form != NULL) {
        device_trsm(t);
        return;
    }
    if (rank_of(B) >= 0 && narrow_trsm(t))
        return;
    if (rank_of(B) <= TILE_SINGLE) {
        single_trsm(t);
        return;
    }
    if (B->traits.packed) {
        if (packed_trsm(t->precision, t->with.side, t->with.transa, t->with.diag, B->mb, B->nb, A->data, A->mb,
                        B->data, B->mb, true) != 0)
            task_no_memory(t);
        else
            task_has_packed(t, 1, t->with.side == LEFT ? CONJ_TRANS : NO_TRANS);
        return;
    }
    t->kernels->trsm(t->with.side, t->with.uplo, t->with.transa, t->with.diag, B->mb, B->nb, A->data, A->mb, B->data, B->mb);
}

static void submit(struct run *run, struct task_arguments with, double flops, struct operand A, struct operand B)
{
    struct task *t = task_create(run, TASK_TRSM, trsm, flops, 2, (struct operand[]){ A, B });
    task_submit_with(t, with);
}

/* From the left, columns are independent of each other. */
void task_trsm(struct run *run, enum side side, enum uplo uplo, enum trans trans, enum diag diag, struct operand A,
               struct operand B)
{
    enum trans of_a = trans_in_memory(&A, trans);
    struct task_arguments with = { .side = B.mirrored ? other_side(side) : side, .uplo = uplo_in_memory(&A, uplo),
                                   .transa = B.mirrored ? other_trans(of_a) : of_a, .diag = diag };
    double order = side == LEFT ? B.mb : B.nb;
    if (with.side == RIGHT)
        submit(run, with, order * B.mb * B.nb, A, B);
    for (struct part p = { 0 }; with.side == LEFT && next_part(&B, &p);)
        submit(run, with, order * memory_rows(&B) * p.columns, A, part_of(B, p));
    if (is_rounded_apart(&B))
        task_round(run, diag, B);
    hand_over(run, B);
}
