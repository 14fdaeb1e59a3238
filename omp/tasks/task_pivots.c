/* The search for pivots: rows are copied to a stack, and elimination chooses among them. */
#include "omp/kernels/extremes.h"
#include "omp/kernels/panel.h"
#include "omp/packing.h"
#include "omp/tasks/task_places.h"

#include <string.h>

/* The stack's memory at the place of the task. */
static char *rows_of(const struct task *t, const struct row_stack *s)
{
    return t->device == HOST ? s->data : s->on_device[t->device - 1];
}

/* Appends rows to the stack. On a device, rows that are not on the device come from the host. */
static void push(struct task *t, struct row_stack *s, int rows, int columns, const void *from, int ld, bool from_host)
{
    s->rows = t->with.first ? rows : s->rows + rows;
    char *to = rows_of(t, s) + (size_t)(s->rows - rows) * t->precision->size;
    if (t->device != HOST && from_host)
        task_to_device(t, rows, columns, from, ld, to, s->ld);
    else
        t->kernels->copy_rows(rows, columns, NULL, from, ld, NULL, to, s->ld);
}

static void stack(struct task *t)
{
    const struct task_tile *A = &t->tile[0];
    struct row_stack *s = stack_in(t, 1);
    push(t, s, A->mb, A->nb, A->data, A->mb, !t->with.has_place);
    for (int i = 0; i < A->mb; i++)
        s->row[s->rows - A->mb + i] = t->with.row + i;
}

void task_stack(struct run *run, bool first, struct operand A, struct operand stack_of)
{
    struct task *t = task_create(run, TASK_STACK, stack, 0, 2, (struct operand[]){ A, stack_of });
    task_submit_with(t, (struct task_arguments){ .first = first, .row = A.row, .has_place = A.split != NULL });
}

static void copy(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    t->kernels->copy_rows(A->mb, A->nb, NULL, A->data, A->mb, NULL, B->data, B->mb);
}

void task_copy(struct run *run, struct operand A, struct operand B)
{
    task_submit(task_create(run, TASK_STACK, copy, 0, 2, (struct operand[]){ A, B }));
}

static void stack_candidates(struct task *t)
{
    const struct candidates *c = candidates_in(t, 0);
    struct row_stack *s = stack_in(t, 1);
    push(t, s, c->count, t->tile[1].nb, candidates_data(c), c->count, true);
    memcpy(s->row + s->rows - c->count, c->row, (size_t)c->count * sizeof c->row[0]);
}

void task_stack_candidates(struct run *run, bool first, struct operand candidates, struct operand stack_of)
{
    struct task *t = task_create(run, TASK_STACK, stack_candidates, 0, 2, (struct operand[]){ candidates, stack_of });
    task_submit_with(t, (struct task_arguments){ .first = first });
}

/* Factors the stack, or a copy if its rows must be kept. Writes s->swap. */
static void eliminate(struct task *t)
{
    struct row_stack *s = stack_in(t, 0);
    int n = t->tile[0].nb, info;
    char *rows = rows_of(t, s), *data = !t->with.keep ? rows : t->device == HOST ? s->copy : rows + s->bytes;
    if (t->with.keep)
        t->kernels->copy_rows(s->rows, n, NULL, rows, s->ld, NULL, data, s->ld);
    if (t->device == HOST) {
        info = getrf_panel(t->precision, task_idle_threads(t), s->rows, n, data, s->ld, s->swap);
        for (int j = 0; j < smaller(s->rows, n); j++)
            s->swap[j]++;
    } else {
        info = task_device_panels(t)->getrf(s->rows, n, data, s->ld, s->swap, !t->with.keep);
    }
    if (info != 0 && !t->with.keep)
        task_fail(t, t->with.row + info);
}

static void task_eliminate(struct run *run, bool keep, int64_t row, struct operand stack_of)
{
    struct task *t = task_create(run, TASK_PIVOTS, eliminate, 0, 1, &stack_of);
    task_submit_with(t, (struct task_arguments){ .keep = keep, .row = row });
}

/* Writes s->order: the rows of the stack in the order of the elimination of n columns. After a failure of a device the swaps
   are invalid, so only valid ones are applied. */
static int put_in_order(struct row_stack *s, int n)
{
    int count = smaller(s->rows, n);
    for (int i = 0; i < s->rows; i++)
        s->order[i] = i;
    for (int j = 0; j < count; j++) {
        int row = s->order[j], at = s->swap[j] > j && s->swap[j] <= s->rows ? s->swap[j] - 1 : j;
        s->order[j] = s->order[at];
        s->order[at] = row;
    }
    return count;
}

static void candidates(struct task *t)
{
    struct row_stack *s = stack_in(t, 0);
    struct candidates *c = candidates_in(t, 1);
    int n = t->tile[1].nb, count = put_in_order(s, n);
    *c = (struct candidates){ .count = count, .room = s->width };
    for (int i = 0; i < count; i++)
        c->row[i] = s->row[s->order[i]];
    if (t->device == HOST)
        t->kernels->copy_rows(count, n, s->order, s->data, s->ld, NULL, candidates_data(c), count);
    else
        task_rows_from_device(t, count, n, s->order, rows_of(t, s), s->ld, candidates_data(c), count);
}

void task_candidates(struct run *run, struct operand stack_of, struct operand out)
{
    task_eliminate(run, true, 0, stack_of);
    stack_of.access = READ;
    task_submit(task_create(run, TASK_STACK, candidates, 0, 2, (struct operand[]){ stack_of, out }));
}

static void pivots(struct task *t)
{
    struct row_stack *s = stack_in(t, 0);
    int count = put_in_order(s, t->tile[1].nb);
    int64_t chosen[count + 1];
    for (int i = 0; i < count; i++)
        chosen[i] = s->row[s->order[i]];
    pivots_make(pivots_in(t, 1), s->width, t->with.rows, t->with.k, count, chosen, s->scratch);
}

void task_pivots(struct run *run, const struct tile_rows *rows, struct operand stack_of, struct operand out)
{
    task_eliminate(run, false, out.row, stack_of);
    stack_of.access = READ;
    struct task *t = task_create(run, TASK_CHOICE, pivots, 0, 2, (struct operand[]){ stack_of, out });
    task_submit_with(t, (struct task_arguments){ .rows = rows, .k = out.i });
}

static void unstack(struct task *t)
{
    const struct row_stack *s = stack_in(t, 0);
    const struct task_tile *A = &t->tile[1];
    char *from = rows_of(t, s) + (size_t)t->with.row * t->precision->size;
    if (A->traits.packed) {
        packed_kernels_of(t->precision->type)->pack(A->mb, A->nb, (struct view){ from, 1, s->ld, false }, A->data);
        task_has_packed(t, 1, NO_TRANS);
        return;
    }
    t->kernels->copy_rows(A->mb, A->nb, NULL, from, s->ld, NULL, A->data, A->mb);
}

void task_unstack(struct run *run, int64_t row, double flops, struct operand stack_of, struct operand A)
{
    struct task *t = task_create(run, TASK_STACK, unstack, flops, 2, (struct operand[]){ stack_of, A });
    if (task_submit_with(t, (struct task_arguments){ .row = row }))
        hand_over(run, A);
}

static void unstack_chosen(struct task *t)
{
    const struct row_stack *s = stack_in(t, 0);
    const struct task_tile *A = &t->tile[1];
    int chosen = smaller(A->mb, A->nb);
    char *rest = (char *)A->data + (size_t)chosen * t->precision->size;
    t->kernels->copy_rows(chosen, A->nb, NULL, rows_of(t, s), s->ld, NULL, A->data, A->mb);
    t->kernels->trsm(RIGHT, UPPER, NO_TRANS, NON_ZERO, A->mb - chosen, chosen, A->data, A->mb, rest, A->mb);
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
    task_submit(task_create(run, TASK_LASWP, record, 0, 2, (struct operand[]){ pivots_of, list }));
}
