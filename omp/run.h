/*
 * A run: one walk through the loops of an algorithm on this rank. The tasks of the loops become OpenMP tasks. The loops call
 * task_*() with operands (a tile and its access) and contain no OpenMP, no MPI and no cache. Each call goes to the sink of the
 * run: one sink counts the cost and the transfers of the task (sink_count.c), one creates an OpenMP task (team/sink_execute.c),
 * one shows the task to a visitor (sink_visit.c). So the number of transfers, the size of the cache and the run itself come
 * from the same loops.
 *
 * Rules for threads (rma/rma.h has those for ranks):
 *   - One thread, the submitting one, walks the loops and owns the table of the cache. All threads execute tasks and poll.
 *   - OpenMP resolves the dependences. An OpenMP task is detached. When it runs, it only reports that the task of the loops is
 *     ready (ready.h). It ends when that task has been computed, by the thread that takes it from the ready tasks, the most
 *     urgent one first.
 *   - The dependences of a task are names: the addresses of its own tiles, and the slots of other tiles in the cache or on a
 *     device. Tasks that share a tile run in the order of the loops unless both only read it.
 *   - The fetch of a remote tile is an empty detached task with its slot as output. The arrival of the tile fulfils its event.
 *     A slot is reused only after all its readers have released it.
 *   - At most max_tasks tasks are in flight; at that limit the submitting thread executes tasks and polls. Submission is in
 *     program order on every rank, so the first unfinished task of all ranks is always submitted or can be submitted: see
 *     rma/cache.c. The same holds for loops that wait (run_wait), because they wait for tasks and tiles that come before.
 *   - Tasks never wait. Threads without a task poll in run_execute until all ranks are done. No thread waits in a barrier of
 *     the runtime while events are open: all but the first thread enter the team's work as a task (run_team).
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
enum { GROUP_TILES = 16 };      /* most tiles of a group */
enum { FEWEST_SLOTS = 2 * TASK_OPERANDS };      /* slots of a device: more than a task has operands */

/* The access of a task to a tile. */
enum access {
    READ,       /* read only; owned here, or fetched from its owner */
    UPDATE,     /* read and written; owned here */
    FINAL       /* read and written for the last time: the tile is published to its readers when the task is done. (Memory
                   that belongs to no matrix may be written again after it has been read.) */
};

/* Rows that travel between ranks: parts of rows, one tile wide. */
struct moved_rows {
    _Atomic int64_t rows, bytes;
};
/* The matrix in which a task moves rows between tiles, and the rank whose rows they are. */
struct moves {
    const struct tile_owners *owners;
    const struct tile_rows *rows;
    int rank;
    struct moved_rows *moved;
};

/* Equally many rows of two operands, V and C, beginning at these rows. */
struct row_range {
    int v, c, count;
};

/* The checksums behind a tile (kernels/tile_sums.h), and how a task updates them. */
enum summed {
    NO_SUMS,
    SUMS_LEFT_ALONE,
    SUMS_ARE_COLUMNS,           /* as additional columns of the right factor and of the updated tile */
    SUMS_ARE_APART              /* from those of the right factor's conjugate transpose, which are behind it */
};

/*
 * The place of the columns of a tile, in the order of memory: the first columns are on the host, in strips with one task each,
 * the others on a device. NULL in an operand: all columns are on the host, in one piece.
 */
struct split {
    int device;                 /* from 1; HOST: no columns are on a device */
    int host, strip;            /* columns on the host, and columns of a strip */
};
enum { MOST_PARTS = 16 };       /* strips, and the part on the device */
struct part {
    int first, columns;
};

/* The contents of a tile's memory in addition to its elements, or instead of them. Zero: only the elements, column by
   column. */
struct tile_traits {
    enum summed summed;
    bool packed;                /* a final tile that stays packed during the run (omp/packing.h) */
    bool mixed;                 /* a tile of a matrix with tiles in double and in single; its owner decides */
    struct tile_form *form;     /* the form of the tile, for a matrix whose tiles have forms, if this rank owns it */
};

/* A tile as an argument of a task. The matrix creates operands (src/matrix/matrix.h), and task_*() consume them. */
struct operand {
    enum access access;
    struct rma_address address;
    const void *matrix;         /* identity of the matrix, also if the matrix has no memory */
    void *data;                 /* the tile's memory if this rank owns it */
    bool mine;
    int i, j;                   /* tile row and column */
    int mb, nb;                 /* size in elements; tiles are column-major with ld = mb */
    bool mirrored;              /* memory holds the conjugate transpose, nb x mb; the tasks handle this (omp/task.h) */
    bool symmetric;             /* a tile of a complex symmetric matrix: tasks take its transpose for its conjugate transpose */
    int due;                    /* the step in which the tile becomes final, which determines the urgency of its tasks */
    int64_t row;                /* global row index of its first element; for QR's data beside the matrix, their number */
    const struct precision *precision;
    struct tile_traits traits;
    const struct split *split;
    int more;                   /* a group: so many of this rank's next tiles in the column that the task uses, too, each `stride`
                                   bytes behind the one before; without devices */
    size_t stride;
    struct part used;           /* columns of its memory that the task uses; none: all columns. Tasks choose these columns
                                   themselves */
    bool on_host;               /* plain data that the host reads, wherever the task computes */
    int apart;                  /* the device with its memory, then `data` describes the place; HOST: `data` is the memory */
};

/* The relevant part of a triangular factor of a product, and its use: see struct multiplicand. */
struct factor_form {
    enum uplo part;
    enum diag diag;
    enum trans trans;
};

struct trace;

/* Fills `ranks` (memory for every rank) with the readers of the final tile, without its owner; returns their number. */
typedef int readers_function(const void *context, const struct operand *tile, int *ranks);

/* The urgency of a task of this step whose output becomes final in step `due`: an update, a task of a panel, or a read of
   remote tiles for such a task. The smallest value is the most urgent. */
enum urgent { URGENT_UPDATE, URGENT_PANEL, URGENT_READ };
typedef int64_t urgency_function(int due, int step, enum urgent what);

struct run;

/* Saves the state before some steps; the ranks find out during the run before which steps. */
enum due { DUE_NO, DUE_YES, DUE_LAST, DUE_UNKNOWN };   /* DUE_LAST: the state is saved, and no step follows */
struct run_saver {
    void *context;
    int64_t most;       /* the most operands that it saves, some of which belong to no other task */
    double soon_s;      /* tasks in flight, except those of two steps, should be done in this time */
    enum due (*due)(void *context, int k);      /* called by the submitting thread before each step; DUE_UNKNOWN while the
                                                   ranks still agree */
    void (*poll)(void *context, const struct run *run);         /* called by any thread now and then */
};

/* Tiles of this rank with columns on a device during a run. */
struct residents {
    struct operand *tile;
    int64_t count;
    size_t slot_bytes;              /* the largest part of an operand on a device */
    size_t device_bytes;            /* device memory for operands */
};

/* The plan of a run. The same on every rank, except `context` and everything about devices. */
enum { RUN_SPACES = 14 };
struct run_plan {
    void (*loops)(struct run *run, const void *context);    /* walks the algorithm, calls run_step and task_* */
    const void *context;
    readers_function *readers;      /* the readers of final tiles; NULL: no final tile has readers */
    urgency_function *urgency;      /* urgency of tasks; NULL: all tasks are equally urgent and run in the order of the loops */
    struct rma_space *spaces[RUN_SPACES];   /* every space that the loops use */
    bool settled[RUN_SPACES];       /* for each space: whether all its tiles are final */
    int spaces_count;
    size_t tile_bytes;              /* size of the largest tile that can be fetched */
    bool sparse;                    /* most tiles are much smaller, so the cache takes memory only as needed */
    bool continues;                 /* whether tasks compute after a failing pivot (LU) or skip their arithmetic (Cholesky) */
    bool routes;                    /* whether the loops request all tiles of a step before its tasks, so that tiles may arrive
                                       through a tree of ranks */
    bool panels;                    /* other ranks wait for panels, so their tasks come before the submission of more tasks */
    bool in_order;                  /* tasks start in the order of the loops, as if each thread took the next one and waited */
    const struct run_saver *saver;  /* the saver; NULL: no saving */
    struct trace *trace;            /* the trace for the events of the run, or NULL: omp/trace.h */
    struct devices *devices;        /* the devices of the splits, or NULL */
    struct residents residents;
};

/* The work of the devices of this rank in a run. */
enum { RUN_DEVICES = 16 };          /* the most devices of a rank */
enum { RUN_BEGUN = 4 };             /* the most tasks that a lane of a device has at a time */
struct device_tally {
    double flops[RUN_DEVICES];      /* flops of all kernels on each device */
    double host_update_flops;       /* flops of updates on the host */
    double narrow_flops;            /* flops of products on devices in a precision below the matrix's */
    int64_t bytes_up, bytes_down, bytes_across;
    int most_uploads;               /* the most uploads of one tile to one device for reading */
    int64_t waits, allocations;     /* the number of waits and allocations in the timed part: omp/device.h */
    int64_t bytes_unpinned;         /* bytes of host memory of tiles that are not pinned */
};

/* The results of the counting sink on this rank. */
struct run_tally {
    int64_t tasks, transfers, transfer_bytes;
    int64_t wire_transfers, wire_bytes;     /* the transfers between nodes, and their bytes */
    double flops;
    int step_tiles;                 /* the most remote tiles that the open steps read at a time: the smallest possible cache */
    int step_tiles_next;            /* the most remote tiles that two consecutive steps read */
    int tiles;                      /* with devices: the number of tiles that tasks use */
    bool no_memory;
};

/* Settings of a run; zero means the default. */
struct run_settings {
    int threads;
    int max_tasks;                  /* the most tasks in flight on a rank; 0: RUN_TASKS */
    int cache_tiles;                /* slots of the cache; 0: chosen from the tally; never less than needed */
    int jitter;                     /* longest random delay of a task in microseconds; if not 0, independent events get a
                                       random order */
    bool checks;                    /* checks the order of tasks: omp/order.h */
    void (*progress)(void *context, double done);   /* called now and then by the submitting thread with the finished share of
                                                       this rank's flops */
    void *progress_context;
};

enum { RUN_TASKS = 4096 };      /* 7 to 8 MB of task descriptors */

/* Local: walks the loops with the counting sink. nodes: NULL where each rank is a node. */
void run_count(const struct run_plan *plan, const struct rma_nodes *nodes, struct run_tally *tally);
/* Local: body(context, index) for every index below count, by `threads` threads in no order. */
void run_each(int threads, int64_t count, void (*body)(void *context, int64_t index), void *context);

/* Local: body(context, thread) once on each thread of the team. */
void run_on_threads(int threads, void (*body)(void *context, int thread), void *context);

/* Local: bytes of the stack that the runtime gives a thread. */
size_t run_stack_bytes(void);
/* Local: the path of the library with OpenMP's functions if it is not LLVM's, whose tasks this code uses, but GNU's, linked
   before LLVM's: then no task would work. NULL: one library has both. */
const char *run_other_runtime(void);

double run_clock(void);         /* seconds; the clock of traces, for any thread */

/* A visitor is called for what the loops of one rank do, in their order. */
struct visitor {
    void *context;
    /* Called for a task; the last operand is the output. flops are real operations. */
    void (*task)(void *context, enum task_kind kind, int step, double flops, int count, const struct operand *operands);
    /* Called when the loops request a remote tile for the task with this output (run_fetch_only), and when they wait
       (run_wait). NULL: not called. */
    void (*requested)(void *context, int step, const struct operand *tile, const struct operand *output);
    void (*wait)(void *context);
};

/* Local: walks the loops with the visiting sink. */
bool run_visit(const struct run_plan *plan, const struct visitor *visitor);     /* false: no memory */

/* ---- for the loops --------------------------------------------------------------------------------------------------------- */

/* The following tasks belong to step k. Steps before `oldest` are over: nobody requests their remote tiles again. Steps start
   in order, and oldest is k or k - 1. */
void run_step(struct run *run, int k, int oldest);
/* While on, tasks are not run; the remote tiles that they read are fetched early. */
void run_fetch_only(struct run *run, bool on);
/* While run_fetch_only is on: fetches this remote tile for tasks that come later in the step. */
void run_request(struct run *run, const struct operand *tile);
/* For loops that are only counted: each following task stands for one task in each of so many tile columns. Each of these
   tasks reads as many tiles of its own column, and the same other tiles. */
void run_alike(struct run *run, int64_t columns);
/*
 * Returns whether the loops must save the state between step k - 1 and step k, by tasks after all tasks of the former steps
 * and before those of step k. To be called before any task of step k is submitted. A run that may be saved has tasks of two to
 * eight steps in flight, so that a due save happens soon. The call waits only for tasks of steps before k, which all ranks
 * have submitted unless they are behind, and for polls of other ranks, so it cannot deadlock. DUE_LAST: on all ranks, the
 * loops then submit the tasks of steps before k and the tasks that save, and nothing else.
 */
enum due run_is_due(struct run *run, int k);
/* Whether the results of this rank's tasks are valid: no failure of memory, MPI or a device, and no task out of order. A
   failing pivot does not matter. Any thread. */
bool run_is_sound(const struct run *run);
/* Waits until all tasks are done and all tiles have arrived. */
void run_wait(struct run *run);

#endif
