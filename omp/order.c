/* Who has to have ended before a task begins, by the memory that it touches. The picture is in order.h. */
#include "omp/order.h"
#include "omp/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A task, or the arrival of a remote tile: it outlives the task, for later ones look whether it has ended. */
struct task_record {
    const char *name;
    int i, j, step;
    atomic_bool ended;
    struct need *needs;         /* what must have ended when it begins */
    int ins, outs;
    char **names;               /* those that it reads, then those that it writes */
};

/* One that reads some bytes, and those that read them before it, since they were written. Never changed: two pieces may share what is behind. */
struct reader {
    struct task_record *task;
    struct reader *before;
};

struct need {
    struct task_record *writer;     /* NULL: none in this run */
    struct reader *readers;         /* where the task writes */
    struct need *next;
};

/* Consecutive bytes that have been used by the same tasks. */
struct bytes {
    size_t from, to;
    struct task_record *writer;     /* the last one */
    struct reader *readers;         /* since then */
    struct bytes *next;             /* behind these */
};

/* What lives as long as the run, in blocks. */
struct block {
    struct block *next;
    size_t used;
    _Alignas(16) char memory[1 << 16];
};

struct order {
    struct rma_table *index;        /* base of memory -> its number */
    struct bytes **memory;
    int count, room;
    struct block *blocks;
};

struct order *order_create(void)
{
    struct order *order = calloc(1, sizeof *order);
    if (order != NULL)
        order->index = rma_table_create(1024);
    if (order != NULL && order->index == NULL)
        order_destroy(&order);
    return order;
}

void order_destroy(struct order **order)
{
    struct order *o = *order;
    if (o == NULL)
        return;
    while (o->blocks != NULL) {
        struct block *next = o->blocks->next;
        free(o->blocks);
        o->blocks = next;
    }
    rma_table_destroy(&o->index);
    free(o->memory);
    free(o);
    *order = NULL;
}

/* NULL: there is no memory, and the run will say so; what is not recorded is not checked. */
static void *new_piece(struct run *run, size_t bytes)
{
    struct order *o = run->order;
    bytes = (bytes + 15) / 16 * 16;
    if (o->blocks == NULL || o->blocks->used + bytes > sizeof o->blocks->memory) {
        struct block *block = malloc(sizeof *block);
        if (block == NULL) {
            atomic_store(&run->no_memory, true);
            return NULL;
        }
        block->next = o->blocks;
        block->used = 0;
        o->blocks = block;
    }
    void *piece = o->blocks->memory + o->blocks->used;
    o->blocks->used += bytes;
    return piece;
}

/* ---- memory, cut wherever an access begins or ends ------------------------------------------------------------------------------------- */

static struct bytes **memory_of(struct run *run, const void *base)
{
    struct order *o = run->order;
    int64_t id = (int64_t)(intptr_t)base;
    int found = rma_table_find(o->index, NULL, id);
    if (found >= 0)
        return &o->memory[found];
    if (o->count == o->room) {
        int room = 2 * o->room + 256;
        struct bytes **larger = realloc(o->memory, (size_t)room * sizeof(struct bytes *));
        if (larger == NULL) {
            atomic_store(&run->no_memory, true);
            return NULL;
        }
        o->memory = larger;
        o->room = room;
    }
    if (rma_table_insert(o->index, NULL, id, o->count) != 0) {
        atomic_store(&run->no_memory, true);
        return NULL;
    }
    o->memory[o->count] = NULL;
    return &o->memory[o->count++];
}

static struct bytes *insert_bytes(struct run *run, struct bytes **link, struct bytes like, size_t from, size_t to)
{
    struct bytes *b = new_piece(run, sizeof *b);
    if (b == NULL)
        return NULL;
    *b = like;
    b->from = from;
    b->to = to;
    b->next = *link;
    return *link = b;
}

/* From *link on: the bytes from `from` to `to` at most, cut off from those before and behind. NULL: no memory. */
static struct bytes *cut(struct run *run, struct bytes **link, size_t from, size_t to)
{
    struct bytes *b = *link;
    if (b == NULL || b->from >= to)
        return insert_bytes(run, link, (struct bytes){ 0 }, from, to);
    if (b->from > from)
        return insert_bytes(run, link, (struct bytes){ 0 }, from, b->from);
    if (b->from < from) {
        struct bytes *before = insert_bytes(run, link, *b, b->from, from);
        if (before == NULL)
            return NULL;
        b->from = from;
        link = &before->next;
    }
    if (b->to <= to)
        return b;
    struct bytes *first = insert_bytes(run, link, *b, from, to);
    if (first != NULL)
        b->from = to;
    return first;
}

static void use_bytes(struct run *run, struct task_record *task, bool writes, struct bytes *b)
{
    if (b->writer == task || (!writes && b->readers != NULL && b->readers->task == task))
        return;
    struct need *need = new_piece(run, sizeof *need);
    struct reader *reader = writes ? NULL : new_piece(run, sizeof *reader);
    if (need == NULL || (!writes && reader == NULL))
        return;
    *need = (struct need){ .writer = b->writer, .readers = writes ? b->readers : NULL, .next = task->needs };
    task->needs = need;
    if (writes) {
        b->writer = task;
        b->readers = NULL;
    } else {
        *reader = (struct reader){ task, b->readers };
        b->readers = reader;
    }
}

static void use(struct run *run, struct task_record *task, bool writes, const void *base, size_t from, size_t to)
{
    struct bytes **link = memory_of(run, base);
    while (link != NULL && *link != NULL && (*link)->to <= from)
        link = &(*link)->next;
    while (link != NULL && from < to) {
        struct bytes *b = cut(run, link, from, to);
        if (b == NULL)
            return;
        use_bytes(run, task, writes, b);
        from = b->to;
        link = &b->next;
    }
}

/* ---- names ----------------------------------------------------------------------------------------------------------------------------- */

static bool has(char *const *names, int count, const char *name)
{
    while (count > 0 && names[count - 1] != name)
        count--;
    return count > 0;
}

/* Do names keep them apart? One writes what the other one reads or writes. */
static bool are_ordered(const struct task_record *a, const struct task_record *b)
{
    for (int i = 0; i < a->ins + a->outs; i++)
        if (has(b->names + b->ins, b->outs, a->names[i]) || (i >= a->ins && has(b->names, b->ins, a->names[i])))
            return true;
    return false;
}

static void copy_names(struct run *run, struct task_record *r, const struct names *n)
{
    r->names = new_piece(run, (size_t)(n->in_count + n->out_count + 1) * sizeof *r->names);
    if (r->names == NULL)
        return;
    r->ins = n->in_count;
    r->outs = n->out_count;
    memcpy(r->names, n->in, (size_t)r->ins * sizeof *r->names);
    memcpy(r->names + r->ins, n->out, (size_t)r->outs * sizeof *r->names);
}

/* ---- faults ---------------------------------------------------------------------------------------------------------------------------- */

enum { WHO = 96 };

static const char *who(const struct task_record *r, char text[WHO])
{
    if (r->i >= 0)
        snprintf(text, WHO, "%s of tile (%d,%d) in step %d", r->name, r->i, r->j, r->step);
    else
        snprintf(text, WHO, "%s in step %d", r->name, r->step);
    return text;
}

/* The first fault is the run's. At once on stderr, too: without its order a run may not come to its end. */
static void report(struct run *run, const char *text)
{
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

/* Whether the test holds for all that the task needs; what it says if not comes between the two. */
static void test_needs(struct run *run, const struct task_record *task, test_function *test, const char *says)
{
    char first[WHO], second[WHO], text[3 * WHO];
    for (const struct need *n = task->needs; n != NULL; n = n->next) {
        const struct task_record *missed = n->writer != NULL && !test(task, n->writer) ? n->writer : NULL;
        for (const struct reader *r = n->readers; r != NULL && missed == NULL; r = r->before)
            missed = r->task != task && !test(task, r->task) ? r->task : NULL;
        if (missed == NULL)
            continue;
        snprintf(text, sizeof text, "out of order: %s %s %s, which %s what it uses", who(task, first), says, who(missed, second),
                 missed == n->writer ? "writes" : "reads");
        report(run, text);
    }
}

/* ---- submission ------------------------------------------------------------------------------------------------------------------------- */

static struct task_record *new_record(struct run *run, const char *name, int i, int j)
{
    struct task_record *r = run->order != NULL ? new_piece(run, sizeof *r) : NULL;
    if (r != NULL)
        *r = (struct task_record){ .name = name, .i = i, .j = j, .step = run->step->k };
    return r;
}

void order_enter(struct run *run, struct task *task)
{
    task->record = new_record(run, task_name(task->kind), task->i, task->j);
}

static void use_slot(struct run *run, struct task *task, const struct rma_slot *slot)
{
    use(run, task->record, false, slot, 0, 1);
}

/* What has no size in bytes, as a stack, is one. */
void order_use_operand(struct run *run, struct task *task, int i, const struct operand *o)
{
    if (task->record == NULL)
        return;
    if (task->tile[i].slot != NULL)
        use_slot(run, task, task->tile[i].slot);
    else
        use(run, task->record, o->access != READ, o->data, 0, o->address.bytes > 0 ? o->address.bytes : 1);
}

void order_use_tile(struct run *run, struct task *task, bool writes, const struct task_tile *tile, const void *base)
{
    if (task->record == NULL)
        return;
    size_t from = (size_t)(tile->data - (const char *)base), bytes = (size_t)tile->mb * (size_t)tile->nb * task->kernels->size;
    if (tile->slot != NULL)
        use_slot(run, task, tile->slot);
    else
        use(run, task->record, writes, base, from, from + bytes);
}

void order_use_all(struct run *run, struct task *task, const void *base)
{
    if (task->record != NULL)
        use(run, task->record, true, base, 0, SIZE_MAX);
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
    slot->record = r;
    if (r == NULL)
        return;
    if (slot->from.what == NULL)
        rma_tile_place(&slot->from, &r->i, &r->j);
    else
        r->name = slot->from.what;
    use(run, r, true, slot, 0, 1);
    copy_names(run, r, &(struct names){ .out_count = 1, .out = { (char *)slot } });
}

/* ---- execution ------------------------------------------------------------------------------------------------------------------------- */

static bool has_ended(const struct task_record *task, const struct task_record *before)
{
    (void)task;
    return atomic_load_explicit(&before->ended, memory_order_relaxed);
}

static void begin(struct run *run, const struct task_record *task)
{
    test_needs(run, task, has_ended, "begins before the end of");
}

/* `when`: as a part of a sentence. */
static void look_at(struct run *run, const struct rma_slot *slot, const struct task_record *task, const char *when)
{
    char tile[WHO], reader[WHO], text[3 * WHO];
    const struct task_record *r = slot->record;
    if (r == NULL || rma_slot_is_intact(slot))
        return;
    snprintf(text, sizeof text, "out of order: %s, from rank %d, is not what was published, %s%s", who(r, tile), slot->from.rank, when,
             task != NULL ? who(task, reader) : "");
    report(run, text);
}

static void look_at_slots(const struct task *task, const char *when)
{
    for (int t = 0; t < task->count; t++)
        if (task->tile[t].slot != NULL)
            look_at(task->run, task->tile[t].slot, task->record, when);
}

void order_begin(const struct task *task)
{
    if (task->record == NULL)
        return;
    begin(task->run, task->record);
    look_at_slots(task, "before ");
}

void order_end(const struct task *task)
{
    if (task->record == NULL)
        return;
    look_at_slots(task, "after ");
    atomic_store_explicit(&task->record->ended, true, memory_order_relaxed);
}

atomic_bool *order_ended(struct task_record *record)
{
    return &record->ended;
}

void order_arrive(struct run *run, struct rma_slot *slot)
{
    struct task_record *r = slot->record;
    if (r == NULL)
        return;
    begin(run, r);
    look_at(run, slot, NULL, "on its arrival");
    atomic_store_explicit(&r->ended, true, memory_order_relaxed);
}
