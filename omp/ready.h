/*
 * The ready tasks of a rank, the most urgent first. OpenMP finds out when a task may run, this says which of those that may
 * goes next: the runtime's own priorities cost several microseconds a task once there are many, and equal ones come last in,
 * first out.
 */
#ifndef OMPFACT_OMP_READY_H
#define OMPFACT_OMP_READY_H

#include "omp/task.h"

/* The urgency of tasks that are to start in the order of their numbers: above all others, so that no panel goes first. */
#define READY_IN_ORDER (INT64_MAX - 1)

/* Ready tasks that one thread has at hand and no other one sees; zero: none. */
struct at_hand {
    struct task *root;          /* of a heap, too */
    int count;
};

struct ready {
    /* A line of the cache by itself: what every thread looks at and, under the lock, writes. */
    _Alignas(64) atomic_bool locked;
    atomic_int count;           /* of those that are ready; written under the lock, as all that follows */
    _Atomic int64_t best;       /* urgency of the root; INT64_MAX: none is ready. A hint, read without the lock */
    struct task *root;
    bool random;                /* not the most urgent first but any, sometimes none: a testing aid */
    unsigned state;             /* of random numbers */
    /* where order counts: */
    int window;                 /* a task starts only if fewer than so many before it are unfinished; 0: any time */
    _Atomic int64_t oldest;     /* number of the first unfinished task */
    unsigned char *done;        /* [number % room] for the numbers from there on */
    int room;
};

/* In order if window > 0; then numbers are submitted only if they are less than oldest + room. random: 0, or the state of random
   numbers to begin with. false: no memory. */
bool ready_init(struct ready *ready, int window, int room, unsigned random);
void ready_done(struct ready *ready, int64_t number);       /* any thread, where order counts */
void ready_destroy(struct ready *ready);
void ready_push(struct ready *ready, struct task *task);    /* any thread */
int ready_count(const struct ready *ready);                 /* now; any thread */
struct task *ready_pop(struct ready *ready);                /* any thread; NULL: none may start */

/* One more that the calling thread has at hand. */
void at_hand_add(struct at_hand *mine, struct task *task);
/* Puts what the thread has at hand among the others. */
void ready_add(struct ready *ready, struct at_hand *mine);
/* Does so, and takes the most urgent one of all as ready_pop does. Nothing is left at
   hand. Any thread; without the lock where the thread has the most urgent one, and no other, at hand. */
struct task *ready_exchange(struct ready *ready, struct at_hand *mine);

#endif
