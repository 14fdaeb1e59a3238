/*
 * The trace of a factorization as a file: Chrome's trace event format ("Trace Event Format", Google, 2016), which Perfetto reads.
 * (trace_text.c writes the events.)
 *
 * Every rank writes its own events as text into memory; rank 0 asks one rank after the other for it.
 */
#include "src/factor/trace_text.h"
#include "src/grid/grid.h"

#include "src/io/replace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- clocks ------------------------------------------------------------------------------------------------------------- */

enum { TAG_CLOCK = 1, TAG_TEXT = 2, ROUNDS = 8 };

static int exchange(ompfact_grid *grid, void *values, int count, MPI_Datatype type, int rank, int tag, bool send)
{
    MPI_Request request;
    MPI_Comm comm = rma_comm(grid->rma);
    int code = send ? MPI_Isend(values, count, type, rank, tag, comm, &request)
                    : MPI_Irecv(values, count, type, rank, tag, comm, &request);
    return code != MPI_SUCCESS ? code : rma_wait(grid->rma, &request);
}

/* What to add to this rank's clock to have rank 0's: the quickest of some messages to and fro tells best. Both ranks call it. */
static int clock_offset(ompfact_grid *grid, int other, double *offset)
{
    bool first = rma_rank(grid->rma) == 0;
    double best = 1e30;
    for (int i = 0; i < ROUNDS; i++) {
        double sent = run_clock(), theirs = sent;
        int code = exchange(grid, &theirs, 1, MPI_DOUBLE, other, TAG_CLOCK, !first);
        if (code == MPI_SUCCESS) {
            theirs = first ? run_clock() : theirs;
            code = exchange(grid, &theirs, 1, MPI_DOUBLE, other, TAG_CLOCK, first);
        }
        if (code != MPI_SUCCESS)
            return code;
        double back = run_clock();
        if (!first && back - sent < best) {
            best = back - sent;
            *offset = theirs - (sent + back) / 2;
        }
    }
    return MPI_SUCCESS;
}

/* ---- text --------------------------------------------------------------------------------------------------------------- */

/* NULL: no memory. */
static char *rank_text(const ompfact_grid *grid, double origin, size_t *length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    bool whole = file != NULL && trace_text(file, rma_rank(grid->rma), origin, &grid->trace, ompfact_devices(grid));
    if (file != NULL)
        whole &= fclose(file) == 0;
    if (whole)
        return text;
    free(text);
    return NULL;
}

/* ---- all ranks ---------------------------------------------------------------------------------------------------------- */

/* Every rank's clock, and the start of the first one, on it. */
static int find_origin(ompfact_grid *grid, double *origin)
{
    int rank = rma_rank(grid->rma), code = MPI_SUCCESS;
    double offset = 0;
    for (int other = 1; rank == 0 && code == MPI_SUCCESS && other < rma_ranks(grid->rma); other++)
        code = clock_offset(grid, other, &offset);
    if (rank != 0)
        code = clock_offset(grid, 0, &offset);
    *origin = grid->trace.start + offset;
    if (code == MPI_SUCCESS)
        code = rma_allreduce(grid->rma, origin, 1, MPI_DOUBLE, MPI_MIN);
    *origin -= offset;
    return code;
}

/* Texts travel in pieces of bounded size. */
enum { PIECE = 1 << 20 };

/* Rank 0: its own text, then that of each other rank. All of it is received, whatever happens to the file. */
static int write_all(ompfact_grid *grid, FILE *file, const char *mine, char *piece, bool *complete)
{
    int code = MPI_SUCCESS;
    fprintf(file, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n%s", mine);
    for (int other = 1; code == MPI_SUCCESS && other < rma_ranks(grid->rma); other++) {
        int64_t left;
        code = exchange(grid, &left, 1, MPI_INT64_T, other, TAG_TEXT, false);
        fputs(",\n", file);
        for (int count; code == MPI_SUCCESS && left > 0; left -= count) {
            count = left < PIECE ? (int)left : PIECE;
            code = exchange(grid, piece, count, MPI_CHAR, other, TAG_TEXT, false);
            *complete &= fwrite(piece, 1, (size_t)count, file) == (size_t)count;
        }
    }
    *complete &= fputs("\n]}\n", file) >= 0;
    return code;
}

static int send_text(ompfact_grid *grid, char *text, size_t length)
{
    int64_t left = (int64_t)length;
    int code = exchange(grid, &left, 1, MPI_INT64_T, 0, TAG_TEXT, true);
    for (int count; code == MPI_SUCCESS && left > 0; left -= count, text += count) {
        count = left < PIECE ? (int)left : PIECE;
        code = exchange(grid, text, count, MPI_CHAR, 0, TAG_TEXT, true);
    }
    return code;
}

/* What each rank needs before any text travels. */
static ompfact_status prepare(ompfact_grid *grid, const char *path, const char *text, const char *piece,
                              struct replacement *place, FILE **file)
{
    bool first = rma_rank(grid->rma) == 0;
    ompfact_status status = OMPFACT_SUCCESS;
    if (text == NULL || piece == NULL)
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a trace", rma_rank(grid->rma));
    else if (first && (replace_begin(path, place) != 0 || (*file = fopen(replace_path(place), "w")) == NULL))
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "%s cannot be written", path);
    return agree(grid, status);
}

ompfact_status ompfact_trace_write(ompfact_grid *grid, const char *path)
{
    ompfact_status status = OMPFACT_SUCCESS;
    if (!grid->keeps_trace || grid->trace.threads == 0)
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "there is no trace: ompfact_options.trace, and a factorization");
    TRY(agree(grid, status));
    double origin;
    size_t length = 0;
    bool first = rma_rank(grid->rma) == 0, complete = true;
    TRY_MPI(grid, find_origin(grid, &origin));
    FILE *file = NULL;
    struct replacement place = { 0 };
    char *text = rank_text(grid, origin, &length), *piece = malloc(PIECE);
    status = prepare(grid, path, text, piece, &place, &file);
    if (status == OMPFACT_SUCCESS) {
        int code = first ? write_all(grid, file, text, piece, &complete) : send_text(grid, text, length);
        status = code == MPI_SUCCESS ? OMPFACT_SUCCESS : fail_mpi(grid, code);
    }
    if (file != NULL)
        complete &= fclose(file) == 0;
    if (status == OMPFACT_SUCCESS && complete && first)
        complete = replace_commit(&place) == 0;
    replace_drop(&place);
    free(text);
    free(piece);
    if (status == OMPFACT_SUCCESS && !complete)
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "%s could not be written whole", path);
    return agree(grid, status);
}
