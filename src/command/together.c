#include "src/command/together.h"

#include <sched.h>
#include <time.h>

/* code: of the call that made the request. */
static bool complete(int code, MPI_Request *request)
{
    enum { YIELDS = 64 };
    const struct timespec nap = { .tv_nsec = 50000 };
    for (int polls = 0, done = 0; code == MPI_SUCCESS && !done; polls++) {
        code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done && polls < YIELDS)
            sched_yield();
        else if (!done)
            nanosleep(&nap, NULL);
    }
    return code == MPI_SUCCESS;
}

bool together_begin(MPI_Comm *comm)
{
    MPI_Request request;
    *comm = MPI_COMM_NULL;
    return complete(MPI_Comm_idup(MPI_COMM_WORLD, comm, &request), &request) &&
           MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

bool together_reduce(MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    return complete(MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, comm, &request), &request);
}

bool together_share(MPI_Comm comm, void *values, int count, MPI_Datatype type, int from)
{
    MPI_Request request;
    return complete(MPI_Ibcast(values, count, type, from, comm, &request), &request);
}

int together_agree(MPI_Comm comm, int code, char text[COMMAND_TEXT])
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int first = code == 0 ? ranks : rank;
    bool agreed = together_reduce(comm, &first, 1, MPI_INT, MPI_MIN);
    if (agreed && first == ranks)
        return 0;
    agreed = agreed && together_share(comm, &code, 1, MPI_INT, first) &&
             together_share(comm, text, COMMAND_TEXT, MPI_CHAR, first);
    return agreed ? code : refuse(text, "ranks could not agree whether to continue: MPI failed");
}
