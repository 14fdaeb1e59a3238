/*
 * The ready tasks of a rank, the most urgent first. OpenMP finds out when a task may run; this heap decides which ready task
 * runs next. The priorities of the runtime cost several microseconds a task if there are many, and tasks of equal priority
 * come last in, first out.
 */
#ifndef OMPFACT_OMP_READY_H
#define OMPFACT_OMP_READY_H

#include "omp/task.h"

/* The urgency of tasks that must start in the order of their numbers: larger than all others, so that no panel comes first. */
#define READY_IN_ORDER (INT64_MAX - 1)

/* Ready tasks of one thread that no other thread sees; zero: none. */
struct at_hand {
    struct task *root;          /* root of a heap */
    int count;
};

struct ready {
    /* On a cache line of its own: data that every thread reads and, under the lock, writes. */
    _Alignas(64) atomic_bool locked;
    atomic_int count;           /* number of ready tasks; written under the lock, as all that follows */
    _Atomic int64_t best;       /* urgency of the root; INT64_MAX: none is ready. A hint, read without the lock */
    struct task *root;
    bool random;                /* takes any task instead of the most urgent one, sometimes none: a testing aid */
    unsigned state;             /* state of the random numbers */
    /* for tasks that must start in order: */
    int window;                 /* a task starts only if fewer than so many before it are unfinished; 0: any time */
    _Atomic int64_t oldest;     /* number of the first unfinished task */
    unsigned char *done;        /* [number % room] for the numbers from there on */
    int room;
};

/* window > 0: in order; then a number is submitted only if it is less than oldest + room. random: 0, or the first state of
   the random numbers. false: no memory. */
bool ready_init(struct ready *ready, int window, int room, unsigned random);
void ready_done(struct ready *ready, int64_t number);       /* any thread, if tasks start in order */
void ready_destroy(struct ready *ready);
void ready_push(struct ready *ready, struct task *task);    /* any thread */
int ready_count(const struct ready *ready);                 /* now; any thread */
struct task *ready_pop(struct ready *ready);                /* any thread; NULL: none may start */

/* Adds a task to those of the calling thread. */
void at_hand_add(struct at_hand *mine, struct task *task);
/* Moves the tasks of the thread to the common ones. */
void ready_add(struct ready *ready, struct at_hand *mine);
/* Does the same, and takes the most urgent task of all as ready_pop does. The thread has none left. Any thread. Takes no lock
   if the thread's only task is the most urgent one. */
struct task *ready_exchange(struct ready *ready, struct at_hand *mine);

#endif
