/* Checks that certain tasks have ended before a task begins: see order.h. */
#include "omp/order.h"
#include "omp/order_memory.h"

#include <stdio.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------------------------------------- */

static bool has(char *const *names, int count, const char *name)
{
    while (count > 0 && names[count - 1] != name)
        count--;
    return count > 0;
}

/* Whether names order the two tasks: one writes a name that the other one reads or writes. */
static bool are_ordered(const struct task_record *a, const struct task_record *b)
{
    for (int i = 0; i < a->ins + a->outs; i++)
        if (has(b->names + b->ins, b->outs, a->names[i]) || (i >= a->ins && has(b->names, b->ins, a->names[i])))
            return true;
    return false;
}

static void copy_names(struct run *run, struct task_record *r, const struct names *n)
{
    r->names = order_piece(run, (size_t)(n->in_count + n->out_count + 1) * sizeof *r->names);
    if (r->names == NULL)
        return;
    r->ins = n->in_count;
    r->outs = n->out_count;
    memcpy(r->names, n->in, (size_t)r->ins * sizeof *r->names);
    memcpy(r->names + r->ins, n->out, (size_t)r->outs * sizeof *r->names);
}

/* ---- faults ---------------------------------------------------------------------------------------------------------------- */

enum { NAME_BYTES = 96 };

static const char *name_of(const struct task_record *r, char text[NAME_BYTES])
{
    if (r->i >= 0)
        snprintf(text, NAME_BYTES, "%s of tile (%d,%d) in step %d", r->name, r->i, r->j, r->step);
    else
        snprintf(text, NAME_BYTES, "%s in step %d", r->name, r->step);
    return text;
}

/* Records the first fault. Prints it on stderr at once, too, because a run in a wrong order may never end. */
static void report(struct run *run, const char *text)
{
    if (!order_is_complete(run))
        return;
    pthread_mutex_lock(&run->device_lock);
    bool first = run->fault[0] == '\0';
    if (first)
        snprintf(run->fault, sizeof run->fault, "%s", text);
    pthread_mutex_unlock(&run->device_lock);
    atomic_store(&run->broken, true);
    if (first)
        fprintf(stderr, "ompfact: rank %d: %s\n", rma_rank(run->rma), text);
}

typedef bool test_function(const struct task_record *task, const struct task_record *before);

/* Applies the test to everything that the task needs. `relation` stands between the two tasks in the message about a failed
   test. */
static void test_needs(struct run *run, const struct task_record *task, test_function *test, const char *relation)
{
    char first[NAME_BYTES], second[NAME_BYTES], text[3 * NAME_BYTES];
    for (const struct need *n = task->needs; n != NULL; n = n->next) {
        const struct task_record *missed = n->writer != NULL && !test(task, n->writer) ? n->writer : NULL;
        for (const struct reader *r = n->readers; r != NULL && missed == NULL; r = r->before)
            missed = r->task != task && !test(task, r->task) ? r->task : NULL;
        if (missed == NULL)
            continue;
        snprintf(text, sizeof text, "out of order: %s %s %s, which %s what it uses", name_of(task, first), relation,
                 name_of(missed, second), missed == n->writer ? "writes" : "reads");
        report(run, text);
    }
}

/* ---- submission ------------------------------------------------------------------------------------------------------------ */

static struct task_record *new_record(struct run *run, const char *name, int i, int j)
{
    struct task_record *r = run->order != NULL ? order_piece(run, sizeof *r) : NULL;
    if (r != NULL)
        *r = (struct task_record){ .name = name, .i = i, .j = j, .step = run->step->k };
    return r;
}

void order_enter(struct run *run, struct task *task)
{
    task->record = new_record(run, task_name(task->kind), task->i, task->j);
}

void order_output(struct run *run, const struct task *task, enum access access)
{
    char name[NAME_BYTES], text[2 * NAME_BYTES];
    if (task->record == NULL || access != READ)
        return;
    snprintf(text, sizeof text, "out of order: %s declares that it only reads its output", name_of(task->record, name));
    report(run, text);
}

static void use_slot(struct run *run, struct task *task, const struct rma_slot *slot)
{
    order_note(run, task->record, false, slot, 0, 1);
}

/* An operand without a size in bytes, such as a stack, counts as one byte. */
void order_use_operand(struct run *run, struct task *task, int i, const struct operand *o)
{
    if (task->record == NULL)
        return;
    if (task->tile[i].slot != NULL)
        use_slot(run, task, task->tile[i].slot);
    else
        for (int more = 0; more <= o->more; more++)
            order_note(run, task->record, o->access != READ, (char *)o->data + (size_t)more * o->stride, 0,
                       o->address.bytes > 0 ? o->address.bytes : 1);
}

void order_use_tile(struct run *run, struct task *task, bool writes, const struct task_tile *tile, const void *base)
{
    if (task->record == NULL)
        return;
    size_t from = (size_t)(tile->data - (const char *)base), bytes = (size_t)tile->mb * (size_t)tile->nb * task->precision->size;
    if (tile->slot != NULL)
        use_slot(run, task, tile->slot);
    else
        order_note(run, task->record, writes, base, from, from + bytes);
}

void order_use_all(struct run *run, struct task *task, const void *base)
{
    if (task->record != NULL)
        order_note(run, task->record, true, base, 0, SIZE_MAX);
}

void order_submit(const struct task *task)
{
    struct run *run = task->run;
    if (task->record == NULL)
        return;
    copy_names(run, task->record, &run->names);
    if (task->record->names != NULL)
        test_needs(run, task->record, are_ordered, "has no dependence on");
}

void order_fetch(struct run *run, struct rma_slot *slot)
{
    struct task_record *r = new_record(run, "arrival", -1, -1);
    fetched_in(slot)->record = r;
    if (r == NULL)
        return;
    if (slot->from.what == NULL)
        rma_tile_place(&slot->from, &r->i, &r->j);
    else
        r->name = slot->from.what;
    order_note(run, r, true, slot, 0, 1);
    copy_names(run, r, &(struct names){ .out_count = 1, .out = { (char *)slot } });
}

/* ---- execution ------------------------------------------------------------------------------------------------------------- */

static bool has_ended(const struct task_record *task, const struct task_record *before)
{
    (void)task;
    return atomic_load_explicit(&before->ended, memory_order_relaxed);
}

static const char BEGINS[] = "begins before the end of";

/* `when` becomes part of the message. */
static void check_slot(struct run *run, const struct rma_slot *slot, const struct task_record *task, const char *when)
{
    char tile[NAME_BYTES], reader[NAME_BYTES], text[3 * NAME_BYTES];
    const struct task_record *r = fetched_in(slot)->record;
    if (r == NULL || rma_slot_is_intact(slot))
        return;
    snprintf(text, sizeof text, "out of order: %s, from rank %d, differs from the published tile, %s%s", name_of(r, tile),
             slot->from.rank,
             when, task != NULL ? name_of(task, reader) : "");
    report(run, text);
}

/* Whether the slot still holds the tile that the task was submitted for. Then the task needs the arrival of that tile. */
static bool still_has_it(const struct task_record *task, const struct rma_slot *slot)
{
    const struct need *n = task->needs;
    while (n != NULL && n->writer != fetched_in(slot)->record)
        n = n->next;
    return n != NULL;
}

static void check_slots(const struct task *task, const char *when)
{
    char reader[NAME_BYTES], other[NAME_BYTES], text[3 * NAME_BYTES];
    for (int t = 0; t < task->count; t++) {
        const struct rma_slot *slot = task->tile[t].slot;
        if (slot == NULL)
            continue;
        check_slot(task->run, slot, task->record, when);
        if (fetched_in(slot)->record == NULL || still_has_it(task->record, slot))
            continue;
        snprintf(text, sizeof text, "out of order: a slot that %s reads has been reused for %s", name_of(task->record, reader),
                 name_of(fetched_in(slot)->record, other));
        report(task->run, text);
    }
}

void order_begin(const struct task *task)
{
    if (task->record == NULL)
        return;
    test_needs(task->run, task->record, has_ended, BEGINS);
    check_slots(task, "before ");
}

void order_end(const struct task *task)
{
    if (task->record == NULL)
        return;
    check_slots(task, "after ");
    atomic_store_explicit(&task->record->ended, true, memory_order_relaxed);
}

atomic_bool *order_ended(struct task_record *record)
{
    return &record->ended;
}

void order_arrive(struct run *run, struct rma_slot *slot)
{
    struct task_record *r = fetched_in(slot)->record;
    if (r == NULL)
        return;
    test_needs(run, r, has_ended, BEGINS);
    check_slot(run, slot, NULL, "on its arrival");
    atomic_store_explicit(&r->ended, true, memory_order_relaxed);
}
