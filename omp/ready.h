/*
 * The ready tasks of a rank, the most urgent first. OpenMP finds out when a task may run, this says which of those that may
 * goes next: the runtime's own priorities cost several microseconds a task once there are many, and equal ones come last in,
 * first out.
 */
#ifndef OMPFACT_OMP_READY_H
#define OMPFACT_OMP_READY_H

#include "omp/task.h"

#include <pthread.h>

/* The urgency of tasks that are to start in the order of their numbers: above all others, so that no panel goes first. */
#define READY_IN_ORDER (INT64_MAX - 1)

struct ready {
    pthread_mutex_t lock;
    struct task *root;
    atomic_int count;           /* of those that are ready */
    _Atomic int64_t best;       /* urgency of the root; INT64_MAX: none is ready. A hint, read without the lock */
    unsigned random;            /* state of random numbers; 0: the most urgent first, else any, sometimes none: a testing aid */
    /* where order counts: */
    int window;                 /* a task starts only if fewer than so many before it are unfinished; 0: any time */
    _Atomic int64_t oldest;     /* number of the first unfinished task */
    unsigned char *done;        /* [number % room] for the numbers from there on */
    int room;
};

/* In order if window > 0; then numbers are submitted only if they are less than oldest + room. random: see there. false: no
   memory. */
bool ready_init(struct ready *ready, int window, int room, unsigned random);
void ready_done(struct ready *ready, int64_t number);       /* any thread, where order counts */
void ready_destroy(struct ready *ready);
void ready_push(struct ready *ready, struct task *task);    /* any thread */
int ready_count(const struct ready *ready);                 /* now; any thread */
struct task *ready_pop(struct ready *ready);                /* any thread; NULL: none may start */

#endif
