/* Tasks of factors with signs: see omp/kernels/signed_block.h. */
#include "omp/kernels/signed_block.h"
#include "omp/kernels/workspace.h"
#include "omp/packing.h"
#include "omp/tasks/task_places.h"

#include <math.h>

static struct signed_block *signs_in(const struct task *t, int i)
{
    return (void *)t->tile[i].data;
}

static void factor(struct task *t)
{
    struct signed_block *signs = signs_in(t, 0);
    const struct task_tile *A = &t->tile[1];
    double scale = t->with.alpha, threshold = scale > 0 ? fmax(t->precision->eps * scale, t->precision->smallest) : 0;
    if (signed_factor(t->precision, t->with.first, t->with.uplo, A->nb, A->data, A->mb, threshold, signs) != 0)
        task_no_memory(t);
    signs->scale = scale;
}

void task_sytrf(struct run *run, double scale, struct operand signs, struct operand A)
{
    double n = A.nb;
    struct task *t = task_create(run, TASK_SYTRF, factor, n * n * n / 3, 2, (struct operand[]){ signs, A });
    if (task_submit_with(t, (struct task_arguments){ .uplo = uplo_in_memory(&A, LOWER), .alpha = scale, .first = A.symmetric }))
        hand_over(run, A);
}

static void solve(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[2];
    const struct signed_block *signs = signs_in(t, 1);
    bool packs = B->traits.packed;
    int missing = packs ? signed_solve_packed(t->precision, t->with.side, t->with.uplo, B->mb, B->nb, A->data, A->mb, signs,
                                              B->data, B->mb)
                        : signed_solve(t->precision, t->with.side, t->with.uplo, t->with.transa, t->with.first, B->mb, B->nb,
                                       A->data, A->mb, signs, B->data, B->mb);
    if (missing != 0)
        task_no_memory(t);
    else if (packs)
        task_has_packed(t, 2, t->with.side == LEFT ? signed_adjoint(signs) : NO_TRANS);
}

/* For a mirrored B the task computes B^H G^-H as G^-1 B from the left in memory. */
void task_signed_solve(struct run *run, enum side side, enum trans trans, bool signs, struct operand A, struct operand J,
                       struct operand B)
{
    double order = side == LEFT ? B.mb : B.nb;
    struct task *t = task_create(run, TASK_TRSM, solve, order * B.mb * B.nb, 3, (struct operand[]){ A, J, B });
    if (task_submit_with(t, (struct task_arguments){ .side = B.mirrored ? other_side(side) : side, .first = signs,
                                                     .uplo = uplo_in_memory(&A, LOWER),
                                                     .transa = B.mirrored ? other_trans(trans) : trans }))
        hand_over(run, B);
}

static void change_signs(struct task *t)
{
    const struct task_tile *B = &t->tile[1];
    signed_rows(t->precision, signs_in(t, 0), B->nb, B->data, B->mb);
}

void task_signs(struct run *run, struct operand J, struct operand B)
{
    task_submit(task_create(run, TASK_ADD, change_signs, 0, 2, (struct operand[]){ J, B }));
}

/* Of a transposed B, the rows from with.row on become columns of the output. */
static void gemm(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[2], *C = &t->tile[3];
    const struct signed_block *J = signs_in(t, 1);
    if (t->with.sums)
        update_signed_sums(t, J, B);
    if (A->traits.packed)       /* then B is packed, too */
        packed_kernels_of(t->precision->type)->signed_gemm(signed_adjoint(J), C->mb, C->nb, J->n, J->negative, A->data, B->data,
                                                           C->data, C->mb);
    else
        signed_gemm(t->precision, t->kernels, t->with.transa, t->with.transb, C->mb, C->nb, A->data, A->mb, J,
                    B->data + (size_t)t->with.row * t->precision->size, B->mb, C->data, C->mb);
}

/* In memory, a mirrored C is computed as C^H -= B J A^H. */
void task_signed_gemm(struct run *run, struct operand A, struct operand J, struct operand B, struct operand C)
{
    struct operand operands[] = { C.mirrored ? B : A, J, C.mirrored ? A : B, C };
    enum trans transa = trans_in_memory(&operands[0], NO_TRANS), transb = trans_in_memory(&operands[2], CONJ_TRANS);
    for (struct part p = { 0 }; next_part(&C, &p);) {
        operands[3].used = p;
        if (transb == NO_TRANS)
            operands[2].used = p;
        struct task *t = task_create(run, TASK_GEMM, gemm, 2.0 * memory_rows(&C) * p.columns * A.nb, 4, operands);
        task_submit_with(t, (struct task_arguments){ .transa = transa, .transb = transb, .row = transb == NO_TRANS ? 0 : p.first,
                                                     .sums = updates_sums(&C, p) });
    }
    hand_over(run, C);
}

/* Computes columns of C's triangle, like task_herk. */
static void herk(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *C = &t->tile[2];
    const struct signed_block *J = signs_in(t, 1);
    size_t size = t->precision->size;
    bool lower = t->with.uplo == LOWER;
    int first = (int)t->with.row, end = first + C->nb, from = lower ? end : 0, rows = lower ? C->mb - end : first;
    if (t->with.sums)
        update_signed_sums(t, J, A);
    if (A->traits.packed) {
        packed_kernels_of(t->precision->type)->signed_herk(t->with.uplo, signed_adjoint(J), C->nb, J->n, J->negative, A->data,
                                                           C->data, C->mb);
        return;
    }
    signed_herk(t->precision, t->kernels, t->with.uplo, t->with.transa, C->nb, rows_from(t, first), A->mb, J,
                C->data + (size_t)first * size, C->mb);
    if (rows > 0)
        signed_gemm(t->precision, t->kernels, t->with.transa, t->with.transa == NO_TRANS ? signed_adjoint(J) : NO_TRANS, rows,
                    C->nb, rows_from(t, from), A->mb, J, rows_from(t, first), A->mb, C->data + (size_t)from * size, C->mb);
}

void task_signed_herk(struct run *run, struct operand A, struct operand J, struct operand C)
{
    enum uplo uplo = uplo_in_memory(&C, LOWER);
    struct operand operands[] = { A, J, C };
    for (struct part p = { 0 }; next_part(&C, &p);) {
        double rows = uplo == LOWER ? C.mb - p.first - p.columns : p.first, columns = p.columns;
        operands[2].used = p;
        struct task *t = task_create(run, TASK_SYRK, herk, columns * (columns + 2 * rows) * A.nb, 3, operands);
        task_submit_with(t, (struct task_arguments){ .uplo = uplo, .transa = trans_in_memory(&A, NO_TRANS), .row = p.first,
                                                     .sums = updates_sums(&C, p) });
    }
    hand_over(run, C);
}

/* ---- for tiles on devices ------------------------------------------------------------------------------------------------- */

static void invert(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *W = &t->tile[2];
    if (signed_inverse(t->precision, t->with.uplo, A->data, A->mb, signs_in(t, 1), W->data, W->mb) != 0)
        task_no_memory(t);
}

void task_signed_inverse(struct run *run, struct operand A, struct operand J, struct operand W)
{
    double n = A.nb;
    struct task *t = task_create(run, TASK_TRSM, invert, n * n * n, 3, (struct operand[]){ A, J, W });
    task_submit_with(t, (struct task_arguments){ .uplo = uplo_in_memory(&A, LOWER) });
}

/* Workspace of the lane, or of the thread. NULL: no memory, which has been recorded. */
static void *work_of(struct task *t, size_t bytes)
{
    if (t->device != HOST)
        return task_scratch(t, bytes);
    void *work = workspace_take(bytes);
    if (work == NULL)
        task_no_memory(t);
    return work;
}

static void multiply(struct task *t)
{
    const struct task_tile *W = &t->tile[0], *B = &t->tile[1];
    const struct kernels *k = t->kernels;
    int m = B->mb, n = B->nb;
    void *X = work_of(t, (size_t)m * (size_t)n * t->precision->size + 1);
    if (X == NULL)
        return;
    k->clear(m, n, X, m);
    if (t->with.side == LEFT)
        k->gemm(t->with.transa, NO_TRANS, m, n, W->mb, 1, W->data, W->mb, B->data, B->mb, X, m);
    else
        k->gemm(NO_TRANS, NO_TRANS, m, n, W->mb, 1, B->data, B->mb, W->data, W->mb, X, m);
    k->copy_rows(m, n, NULL, X, m, NULL, B->data, B->mb);
    if (t->device == HOST)
        workspace_give(X);
}

/* In memory, a mirrored B is B^H := W^H B^H, whose columns are independent of each other. */
void task_signed_multiply(struct run *run, struct operand W, struct operand B)
{
    struct task_arguments with = { .side = B.mirrored ? LEFT : RIGHT, .transa = B.symmetric ? TRANS : CONJ_TRANS };
    double order = B.nb;
    for (struct part p = { 0 }; next_part(&B, &p);) {
        struct operand operands[] = { W, B.mirrored ? part_of(B, p) : B };
        struct task *t = task_create(run, TASK_TRSM, multiply, order * memory_rows(&B) * p.columns, 2, operands);
        task_submit_with(t, with);
        if (!B.mirrored)
            break;
    }
    hand_over(run, B);
}

/* ---- checks and inverses of factors --------------------------------------------------------------------------------------- */

/* G in the thread's workspace; NULL: no memory. */
static void *expanded(const struct task *t, const struct task_tile *A, const struct signed_block *signs)
{
    size_t n = (size_t)signs->n;
    void *G = workspace_take(n * n * t->precision->size + 1);
    if (G == NULL || signed_expand(t->precision, t->with.uplo, A->data, A->mb, signs, G, signs->n) != 0) {
        workspace_give(G);
        task_no_memory(t);
        return NULL;
    }
    return G;
}

static void product(struct task *t)
{
    const struct task_tile *B = &t->tile[0], *C = &t->tile[3];
    const struct signed_block *signs = signs_in(t, 2);
    void *G = expanded(t, &t->tile[1], signs);
    if (G == NULL)
        return;
    if (t->with.side == LEFT)       /* C^H -= G J B^H */
        signed_gemm(t->precision, t->kernels, NO_TRANS, t->with.transb, C->mb, C->nb, G, signs->n, signs, B->data, B->mb, C->data,
                    C->mb);
    else
        signed_gemm(t->precision, t->kernels, t->with.transa, signed_adjoint(signs), C->mb, C->nb, B->data, B->mb, signs, G,
                    signs->n, C->data, C->mb);
    workspace_give(G);
}

void task_signed_product(struct run *run, struct operand B, struct operand A, struct operand J, struct operand C)
{
    struct task *t = task_create(run, TASK_PRODUCT, product, 2.0 * C.mb * C.nb * A.nb, 4, (struct operand[]){ B, A, J, C });
    task_submit_with(t, (struct task_arguments){ .side = C.mirrored ? LEFT : RIGHT, .uplo = uplo_in_memory(&A, LOWER),
                                                 .transa = trans_in_memory(&B, NO_TRANS),
                                                 .transb = trans_in_memory(&B, CONJ_TRANS) });
}

static void square(struct task *t)
{
    const struct task_tile *C = &t->tile[2];
    const struct signed_block *signs = signs_in(t, 1);
    void *G = expanded(t, &t->tile[0], signs);
    if (G != NULL)
        signed_herk(t->precision, t->kernels, t->with.uplo, NO_TRANS, C->nb, G, signs->n, signs, C->data, C->mb);
    workspace_give(G);
}

void task_signed_square(struct run *run, struct operand A, struct operand J, struct operand C)
{
    double n = C.nb;
    struct task *t = task_create(run, TASK_PRODUCT, square, n * n * n, 3, (struct operand[]){ A, J, C });
    task_submit_with(t, (struct task_arguments){ .uplo = uplo_in_memory(&A, LOWER) });
}
