/* Counts MPI's objects that a program has created and not freed, by MPI's profiling interface: all kinds that the library uses.
   */
#ifndef OMPFACT_TESTS_MPI_HANDLES_H
#define OMPFACT_TESTS_MPI_HANDLES_H

#include <mpi.h>
#include <stdatomic.h>

/* Objects created minus objects freed. */
static struct {
    atomic_int comms, windows, infos, requests;
} handles;

static inline int started(int code, const MPI_Request *request)
{
    handles.requests += code == MPI_SUCCESS && *request != MPI_REQUEST_NULL;
    return code;
}

static inline int made(int code, atomic_int *kind)
{
    *kind += code == MPI_SUCCESS;
    return code;
}

/* ---- communicators, windows, infos ----------------------------------------------------------------------------------------- */

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    return made(PMPI_Comm_dup(comm, copy), &handles.comms);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    return started(made(PMPI_Comm_idup(comm, copy, request), &handles.comms), request);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    int code = PMPI_Comm_split(comm, color, key, part);
    handles.comms += code == MPI_SUCCESS && *part != MPI_COMM_NULL;
    return code;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part)
{
    int code = PMPI_Comm_split_type(comm, type, key, info, part);
    handles.comms += code == MPI_SUCCESS && *part != MPI_COMM_NULL;
    return code;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    handles.comms--;
    return PMPI_Comm_free(comm);
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window)
{
    return made(PMPI_Win_allocate(size, unit, info, comm, base, window), &handles.windows);
}

int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window)
{
    return made(PMPI_Win_create(base, size, unit, info, comm, window), &handles.windows);
}

int MPI_Win_free(MPI_Win *window)
{
    handles.windows--;
    return PMPI_Win_free(window);
}

int MPI_Info_create(MPI_Info *info)
{
    return made(PMPI_Info_create(info), &handles.infos);
}

int MPI_Info_free(MPI_Info *info)
{
    handles.infos--;
    return PMPI_Info_free(info);
}

/* ---- requests -------------------------------------------------------------------------------------------------------------- */

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    return started(PMPI_Isend(data, count, type, to, tag, comm, request), request);
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    return started(PMPI_Irecv(data, count, type, from, tag, comm, request), request);
}

int MPI_Imrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    return started(PMPI_Imrecv(data, count, type, message, request), request);
}

int MPI_Rget(void *data, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count, MPI_Datatype target_type,
             MPI_Win window, MPI_Request *request)
{
    return started(PMPI_Rget(data, count, type, target, disp, target_count, target_type, window, request), request);
}

int MPI_Raccumulate(const void *data, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count,
                    MPI_Datatype target_type, MPI_Op op, MPI_Win window, MPI_Request *request)
{
    return started(PMPI_Raccumulate(data, count, type, target, disp, target_count, target_type, op, window, request), request);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return started(PMPI_Ibarrier(comm, request), request);
}

int MPI_Ibcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
    return started(PMPI_Ibcast(data, count, type, root, comm, request), request);
}

int MPI_Iallreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return started(PMPI_Iallreduce(mine, all, count, type, op, comm, request), request);
}

int MPI_Iexscan(const void *mine, void *before, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return started(PMPI_Iexscan(mine, before, count, type, op, comm, request), request);
}

int MPI_Iallgather(const void *mine, int count, MPI_Datatype type, void *all, int each, MPI_Datatype all_type, MPI_Comm comm,
                   MPI_Request *request)
{
    return started(PMPI_Iallgather(mine, count, type, all, each, all_type, comm, request), request);
}

int MPI_Ialltoall(const void *mine, int count, MPI_Datatype type, void *all, int each, MPI_Datatype all_type, MPI_Comm comm,
                  MPI_Request *request)
{
    return started(PMPI_Ialltoall(mine, count, type, all, each, all_type, comm, request), request);
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    bool pending = *request != MPI_REQUEST_NULL;
    int code = PMPI_Test(request, done, status);
    handles.requests -= pending && *request == MPI_REQUEST_NULL;
    return code;
}

int MPI_Testsome(int count, MPI_Request *requests, int *done, int *index, MPI_Status *statuses)
{
    int code = PMPI_Testsome(count, requests, done, index, statuses);
    for (int i = 0; *done != MPI_UNDEFINED && i < *done; i++)
        handles.requests -= requests[index[i]] == MPI_REQUEST_NULL;
    return code;
}

#endif
