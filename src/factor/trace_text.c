/*
 * The events of a rank as text, in Chrome's trace event format:
 *
 *   X        a task, named by its kernel; args: tile, step, updates, flops     pid = rank, tid = thread
 *   b, e     a fetch, a publication, a wait for a ready task; each e directly behind its b. args of a fetch: the source, and the
 *            number of its transfer
 *   C        the state of the rank: tasks, remote tiles, memory
 *   s, f     a transfer: from the end of the task that made the tile to the start of the first task that uses it
 */
#include "src/factor/trace_text.h"
#include "src/grid/grid.h"
#include "src/io/c_locale.h"

#include <inttypes.h>

struct writer {
    FILE *file;
    int rank;
    double origin;      /* origin on this rank's clock */
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
        fprintf(w->file, ",\"from\":%d,\"flow\":%" PRId64, e->from, e->flow);
    fprintf(w->file,
            "}},\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"e\",\"id\":\"%d.%" PRId64 "\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d}",
            name, name, w->rank, id, microseconds(w, e->end), w->rank, thread);
}

/* The end of an arrow belongs to the task at that time. */
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
                "\"i\":%d,\"j\":%d,\"step\":%d,\"updates\":1,\"flops\":%.0f}}",
                task_name(e->task), microseconds(w, e->start), 1e6 * (e->end - e->start), w->rank, thread, e->i, e->j, e->step,
                e->flops);
        break;
    case EVENT_MOVE: write_pair(w, e, task_name(e->task), id, thread); break;
    case EVENT_WAIT: write_pair(w, e, "wait", id, thread); break;
    case EVENT_FETCH: write_pair(w, e, "fetch", id, thread); break;
    case EVENT_PUBLICATION: write_pair(w, e, "publication", id, thread); break;
    case EVENT_SEND: write_arrow(w, e, true, thread); break;
    case EVENT_RECEIVE: write_arrow(w, e, false, thread); break;
    }
}

static void write_sample(const struct writer *w, const struct trace_sample *s)
{
    fprintf(w->file,
            ",\n{\"name\":\"tasks\",\"ph\":\"C\",\"ts\":%.3f,\"pid\":%d,\"args\":{\"submitted\":%d,\"ready\":%d}}"
            ",\n{\"name\":\"memory\",\"ph\":\"C\",\"ts\":%.3f,\"pid\":%d,\"args\":{\"tiles\":%d,\"resident\":%" PRId64 "}}",
            microseconds(w, s->time), w->rank, s->submitted, s->ready, microseconds(w, s->time), w->rank, s->tiles, s->resident);
}

/* The tracks of a device, behind those of the threads. Moves are on the first one. */
enum { UPDATES, PANELS, MORE_UPDATES, TRACKS };

static int device_track(const struct trace *trace, int device, int which)
{
    return trace->threads + TRACKS * (device - 1) + which;
}

static int track(const struct trace *trace, const struct event *e, int thread)
{
    int which = e->lane == LANE_PANEL ? PANELS : e->lane == LANE_UPDATE_TOO ? MORE_UPDATES : UPDATES;
    return e->device == HOST ? thread : device_track(trace, e->device, which);
}

/* Names come first, so that all other events have a comma before them, and readers know which tracks are devices'. */
bool trace_text(FILE *file, int rank, double origin, const struct trace *trace, int devices)
{
    struct writer w = { .file = file, .rank = rank, .origin = origin };
    int64_t id = 0;
    bool whole = true;
    struct c_locale c = c_locale_begin();
    fprintf(file, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"rank %d\"}}", rank, rank);
    static const char *const names[TRACKS] = { "", ", panels", ", more updates" };
    for (int d = 1; d <= devices; d++)
        for (int which = 0; which < TRACKS; which++)
            fprintf(file, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"device %d%s\"}}",
                    rank, device_track(trace, d, which), d, names[which]);
    for (int t = 0; t < trace->threads; t++) {
        const struct events *list = &trace->thread[t];
        whole &= !list->no_memory;
        fprintf(file, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"thread %d\"}}",
                rank, t, t);
        for (int64_t i = 0; i < list->count; i++)
            write_event(&w, &list->event[i], id++, track(trace, &list->event[i], t));
    }
    for (int i = 0; i < trace->samples; i++)
        write_sample(&w, &trace->sample[i]);
    c_locale_end(c);
    return whole;
}
