/* A skew heap (Sleator, Tarjan, "Self-Adjusting Heaps", 1986): it lives in the tasks themselves, so it needs no memory. */
#include "omp/ready.h"

#include <stdlib.h>

static bool before(const struct task *a, const struct task *b)
{
    return a->urgency < b->urgency || (a->urgency == b->urgency && a->number < b->number);
}

/* Down the right spines, whose smaller root goes up and has its children swapped. */
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

static void set_root(struct ready *ready, struct task *root)
{
    ready->root = root;
    atomic_store_explicit(&ready->best, root == NULL ? INT64_MAX : root->urgency, memory_order_relaxed);
}

bool ready_init(struct ready *ready, int window, int room, unsigned random)
{
    *ready = (struct ready){ .window = window, .room = room, .random = random };
    pthread_mutex_init(&ready->lock, NULL);
    set_root(ready, NULL);
    ready->done = window > 0 ? calloc((size_t)room, 1) : NULL;
    return window == 0 || ready->done != NULL;
}

void ready_destroy(struct ready *ready)
{
    free(ready->done);
    pthread_mutex_destroy(&ready->lock);
}

void ready_done(struct ready *ready, int64_t number)
{
    pthread_mutex_lock(&ready->lock);
    int64_t oldest = ready->oldest;
    ready->done[number % ready->room] = 1;
    for (; ready->done[oldest % ready->room]; oldest++)
        ready->done[oldest % ready->room] = 0;
    ready->oldest = oldest;
    pthread_mutex_unlock(&ready->lock);
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

void ready_push(struct ready *ready, struct task *task)
{
    task->left = task->right = NULL;
    pthread_mutex_lock(&ready->lock);
    set_root(ready, merge(ready->root, task));
    atomic_fetch_add_explicit(&ready->count, 1, memory_order_relaxed);
    pthread_mutex_unlock(&ready->lock);
}

int ready_count(const struct ready *ready)
{
    return atomic_load_explicit(&ready->count, memory_order_relaxed);
}

/* Somewhere on a random way down the heap; its children take its place. */
static struct task **any(struct ready *ready)
{
    struct task **link = &ready->root;
    while (rand_r(&ready->random) % 3 != 0) {
        struct task **next = rand_r(&ready->random) % 2 ? &(*link)->left : &(*link)->right;
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
    atomic_fetch_sub_explicit(&ready->count, 1, memory_order_relaxed);
    return task;
}

struct task *ready_pop(struct ready *ready)
{
    if (atomic_load_explicit(&ready->best, memory_order_relaxed) == INT64_MAX)
        return NULL;
    pthread_mutex_lock(&ready->lock);
    bool random = ready->random != 0 && ready->window == 0, passes = random && rand_r(&ready->random) % 4 == 0;
    struct task *task = NULL;
    if (!passes && may_start(ready, ready->root))
        task = take(ready, random ? any(ready) : &ready->root);
    pthread_mutex_unlock(&ready->lock);
    return task;
}
