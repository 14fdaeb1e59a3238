/* The grid inside the library: the ranks, what they may use of their nodes, and how they agree on errors. */
#ifndef OMPFACT_SRC_GRID_GRID_H
#define OMPFACT_SRC_GRID_GRID_H

#include "omp/trace.h"
#include "src/ompfact_machine.h"
#include "src/ompfact_testing.h"

enum { MESSAGE = OMPFACT_MESSAGE };

struct ompfact_grid {
    struct rma *rma;
    struct run_settings settings;
    int cores;                      /* of its node that are this rank's share: default_threads() */
    int64_t untouched;              /* bytes of windows that were created and not filled: the system does not count them yet */
    struct rma_exchange *exchange;  /* staging memory, from its first use on; NULL before */
    int64_t exchange_room;
    const char *blas_kernels;
    ompfact_schedule schedule;
    ompfact_pivot pivot;
    ompfact_tree tree;
    int ib;
    ompfact_refinement refinement;
    ompfact_butterfly butterfly;    /* of symmetric indefinite matrices */
    bool abft;                      /* matrices have sums, and factorizations search for flipped bits */
    ompfact_flip flip;              /* for tests */
    struct devices *devices;        /* of this rank; NULL: none */
    bool any_devices;               /* of any rank */
    ompfact_device_use device_use;  /* of this rank */
    int64_t device_memory;          /* bytes of a device; 0: all that it has */
    size_t device_panel_bytes;             /* bytes of each device that panels of matrices take */
    struct machine_known *known;    /* of the machine: src/machine/machine_known.h; NULL before the first use */
    bool typical_rates;             /* and nothing is measured for it */
    struct checkpoints *checkpoints;    /* to be made; NULL: none. src/checkpoint/checkpoint.h, as is the next */
    atomic_bool stops;              /* the caller requested on this rank that the next saved factorization ends */
    struct restart *restart;        /* the checkpoint to continue from; NULL: none */
    void (*forget_checkpoints)(ompfact_grid *grid);     /* frees both; NULL: there were none */
    bool keeps_trace;
    struct trace trace;             /* of the last factorization */
    char message[MESSAGE];
};

/* ---- errors: error.c ------------------------------------------------------------------------------------------------------ */

/* Fills the grid's message and returns the status. */
ompfact_status fail(ompfact_grid *grid, ompfact_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
ompfact_status fail_mpi(ompfact_grid *grid, int code);
/* Where there is no grid: fills the message, which may be NULL, and returns the status. */
ompfact_status fail_with(char *message, ompfact_status status, const char *text);
/* The room that a struct has for members of later versions is as a program of this one leaves it. */
#define OF_THIS_VERSION(x) ints_are_zero((x)->reserved, sizeof (x)->reserved / sizeof *(x)->reserved)
bool ints_are_zero(const int64_t *number, size_t count);
/* Collective: the code, where it is not 0, and the text (of one size) of the lowest rank that failed, on all ranks. An MPI
   error code is returned. */
int agree_on(struct rma *rma, int *code, char *text, int size);
/* Collective: the status of the lowest rank that failed, and its message, on all ranks. */
ompfact_status agree(ompfact_grid *grid, ompfact_status status);
/* Collective: refuses values that are not the same on every rank, as the matrix's, by name. */
ompfact_status check_alike(ompfact_grid *grid, const char *const *names, const int64_t *values, int count);
/* For a call that has already changed contents: a positive status of one of its parts, which promises unchanged objects, becomes
   OMPFACT_OUT_OF_MEMORY, because arguments have been checked before. */
ompfact_status after_write(ompfact_status status);

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

/* ---- a grid without what is known of its devices: grid_create.c ----------------------------------------------------------- */

/* As ompfact_grid_create(), in which src/machine then adds how devices are used. Collective. */
ompfact_status grid_open(MPI_Comm comm, const ompfact_options *options, ompfact_grid **grid, char *message);
/* What rma calls it. */
enum rma_bcast bcast_of(ompfact_bcast bcast);

/* ---- cores: cores.c ------------------------------------------------------------------------------------------------------- */

/* Threads for a rank that shares its node with others; at least 1. */
int default_threads(int ranks_on_node);
/* Binds each thread to a core of its own if requested, and if the node has as many cores as its ranks have threads, or the
   launcher has bound the rank to as many. Collective. */
void pin_threads(struct rma *rma, int threads, bool wanted);

/* ---- OpenMP's runtime: openmp_fit.c --------------------------------------------------------------------------------------- */

/* A thread's stack: half as much again as tasks, kernels and MPI have been seen to take. */
enum { STACK_BYTES = 160 << 10 };
/* Refuses, in one line, a runtime that cannot do our tasks, and a smaller stack of the calling thread. Local. */
ompfact_status openmp_check(char *message);
/* And smaller ones of so many threads, this one included. Local. */
ompfact_status openmp_check_stacks(int threads, char *message);

/* ---- memory: memory.c, staging.c ---------------------------------------------------------------------------------------- */

/* Refuses, on all ranks, if the ranks of any node together need more than it has: `bytes` more on this rank, beside windows that
   exist and have not been filled yet. Collective. */
ompfact_status memory_check(ompfact_grid *grid, int64_t bytes, const char *what);
/* The same for all nodes together, of `bytes` that the ranks share: a coarse check before the distribution is known.
   Collective. */
ompfact_status memory_check_all(ompfact_grid *grid, double bytes, const char *what);
/* Bytes that each rank could have if the ranks of its node shared what the node has left: the least of all ranks. Collective. */
ompfact_status memory_share(ompfact_grid *grid, int64_t *bytes);

/* What a rank sends in a round, and what it receives: more brings no more speed, for the round is long against its two collective
   calls. */
enum { STAGING_BYTES = 4 << 20 };
/* Makes the grid's staging memory, `room` bytes a box or more, if it is not there. It stays: a window takes long to make where
   ranks outnumber cores. Collective. */
ompfact_status staging_get(ompfact_grid *grid, int64_t room);

#endif
