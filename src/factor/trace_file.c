/*
 * The trace of a factorization as a file: Chrome's trace event format ("Trace Event Format", Google, 2016), which Perfetto
 * reads. (trace_text.c writes the events.)
 *
 * Every rank writes its own events as text into memory; rank 0 receives the texts of the ranks, one after another.
 */
#include "src/factor/trace_text.h"
#include "src/grid/grid.h"

#include "src/io/replace.h"
#include "src/io/text_stream.h"
#include "src/io/trace_frame.h"

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

/* The offset of this rank's clock to rank 0's. Of several round trips the fastest gives the best estimate. Both ranks call
   this. */
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
    FILE *file = text_stream(&text, length);
    bool whole = file != NULL && trace_text(file, rma_rank(grid->rma), origin, &grid->trace, ompfact_devices(grid));
    if (file != NULL)
        whole &= fclose(file) == 0;
    if (whole)
        return text;
    free(text);
    return NULL;
}

/* ---- all ranks ---------------------------------------------------------------------------------------------------------- */

/* Determines the offset of every rank's clock, and the start of the first rank on it. */
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

/* On rank 0: receives the text of another rank. *text is NULL without memory for it; then the text is received and dropped. */
static int receive_text(ompfact_grid *grid, int other, char *piece, char **text, size_t *length)
{
    int64_t all = 0;
    int code = exchange(grid, &all, 1, MPI_INT64_T, other, TAG_TEXT, false);
    *length = (size_t)all;
    *text = malloc((size_t)all + 1);
    char *place = *text;
    for (int count; code == MPI_SUCCESS && all > 0; all -= count) {
        count = all < PIECE ? (int)all : PIECE;
        code = exchange(grid, place != NULL ? place : piece, count, MPI_CHAR, other, TAG_TEXT, false);
        place += place != NULL ? count : 0;
    }
    if (place != NULL)
        *place = '\0';
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

/* On rank 0: takes its own text, then that of each other rank. All texts are received even after a failure. */
static int take_all(ompfact_grid *grid, char *mine, size_t length, char *piece, ompfact_trace_taker *take, void *context,
                    bool *no_memory)
{
    int code = MPI_SUCCESS;
    bool taken = take(context, mine, length);
    for (int other = 1; code == MPI_SUCCESS && other < rma_ranks(grid->rma); other++) {
        char *text = NULL;
        code = receive_text(grid, other, piece, &text, &length);
        *no_memory |= text == NULL;
        taken = taken && text != NULL && code == MPI_SUCCESS && take(context, text, length);
        free(text);
    }
    return code;
}

ompfact_status ompfact_trace_take(ompfact_grid *grid, ompfact_trace_taker *take, void *context)
{
    ompfact_status status = OMPFACT_SUCCESS;
    int rank = rma_rank(grid->rma);
    if (!grid->keeps_trace || grid->trace.threads == 0)
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "there is no trace: ompfact_options.trace, and a factorization");
    TRY(agree(grid, status));
    double origin;
    size_t length = 0;
    bool no_memory = false;
    TRY_MPI(grid, find_origin(grid, &origin));
    CLEANUP(free_at) char *text = rank_text(grid, origin, &length), *piece = malloc(PIECE);
    TRY(agree_memory(grid, text != NULL && piece != NULL, "for a trace"));
    int code = rank == 0 ? take_all(grid, text, length, piece, take, context, &no_memory) : send_text(grid, text, length);
    status = code != MPI_SUCCESS ? fail_mpi(grid, code)
             : no_memory         ? fail(grid, OMPFACT_NO_MEMORY, "rank 0: no memory for the traces of others")
                                 : OMPFACT_SUCCESS;
    return agree(grid, status);
}

/* ---- a file ------------------------------------------------------------------------------------------------------------- */

struct trace_file {
    FILE *file;
    bool begun, complete;
};

static bool write_text(void *context, char *text, size_t length)
{
    struct trace_file *f = context;
    fputs(f->begun ? ",\n" : TRACE_OPEN TRACE_EVENTS, f->file);
    f->begun = true;
    f->complete = fwrite(text, 1, length, f->file) == length;
    return f->complete;
}

ompfact_status ompfact_trace_write(ompfact_grid *grid, const char *path)
{
    ompfact_status status = OMPFACT_SUCCESS;
    struct trace_file f = { .complete = true };
    struct replacement place = { 0 };
    bool first = rma_rank(grid->rma) == 0;
    if (path == NULL)
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "a trace needs the name of a file");
    else if (first && (replace_begin(path, &place) != 0 || (f.file = replace_open(&place)) == NULL))
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "%s cannot be written", path);
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_trace_take(grid, write_text, &f);
    if (f.file != NULL) {
        fputs(TRACE_CLOSE, f.file);
        f.complete &= ferror(f.file) == 0;
        f.complete &= fclose(f.file) == 0;
    }
    if (status == OMPFACT_SUCCESS && f.complete && first)
        f.complete = replace_commit(&place) == 0;
    replace_drop(&place);
    if (status == OMPFACT_SUCCESS && !f.complete)
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "%s could not be written whole", path);
    return agree(grid, status);
}
