/* From malloc, and where that has nothing from the reserve: reserve.h says why a run then goes on. */
#include "omp/reserve.h"

#include <stdlib.h>

static struct rma_publication *allocate(int readers)
{
    struct rma_publication *p;
    return malloc(sizeof *p + (size_t)readers * (sizeof p->reader[0] + sizeof p->word[0]));
}

bool reserve_create(struct reserve *r, int readers)
{
    for (int i = 0; i < RESERVE_TASKS; i++)
        atomic_init(&r->task_taken[i], false);
    atomic_init(&r->publication_taken, false);
    r->publication = allocate(readers);
    return r->publication != NULL;
}

void reserve_destroy(struct reserve *r)
{
    free(r->publication);
}

struct task *reserve_new_task(struct reserve *r)
{
    struct task *task = malloc(sizeof *task);
    for (int i = 0; task == NULL && i < RESERVE_TASKS; i++)
        if (!atomic_exchange_explicit(&r->task_taken[i], true, memory_order_acquire))
            task = &r->task[i];
    return task;
}

struct rma_publication *reserve_new_publication(struct reserve *r, int readers)
{
    struct rma_publication *p = allocate(readers);
    if (p == NULL && !atomic_exchange_explicit(&r->publication_taken, true, memory_order_acquire))
        p = r->publication;
    return p;
}

void reserve_free_task(struct reserve *r, struct task *task)
{
    for (int i = 0; i < RESERVE_TASKS; i++)
        if (task == &r->task[i]) {
            atomic_store_explicit(&r->task_taken[i], false, memory_order_release);
            return;
        }
    free(task);
}

void reserve_free_publication(struct reserve *r, struct rma_publication *p)
{
    if (p == r->publication)
        atomic_store_explicit(&r->publication_taken, false, memory_order_release);
    else
        free(p);
}
