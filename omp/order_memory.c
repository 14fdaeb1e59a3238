/* The last users of each byte. Each piece of memory is cut where an access begins or ends. */
#include "omp/order_memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Consecutive bytes that the same tasks have used. */
struct bytes {
    size_t from, to;
    struct task_record *writer;     /* last writer */
    struct reader *readers;         /* readers since the last write */
    struct bytes *next;             /* the bytes behind these */
};

/* A block of memory that lives as long as the run. */
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
    atomic_bool no_memory;
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

/* Ends the checks of this run: accesses that are not recorded would look like faults. */
static void stop(struct run *run)
{
    if (!atomic_exchange(&run->order->no_memory, true))
        fprintf(stderr, "ompfact: rank %d: no memory to check the order of tasks any longer\n", rma_rank(run->rma));
}

void *order_piece(struct run *run, size_t bytes)
{
    struct order *o = run->order;
    bytes = (bytes + 15) / 16 * 16;
    if (o->blocks == NULL || o->blocks->used + bytes > sizeof o->blocks->memory) {
        struct block *block = malloc(sizeof *block);
        if (block == NULL) {
            stop(run);
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

/* ---- memory, cut wherever an access begins or ends ------------------------------------------------------------------------- */

bool order_is_complete(const struct run *run)
{
    return !atomic_load(&run->order->no_memory);
}

/* A new, empty list for a piece of memory. NULL: no memory. */
static struct bytes **new_memory(struct order *o, int64_t id)
{
    if (o->count == o->room) {
        int room = 2 * o->room + 256;
        struct bytes **larger = realloc(o->memory, (size_t)room * sizeof(struct bytes *));
        if (larger == NULL)
            return NULL;
        o->memory = larger;
        o->room = room;
    }
    if (rma_table_insert(o->index, NULL, id, o->count) != 0)
        return NULL;
    o->memory[o->count] = NULL;
    return &o->memory[o->count++];
}

static struct bytes **memory_of(struct run *run, const void *base)
{
    struct order *o = run->order;
    int64_t id = (int64_t)(intptr_t)base;
    int found = rma_table_find(o->index, NULL, id);
    struct bytes **list = found >= 0 ? &o->memory[found] : new_memory(o, id);
    if (list == NULL)
        stop(run);
    return list;
}

static struct bytes *insert_bytes(struct run *run, struct bytes **link, struct bytes like, size_t from, size_t to)
{
    struct bytes *b = order_piece(run, sizeof *b);
    if (b == NULL)
        return NULL;
    *b = like;
    b->from = from;
    b->to = to;
    b->next = *link;
    return *link = b;
}

/* Finds, from *link on, the bytes from `from` to at most `to`, and cuts them off from the bytes before and behind. NULL: no
   memory. */
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

static void add_need(struct run *run, struct task_record *task, struct task_record *writer, struct reader *readers)
{
    struct need *need = writer != NULL || readers != NULL ? order_piece(run, sizeof *need) : NULL;
    if (need == NULL)
        return;
    *need = (struct need){ writer, readers, task->needs };
    task->needs = need;
}

static void use_bytes(struct run *run, struct task_record *task, bool writes, struct bytes *b)
{
    if (b->writer == task || (!writes && b->readers != NULL && b->readers->task == task))
        return;
    add_need(run, task, b->writer, writes ? b->readers : NULL);
    struct reader *reader = writes ? NULL : order_piece(run, sizeof *reader);
    if (writes)
        b->writer = task;
    else if (reader != NULL)
        *reader = (struct reader){ task, b->readers };
    b->readers = reader;
}

void order_note(struct run *run, struct task_record *task, bool writes, const void *base, size_t from, size_t to)
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
