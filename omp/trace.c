#include "omp/trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

double run_clock(void)
{
    return omp_get_wtime();
}

bool trace_create(struct trace *trace, int threads)
{
    trace_destroy(trace);
    trace->thread = calloc((size_t)threads, sizeof *trace->thread);
    trace->threads = trace->thread != NULL ? threads : 0;
    return trace->thread != NULL;
}

void trace_destroy(struct trace *trace)
{
    for (int i = 0; i < trace->threads; i++)
        free(trace->thread[i].event);
    free(trace->thread);
    free(trace->sample);
    *trace = (struct trace){ 0 };
}

void trace_add(struct events *events, struct event event)
{
    if (events->count == events->room) {
        int64_t room = 2 * events->room + 1024;
        struct event *larger = realloc(events->event, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            events->no_memory = true;
            return;
        }
        events->event = larger;
        events->room = room;
    }
    events->event[events->count++] = event;
}

/* ---- samples --------------------------------------------------------------------------------------------------------------- */

bool trace_sample_is_due(const struct trace *trace, double now, double start)
{
    const double SOONEST = 5e-4, SHARE = 1e-3;      /* in seconds; and as a share of the run so far */
    double pause = SHARE * (now - start) > SOONEST ? SHARE * (now - start) : SOONEST;
    return trace->samples == 0 || now - trace->sample[trace->samples - 1].time >= pause;
}

void trace_add_sample(struct trace *trace, struct trace_sample sample)
{
    if (trace->samples == trace->room) {
        int room = 2 * trace->room + 256;
        struct trace_sample *larger = realloc(trace->sample, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return;
        trace->sample = larger;
        trace->room = room;
    }
    trace->sample[trace->samples++] = sample;
}

/* Reads the second number of proc_pid_statm(5), which counts pages. */
int64_t trace_resident(void)
{
    char text[128] = "";
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    int64_t pages = 0;
    if (file < 0)
        return 0;
    if (read(file, text, sizeof text - 1) > 0)
        sscanf(text, "%*s %" SCNd64, &pages);
    close(file);
    return pages * sysconf(_SC_PAGESIZE);
}
