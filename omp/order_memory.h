/* The tasks that must precede each task, derived from the bytes that the tasks use: for order.c. Only the submitting thread
   writes these data. */
#ifndef OMPFACT_OMP_ORDER_MEMORY_H
#define OMPFACT_OMP_ORDER_MEMORY_H

#include "omp/execution.h"

/* The record of a task, or of the arrival of a remote tile. The record outlives the task, because later tasks check whether it
   has ended. */
struct task_record {
    const char *name;
    int i, j, step;
    atomic_bool ended;
    struct need *needs;         /* the tasks that must have ended when this one begins */
    int ins, outs;
    char **names;               /* names that the task reads, then names that it writes */
};

/* A reader of some bytes, and the readers before it since the last write. A reader never changes, so two pieces of memory may
   share the rest of a list. */
struct reader {
    struct task_record *task;
    struct reader *before;
};

struct need {
    struct task_record *writer;     /* the last writer; NULL: none in this run */
    struct reader *readers;         /* readers since the last write, if the task writes */
    struct need *next;
};

struct order *order_create(void);       /* NULL: no memory */
void order_destroy(struct order **order);

/* Memory that lives as long as the run. NULL: no memory, and from then on nothing is reported. */
void *order_piece(struct run *run, size_t bytes);
bool order_is_complete(const struct run *run);
/* Records that the task uses the bytes from .. to-1 of the memory at `base`, and adds to its needs. */
void order_note(struct run *run, struct task_record *task, bool writes, const void *base, size_t from, size_t to);

#endif
