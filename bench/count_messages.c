/*
 * Counts the messages between the ranks of an MPI program: a library that the program loads before MPI's (LD_PRELOAD), with MPI's
 * profiling interface. bench/messages and bench/netlab_peers compile and load it.
 *
 * It counts from MPI_Pcontrol(1), which begins at zero, to MPI_Pcontrol(0). In MPI_Finalize rank 0 prints the sums:
 *
 *     {"messages": .., "bytes": .., "messages_max": .., "bytes_max": ..}    max: the largest sum of a rank, sent and received
 *
 * A message is data that go from one rank to another: a send, a put, an accumulate, and a get, whose data come from its target.
 * The request that a get needs on some networks is not counted. A collective counts as the sends of a binomial tree, P - 1 for a
 * broadcast or a reduction, twice as many if all ranks get the result (MPI_Allreduce) or wait for all (MPI_Barrier, no bytes).
 *
 * Calls that wait also yield the core. MPICH's own waits spin: with more ranks than cores they take the core from the rank that
 * they wait for. With the yield, ranks on one machine behave more as on machines of their own.
 *
 * For programs with one thread at a time in MPI, and for the calls of ScaLAPACK and ompfact in a factorization.
 */
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct traffic {
    int64_t messages, bytes;
};

static int ranks, counting;
static struct traffic *sent, *received;     /* [rank in MPI_COMM_WORLD]: the messages of this rank's calls */

/* ---- counting ----------------------------------------------------------------------------------------------------------- */

static int64_t size_of(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (int64_t)count * size;
}

/* Ranks of the group. */
static void record(MPI_Group group, int from, int to, int64_t bytes)
{
    int pair[2] = { from, to }, in_world[2];
    MPI_Group world;
    if (from < 0 || to < 0 || from == to)
        return;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 2, pair, world, in_world);
    PMPI_Group_free(&world);
    sent[in_world[0]].messages++;
    sent[in_world[0]].bytes += bytes;
    received[in_world[1]].messages++;
    received[in_world[1]].bytes += bytes;
}

static void count_send(int count, MPI_Datatype type, int dest, MPI_Comm comm)
{
    MPI_Group group;
    int me;
    if (!counting)
        return;
    PMPI_Comm_rank(comm, &me);
    PMPI_Comm_group(comm, &group);
    record(group, me, dest, size_of(count, type));
    PMPI_Group_free(&group);
}

/* The data of a get go in the other direction. */
static void count_one_sided(int count, MPI_Datatype type, int target, int is_get, MPI_Win win)
{
    MPI_Group group;
    int me;
    if (!counting)
        return;
    PMPI_Win_get_group(win, &group);
    PMPI_Group_rank(group, &me);
    record(group, is_get ? target : me, is_get ? me : target, size_of(count, type));
    PMPI_Group_free(&group);
}

/* Counts this rank's sends in the binomial tree: down to its children, or up to its parent. Ranks are counted from the root. */
static void count_tree(int64_t bytes, int root, int down, int up, MPI_Comm comm)
{
    MPI_Group group;
    int size, me, first = 1;
    if (!counting)
        return;
    PMPI_Comm_group(comm, &group);
    PMPI_Group_size(group, &size);
    PMPI_Group_rank(group, &me);
    int number = (me - root + size) % size;
    while (first <= number)
        first *= 2;
    for (int step = first; down && number + step < size; step *= 2)
        record(group, me, (number + step + root) % size, bytes);
    if (up && number > 0)
        record(group, me, (number - first / 2 + root) % size, bytes);
    PMPI_Group_free(&group);
}

int MPI_Pcontrol(const int level, ...)
{
    if (sent == NULL) {
        PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
        sent = calloc(2 * (size_t)ranks, sizeof *sent);
        received = sent + ranks;
    }
    if (level == 1 && sent != NULL)
        memset(sent, 0, 2 * (size_t)ranks * sizeof *sent);
    counting = level == 1 && sent != NULL;
    return MPI_SUCCESS;
}

static void print(void)
{
    struct traffic total = { 0 }, most = { 0 };
    for (int r = 0; r < ranks; r++) {
        struct traffic mine = { sent[r].messages + received[r].messages, sent[r].bytes + received[r].bytes };
        total.messages += sent[r].messages;
        total.bytes += sent[r].bytes;
        most.messages = mine.messages > most.messages ? mine.messages : most.messages;
        most.bytes = mine.bytes > most.bytes ? mine.bytes : most.bytes;
    }
    printf("{\"messages\": %lld, \"bytes\": %lld, \"messages_max\": %lld, \"bytes_max\": %lld}\n", (long long)total.messages,
           (long long)total.bytes, (long long)most.messages, (long long)most.bytes);
    fflush(stdout);
}

/* ---- waiting ------------------------------------------------------------------------------------------------------------ */

static int wait_for(int code, MPI_Request *request, MPI_Status *status)
{
    enum { YIELDS = 20 };
    const struct timespec pause = { .tv_nsec = 20000 };
    for (int done = 0, idle = 0; code == MPI_SUCCESS && !done; idle++) {
        code = PMPI_Test(request, &done, status);
        if (done)
            break;
        if (idle < YIELDS)
            sched_yield();
        else
            nanosleep(&pause, NULL);
    }
    return code;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return wait_for(MPI_SUCCESS, request, status);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    int code = MPI_SUCCESS;
    for (int i = 0; code == MPI_SUCCESS && i < count; i++)
        code = wait_for(MPI_SUCCESS, &requests[i], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
    return code;
}

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;
    return wait_for(PMPI_Irecv(buf, count, type, source, tag, comm, &request), &request, status);
}

int MPI_Finalize(void)
{
    int rank;
    MPI_Request request;
    counting = 0;
    if (sent == NULL)
        return PMPI_Finalize();
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wait_for(PMPI_Ireduce(rank == 0 ? MPI_IN_PLACE : sent, sent, 4 * ranks, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD, &request),
             &request, MPI_STATUS_IGNORE);
    if (rank == 0)
        print();
    free(sent);
    return PMPI_Finalize();
}

/* ---- sends -------------------------------------------------------------------------------------------------------------- */

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    MPI_Request request;
    count_send(count, type, dest, comm);
    return wait_for(PMPI_Isend(buf, count, type, dest, tag, comm, &request), &request, MPI_STATUS_IGNORE);
}

int MPI_Ssend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    MPI_Request request;
    count_send(count, type, dest, comm);
    return wait_for(PMPI_Issend(buf, count, type, dest, tag, comm, &request), &request, MPI_STATUS_IGNORE);
}

int MPI_Rsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    MPI_Request request;
    count_send(count, type, dest, comm);
    return wait_for(PMPI_Irsend(buf, count, type, dest, tag, comm, &request), &request, MPI_STATUS_IGNORE);
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    count_send(count, type, dest, comm);
    return PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

int MPI_Issend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    count_send(count, type, dest, comm);
    return PMPI_Issend(buf, count, type, dest, tag, comm, request);
}

int MPI_Irsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    count_send(count, type, dest, comm);
    return PMPI_Irsend(buf, count, type, dest, tag, comm, request);
}

int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request out, in;
    count_send(sendcount, sendtype, dest, comm);
    int code = PMPI_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &in);
    if (code == MPI_SUCCESS)
        code = wait_for(PMPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &out), &out, MPI_STATUS_IGNORE);
    return wait_for(code, &in, status);
}

/* ---- collectives -------------------------------------------------------------------------------------------------------- */

int MPI_Ibcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
    count_tree(size_of(count, type), root, 1, 0, comm);
    return PMPI_Ibcast(buf, count, type, root, comm, request);
}

int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;
    return wait_for(MPI_Ibcast(buf, count, type, root, comm, &request), &request, MPI_STATUS_IGNORE);
}

int MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request *request)
{
    count_tree(size_of(count, type), root, 0, 1, comm);
    return PMPI_Ireduce(sendbuf, recvbuf, count, type, op, root, comm, request);
}

int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    MPI_Request request;
    return wait_for(MPI_Ireduce(sendbuf, recvbuf, count, type, op, root, comm, &request), &request, MPI_STATUS_IGNORE);
}

int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    count_tree(size_of(count, type), 0, 1, 1, comm);
    return PMPI_Iallreduce(sendbuf, recvbuf, count, type, op, comm, request);
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    return wait_for(MPI_Iallreduce(sendbuf, recvbuf, count, type, op, comm, &request), &request, MPI_STATUS_IGNORE);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    count_tree(0, 0, 1, 1, comm);
    return PMPI_Ibarrier(comm, request);
}

int MPI_Barrier(MPI_Comm comm)
{
    MPI_Request request;
    return wait_for(MPI_Ibarrier(comm, &request), &request, MPI_STATUS_IGNORE);
}

/* ---- one-sided ---------------------------------------------------------------------------------------------------------- */

int MPI_Get(void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count, MPI_Datatype target_type,
            MPI_Win win)
{
    count_one_sided(count, type, target, 1, win);
    return PMPI_Get(origin, count, type, target, disp, target_count, target_type, win);
}

int MPI_Rget(void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count, MPI_Datatype target_type,
             MPI_Win win, MPI_Request *request)
{
    count_one_sided(count, type, target, 1, win);
    return PMPI_Rget(origin, count, type, target, disp, target_count, target_type, win, request);
}

int MPI_Put(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count,
            MPI_Datatype target_type, MPI_Win win)
{
    count_one_sided(count, type, target, 0, win);
    return PMPI_Put(origin, count, type, target, disp, target_count, target_type, win);
}

int MPI_Rput(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count,
             MPI_Datatype target_type, MPI_Win win, MPI_Request *request)
{
    count_one_sided(count, type, target, 0, win);
    return PMPI_Rput(origin, count, type, target, disp, target_count, target_type, win, request);
}

int MPI_Accumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count,
                   MPI_Datatype target_type, MPI_Op op, MPI_Win win)
{
    count_one_sided(count, type, target, 0, win);
    return PMPI_Accumulate(origin, count, type, target, disp, target_count, target_type, op, win);
}
