/*
 * Emulates network cards for the emulated nodes of one machine: a library that is loaded before MPI's own (LD_PRELOAD) and uses
 * MPI's profiling interface. Reads and writes between nodes proceed while their target is outside MPI, whatever MPI's own
 * transport does. A thread of the origin executes them by process_vm_readv and process_vm_writev.
 *
 *      OMPFACT_TEST_NODES=2 mpiexec -n 4 env LD_PRELOAD=build/tests/nodes/libnative.so program
 *
 *      origin                                     its thread                          target, anywhere
 *      MPI_Rget: queues an operation, a request
 *      computes                                   waits till it is due, copies <----- memory of a window
 *      MPI_Test: completes what is done
 *
 * The card executes MPI_Get, Put, Rget and Rput of contiguous types, on windows of MPI_Win_create, allocate and create_dynamic.
 * Accumulates remain MPI's: with MPICH over UCX they are active messages, whose target must be inside MPI. Only the end of a
 * request, or a flush, guarantees that an operation is complete. The pieces of an operation arrive in any order.
 *
 * OMPFACT_TEST_NATIVE=KEY=VALUE,... :
 *      latency=US      each operation takes so many microseconds more
 *      rate=MBS        a rank's card transfers so many megabytes a second
 *      shuffle=SEED    transfers pieces of 4 KiB in random order, as adaptive routing may
 *      forbid=BYTES    a message or an accumulate of as many bytes to another node ends the job: status 3, one line
 *      windows=0       windows that span nodes cannot be created
 *      pins=1          creating a window touches all of its memory, as registering the memory with a card does
 *      report=1        prints counts on stderr at the end
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
    double latency, rate;       /* seconds; bytes a second, 0: no limit */
    unsigned shuffle;           /* 0: in order */
    long forbid;                /* -1: nothing is forbidden */
    bool no_windows, pins, report;
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

/* What a rank sends to the others about its part of a window. */
struct card_peer {
    int64_t pid, base, unit;
    int node;
};

void card_plug_in(void);        /* starts the thread */

/* The peer must exist until the operation has ended. request: NULL where only a flush will wait for the operation. */
struct card_operation {
    bool write;
    const struct card_peer *peer;
    void *local;
    uint64_t remote;            /* the address in the target's process */
    size_t bytes;
};
void card_begin(struct card_operation operation, MPI_Request *request);

void card_complete(void);       /* completes the requests of finished operations */
void card_complete_all(void);   /* waits for all operations */

struct card_counts {
    int64_t reads, writes, bytes;
};
struct card_counts card_counts(void);

/* ---- card_windows.c -------------------------------------------------------------------------------------------------- */

size_t card_bytes(int count, MPI_Datatype type);

#endif
