/* A task: what the files of omp/tasks/ create, fill in and submit, with a function that calls the kernel; and what the run
   keeps of it. */
#ifndef OMPFACT_OMP_TASK_H
#define OMPFACT_OMP_TASK_H

#include "omp/compression.h"
#include "omp/run.h"

struct task_tile {
    char *data;                 /* of the columns that the task uses */
    int mb, nb;                 /* of what memory holds of them, where ld = mb */
    struct rma_slot *slot;      /* NULL if the tile is owned here, or on a device */
    char *on_device;            /* the columns from `host` on, on the device of a task that computes there; else NULL */
    int host;
    struct tile_traits traits;  /* packed: what is read has its rows in strips, what becomes final is to be left so */
};

/* Columns of U and V, TILE_DENSE or TILE_SINGLE: as it is now of one that is owned here, and as it was published of another. */
static inline int rank_of(const struct task_tile *tile)
{
    if (tile->traits.form != NULL)
        return tile->traits.form->rank;
    if (tile->slot == NULL || tile->slot->size == RMA_ALL)
        return TILE_DENSE;
    if (!tile->traits.mixed)
        return tile->slot->size;
    return tile->slot->size == RMA_ALL_HALVED ? TILE_SINGLE : tile->slot->size / 2;
}
/* Is it in single, whatever its rank, where the matrix is in double? */
static inline bool is_narrow(const struct task_tile *tile)
{
    if (tile->traits.form != NULL)
        return tile->traits.form->rank == TILE_SINGLE || tile->traits.form->narrow;
    return tile->traits.mixed && tile->slot != NULL && tile->slot->size != RMA_ALL && tile->slot->size % 2 == 1;
}
/* The size that its flag has when it is published. */
static inline int size_to_publish(const struct task_tile *tile)
{
    int rank = rank_of(tile);
    if (rank < 0)
        return rank == TILE_DENSE ? RMA_ALL : RMA_ALL_HALVED;
    return tile->traits.mixed ? rma_halved_size(rank, is_narrow(tile)) : rank;
}

/* What kernels take beside tiles; each task fills in what its kernel needs. */
struct task_arguments {
    enum side side;
    enum uplo uplo;
    enum trans transa, transb;
    enum diag diag;
    double alpha;
    int k;
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
 * A mirrored operand T is T^H in memory: op(T) is the other op of that, T's lower triangle the upper one there. Where the output
 * is mirrored the whole equation is conjugate-transposed: sides and the order of factors change. Mirrored tiles are for Cholesky:
 * getrf, and hemm's B and C have none; add has two. Where T is of a symmetric matrix, T^H stands for T^T in all of this.
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

/* Threads hand tasks on to each other, so what is looked at together lies together, in few lines of the cache. */
struct task {
    /* among the ready tasks */
    _Alignas(64) int64_t urgency;
    int64_t number;             /* the least urgency is run first, and of equal ones the least number */
    struct task *left, *right;  /* in the heap of ready tasks; `left` in other lists, too */
    uint64_t event;             /* to be fulfilled when it is done */
    /* of the runtime */
    struct run *run;
    void (*compute)(struct task *task);
    struct rma_publication *publication;    /* of the output, if it is final and anybody reads it */
    const struct precision *precision;
    const struct kernels *kernels;      /* of its precision, where it computes; NULL in moves */
    int count;                  /* tiles: first those that are read only, then those that are written */
    enum task_kind kind;
    int i, j, step;             /* the output's place in the caller's matrix */
    int device;                 /* on which it computes; HOST */
    enum lane lane;             /* of its device */
    uint64_t ticket;            /* of a device that has begun it */
    double flops;               /* real floating-point operations; of tiles of low rank those that it did, when it has, */
    double counted;             /*   and what they would be of dense ones, by which a run's progress goes */
    double start;               /* of its execution, where a trace is kept */
    struct task_record *record; /* NULL: the order is not checked (order.h) */
    /* what the kernel takes: the sink fills in `count` tiles, and who has created the task the arguments, if it looks at any */
    struct task_tile tile[TASK_OPERANDS];
    struct task_arguments with;
};

/* What a tile holds that has no elements of a matrix, or not they alone. */
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
 * Hands the task to the run's sink. Not NULL: fill in its arguments, then submit it. Operands that are read come first; the last
 * one is the main output, the ones before it may be written too, if they are owned here. flops are multiply-adds times two, as if
 * the tiles were real.
 */
struct task *task_create(struct run *run, enum task_kind kind, void (*compute)(struct task *task), double flops, int count,
                         const struct operand *operands);
void task_submit(struct task *task);

/*
 * The columns of an output in parts that live in one place each. A task on whole columns is one for each part:
 *     for (struct part p = { 0 }; next_part(&C, &p);) ... part_of(C, p) ...
 * and hand_over(run, C) (omp/tasks/task_places.h) behind them.
 */
static inline int memory_rows(const struct operand *o)
{
    return o->mirrored ? o->nb : o->mb;
}
static inline int memory_columns(const struct operand *o)
{
    return (o->mirrored ? o->mb : o->nb) + (o->traits.summed == SUMS_ARE_COLUMNS ? SUMS : 0);
}
/* With all that goes along with it. */
static inline int all_columns(const struct operand *o)
{
    int columns = o->mirrored ? o->mb : o->nb;
    return columns + (o->traits.summed == NO_SUMS ? 0 : columns_of_sums(memory_rows(o), columns));
}
bool next_part(const struct operand *o, struct part *p);
/* Whether the part's task updates sums that are apart: that of the last one does. */
static inline bool sums_go_with(const struct operand *o, struct part p)
{
    return o->traits.summed == SUMS_ARE_APART && p.first + p.columns == memory_columns(o);
}
struct operand part_of(struct operand o, struct part p);
/* What a task computes whose dependences are all there is to it. */
static inline void do_nothing(struct task *task)
{
    (void)task;
}
/* The precision that the tile is kept in. */
static inline const struct precision *precision_in(const struct task *t, const struct task_tile *tile)
{
    return is_narrow(tile) ? precision_of(t->precision->other) : t->precision;
}
/* Where the norm of a final tile, of this rank or another, is kept on this one: see struct tile_form. */
_Atomic double *task_norm_of(const struct task_tile *tile);
/* A pivot failed: 1-based global index. */
void task_fail(const struct task *task, int64_t pivot);
/* How many threads of the run have no task, at any moment: what is theirs can be shared with them. */
const atomic_int *task_idle_threads(const struct task *task);
/* For memory of the task's device, where its own are the host's: see task_tile. */
const struct kernels *task_device_kernels(const struct task *task);
/* There was no memory for a kernel's workspace. */
void task_no_memory(const struct task *task);

#endif
