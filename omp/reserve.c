/* Tasks come from blocks, publications from malloc. reserve.h explains how they are reused, and why a run without memory still
   ends. */
#include "omp/reserve.h"

#include <stdlib.h>

static struct rma_publication *allocate(int readers)
{
    struct rma_publication *p;
    return malloc(sizeof *p + (size_t)readers * (sizeof p->reader[0] + sizeof p->word[0]));
}

static void add_unused(struct reserve *r, struct task *task, int count)
{
    for (int i = 0; i < count; i++) {
        task[i].left = r->unused;
        r->unused = &task[i];
    }
}

static bool add_block(struct reserve *r)
{
    struct task_block *block = aligned_alloc(_Alignof(struct task_block), sizeof *block);
    if (block == NULL)
        return false;
    block->next = r->blocks;
    r->blocks = block;
    add_unused(r, block->task, BLOCK_TASKS);
    return true;
}

bool reserve_create(struct reserve *r, int readers)
{
    r->blocks = NULL;
    r->unused = NULL;
    add_unused(r, r->first, RESERVE_TASKS);
    atomic_init(&r->freed, NULL);
    atomic_init(&r->publication_taken, false);
    r->publication = allocate(readers);
    return r->publication != NULL;
}

void reserve_destroy(struct reserve *r)
{
    free(r->publication);
    while (r->blocks != NULL) {
        struct task_block *next = r->blocks->next;
        free(r->blocks);
        r->blocks = next;
    }
}

struct task *reserve_new_task(struct reserve *r)
{
    if (r->unused == NULL)
        r->unused = atomic_exchange_explicit(&r->freed, NULL, memory_order_acquire);
    if (r->unused == NULL && !add_block(r))
        return NULL;
    struct task *task = r->unused;
    r->unused = task->left;
    return task;
}

struct rma_publication *reserve_new_publication(struct reserve *r, int readers)
{
    struct rma_publication *p = allocate(readers);
    if (p == NULL && !atomic_exchange_explicit(&r->publication_taken, true, memory_order_acquire))
        p = r->publication;
    return p;
}

void reserve_free_task(struct reserve *r, struct freed *mine, struct task *task)
{
    task->left = mine->top;
    *mine = (struct freed){ task, mine->bottom != NULL ? mine->bottom : task, mine->count + 1 };
    if (mine->count == FREED_TASKS)
        reserve_return(r, mine);
}

void reserve_return(struct reserve *r, struct freed *mine)
{
    if (mine->top == NULL)
        return;
    struct task *others = atomic_load_explicit(&r->freed, memory_order_relaxed);
    do
        mine->bottom->left = others;
    while (!atomic_compare_exchange_weak_explicit(&r->freed, &others, mine->top, memory_order_release, memory_order_relaxed));
    *mine = (struct freed){ 0 };
}

void reserve_free_publication(struct reserve *r, struct rma_publication *p)
{
    if (p == r->publication)
        atomic_store_explicit(&r->publication_taken, false, memory_order_release);
    else
        free(p);
}
