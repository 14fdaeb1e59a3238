/* The search for pivots: rows are put on a stack, elimination chooses among them. */
#include "omp/kernels/panel.h"
#include "omp/packing.h"
#include "omp/tasks/task_places.h"

#include <string.h>

static int fewer_of(int a, int b)
{
    return a < b ? a : b;
}

/* Where so many further rows go on the stack. */
static char *push(struct task *t, struct row_stack *s, int rows)
{
    s->rows = t->with.first ? rows : s->rows + rows;
    return (char *)s->data + (size_t)(s->rows - rows) * t->precision->size;
}

static void stack(struct task *t)
{
    const struct task_tile *A = &t->tile[0];
    struct row_stack *s = stack_in(t, 1);
    char *to = push(t, s, A->mb);
    t->kernels->copy_rows(A->mb, A->nb, NULL, A->data, A->mb, NULL, to, s->ld);
    for (int i = 0; i < A->mb; i++)
        s->row[s->rows - A->mb + i] = t->with.row + i;
}

void task_stack(struct run *run, bool first, struct operand A, struct operand stack_of)
{
    struct task *t = task_create(run, TASK_STACK, stack, 0, 2, (struct operand[]){ A, stack_of });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .first = first, .row = A.row };
    task_submit(t);
}

static void copy(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    t->kernels->copy_rows(A->mb, A->nb, NULL, A->data, A->mb, NULL, B->data, B->mb);
}

void task_copy(struct run *run, struct operand A, struct operand B)
{
    struct task *t = task_create(run, TASK_STACK, copy, 0, 2, (struct operand[]){ A, B });
    if (t != NULL)
        task_submit(t);
}

static void stack_candidates(struct task *t)
{
    const struct candidates *c = candidates_in(t, 0);
    struct row_stack *s = stack_in(t, 1);
    char *to = push(t, s, c->count);
    t->kernels->copy_rows(c->count, t->tile[1].nb, NULL, candidates_data(c), c->count, NULL, to, s->ld);
    memcpy(s->row + s->rows - c->count, c->row, (size_t)c->count * sizeof c->row[0]);
}

void task_stack_candidates(struct run *run, bool first, struct operand candidates, struct operand stack_of)
{
    struct task *t = task_create(run, TASK_STACK, stack_candidates, 0, 2, (struct operand[]){ candidates, stack_of });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .first = first };
    task_submit(t);
}

/* s->order: the rows of the stack as partial pivoting orders them. Factors `data`, an n columns wide copy of the stack or
   itself. */
static int eliminate(const struct task *t, struct row_stack *s, void *data, int n)
{
    int info = getrf_panel(t->precision, task_idle_threads(t), s->rows, n, data, s->ld, s->swap);
    for (int i = 0; i < s->rows; i++)
        s->order[i] = i;
    for (int j = 0; j < fewer_of(s->rows, n); j++) {
        int row = s->order[j];
        s->order[j] = s->order[s->swap[j]];
        s->order[s->swap[j]] = row;
    }
    return info;
}

static void candidates(struct task *t)
{
    struct row_stack *s = stack_in(t, 0);
    struct candidates *c = candidates_in(t, 1);
    int n = t->tile[1].nb, count = fewer_of(s->rows, n);
    t->kernels->copy_rows(s->rows, n, NULL, s->data, s->ld, NULL, s->copy, s->ld);
    eliminate(t, s, s->copy, n);
    *c = (struct candidates){ .count = count, .room = s->width };
    for (int i = 0; i < count; i++)
        c->row[i] = s->row[s->order[i]];
    t->kernels->copy_rows(count, n, s->order, s->data, s->ld, NULL, candidates_data(c), count);
}

void task_candidates(struct run *run, struct operand stack_of, struct operand out)
{
    struct task *t = task_create(run, TASK_PIVOTS, candidates, 0, 2, (struct operand[]){ stack_of, out });
    if (t != NULL)
        task_submit(t);
}

static void pivots(struct task *t)
{
    struct row_stack *s = stack_in(t, 0);
    struct pivots *p = pivots_in(t, 1);
    int n = t->tile[1].nb, count = fewer_of(s->rows, n), info = eliminate(t, s, s->data, n);
    int64_t chosen[count + 1];
    for (int i = 0; i < count; i++)
        chosen[i] = s->row[s->order[i]];
    pivots_make(p, s->width, t->with.rows, t->with.k, count, chosen, s->scratch);
    if (info != 0)
        task_fail(t, t->with.row + info);
}

void task_pivots(struct run *run, const struct tile_rows *rows, struct operand stack_of, struct operand out)
{
    struct task *t = task_create(run, TASK_PIVOTS, pivots, 0, 2, (struct operand[]){ stack_of, out });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .rows = rows, .k = out.i, .row = out.row };
    task_submit(t);
}

static void unstack(struct task *t)
{
    const struct row_stack *s = stack_in(t, 0);
    const struct task_tile *A = &t->tile[1];
    char *from = (char *)s->data + (size_t)t->with.row * t->precision->size;
    if (A->packed) {
        packed_kernels_of(t->precision->type)->pack(A->mb, A->nb, (struct view){ from, 1, s->ld, false }, A->data);
        task_has_packed(t, 1, false);
        return;
    }
    t->kernels->copy_rows(A->mb, A->nb, NULL, from, s->ld, NULL, A->data, A->mb);
}

void task_unstack(struct run *run, int64_t row, double flops, struct operand stack_of, struct operand A)
{
    struct task *t = task_create(run, TASK_STACK, unstack, flops, 2, (struct operand[]){ stack_of, A });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .row = row };
    task_submit(t);
    hand_over(run, A);
}

static void unstack_chosen(struct task *t)
{
    const struct row_stack *s = stack_in(t, 0);
    const struct task_tile *A = &t->tile[1];
    int chosen = fewer_of(A->mb, A->nb);
    char *rest = (char *)A->data + (size_t)chosen * t->precision->size;
    t->kernels->copy_rows(chosen, A->nb, NULL, s->data, s->ld, NULL, A->data, A->mb);
    t->kernels->trsm(RIGHT, UPPER, NO_TRANS, NON_UNIT, A->mb - chosen, chosen, A->data, A->mb, rest, A->mb);
}

void task_unstack_chosen(struct run *run, double flops, struct operand stack_of, struct operand A)
{
    struct task *t = task_create(run, TASK_STACK, unstack_chosen, flops, 2, (struct operand[]){ stack_of, A });
    if (t == NULL)
        return;
    task_submit(t);
    hand_over(run, A);
}

static void record(struct task *t)
{
    struct pivots *p = pivots_in(t, 0);
    memcpy(t->tile[1].data, pivot_rows(p), (size_t)p->count * sizeof(int64_t));
}

void task_record(struct run *run, struct operand pivots_of, struct operand list)
{
    struct task *t = task_create(run, TASK_LASWP, record, 0, 2, (struct operand[]){ pivots_of, list });
    if (t != NULL)
        task_submit(t);
}
