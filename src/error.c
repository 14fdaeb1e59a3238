/* Statuses and messages, and how ranks agree on them. */
#include "src/matrix.h"

#include <stdarg.h>
#include <stdio.h>

ompfact_status fail(ompfact_grid *grid, ompfact_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(grid->message, sizeof grid->message, format, arguments);
    va_end(arguments);
    return status;
}

ompfact_status fail_with(char *message, ompfact_status status, const char *text)
{
    if (message != NULL)
        snprintf(message, MESSAGE, "%s", text);
    return status;
}

ompfact_status fail_mpi(ompfact_grid *grid, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length, class;
    MPI_Error_class(code, &class);
    if (class == MPI_ERR_NO_MEM)
        return fail(grid, OMPFACT_OUT_OF_MEMORY, "memory ran out on a rank");
    MPI_Error_string(code, text, &length);
    return fail(grid, OMPFACT_MPI_FAILED, "rank %d: MPI failed: %.200s", rma_rank(grid->rma), text);
}

ompfact_status agree(ompfact_grid *grid, ompfact_status status)
{
    struct rma *rma = grid->rma;
    int first = status == OMPFACT_SUCCESS ? rma_ranks(rma) : rma_rank(rma), agreed = status;
    TRY_MPI(grid, rma_allreduce(rma, &first, 1, MPI_INT, MPI_MIN));
    if (first == rma_ranks(rma))
        return OMPFACT_SUCCESS;
    TRY_MPI(grid, rma_bcast(rma, &agreed, 1, MPI_INT, first));
    TRY_MPI(grid, rma_bcast(rma, grid->message, MESSAGE, MPI_CHAR, first));
    return (ompfact_status)agreed;
}

const char *ompfact_message(const ompfact_grid *grid)
{
    return grid->message;
}
