#include "omp/packing.h"
#include "omp/tasks/device_tiles.h"
#include "omp/tasks/low_rank_tiles.h"
#include "omp/tasks/narrow_tiles.h"
#include "omp/tasks/single_tiles.h"
#include "omp/tasks/task_places.h"

/* Computes columns of C's triangle, from column with.row on: the diagonal block, and the block below it in a lower triangle or
   above it in an upper one. */
static void herk(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *C = &t->tile[1];
    const struct kernels *k = t->kernels;
    if (has_low_rank(t)) {
        narrow_herk(t);
        return;
    }
    if (has_single(t)) {
        (t->device == HOST ? single_herk : device_update)(t);
        return;
    }
    if (t->with.sums)
        update_sums(t, A);
    if (A->traits.packed) {    /* only factorizations have packed tiles, and they subtract */
        packed_kernels_of(t->precision->type)->herk(t->with.uplo, C->nb, t->with.k, A->data, C->data, C->mb);
        return;
    }
    bool lower = t->with.uplo == LOWER;
    int first = (int)t->with.row, end = first + C->nb, from = lower ? end : 0, rows = lower ? C->mb - end : first;
    k->herk(t->with.uplo, t->with.transa, C->nb, t->with.k, t->with.alpha, rows_from(t, first), A->mb,
            C->data + (size_t)first * t->precision->size, C->mb);
    if (rows > 0)
        k->gemm(t->with.transa, other_trans(t->with.transa), rows, C->nb, t->with.k, t->with.alpha, rows_from(t, from),
                A->mb, rows_from(t, first), A->mb, C->data + (size_t)from * t->precision->size, C->mb);
}

void task_herk(struct run *run, double alpha, enum trans trans, struct operand A, struct operand C)
{
    enum uplo uplo = uplo_in_memory(&C, LOWER);
    int k = trans == NO_TRANS ? A.nb : A.mb;
    struct operand operands[] = { A, C };
    for (struct part p = { 0 }; next_part(&C, &p);) {
        double rows = uplo == LOWER ? C.mb - p.first - p.columns : p.first, columns = p.columns;
        operands[1].used = p;
        struct task *t = task_create(run, TASK_SYRK, herk, columns * (columns + 2 * rows) * k, 2, operands);
        task_submit_with(t, (struct task_arguments){ .uplo = uplo, .transa = trans_in_memory(&A, trans), .alpha = alpha, .k = k,
                                                     .row = p.first, .sums = updates_sums(&C, p) });
    }
    hand_over(run, C);
}
