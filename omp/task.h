/* What a task is to the runtime, for the files task_*.c alone: admit, begin, end. */
#ifndef OMPFACT_OMP_TASK_H
#define OMPFACT_OMP_TASK_H

#include "omp/run.h"

struct task_tile {
    char *data;                 /* also the tile's name in depend clauses */
    int mb, nb;
    struct rma_slot *slot;      /* NULL if the tile is owned here */
};

struct task {
    struct run *run;
    const struct kernels *kernels;
    struct task_tile tile[TASK_OPERANDS];
    int count;
    enum task_kind kind;
    int i, j, step;             /* the output's place */
    int priority;
    double flops;               /* real floating-point operations */
    struct rma_publication *publication;    /* of the output, if it is final and anybody reads it */
    double start;               /* of its execution, where a trace is kept */
};

/*
 * Hands the task to the run's sink. True: make it an OpenMP task. The last operand is the output. flops are multiply-adds times
 * two, as if the tiles were real.
 */
bool task_admit(struct run *run, struct task *task, enum task_kind kind, double flops, int count, const struct operand *operands);
/* First and last thing in the OpenMP task. begin says whether to compute. */
bool task_begin(struct task *task);
void task_end(struct task *task);
/* A pivot failed: 1-based global index. */
void task_fail(const struct task *task, int64_t pivot);
/* There was no memory for a kernel's workspace. */
void task_no_memory(const struct task *task);

#endif
