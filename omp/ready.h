/*
 * The ready tasks of a rank, the most urgent first. OpenMP finds out when a task may run, this says which of those that may goes next:
 * the runtime's own priorities cost several microseconds a task once there are many, and equal ones come last in, first out.
 */
#ifndef OMPFACT_OMP_READY_H
#define OMPFACT_OMP_READY_H

#include "omp/task.h"

#include <pthread.h>

struct ready {
    pthread_mutex_t lock;
    struct task *root;
    _Atomic int64_t best;       /* urgency of the root; INT64_MAX: none is ready. A hint, read without the lock */
};

void ready_init(struct ready *ready);
void ready_destroy(struct ready *ready);
void ready_push(struct ready *ready, struct task *task);    /* any thread */
struct task *ready_pop(struct ready *ready);                /* any thread; NULL: none is ready */

#endif
