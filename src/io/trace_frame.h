/* The text of a trace file around the events of ranks, and the commas between these: Chrome's trace event format. */
#ifndef OMPFACT_IO_TRACE_FRAME_H
#define OMPFACT_IO_TRACE_FRAME_H

#define TRACE_OPEN "{\"displayTimeUnit\":\"ms\","       /* other members may follow, each with a comma */
#define TRACE_EVENTS "\"traceEvents\":[\n"
#define TRACE_CLOSE "\n]}\n"

#endif
