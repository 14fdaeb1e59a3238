/*
 * A run: one walk through an algorithm's loops on this rank, whose tasks become OpenMP tasks.
 *
 * The loops call task_*() with operands (tile, how it is used) and never see OpenMP, MPI or a cache. Each call passes the sink of
 * the run: one adds up what the task costs and moves (sink_count.c), one makes it an OpenMP task (team/sink_execute.c). So the
 * number of transfers, the cache's size and the run itself come from the same loops. A third shows tasks to a visitor
 * (sink_visit.c).
 *
 * Who may do what when (with rma/rma.h):
 *   - One thread, the submitting one, walks the loops and owns the cache's table. All threads execute tasks and poll.
 *   - OpenMP knows the dependences: a task of its own says that ours is ready (ready.h), and is detached: it ends when ours has
 *     been computed, by whichever thread takes it from the ready ones, the most urgent first.
 *   - A task's dependences are names: the addresses of its own tiles, and the slots that others are in, of the cache or of a
 *     device. Tasks that share a tile run in the order of the loops unless both only read it.
 *   - A remote tile's fetch is an empty detached task, out on its slot, whose event is fulfilled when the tile has arrived. A
 *     slot is taken again only after all its readers have released it.
 *   - At most max_tasks tasks are in flight; over it the submitting thread executes tasks and polls. Submission is in program
 *     order on every rank, so the first unfinished task of all is always submitted or submittable: see rma/cache.c. The same
 *     holds for loops that wait (run_wait): they wait for tasks and tiles that come before, in that order, whatever the order is.
 *   - Tasks never wait. Threads without a task poll in run_execute until all ranks are done. None waits in a barrier of the
 *     runtime while events are open: all but the first come to it, and take their work there as a task (run_team).
 */
#ifndef OMPFACT_OMP_RUN_H
#define OMPFACT_OMP_RUN_H

#include "omp/kernels/pivots.h"
#include "omp/kernels/tile_sums.h"
#include "omp/task_kinds.h"
#include "rma/rma.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { TASK_OPERANDS = 4 };
enum { FEWEST_SLOTS = 2 * TASK_OPERANDS };      /* of a device: more than a task has operands */

/* How a task uses a tile. */
enum access {
    READ,       /* const; owned here, or fetched from its owner */
    UPDATE,     /* read and written; owned here */
    FINAL       /* read and written, and nobody writes it again (memory that is no matrix's: before it has been read): it is
                   published to its readers when the task is done */
};

/* Whose rows a task moves between tiles, and where those that went from rank to rank are counted. */
struct moved_rows {
    _Atomic int64_t rows, bytes;        /* parts of rows, one tile wide */
};
struct moves {
    const struct tile_owners *owners;
    int rank;
    struct moved_rows *moved;
};

/* As many rows of two operands, V and C, from these rows on. */
struct row_range {
    int v, c, count;
};

/* Sums behind a tile (kernels/tile_sums.h), and what a task does with them. */
enum summed {
    NO_SUMS,
    SUMS_LEFT_ALONE,
    SUMS_ARE_COLUMNS,           /* more columns of the right factor and of what is updated */
    SUMS_ARE_APART              /* updated by those of the right factor's conjugate transpose, which lie behind it */
};

/*
 * Where the columns of a tile live, as they lie in memory: the first ones on the host, in strips, each of which is a task's; the
 * others on a device. NULL in an operand: all on the host, in one piece.
 */
struct split {
    int device;                 /* 1 .. ; HOST: none of them */
    int host, strip;            /* columns; of those on the host, of a strip */
};
enum { MOST_PARTS = 16 };       /* strips, and what is on the device */
struct part {
    int first, columns;
};

/* What a tile's memory holds beside, or in place of, its elements column by column; zero: they are all there is. */
struct tile_traits {
    enum summed summed;
    bool packed;                /* a final tile that the run keeps packed (omp/packing.h) */
    bool mixed;                 /* of a matrix whose tiles are in double or in single, each as its owner finds */
    struct tile_form *form;     /* of a matrix whose tiles have forms, if this rank owns it */
};

/* A tile as an argument of a task. Built by the matrix (src/matrix/matrix.h), consumed by task_*(). */
struct operand {
    enum access access;
    struct rma_address address;
    const void *matrix;         /* identity of the matrix, also where it has no memory */
    void *data;                 /* the tile's memory if this rank owns it */
    bool mine;
    int i, j;                   /* tile row and column */
    int mb, nb;                 /* its size in elements; tiles are column-major with ld = mb */
    bool mirrored;              /* memory holds its conjugate transpose, nb x mb: the tasks see to it (omp/task.h) */
    bool symmetric;             /* of a complex symmetric matrix: to tasks its conjugate transpose is its transpose */
    int due;                    /* the step in which it becomes final, by which its tasks are urgent */
    int64_t row;                /* global index of its first element's row; of what QR keeps beside the matrix its number */
    const struct precision *precision;
    struct tile_traits traits;
    const struct split *split;
    struct part used;           /* of its memory's columns, by the task; none: all. Tasks cut their operands themselves */
    bool on_host;               /* plain data that the host reads, wherever the task computes */
    int apart;                  /* the device that has its memory, of which `data` says where; HOST: `data` is all there is */
};

/* What counts of a triangular factor of a product, and how it is used: see struct multiplicand. */
struct factor_form {
    enum uplo part;
    enum diag diag;
    enum trans trans;
};

struct trace;

/* Fills ranks (room for every rank) with those that read the final tile, its owner excluded; returns how many. */
typedef int readers_function(const void *context, const struct operand *tile, int *ranks);

/* Of a task of this step whose output becomes final with step `due`; of a panel's task, with which it does; or of reading remote
   tiles for such a task. The least is first. */
enum urgent { URGENT_UPDATE, URGENT_PANEL, URGENT_READ };
typedef int64_t urgency_function(int due, int step, enum urgent what);

struct run;

/* Who saves the state before some steps. Which, all ranks find out on the way. */
enum due { DUE_NO, DUE_YES, DUE_LAST, DUE_UNKNOWN };   /* last: the state is saved, and no step comes after it */
struct run_saver {
    void *context;
    int64_t most;       /* operands that it saves at most, some of which no other task may have */
    double soon_s;      /* tasks in flight should be done in this time, but for those of two steps */
    enum due (*due)(void *context, int k);      /* the submitting thread, before each step: unknown while other ranks are asked */
    void (*poll)(void *context, const struct run *run);         /* any thread, now and then */
};

/* My tiles with columns on a device: they are there during a run. */
struct residents {
    struct operand *tile;
    int64_t count;
    size_t slot_bytes;              /* the most that a device has of an operand */
    size_t device_bytes;            /* of its memory that operands may take */
};

/* What is to be run. The same on every rank but for `context`, and for what is on devices. */
enum { RUN_SPACES = 14 };
struct run_plan {
    void (*loops)(struct run *run, const void *context);    /* walks the algorithm, calls run_step and task_* */
    const void *context;
    readers_function *readers;      /* NULL: nobody reads what the loops make final */
    urgency_function *urgency;      /* NULL: all tasks are as urgent, and run in the order of the loops */
    struct rma_space *spaces[RUN_SPACES];   /* every window that the loops touch */
    bool settled[RUN_SPACES];       /* for each: only final tiles in it */
    int spaces_count;
    size_t tile_bytes;              /* of the largest tile that can be fetched */
    bool sparse;                    /* most tiles are much smaller: a cache's memory is to be what they take */
    bool go_on;                     /* after a failing pivot tasks still compute (LU), or skip their arithmetic (Cholesky) */
    bool routes;                    /* the loops ask for all tiles of a step before its tasks: they may come down a tree */
    bool panels;                    /* final tiles are what other ranks wait for: their tasks go before the submission of more */
    bool in_order;                  /* tasks start as the loops have them, as if each thread took the next one and waited */
    const struct run_saver *saver;  /* NULL: nothing is saved */
    struct trace *trace;            /* where the run's events go, or NULL: omp/trace.h */
    struct devices *devices;        /* that splits name, or NULL */
    struct residents residents;
};

/* What devices did in a run, on this rank. */
enum { RUN_DEVICES = 16 };          /* at most, of a rank */
enum { RUN_BEGUN = 4 };             /* tasks that a lane of a device is given at a time */
struct device_tally {
    double flops[RUN_DEVICES];      /* of all kernels */
    double host_update_flops;       /* of updates, on the host */
    int64_t bytes_up, bytes_down, bytes_across;
    int most_uploads;               /* of one tile to one device, to be read */
    int64_t waits, allocations;     /* while the clock ran: omp/device.h */
    int64_t bytes_unpinned;         /* of the host's memory that tiles are in */
};

/* What the counting sink found on this rank. */
struct run_tally {
    int64_t tasks, transfers, transfer_bytes;
    int64_t wire_transfers, wire_bytes;     /* of these, those from one node to another */
    double flops;
    int step_tiles;                 /* most remote tiles that the steps open at one time read: the least the cache must hold */
    int step_tiles_next;            /* most remote tiles that two consecutive steps read */
    int tiles;                      /* where there are devices: all that tasks use */
    bool no_memory;
};

/* Resources and habits; zero means the default. */
struct run_settings {
    int threads;
    int max_tasks;                  /* tasks in flight on a rank; 0: RUN_TASKS */
    int cache_tiles;                /* 0: chosen from the tally; never less than it needs */
    int jitter;                     /* longest random delay of a task in microseconds; if not 0, what may be in any order is */
    bool checks;                    /* of the order of tasks: omp/order.h */
    void (*progress)(void *context, double done);   /* called now and then by the submitting thread: share of this rank's flops */
    void *progress_context;
};

enum { RUN_TASKS = 4096 };      /* 7 to 8 MB of task descriptors */

/* Local: walks the loops with the counting sink. nodes: NULL where each rank is a node. */
void run_count(const struct run_plan *plan, const struct rma_nodes *nodes, struct run_tally *tally);
/* Local: body(context, index) for every index below count, by `threads` threads in no order. */
void run_each(int threads, int64_t count, void (*body)(void *context, int64_t index), void *context);

/* Local: body(context, thread) once on each thread of the team. */
void run_on_threads(int threads, void (*body)(void *context, int thread), void *context);

/* Local: of the stack that the runtime gives a thread. */
size_t run_stack_bytes(void);
/* Local: the library that has OpenMP's functions, where it is not the one that has LLVM's, for whose tasks they are meant, but
   GNU's, linked before it: nothing would work. NULL: they are in one. */
const char *run_other_runtime(void);

double run_clock(void);         /* seconds; the clock of traces, for any thread */

/* Sees what the loops of one rank do, in their order. */
struct visitor {
    void *context;
    /* A task; the last operand is the output. flops are real operations. */
    void (*task)(void *context, enum task_kind kind, int step, double flops, int count, const struct operand *operands);
    /* The loops ask for a remote tile for the task that makes this output (run_fetch_only); they wait (run_wait). NULL: that is
       not to be shown. */
    void (*requested)(void *context, int step, const struct operand *tile, const struct operand *output);
    void (*wait)(void *context);
};

/* Local: walks the loops with the visiting sink. */
bool run_visit(const struct run_plan *plan, const struct visitor *visitor);     /* false: no memory */

/* ---- for the loops --------------------------------------------------------------------------------------------------------- */

/* The tasks that follow belong to step k, and steps before `oldest` are over: their remote tiles are not asked for again. Steps
   start in order, and oldest is k or k - 1. */
void run_step(struct run *run, int k, int oldest);
/* While it is on, tasks are not run: the remote tiles they read are fetched, so that they are under way early. */
void run_fetch_only(struct run *run, bool on);
/* While it is on: this remote tile is fetched, though the tasks that read it come later in the step. */
void run_request(struct run *run, const struct operand *tile);
/* For loops that are only counted: each task that follows stands for one in each of so many tile columns, which reads as many
   tiles of its own column, and the same other ones. */
void run_alike(struct run *run, int64_t columns);
/*
 * Is the state between the steps before k and step k to be saved, by tasks that the loops are to hand on, each behind a tile's
 * tasks of the former and before those of the latter? Asked before any task of step k is handed on. Where a run is saved it has
 * tasks of two to eight steps in flight, so that what is due is saved soon. It waits for tasks of steps before k alone, which all
 * ranks have handed on where none is behind, and for other ranks' polls, so it cannot deadlock. DUE_NO, DUE_YES, or DUE_LAST:
 * then the loops hand on what belongs to steps before k, what saves, and nothing else, on all ranks.
 */
enum due run_is_due(struct run *run, int k);
/* Whether nothing has happened on this rank that makes its tasks' results worthless: memory, MPI or a device that failed, tasks
   out of order. A failing pivot has not. Any thread. */
bool run_is_sound(const struct run *run);
/* Waits until all tasks are done and all tiles are here. */
void run_wait(struct run *run);

#endif
