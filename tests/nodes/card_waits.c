/* Calls that complete the card's operations: all that test, all that wait, and all that end an epoch. */
#include "tests/nodes/card.h"

/* ---- tests ----------------------------------------------------------------------------------------------------------- */

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    card_complete();
    return PMPI_Test(request, flag, status);
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    card_complete();
    return PMPI_Testany(count, requests, index, flag, status);
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    card_complete();
    return PMPI_Testall(count, requests, flag, statuses);
}

int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    card_complete();
    return PMPI_Testsome(count, requests, done, indices, statuses);
}

int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    card_complete();
    return PMPI_Request_get_status(request, flag, status);
}

/* ---- waits ----------------------------------------------------------------------------------------------------------- */

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    card_complete_all();
    return PMPI_Wait(request, status);
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    card_complete_all();
    return PMPI_Waitany(count, requests, index, status);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    card_complete_all();
    return PMPI_Waitall(count, requests, statuses);
}

int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    card_complete_all();
    return PMPI_Waitsome(count, requests, done, indices, statuses);
}

/* ---- epochs ---------------------------------------------------------------------------------------------------------- */

int MPI_Win_flush(int target, MPI_Win win)
{
    card_complete_all();
    return PMPI_Win_flush(target, win);
}

int MPI_Win_flush_local(int target, MPI_Win win)
{
    card_complete_all();
    return PMPI_Win_flush_local(target, win);
}

int MPI_Win_unlock(int target, MPI_Win win)
{
    card_complete_all();
    return PMPI_Win_unlock(target, win);
}

int MPI_Win_flush_all(MPI_Win win)
{
    card_complete_all();
    return PMPI_Win_flush_all(win);
}

int MPI_Win_flush_local_all(MPI_Win win)
{
    card_complete_all();
    return PMPI_Win_flush_local_all(win);
}

int MPI_Win_unlock_all(MPI_Win win)
{
    card_complete_all();
    return PMPI_Win_unlock_all(win);
}

int MPI_Win_complete(MPI_Win win)
{
    card_complete_all();
    return PMPI_Win_complete(win);
}

int MPI_Win_fence(int assert, MPI_Win win)
{
    card_complete_all();
    return PMPI_Win_fence(assert, win);
}
