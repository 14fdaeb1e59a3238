/*
 * The trace of a factorization as a file: Chrome's trace event format ("Trace Event Format", Google, 2016), which Perfetto reads.
 *
 *   X        a task, named by its kernel; args: tile, step, updates       pid = rank, tid = thread
 *   b, e     a fetch, a publication, a wait for a ready task
 *   s, f     a transfer: from the end of the task that made the tile to the start of the first that uses it
 *
 * Every rank writes its own events as text into memory; rank 0 asks one rank after the other for it.
 */
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

struct writer {
    FILE *file;
    int rank;
    double origin;      /* on this rank's clock */
};

static double microseconds(const struct writer *w, double time)
{
    return 1e6 * (time - w->origin);
}

static void write_pair(const struct writer *w, const struct event *e, const char *name, int64_t id, int thread)
{
    fprintf(w->file,
            ",\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"b\",\"id\":\"%d.%" PRId64
            "\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d,\"args\":{\"i\":%d,\"j\":%d",
            name, name, w->rank, id, microseconds(w, e->start), w->rank, thread, e->i, e->j);
    if (e->kind == EVENT_FETCH)
        fprintf(w->file, ",\"from\":%d", e->from);
    fprintf(w->file,
            "}},\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"e\",\"id\":\"%d.%" PRId64 "\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d}",
            name, name, w->rank, id, microseconds(w, e->end), w->rank, thread);
}

/* An arrow's end belongs to the task in which its time lies. */
static void write_arrow(const struct writer *w, const struct event *e, bool send, int thread)
{
    enum { INSIDE_NS = 10 };
    fprintf(w->file,
            ",\n{\"name\":\"transfer\",\"cat\":\"transfer\",\"ph\":\"%s,\"id\":%" PRId64 ",\"ts\":%.3f,\"pid\":%d,\"tid\":%d}",
            send ? "s\"" : "f\",\"bp\":\"e\"", e->flow, microseconds(w, e->start) + (send ? -1e-3 : 1e-3) * INSIDE_NS, w->rank,
            thread);
}

static void write_event(const struct writer *w, const struct event *e, int64_t id, int thread)
{
    switch (e->kind) {
    case EVENT_TASK:
        fprintf(w->file,
                ",\n{\"name\":\"%s\",\"cat\":\"task\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%d,\"tid\":%d,\"args\":{"
                "\"i\":%d,\"j\":%d,\"step\":%d,\"updates\":1}}",
                task_name(e->task), microseconds(w, e->start), 1e6 * (e->end - e->start), w->rank, thread, e->i, e->j, e->step);
        break;
    case EVENT_MOVE: write_pair(w, e, task_name(e->task), id, thread); break;
    case EVENT_WAIT: write_pair(w, e, "wait", id, thread); break;
    case EVENT_FETCH: write_pair(w, e, "fetch", id, thread); break;
    case EVENT_PUBLICATION: write_pair(w, e, "publication", id, thread); break;
    case EVENT_SEND: write_arrow(w, e, true, thread); break;
    case EVENT_RECEIVE: write_arrow(w, e, false, thread); break;
    }
}

/* Two tracks for a device, behind those of the threads: for updates, and for panels. Moves are at the first. */
static int device_track(const ompfact_grid *grid, int device, bool panels)
{
    return grid->trace.threads + 2 * (device - 1) + panels;
}

static int track(const ompfact_grid *grid, const struct event *e, int thread)
{
    return e->device == HOST ? thread : device_track(grid, e->device, e->lane == LANE_PANEL);
}

/* All events of this rank; a comma before each but the names, which come first. NULL: no memory. */
static char *rank_text(const ompfact_grid *grid, double origin, size_t *length)
{
    char *text = NULL;
    struct writer w = { .file = open_memstream(&text, length), .rank = rma_rank(grid->rma), .origin = origin };
    if (w.file == NULL)
        return NULL;
    fprintf(w.file, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"rank %d\"}}", w.rank, w.rank);
    int64_t id = 0;
    bool whole = true;
    for (int t = 0; t < grid->trace.threads; t++) {
        const struct events *list = &grid->trace.thread[t];
        whole &= !list->no_memory;
        fprintf(w.file, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"thread %d\"}}",
                w.rank, t, t);
        for (int64_t i = 0; i < list->count; i++)
            write_event(&w, &list->event[i], id++, track(grid, &list->event[i], t));
    }
    for (int d = 1; d <= ompfact_devices(grid); d++)
        for (int panels = 0; panels < 2; panels++)
            fprintf(w.file,
                    ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"device %d%s\"}}",
                    w.rank, device_track(grid, d, panels), d, panels ? ", panels" : "");
    if (fclose(w.file) != 0 || !whole) {
        free(text);
        return NULL;
    }
    return text;
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
