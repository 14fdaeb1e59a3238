/* What a task is to the runtime, for the files task_*.c alone: create, fill in, submit; and a function that calls the kernel. */
#ifndef OMPFACT_OMP_TASK_H
#define OMPFACT_OMP_TASK_H

#include "omp/run.h"

struct task_tile {
    char *data;
    char *token;                /* its name in depend clauses: its address here, or its slot. Read in place, one address may be several tiles' */
    int mb, nb;                 /* of what memory holds, where ld = mb */
    struct rma_slot *slot;      /* NULL if the tile is owned here */
};

/* What kernels take beside tiles; each task fills in what its kernel needs. */
struct task_arguments {
    enum side side;
    enum uplo uplo;
    enum trans transa, transb;
    enum diag diag;
    double alpha;
    int k;
    int64_t row;
    struct shape shape_a, shape_b;
    struct moves moves;
    const struct tile_rows *rows;
    bool first, top, reports;
};

/*
 * A mirrored operand T is T^H in memory: op(T) is the other op of that, T's lower triangle the upper one there. Where the output is
 * mirrored the whole equation is conjugate-transposed: sides and the order of factors change. Mirrored tiles are for Cholesky: getrf,
 * add, and hemm's B and C have none.
 */
static inline enum trans other_trans(enum trans trans)
{
    return trans == NO_TRANS ? CONJ_TRANS : NO_TRANS;
}
static inline enum trans trans_in_memory(const struct operand *T, enum trans trans)
{
    return T->mirrored ? other_trans(trans) : trans;
}
static inline enum uplo uplo_in_memory(const struct operand *T, enum uplo uplo)
{
    return !T->mirrored || uplo == GENERAL ? uplo : uplo == LOWER ? UPPER : LOWER;
}

struct task {
    void (*compute)(struct task *task);
    const struct kernels *kernels;
    struct task_tile tile[TASK_OPERANDS];
    struct task_arguments with;
    int count, inputs;          /* tiles: first those that are read only, then those that are written */
    /* of the runtime */
    struct run *run;
    enum task_kind kind;
    int i, j, step;             /* the output's place in the caller's matrix */
    int64_t urgency, number;    /* the least urgency is run first, and of equal ones the least number */
    struct task *left, *right;  /* in the heap of ready tasks */
    uint64_t event;             /* to be fulfilled when it is done */
    double flops;               /* real floating-point operations */
    struct rma_publication *publication;    /* of the output, if it is final and anybody reads it */
    double start;               /* of its execution, where a trace is kept */
};

/*
 * Hands the task to the run's sink. Not NULL: fill in its arguments, then submit it. Operands that are read come first; the last one is the
 * main output, the ones before it may be written too, if they are owned here. flops are multiply-adds times two, as if the tiles were real.
 */
struct task *task_create(struct run *run, enum task_kind kind, void (*compute)(struct task *task), double flops, int count,
                         const struct operand *operands);
void task_submit(struct task *task);
/* A pivot failed: 1-based global index. */
void task_fail(const struct task *task, int64_t pivot);
/* How many threads of the run have no task, at any moment: what is theirs can be shared with them. */
const atomic_int *task_idle_threads(const struct task *task);
/* There was no memory for a kernel's workspace. */
void task_no_memory(const struct task *task);

#endif
