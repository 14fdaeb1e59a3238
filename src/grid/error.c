/* Statuses and messages, and the agreement of ranks on them. */
#include "src/grid/grid.h"

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

int agree_on(struct rma *rma, int *code, char *text, int size)
{
    int first = *code == 0 ? rma_ranks(rma) : rma_rank(rma);
    int failure = rma_allreduce(rma, &first, 1, MPI_INT, MPI_MIN);
    if (failure != MPI_SUCCESS || first == rma_ranks(rma))
        return failure;
    failure = rma_bcast(rma, code, 1, MPI_INT, first);
    return failure != MPI_SUCCESS ? failure : rma_bcast(rma, text, size, MPI_CHAR, first);
}

ompfact_status agree(ompfact_grid *grid, ompfact_status status)
{
    int code = status;
    TRY_MPI(grid, agree_on(grid->rma, &code, grid->message, MESSAGE));
    return (ompfact_status)code;
}

ompfact_status agree_memory(ompfact_grid *grid, bool there, const char *format, ...)
{
    char what[MESSAGE / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!there)
        fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory %s", rma_rank(grid->rma), what);
    return agree(grid, there ? OMPFACT_SUCCESS : OMPFACT_NO_MEMORY);
}

/* A program may pass different arguments on different ranks by mistake. Then ranks would wait for each other for ever. */
ompfact_status check_alike(ompfact_grid *grid, const char *const *names, const int64_t *values, int count)
{
    int64_t ends[2 * count];
    for (int i = 0; i < count; i++) {
        ends[i] = values[i];
        ends[count + i] = -values[i];
    }
    TRY_MPI(grid, rma_allreduce(grid->rma, ends, 2 * count, MPI_INT64_T, MPI_MAX));
    for (int i = 0; i < count; i++)
        if (ends[i] != -ends[count + i])
            return fail(grid, OMPFACT_BAD_ARGUMENT, "a matrix's %s is not the same on every rank", names[i]);
    return OMPFACT_SUCCESS;
}

ompfact_status after_write(ompfact_status status)
{
    return status > OMPFACT_SUCCESS ? OMPFACT_OUT_OF_MEMORY : status;
}

const char *ompfact_message(const ompfact_grid *grid)
{
    return grid != NULL ? grid->message : "there is no grid";
}

bool ints_are_zero(const int64_t *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (number[i] != 0)
            return false;
    return true;
}
