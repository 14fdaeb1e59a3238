/* Forbidden calls: messages and accumulates of many bytes from one node to another. Others pass. */
#include "tests/nodes/card.h"

#include <stdio.h>
#include <unistd.h>

enum {
    FORBIDDEN = 3,              /* the job's status */
    LINE_PASSES_US = 500000     /* time for mpiexec to print the line: it drops lines when a job is ended */
};

static bool too_much(int count, MPI_Datatype type, int rank)
{
    return card.settings.forbid >= 0 && rank >= 0 && card_bytes(count, type) >= (size_t)card.settings.forbid;
}

/* Ends the job if the group's rank is on another node. Frees the group. */
static void check_rank(const char *what, MPI_Group group, int rank, size_t bytes)
{
    MPI_Group all;
    int r;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, 1, &rank, all, &r);
    PMPI_Group_free(&all);
    PMPI_Group_free(&group);
    if (r < 0 || card.node_of[r] == card.node_of[card.rank])
        return;
    fprintf(stderr, "native: %s of %zu bytes from rank %d to rank %d, on another node\n", what, bytes, card.rank, r);
    usleep(LINE_PASSES_US);
    PMPI_Abort(MPI_COMM_WORLD, FORBIDDEN);
}

static void check_send(const char *what, int count, MPI_Datatype type, int rank, MPI_Comm comm)
{
    MPI_Group group;
    if (!too_much(count, type, rank))
        return;
    PMPI_Comm_group(comm, &group);
    check_rank(what, group, rank, card_bytes(count, type));
}

static void check_accumulate(const char *what, int count, MPI_Datatype type, int rank, MPI_Win win)
{
    MPI_Group group;
    if (!too_much(count, type, rank))
        return;
    PMPI_Win_get_group(win, &group);
    check_rank(what, group, rank, card_bytes(count, type));
}

/* ---- messages -------------------------------------------------------------------------------------------------------- */

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    check_send("MPI_Send", count, type, dest, comm);
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Ssend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    check_send("MPI_Ssend", count, type, dest, comm);
    return PMPI_Ssend(buf, count, type, dest, tag, comm);
}

int MPI_Rsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    check_send("MPI_Rsend", count, type, dest, comm);
    return PMPI_Rsend(buf, count, type, dest, tag, comm);
}

int MPI_Bsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    check_send("MPI_Bsend", count, type, dest, comm);
    return PMPI_Bsend(buf, count, type, dest, tag, comm);
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    check_send("MPI_Isend", count, type, dest, comm);
    return PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

int MPI_Issend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    check_send("MPI_Issend", count, type, dest, comm);
    return PMPI_Issend(buf, count, type, dest, tag, comm, request);
}

int MPI_Irsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    check_send("MPI_Irsend", count, type, dest, comm);
    return PMPI_Irsend(buf, count, type, dest, tag, comm, request);
}

int MPI_Ibsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    check_send("MPI_Ibsend", count, type, dest, comm);
    return PMPI_Ibsend(buf, count, type, dest, tag, comm, request);
}

int MPI_Send_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    check_send("MPI_Send_init", count, type, dest, comm);
    return PMPI_Send_init(buf, count, type, dest, tag, comm, request);
}

int MPI_Ssend_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    check_send("MPI_Ssend_init", count, type, dest, comm);
    return PMPI_Ssend_init(buf, count, type, dest, tag, comm, request);
}

int MPI_Rsend_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    check_send("MPI_Rsend_init", count, type, dest, comm);
    return PMPI_Rsend_init(buf, count, type, dest, tag, comm, request);
}

int MPI_Bsend_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    check_send("MPI_Bsend_init", count, type, dest, comm);
    return PMPI_Bsend_init(buf, count, type, dest, tag, comm, request);
}

int MPI_Sendrecv(const void *out, int sent, MPI_Datatype out_type, int dest, int out_tag, void *in, int received,
                 MPI_Datatype in_type, int source, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    check_send("MPI_Sendrecv", sent, out_type, dest, comm);
    return PMPI_Sendrecv(out, sent, out_type, dest, out_tag, in, received, in_type, source, in_tag, comm, status);
}

int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int out_tag, int source, int in_tag,
                         MPI_Comm comm, MPI_Status *status)
{
    check_send("MPI_Sendrecv_replace", count, type, dest, comm);
    return PMPI_Sendrecv_replace(buf, count, type, dest, out_tag, source, in_tag, comm, status);
}

/* ---- accumulates ----------------------------------------------------------------------------------------------------- */

int MPI_Accumulate(const void *origin, int n, MPI_Datatype type, int target, MPI_Aint disp, int there,
                   MPI_Datatype target_type, MPI_Op op, MPI_Win win)
{
    check_accumulate("MPI_Accumulate", n, type, target, win);
    return PMPI_Accumulate(origin, n, type, target, disp, there, target_type, op, win);
}

int MPI_Raccumulate(const void *origin, int n, MPI_Datatype type, int target, MPI_Aint disp, int there,
                    MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    check_accumulate("MPI_Raccumulate", n, type, target, win);
    return PMPI_Raccumulate(origin, n, type, target, disp, there, target_type, op, win, request);
}

int MPI_Get_accumulate(const void *origin, int n, MPI_Datatype type, void *result, int old, MPI_Datatype result_type,
                       int target, MPI_Aint disp, int there, MPI_Datatype target_type, MPI_Op op, MPI_Win win)
{
    check_accumulate("MPI_Get_accumulate", old, result_type, target, win);
    return PMPI_Get_accumulate(origin, n, type, result, old, result_type, target, disp, there, target_type, op, win);
}

int MPI_Rget_accumulate(const void *origin, int n, MPI_Datatype type, void *result, int old, MPI_Datatype result_type,
                        int target, MPI_Aint disp, int there, MPI_Datatype target_type, MPI_Op op, MPI_Win win,
MPI_Request *request)
{
    check_accumulate("MPI_Rget_accumulate", old, result_type, target, win);
    return PMPI_Rget_accumulate(origin, n, type, result, old, result_type, target, disp, there, target_type, op, win,
                                request);
}
