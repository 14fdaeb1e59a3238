/* The ranks of MPI_COMM_WORLD, and the few collectives of the tests. This header does not need Check. */
#ifndef OMPFACT_TESTS_RANKS_H
#define OMPFACT_TESTS_RANKS_H

#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Initializes MPI unless the test has done so with a thread level of its own. */
static inline void start_mpi(int *argc, char ***argv)
{
    int level, initialised;
    MPI_Initialized(&initialised);
    if (initialised)
        return;
    setenv("KMP_BLOCKTIME", "0", 0);            /* as the command does: idle threads leave their core to other ranks */
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
}

static inline int my_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline int all_ranks_count(void)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

/* Collective, in place. The call polls and yields, because MPICH's own waits take milliseconds where ranks outnumber cores. */
static inline void reduce(void *values, int count, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, MPI_COMM_WORLD, &request);
    for (int done = 0, polls = 0; !done; polls++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done && polls < 100)
            sched_yield();
        else if (!done)
            nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
    }
}

/* Collective: whether the condition is true on every rank. */
static inline bool everywhere(bool condition)
{
    int holds = condition;
    reduce(&holds, 1, MPI_INT, MPI_MIN);
    return holds;
}

/* Collective: whether all ranks have the same value. */
static inline bool agreed(int64_t value)
{
    int64_t ends[2] = { value, -value };
    reduce(ends, 2, MPI_INT64_T, MPI_MAX);
    return ends[0] == -ends[1];
}

#endif
