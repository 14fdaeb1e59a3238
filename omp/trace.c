#include "omp/trace.h"

#include <omp.h>
#include <stdlib.h>

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
