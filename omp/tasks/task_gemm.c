#include "omp/packing.h"
#include "omp/tasks/device_tiles.h"
#include "omp/tasks/low_rank_tiles.h"
#include "omp/tasks/narrow_tiles.h"
#include "omp/tasks/single_tiles.h"
#include "omp/tasks/task_places.h"

static struct view rows_of(enum trans trans, const struct task_tile *A)
{
    return view_of_op(trans, A->data, A->mb);
}

/* One factor is packed. The other factor is packed as well, or, for C += A B, read as it is, or its rows are packed here. */
static void packed_gemm(struct task *t, int columns)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1], *C = &t->tile[2];
    const int m = C->mb, k = t->with.k;
    int missing = 0;
    if (!A->traits.packed)
        missing = packing_gemm_beside(t->precision, LEFT, m, columns, k, t->with.alpha, rows_of(t->with.transa, A), B->data,
                                      C->data, m);
    else if (!B->traits.packed && t->with.transb != NO_TRANS)
        missing = packing_gemm_beside(t->precision, RIGHT, m, columns, k, t->with.alpha,
                                      rows_of(other_trans(t->with.transb), B), A->data, C->data, m);
    else
        packed_kernels_of(t->precision->type)->gemm(m, columns, k, t->with.alpha, A->data, B->data,
                                                    B->traits.packed ? 0 : B->mb, C->data, m);
    if (missing)
        task_no_memory(t);
}

/* Of a transposed B, the rows from with.row on become columns of the output. */
static void gemm(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1], *C = &t->tile[2];
    if (has_low_rank(t)) {
        narrow_gemm(t);
        return;
    }
    if (has_single(t)) {
        (t->device == HOST ? single_gemm : device_update)(t);
        return;
    }
    int columns = C->nb + (t->with.sums && sums_are_rows(t, B, C->nb) ? SUMS : 0);
    if (t->with.sums && columns == C->nb)
        update_sums(t, B);
    if (A->traits.packed || B->traits.packed) {
        packed_gemm(t, columns);
        return;
    }
    const char *b = B->data + (size_t)t->with.row * t->precision->size;
    t->kernels->gemm(t->with.transa, t->with.transb, C->mb, C->nb, t->with.k, t->with.alpha, A->data, A->mb, b, B->mb, C->data,
                     C->mb);
}

/* In memory, a mirrored C is computed as C^H += alpha op(B)^H op(A)^H. If the checksums are columns of C, they are also
   columns of B. */
void task_gemm(struct run *run, double alpha, enum trans transa, struct operand A, enum trans transb, struct operand B,
               struct operand C)
{
    int k = transa == NO_TRANS ? A.nb : A.mb;
    if (C.traits.summed == SUMS_ARE_COLUMNS)
        B.traits.summed = SUMS_ARE_COLUMNS;
    struct operand operands[] = { C.mirrored ? B : A, C.mirrored ? A : B, C };
    enum trans of_a = trans_in_memory(&A, transa), of_b = trans_in_memory(&B, transb);
    enum trans transl = C.mirrored ? other_trans(of_b) : of_a, transr = C.mirrored ? other_trans(of_a) : of_b;
    for (struct part p = { 0 }; next_part(&C, &p);) {
        operands[2].used = p;
        if (transr == NO_TRANS)
            operands[1].used = p;
        struct task *t = task_create(run, TASK_GEMM, gemm, 2.0 * memory_rows(&C) * p.columns * k, 3, operands);
        task_submit_with(t, (struct task_arguments){ .alpha = alpha, .transa = transl, .transb = transr, .k = k,
                                                     .row = transr == NO_TRANS ? 0 : p.first,
                                                     .sums = updates_sums(&C, p) });
    }
    hand_over(run, C);
}
