/*
 * A network card for the made-up nodes of one machine, as a library to be loaded before MPI's own (LD_PRELOAD), by MPI's
 * profiling interface: reads and writes between nodes go on while their target is outside MPI, whatever the transport below
 * does. A thread of the origin does them with process_vm_readv and process_vm_writev.
 *
 *      OMPFACT_TEST_NODES=2 mpiexec -n 4 env LD_PRELOAD=build/tests/nodes/libnative.so program
 *
 *      origin                                     its thread                          target, anywhere
 *      MPI_Rget: an operation queued, a request
 *      goes on                                    waits till it is due, copies <----- memory of a window
 *      MPI_Test: what is done completes
 *
 * Native are MPI_Get, Put, Rget, Rput of contiguous types, on windows of MPI_Win_create, allocate and create_dynamic.
 * Accumulates stay what they are below: with MPICH over UCX active messages, whose target must be inside MPI. A request's end,
 * or a flush, is the only promise: the pieces of an operation land in any order.
 *
 * OMPFACT_TEST_NATIVE=KEY=VALUE,... :
 *      latency=US      each operation takes so many microseconds more
 *      rate=MBS        a rank's card carries so many megabytes a second
 *      shuffle=SEED    pieces of 4 KiB in random order, as with adaptive routing
 *      forbid=BYTES    a message or an accumulate of as many bytes to another node ends the job: status 3, one line
 *      windows=0       no window can be made that spans nodes
 *      pins=1          making one touches all of its memory, as registering it with a card does
 *      tell=1          counts at the end, on stderr
 *
 * Where ranks may not read each other's memory the job ends with status 77 and one line.
 */
#ifndef OMPFACT_TESTS_NODES_CARD_H
#define OMPFACT_TESTS_NODES_CARD_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- card_settings.c ------------------------------------------------------------------------------------------------- */

struct card_settings {
    double latency, rate;       /* seconds; bytes a second, 0: any */
    unsigned shuffle;           /* 0: in order */
    long forbid;                /* -1: nothing */
    bool no_windows, pins, tell;
};
struct card_settings card_settings(void);

/* ---- card_start.c: from MPI_Init to MPI_Finalize --------------------------------------------------------------------- */

struct card {
    struct card_settings settings;
    int rank, ranks;
    int *node_of;               /* [rank]: the lowest rank of its node */
};
extern struct card card;

/* ---- card_thread.c: what the card carries ---------------------------------------------------------------------------- */

/* What a rank tells the others of its part of a window. */
struct card_peer {
    int64_t pid, base, unit;
    int node;
};

void card_plug_in(void);        /* starts the thread */

/* The peer must last until the operation has ended. request: NULL where only a flush will wait for it. */
struct card_operation {
    bool write;
    const struct card_peer *peer;
    void *local;
    uint64_t remote;            /* the address there */
    size_t bytes;
};
void card_begin(struct card_operation operation, MPI_Request *request);

void card_complete(void);       /* the requests of what has been carried */
void card_complete_all(void);   /* waits for all that was begun */

struct card_counts {
    int64_t reads, writes, bytes;
};
struct card_counts card_counts(void);

/* ---- card_windows.c -------------------------------------------------------------------------------------------------- */

size_t card_bytes(int count, MPI_Datatype type);

#endif
