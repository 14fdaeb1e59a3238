/* A task, which the files of omp/tasks/ create, fill in and submit with a function that calls the kernel, and the data that
   the run keeps with it. */
#ifndef OMPFACT_OMP_TASK_H
#define OMPFACT_OMP_TASK_H

#include "omp/compression.h"
#include "omp/run.h"

struct task_tile {
    char *data;                 /* the columns that the task uses */
    int mb, nb;                 /* rows and columns as stored in memory, with ld = mb */
    struct rma_slot *slot;      /* NULL if the tile is owned here, or on a device */
    char *on_device;            /* the columns from `host` on, for a task that computes on a device; else NULL */
    int host;
    double *found;              /* of a tile on a device: pinned memory of the host for numbers that the device finds about it */
    struct tile_traits traits;  /* packed: an input has its rows in strips, and a final output must be left so */
};

/* Columns of U and V, or TILE_DENSE, TILE_SINGLE or TILE_BF16: the present value of a tile that this rank owns, the published
   value of another tile. */
static inline int rank_of(const struct task_tile *tile)
{
    if (tile->traits.form != NULL)
        return tile->traits.form->rank;
    if (tile->slot == NULL || tile->slot->size == RMA_ALL)
        return TILE_DENSE;
    if (!tile->traits.mixed)
        return tile->slot->size;
    if (tile->slot->size == RMA_ALL_QUARTERED)
        return TILE_BF16;
    return tile->slot->size == RMA_ALL_HALVED ? TILE_SINGLE : tile->slot->size / 2;
}
/* Whether the tile is in single, with any rank, in a matrix in double. */
static inline bool is_narrow(const struct task_tile *tile)
{
    if (tile->traits.form != NULL)
        return tile->traits.form->rank == TILE_SINGLE || tile->traits.form->narrow;
    return tile->traits.mixed && tile->slot != NULL && tile->slot->size != RMA_ALL && tile->slot->size % 2 == 1;
}
/* The size in the flag when the tile is published. */
static inline int size_to_publish(const struct task_tile *tile)
{
    int rank = rank_of(tile);
    if (rank < 0)
        return rank == TILE_DENSE ? RMA_ALL : rank == TILE_SINGLE ? RMA_ALL_HALVED : RMA_ALL_QUARTERED;
    return tile->traits.mixed ? rma_halved_size(rank, is_narrow(tile)) : rank;
}

/* Arguments of kernels in addition to tiles; each task fills in those of its kernel. */
struct task_arguments {
    enum side side;
    enum uplo uplo;
    enum trans transa, transb;
    enum diag diag;
    double alpha;
    int k, more;
    size_t stride;
    int64_t row;
    struct factor_form shape_a, shape_b;
    struct moves moves;
    const struct tile_rows *rows;
    const struct saving *saving;
    size_t bytes;
    bool first, top, sums, has_place, keep, alone;
    struct row_range range;
    struct watched *watched;
};

/*
 * A mirrored operand T is T^H in memory. So op(T) is the other op of the stored tile, and T's lower triangle is the stored
 * upper one. If the output is mirrored, the whole equation is conjugate-transposed: sides and the order of factors change.
 * Only Cholesky has mirrored tiles. getrf has none, and neither have hemm's B and C; add has two. For a tile of a symmetric
 * matrix, T^H stands for T^T in all of this.
 */
static inline enum trans other_trans(enum trans trans)
{
    return trans == NO_TRANS ? CONJ_TRANS : NO_TRANS;
}
static inline enum side other_side(enum side side)
{
    return side == LEFT ? RIGHT : LEFT;
}
static inline enum trans trans_in_memory(const struct operand *T, enum trans trans)
{
    enum trans op = T->mirrored ? other_trans(trans) : trans;
    return op == CONJ_TRANS && T->symmetric ? TRANS : op;
}
static inline enum uplo uplo_in_memory(const struct operand *T, enum uplo uplo)
{
    return !T->mirrored || uplo == GENERAL ? uplo : uplo == LOWER ? UPPER : LOWER;
}

/* Threads pass tasks to each other, so data that is used together is together, in few cache lines. */
struct task {
    /* fields of the heap of ready tasks: */
    _Alignas(64) int64_t urgency;
    int64_t number;             /* the task with the least urgency runs first, and among equal ones the least number */
    struct task *left, *right;  /* links of the heap of ready tasks; `left` also links other lists */
    uint64_t event;             /* the event to fulfil when the task is done */
    /* fields of the run: */
    struct run *run;
    void (*compute)(struct task *task);
    struct rma_publication *publication;    /* publication of the output, if it is final and has readers */
    const struct precision *precision;
    const struct kernels *kernels;      /* kernels of its precision for the place where it computes; NULL for moves */
    int count;                  /* number of tiles: first the inputs, then the outputs */
    enum task_kind kind;
    int i, j, step;             /* place of the output in the caller's matrix, and the step */
    int device;                 /* device on which it computes, or HOST */
    enum lane lane;             /* lane of the device */
    bool is_narrow;             /* on a device: its product was in a precision below the matrix's */
    uint64_t ticket;            /* ticket of a device that has begun the task */
    double flops;               /* real floating-point operations; of low-rank tiles, after the task, those that it did */
    double counted;             /* flops with dense tiles, which measure the progress of a run */
    double start;               /* start of its execution, with a trace */
    struct task_record *record; /* record for checks of the order (order.h); NULL: no checks */
    /* arguments of the kernel: the sink fills in `count` tiles, the creator of the task fills in the arguments that it uses */
    struct task_tile tile[TASK_OPERANDS];
    struct task_arguments with;
};

/* Data of a tile that holds no elements of a matrix, or more than these. */
static inline struct row_stack *stack_in(const struct task *t, int i)
{
    return (void *)t->tile[i].data;
}
static inline struct candidates *candidates_in(const struct task *t, int i)
{
    return (void *)t->tile[i].data;
}
static inline struct pivots *pivots_in(const struct task *t, int i)
{
    return (void *)t->tile[i].data;
}

/*
 * Gives the task to the sink of the run, and returns it for task_submit(). NULL: this run does not execute it.
 * Inputs come first; the last operand is the main output, and operands before it may be written, too, if this rank owns them.
 * flops count a multiply-add as two, as if the tiles were real.
 */
struct task *task_create(struct run *run, enum task_kind kind, void (*compute)(struct task *task), double flops, int count,
                         const struct operand *operands);
void task_submit(struct task *task);        /* or NULL, as below */
/* Submits the task with these arguments of its kernel. False: there is none. */
static inline bool task_submit_with(struct task *task, struct task_arguments with)
{
    if (task == NULL)
        return false;
    task->with = with;
    task_submit(task);
    return true;
}

/*
 * Divides the columns of an output into parts that are in one place each. A task on whole columns becomes one task for each
 * part,
 *     for (struct part p = { 0 }; next_part(&C, &p);) ... part_of(C, p) ...
 * followed by hand_over(run, C) (omp/tasks/task_places.h).
 */
static inline int memory_rows(const struct operand *o)
{
    return o->mirrored ? o->nb : o->mb;
}
static inline int memory_columns(const struct operand *o)
{
    return (o->mirrored ? o->mb : o->nb) + (o->traits.summed == SUMS_ARE_COLUMNS ? SUMS : 0);
}
/* All columns of a tile, including its checksums. */
static inline int all_columns(const struct operand *o)
{
    int columns = o->mirrored ? o->mb : o->nb;
    return columns + (o->traits.summed == NO_SUMS ? 0 : columns_of_sums(memory_rows(o), columns));
}
bool next_part(const struct operand *o, struct part *p);
/* Whether the task of this part updates separate checksums: the task of the last part does. */
static inline bool updates_sums(const struct operand *o, struct part p)
{
    return o->traits.summed == SUMS_ARE_APART && p.first + p.columns == memory_columns(o);
}
struct operand part_of(struct operand o, struct part p);
/* For a task that exists only for its dependences. */
static inline void do_nothing(struct task *task)
{
    (void)task;
}
/* The precision in which the tile is stored, in a matrix in double; IN_DOUBLE in any other matrix. */
static inline enum tile_precision kept_in(const struct task_tile *tile)
{
    return rank_of(tile) == TILE_BF16 ? IN_BF16 : is_narrow(tile) ? IN_SINGLE : IN_DOUBLE;
}
static inline const struct precision *precision_in(const struct task *t, const struct task_tile *tile)
{
    return precision_narrowed(t->precision, kept_in(tile));
}
/* The other real or complex precision: single where the task's matrix is in double. */
static inline const struct precision *single_of(const struct task *t)
{
    return precision_of(t->precision->other);
}
static inline size_t numbers_in(const struct task_tile *tile)
{
    return (size_t)tile->mb * (size_t)tile->nb;
}
/* The place of a final tile's norm on this rank, for own and remote tiles: see struct tile_form. */
_Atomic double *task_norm_of(const struct task_tile *tile);
/* Records a failing pivot with its 1-based global index. */
void task_fail(const struct task *task, int64_t pivot);
/* The number of threads of the run without a task, with which a task can share its work. */
const atomic_int *task_idle_threads(const struct task *task);
/* Kernels for memory of the task's device, for a task with the host's kernels: see task_tile. */
const struct kernels *task_device_kernels(const struct task *task);
/* Records that there was no memory for the workspace of a kernel. */
void task_no_memory(const struct task *task);

#endif
