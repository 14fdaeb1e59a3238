/* QR: panels, pairs of triangles of two ranks, and applications of blocks of reflectors to the columns behind them. */
#include "omp/kernels/flops.h"
#include "omp/kernels/panel_qr.h"
#include "omp/kernels/workspace.h"
#include "omp/packing.h"
#include "omp/tasks/task_places.h"

#include <string.h>

static void geqrt(struct task *t)
{
    struct row_stack *s = stack_in(t, 0);
    const struct task_tile *T = &t->tile[1];
    if (t->device != HOST)
        task_device_panels(t)->geqrt(s->rows, t->tile[0].nb, s->on_device[t->device - 1], s->ld, T->data, T->mb);
    else if (geqrt_panel(t->precision, task_idle_threads(t), s->rows, t->tile[0].nb, t->with.k, s->data, s->ld, T->data,
                         T->mb) != 0)
        task_no_memory(t);
}

void task_geqrt(struct run *run, int ib, int64_t rows, struct operand stack, struct operand T)
{
    double flops = qr_flops((double)rows, stack.nb);
    struct task *t = task_create(run, TASK_GEQRT, geqrt, flops, 2, (struct operand[]){ stack, T });
    task_submit_with(t, (struct task_arguments){ .k = ib });
}

/* Copies the upper triangle or trapezoid, and writes zeros below it. */
static void copy_upper(const struct precision *precision, const void *from, int lda, const struct task_tile *to)
{
    size_t size = precision->size;
    for (int j = 0; j < to->nb; j++) {
        size_t rows = j < to->mb ? (size_t)j + 1 : (size_t)to->mb;
        char *column = to->data + (size_t)j * (size_t)to->mb * size;
        memcpy(column, (const char *)from + (size_t)j * (size_t)lda * size, rows * size);
        memset(column + rows * size, 0, ((size_t)to->mb - rows) * size);
    }
}

static void triangle(struct task *t)
{
    const struct row_stack *s = stack_in(t, 0);
    const struct task_tile *R = &t->tile[1];
    if (t->device == HOST)
        copy_upper(t->precision, s->data, s->ld, R);
    else        /* what is below the triangle is never read */
        task_from_device(t, R->mb, R->nb, s->on_device[t->device - 1], s->ld, R->data, R->mb);
}

void task_triangle(struct run *run, struct operand stack, struct operand R)
{
    task_submit(task_create(run, TASK_STACK, triangle, 0, 2, (struct operand[]){ stack, R }));
}

static void tpqrt(struct task *t)
{
    const struct task_tile *B = &t->tile[0], *R = &t->tile[1], *V = &t->tile[2], *T = &t->tile[3];
    copy_upper(t->precision, B->data, B->mb, V);
    if (tpqrt_panel(t->precision, task_idle_threads(t), V->mb, V->nb, t->with.k, R->data, R->mb, V->data, V->mb, T->data,
                    T->mb) != 0)
        task_no_memory(t);
}

void task_tpqrt(struct run *run, int ib, struct operand B, struct operand R, struct operand V, struct operand T)
{
    struct task *t = task_create(run, TASK_TPQRT, tpqrt, tpqrt_flops(V.mb, V.nb), 4, (struct operand[]){ B, R, V, T });
    task_submit_with(t, (struct task_arguments){ .k = ib });
}

/* The tile of V without its first rows: on top of a domain V begins with a unit lower triangle L that has as many rows as
   reflectors. */
static char *below(const struct task *t, const struct task_tile *A, int rows)
{
    return A->data + (size_t)rows * t->precision->size;
}

static struct row_range range_of(const struct row_range *range, int all)
{
    return range != NULL ? *range : (struct row_range){ .count = all };
}

static void reflect_in(struct task *t)
{
    const struct kernels *k = t->kernels;
    const struct task_tile *V = &t->tile[0], *C = &t->tile[1], *X = &t->tile[2];
    int q = X->mb, n = X->nb, rows = t->with.top ? q : 0;
    struct row_range r = t->with.range;
    if (t->with.top) {                                  /* X = L^H C */
        k->copy_rows(q, n, NULL, C->data, C->mb, NULL, X->data, q);
        k->trmm(LEFT, LOWER, CONJ_TRANS, UNIT, q, n, 1, V->data, V->mb, X->data, q);
    } else if (t->with.first) {
        k->clear(q, n, X->data, q);
    }
    if (V->traits.packed) {
        if (packed_gemm_inner(t->precision, q, n, V->mb, V->data, C->data, C->mb, X->data, q) != 0)
            task_no_memory(t);
    } else if (r.count > rows)                          /* X += V^H C */
        k->gemm(CONJ_TRANS, NO_TRANS, q, n, r.count - rows, 1, below(t, V, r.v + rows), V->mb, below(t, C, r.c + rows), C->mb,
                X->data, q);
}

void task_reflect_in(struct run *run, bool first, bool top, const struct row_range *range, struct operand V, struct operand C,
                     struct operand X)
{
    struct row_range r = range_of(range, V.mb);
    for (struct part p = { 0 }; next_part(&X, &p);) {
        struct operand operands[] = { V, part_of(C, p), part_of(X, p) };
        struct task *t = task_create(run, TASK_GEMM, reflect_in, reflect_flops(r.count, top, X.mb, p.columns), 3, operands);
        task_submit_with(t, (struct task_arguments){ .first = first, .top = top, .range = r });
    }
    hand_over(run, X);
}

/* C -= L W. W is only read, because other tasks read it, too. */
static void subtract_triangle(struct task *t, const struct task_tile *V, const struct task_tile *W, const struct task_tile *C)
{
    const struct kernels *k = t->kernels;
    if (t->device != HOST) {
        struct multiplicand L = { .data = V->data, .ld = V->mb, .part = LOWER, .diag = UNIT, .trans = NO_TRANS };
        struct multiplicand all = { .data = W->data, .ld = W->mb, .part = GENERAL, .diag = NON_UNIT, .trans = NO_TRANS };
        if (k->product(W->mb, W->nb, W->mb, -1, L, all, C->data, C->mb) != 0)
            task_no_memory(t);
        return;
    }
    void *copy = workspace_take((size_t)W->mb * (size_t)W->nb * t->precision->size);
    if (copy == NULL) {
        task_no_memory(t);
        return;
    }
    k->copy_rows(W->mb, W->nb, NULL, W->data, W->mb, NULL, copy, W->mb);
    k->trmm(LEFT, LOWER, NO_TRANS, UNIT, W->mb, W->nb, 1, V->data, V->mb, copy, W->mb);
    k->add(W->mb, W->nb, -1, copy, W->mb, C->data, C->mb);
    workspace_give(copy);
}

static void reflect_out(struct task *t)
{
    const struct task_tile *V = &t->tile[0], *W = &t->tile[1], *C = &t->tile[t->count - 1];
    int rows = t->with.top ? W->mb : 0;
    struct row_range r = t->with.range;
    if (t->with.top)
        subtract_triangle(t, V, W, C);
    if (V->traits.packed)
        packed_kernels_of(t->precision->type)->gemm(V->mb, C->nb, W->mb, -1, V->data, W->data, W->mb, C->data, C->mb);
    else if (r.count > rows)                            /* C -= V W */
        t->kernels->gemm(NO_TRANS, NO_TRANS, r.count - rows, C->nb, W->mb, -1, below(t, V, r.v + rows), V->mb, W->data, W->mb,
                         below(t, C, r.c + rows), C->mb);
}

void task_reflect_out(struct run *run, bool top, const struct row_range *range, struct operand V, struct operand W,
                      const struct operand *after, struct operand C)
{
    struct row_range r = range_of(range, V.mb);
    for (struct part p = { 0 }; next_part(&C, &p);) {
        struct operand operands[] = { V, part_of(W, p), part_of(C, p), part_of(C, p) };
        if (after != NULL)
            operands[2] = part_of(*after, p);
        double flops = reflect_flops(r.count, top, W.mb, p.columns);
        struct task *t = task_create(run, TASK_GEMM, reflect_out, flops, after != NULL ? 4 : 3, operands);
        task_submit_with(t, (struct task_arguments){ .top = top, .range = r });
    }
}

static void head_in(struct task *t)
{
    const struct task_tile *C = &t->tile[0], *W = &t->tile[1];
    struct row_range r = t->with.range;
    if (t->with.first && r.count < W->mb)
        t->kernels->clear(W->mb, W->nb, W->data, W->mb);
    if (t->with.first)
        t->kernels->copy_rows(r.count, W->nb, NULL, below(t, C, r.c), C->mb, NULL, below(t, W, r.v), W->mb);
    else
        t->kernels->add(r.count, W->nb, 1, below(t, C, r.c), C->mb, below(t, W, r.v), W->mb);
}

void task_head_in(struct run *run, bool first, const struct row_range *range, struct operand C, struct operand W)
{
    struct row_range r = range_of(range, W.mb);
    for (struct part p = { 0 }; next_part(&W, &p);) {
        struct operand operands[] = { part_of(C, p), part_of(W, p) };
        struct task *t = task_create(run, TASK_ADD, head_in, first ? 0 : (double)r.count * p.columns, 2, operands);
        task_submit_with(t, (struct task_arguments){ .first = first, .range = r });
    }
    hand_over(run, W);
}

static void head_out(struct task *t)
{
    const struct task_tile *W = &t->tile[0], *C = &t->tile[t->count - 1];
    struct row_range r = t->with.range;
    t->kernels->add(r.count, W->nb, -1, below(t, W, r.v), W->mb, below(t, C, r.c), C->mb);
}

void task_head_out(struct run *run, const struct row_range *range, struct operand W, const struct operand *after,
                   struct operand C)
{
    struct row_range r = range_of(range, W.mb);
    for (struct part p = { 0 }; next_part(&C, &p);) {
        struct operand operands[] = { part_of(W, p), part_of(C, p), part_of(C, p) };
        if (after != NULL)
            operands[1] = part_of(*after, p);
        struct task *t = task_create(run, TASK_ADD, head_out, (double)r.count * p.columns, after != NULL ? 3 : 2, operands);
        task_submit_with(t, (struct task_arguments){ .range = r });
    }
}

static void trmm(struct task *t)
{
    const struct task_tile *T = &t->tile[0], *W = &t->tile[1];
    t->kernels->trmm(LEFT, UPPER, t->with.transa, NON_UNIT, W->mb, W->nb, 1, T->data, T->mb, W->data, W->mb);
}

void task_trmm(struct run *run, enum trans trans, struct operand T, struct operand W)
{
    for (struct part p = { 0 }; next_part(&W, &p);) {
        struct operand operands[] = { T, part_of(W, p) };
        struct task *t = task_create(run, TASK_TRMM, trmm, triangle_flops(W.mb, p.columns), 2, operands);
        task_submit_with(t, (struct task_arguments){ .transa = trans });
    }
    hand_over(run, W);
}
