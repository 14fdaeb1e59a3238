/* A skew heap (Sleator, Tarjan, "Self-Adjusting Heaps", 1986). Its links are in the tasks, so the heap needs no memory. */
#include "omp/ready.h"

#include <stdlib.h>

static bool before(const struct task *a, const struct task *b)
{
    return a->urgency < b->urgency || (a->urgency == b->urgency && a->number < b->number);
}

/* Merges along the right spines: the smaller root becomes the root, and its children are swapped. */
static struct task *merge(struct task *a, struct task *b)
{
    struct task *root = NULL, **link = &root;
    while (a != NULL && b != NULL) {
        if (before(b, a)) {
            struct task *other = a;
            a = b;
            b = other;
        }
        *link = a;
        struct task *next = a->right;
        a->right = a->left;
        link = &a->left;
        a = next;
    }
    *link = a != NULL ? a : b;
    return root;
}

/* A thread holds the lock only while it walks down a heap. So a waiting thread polls the lock without a pause at first. Then
   it backs off, as in all waits, because the holder of the lock may have lost its core. */
static void lock(struct ready *ready)
{
    enum { POLLS = 200 };
    struct rma_backoff backoff = { 0 };
    for (int polls = 0; atomic_load_explicit(&ready->locked, memory_order_relaxed) ||
                        atomic_exchange_explicit(&ready->locked, true, memory_order_acquire); polls++)
        if (polls >= POLLS)
            rma_back_off(&backoff);
}

static void unlock(struct ready *ready)
{
    atomic_store_explicit(&ready->locked, false, memory_order_release);
}

static void set_root(struct ready *ready, struct task *root)
{
    ready->root = root;
    atomic_store_explicit(&ready->best, root == NULL ? INT64_MAX : root->urgency, memory_order_relaxed);
}

bool ready_init(struct ready *ready, int window, int room, unsigned random)
{
    *ready = (struct ready){ .window = window, .room = room, .random = random != 0, .state = random };
    set_root(ready, NULL);
    ready->done = window > 0 ? calloc((size_t)room, 1) : NULL;
    return window == 0 || ready->done != NULL;
}

void ready_destroy(struct ready *ready)
{
    free(ready->done);
}

void ready_done(struct ready *ready, int64_t number)
{
    lock(ready);
    int64_t oldest = ready->oldest;
    ready->done[number % ready->room] = 1;
    for (; ready->done[oldest % ready->room]; oldest++)
        ready->done[oldest % ready->room] = 0;
    ready->oldest = oldest;
    unlock(ready);
}

static bool may_start(const struct ready *ready, const struct task *task)
{
    if (task == NULL || ready->window == 0)
        return task != NULL;
    int unfinished = 0;
    for (int64_t n = ready->oldest; n < task->number && unfinished < ready->window; n++)
        unfinished += !ready->done[n % ready->room];
    return unfinished < ready->window;
}

int ready_count(const struct ready *ready)
{
    return atomic_load_explicit(&ready->count, memory_order_relaxed);
}

/* Called under the lock, like put() and take(), so the count needs no atomic addition. */
static void count(struct ready *ready, int more)
{
    atomic_store_explicit(&ready->count, ready_count(ready) + more, memory_order_relaxed);
}

static void put(struct ready *ready, struct at_hand *mine)
{
    set_root(ready, merge(ready->root, mine->root));
    count(ready, mine->count);
    *mine = (struct at_hand){ 0 };
}

void at_hand_add(struct at_hand *mine, struct task *task)
{
    task->left = task->right = NULL;
    mine->root = merge(mine->root, task);
    mine->count++;
}

void ready_add(struct ready *ready, struct at_hand *mine)
{
    if (mine->root == NULL)
        return;
    lock(ready);
    put(ready, mine);
    unlock(ready);
}

void ready_push(struct ready *ready, struct task *task)
{
    struct at_hand mine = { 0 };
    at_hand_add(&mine, task);
    ready_add(ready, &mine);
}

/* A task at a random place of the heap: the link to it. When the task is taken, the task's children replace it. */
static struct task **any(struct ready *ready)
{
    struct task **link = &ready->root;
    while (rand_r(&ready->state) % 3 != 0) {
        struct task **next = rand_r(&ready->state) % 2 ? &(*link)->left : &(*link)->right;
        if (*next == NULL)
            break;
        link = next;
    }
    return link;
}

static struct task *take(struct ready *ready, struct task **link)
{
    struct task *task = *link;
    *link = merge(task->left, task->right);
    set_root(ready, ready->root);
    count(ready, -1);
    return task;
}

/* Returns the most urgent task of all if it is at hand and tasks may start at any time; else NULL. Such a task never enters
   the common heap. */
static struct task *take_at_hand(struct ready *ready, struct at_hand *mine)
{
    struct task *task = mine->root;
    if (task == NULL || ready->window > 0 || ready->random ||
        task->urgency > atomic_load_explicit(&ready->best, memory_order_relaxed))
        return NULL;
    *mine = (struct at_hand){ merge(task->left, task->right), mine->count - 1 };
    return task;
}

static struct task *pop(struct ready *ready)
{
    bool random = ready->random && ready->window == 0, passes = random && rand_r(&ready->state) % 4 == 0;
    return !passes && may_start(ready, ready->root) ? take(ready, random ? any(ready) : &ready->root) : NULL;
}

struct task *ready_exchange(struct ready *ready, struct at_hand *mine)
{
    struct task *task = take_at_hand(ready, mine);
    bool others = atomic_load_explicit(&ready->best, memory_order_relaxed) != INT64_MAX;
    if (mine->root == NULL && (task != NULL || !others))
        return task;
    lock(ready);
    if (mine->root != NULL)
        put(ready, mine);
    if (task == NULL)
        task = pop(ready);
    unlock(ready);
    return task;
}

struct task *ready_pop(struct ready *ready)
{
    return ready_exchange(ready, &(struct at_hand){ 0 });
}
