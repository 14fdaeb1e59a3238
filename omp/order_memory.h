/* What tasks need of each other by the bytes that they use: for order.c. The submitting thread alone writes it. */
#ifndef OMPFACT_OMP_ORDER_MEMORY_H
#define OMPFACT_OMP_ORDER_MEMORY_H

#include "omp/execution.h"

/* A task, or the arrival of a remote tile: it outlives the task, for later ones look whether it has ended. */
struct task_record {
    const char *name;
    int i, j, step;
    atomic_bool ended;
    struct need *needs;         /* what must have ended when it begins */
    int ins, outs;
    char **names;               /* those that it reads, then those that it writes */
};

/* One that reads some bytes, and those that read them before it, since they were written. Never changed: two pieces may share
   what is behind. */
struct reader {
    struct task_record *task;
    struct reader *before;
};

struct need {
    struct task_record *writer;     /* NULL: none in this run */
    struct reader *readers;         /* where the task writes */
    struct need *next;
};

struct order *order_create(void);       /* NULL: no memory */
void order_destroy(struct order **order);

/* Memory that lives as long as the run. NULL: there is none, and from then on nothing is reported. */
void *order_piece(struct run *run, size_t bytes);
bool order_is_complete(const struct run *run);
/* The task uses the bytes from .. to-1 of the memory that begins at `base`: adds to its needs. */
void order_note(struct run *run, struct task_record *task, bool writes, const void *base, size_t from, size_t to);

#endif
