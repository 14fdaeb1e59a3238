/* The grid inside the library: the ranks, the cores, memory and devices that they may use, and agreement on errors. */
#ifndef OMPFACT_SRC_GRID_GRID_H
#define OMPFACT_SRC_GRID_GRID_H

#include "omp/trace.h"
#include "rma/move.h"
#include "src/ompfact_machine.h"
#include "src/ompfact_testing.h"

#include <stdlib.h>

enum { MESSAGE = OMPFACT_MESSAGE };

struct ompfact_grid {
    struct rma *rma;
    int64_t holders;                /* the program, until it destroys the grid, and each matrix: the grid ends with the last */
    struct run_settings settings;
    int cores;                      /* this rank's part of its node's cores: default_threads() */
    int64_t untouched;              /* bytes of windows that are created and not filled yet: the system does not count them as
                                       used */
    struct rma_exchange *exchange;  /* staging memory; NULL before its first use */
    int64_t exchange_room;
    const char *blas_kernels;
    ompfact_schedule schedule;
    ompfact_pivot pivot;
    ompfact_tree tree;
    int ib;
    ompfact_refinement refinement;
    ompfact_butterfly butterfly;    /* the butterfly of symmetric indefinite matrices */
    bool abft;                      /* matrices have checksums, and factorizations search for flipped bits */
    ompfact_flip flip;              /* the bit that a test flips */
    struct devices *devices;        /* devices of this rank; NULL: none */
    bool any_devices;               /* some rank has a device */
    bool rounds_single;             /* devices compute products in single precision with fewer bits */
    ompfact_device_use device_use;  /* how this rank uses its devices */
    int64_t device_memory;          /* bytes of a device that may be used; 0: all */
    size_t device_panel_bytes;             /* bytes of each device that panels of matrices take */
    struct machine_known *known;    /* measured figures of the machine: src/machine/machine_known.h; NULL before the first use */
    bool typical_rates;             /* figures of a typical machine are used, and nothing is measured */
    struct checkpoints *checkpoints;    /* the checkpoints to make; NULL: none. src/checkpoint/checkpoint.h declares this struct
                                           and the next */
    atomic_bool stops;              /* the caller has requested on this rank that the next saved factorization ends */
    struct restart *restart;        /* the checkpoint to continue from; NULL: none */
    void (*forget_checkpoints)(ompfact_grid *grid);     /* frees checkpoints and restart; NULL: there were none */
    bool keeps_trace;
    struct trace trace;             /* the trace of the last factorization */
    char message[MESSAGE];
};

/* ---- errors: error.c ------------------------------------------------------------------------------------------------------ */

/* Writes the grid's message and returns the status. */
ompfact_status fail(ompfact_grid *grid, ompfact_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
ompfact_status fail_mpi(ompfact_grid *grid, int code);
/* Writes the message (NULL: none) of a call that has no grid, and returns the status. */
ompfact_status fail_with(char *message, ompfact_status status, const char *text);
/* Whether the reserved members of a struct are zero, as programs of this version leave them. */
#define OF_THIS_VERSION(x) ints_are_zero((x)->reserved, sizeof (x)->reserved / sizeof *(x)->reserved)
bool ints_are_zero(const int64_t *number, size_t count);
/* Collective: all ranks get the code, where it is not 0, and the text (of the same size on all ranks) of the lowest rank that
   failed. Returns MPI's error code. */
int agree_on(struct rma *rma, int *code, char *text, int size);
/* Collective: all ranks get the status and the message of the lowest rank that failed. */
ompfact_status agree(ompfact_grid *grid, ompfact_status status);
/* Collective: the same for memory that a rank may lack. The message is "rank 3: no memory" and the text, "for a list". */
ompfact_status agree_memory(ompfact_grid *grid, bool there, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Collective: refuses values, such as those of a matrix, that differ between ranks. The message has the name of the first. */
ompfact_status check_alike(ompfact_grid *grid, const char *const *names, const int64_t *values, int count);
/* For a call that has already changed contents. A positive status of one of its parts promises unchanged objects, so it becomes
   OMPFACT_OUT_OF_MEMORY: arguments have been checked before. */
ompfact_status after_write(ompfact_status status);

/* A local variable that a function ends, by its address, where its scope is left:
   CLEANUP(ompfact_matrix_destroy) ompfact_matrix *A = NULL. */
#define CLEANUP(end) __attribute__((cleanup(end)))
static inline void free_at(void *address)
{
    free(*(void **)address);
}

/* Several arrays in one piece of memory, all zero: sets the pointer of each. NULL: no memory. The caller frees the piece, and so
   the arrays. memory.c */
struct array {
    void **pointer;
    size_t bytes;
};
void *make_arrays(const struct array *arrays, size_t count);
#define ARRAY(pointer, count) { (void **)&(pointer), (size_t)(count) * sizeof *(pointer) }

static inline int64_t larger_count(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t smaller_count(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#define TRY(call)                                                                                                               \
    do {                                                                                                                        \
        ompfact_status try_status = (call);                                                                                     \
        if (try_status != OMPFACT_SUCCESS)                                                                                      \
            return try_status;                                                                                                  \
    } while (0)

#define TRY_MPI(grid, call)                                                                                                     \
    do {                                                                                                                        \
        int try_code = (call);                                                                                                  \
        if (try_code != MPI_SUCCESS)                                                                                            \
            return fail_mpi(grid, try_code);                                                                                    \
    } while (0)

/* ---- a grid without the use of its devices: grid_create.c ---------------------------------------------------------------- */

/* Does ompfact_grid_create() without the use of devices, which src/machine adds. Collective. */
ompfact_status grid_open(MPI_Comm comm, const ompfact_options *options, ompfact_grid **grid, char *message);
/* A matrix holds its grid as long as it lives, so a program may destroy both in any order. grid_release() is collective: it ends
   the grid if no holder is left. */
void grid_hold(ompfact_grid *grid);
void grid_release(ompfact_grid *grid);
/* The name that rma has for this choice. */
enum rma_bcast bcast_of(ompfact_bcast bcast);

/* ---- cores: cores.c ------------------------------------------------------------------------------------------------------- */

/* The number of threads of a rank that shares its node with others; at least 1. */
int default_threads(int ranks_on_node);
/* Binds each thread to a core of its own if `wanted`, and if the node has as many cores as its ranks have threads, or the
   launcher has bound the rank to as many. Collective. */
void pin_threads(struct rma *rma, int threads, bool wanted);

/* ---- OpenMP's runtime: openmp_fit.c --------------------------------------------------------------------------------------- */

/* A thread's stack: one and a half times what tasks, kernels and MPI have been measured to take. */
enum { STACK_BYTES = 160 << 10 };
/* Refuses, with a message of one line, an OpenMP runtime that lacks the tasks that runs need, and a stack of the calling thread
   below STACK_BYTES. Local. */
ompfact_status openmp_check(char *message);
/* Refuses stacks below STACK_BYTES of `threads` threads, the calling one included. Local. */
ompfact_status openmp_check_stacks(int threads, char *message);

/* ---- memory: memory.c, staging.c ---------------------------------------------------------------------------------------- */

/* Refuses on all ranks if the ranks of any node together need more memory than the node has. `bytes` is what this rank needs
   beside windows that exist and are not filled yet. Collective. */
ompfact_status memory_check(ompfact_grid *grid, int64_t bytes, const char *what);
/* Refuses if `bytes` exceeds the memory of all nodes together: a coarse check before the distribution is known. Collective. */
ompfact_status memory_check_all(ompfact_grid *grid, double bytes, const char *what);
/* Bytes that each rank could have if the ranks of its node divided the node's free memory evenly: the least of all ranks.
   Collective. */
ompfact_status memory_share(ompfact_grid *grid, int64_t *bytes);

/* Bytes that a rank sends in a round, and that it receives. Larger rounds are not faster: a round already takes long compared
   with its two collective calls. */
enum { STAGING_BYTES = 4 << 20 };
/* Creates the grid's staging memory with boxes of `room` bytes or more, unless it exists. The memory is kept, because the
   creation of a window takes long where ranks outnumber cores. Collective. */
ompfact_status staging_get(ompfact_grid *grid, int64_t room);

#endif
