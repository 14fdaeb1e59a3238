/* A skew heap (Sleator, Tarjan, "Self-Adjusting Heaps", 1986): it lives in the tasks themselves, so it needs no memory. */
#include "omp/ready.h"

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

void ready_init(struct ready *ready)
{
    pthread_mutex_init(&ready->lock, NULL);
    set_root(ready, NULL);
}

void ready_destroy(struct ready *ready)
{
    pthread_mutex_destroy(&ready->lock);
}

void ready_push(struct ready *ready, struct task *task)
{
    task->left = task->right = NULL;
    pthread_mutex_lock(&ready->lock);
    set_root(ready, merge(ready->root, task));
    pthread_mutex_unlock(&ready->lock);
}

struct task *ready_pop(struct ready *ready)
{
    if (atomic_load_explicit(&ready->best, memory_order_relaxed) == INT64_MAX)
        return NULL;
    pthread_mutex_lock(&ready->lock);
    struct task *task = ready->root;
    if (task != NULL)
        set_root(ready, merge(task->left, task->right));
    pthread_mutex_unlock(&ready->lock);
    return task;
}
