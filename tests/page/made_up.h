/* Made-up traces: single events in the form of src/factor/trace_text.c. Times are in microseconds. */
#ifndef OMPFACT_TESTS_PAGE_MADE_UP_H
#define OMPFACT_TESTS_PAGE_MADE_UP_H

#include "src/page/page_data.h"
#include "tests/suite.h"

#include <stdarg.h>

struct made_up {
    FILE *out;
    char *text;
    size_t length;
    int events;
};

static inline struct made_up *make_trace(void)
{
    struct made_up *m = calloc(1, sizeof *m);
    ck_assert_ptr_nonnull(m);
    m->out = open_memstream(&m->text, &m->length);
    ck_assert_ptr_nonnull(m->out);
    return m;
}

static inline void event(struct made_up *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void event(struct made_up *m, const char *format, ...)
{
    va_list list;
    fputs(m->events++ > 0 ? ",\n" : "", m->out);
    va_start(list, format);
    vfprintf(m->out, format, list);
    va_end(list);
}

static inline void a_task(struct made_up *m, const char *kernel, int rank, int thread, int step, double from, double to,
                          double flops)
{
    event(m,
          "{\"name\":\"%s\",\"cat\":\"task\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%d,\"tid\":%d,\"args\":{\"i\":%d,"
          "\"j\":%d,"
          "\"step\":%d,\"updates\":1,\"flops\":%.0f}}",
          kernel, from, to - from, rank, thread, step + 1, step, step, flops);
}

static inline void a_wait(struct made_up *m, int rank, int thread, double from, double to)
{
    static const char side[] =
        "{\"name\":\"wait\",\"cat\":\"wait\",\"ph\":\"%c\",\"id\":\"%d.%d\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d}";
    int id = m->events;
    event(m, side, 'b', rank, id, from, rank, thread);
    event(m, side, 'e', rank, id, to, rank, thread);
}

/* Tile (i,j) of one rank, final at `sent`, which another rank requested and had at `came`. */
static inline void a_transfer(struct made_up *m, int id, int from, int to, int i, int j, double sent, double came)
{
    int number = m->events;
    event(m, "{\"name\":\"transfer\",\"cat\":\"transfer\",\"ph\":\"s\",\"id\":%d,\"ts\":%.3f,\"pid\":%d,\"tid\":0}", id, sent,
          from);
    event(m,
          "{\"name\":\"fetch\",\"cat\":\"fetch\",\"ph\":\"b\",\"id\":\"%d.%d\",\"ts\":0,\"pid\":%d,\"tid\":0,\"args\":{\"i\":"
          "%d,\"j\":%d,"
          "\"from\":%d,\"flow\":%d}}",
          to, number, to, i, j, from, id);
    event(m, "{\"name\":\"fetch\",\"cat\":\"fetch\",\"ph\":\"e\",\"id\":\"%d.%d\",\"ts\":%.3f,\"pid\":%d,\"tid\":0}", to,
          number, came, to);
    event(m,
          "{\"name\":\"transfer\",\"cat\":\"transfer\",\"ph\":\"f\",\"bp\":\"e\",\"id\":%d,\"ts\":%.3f,\"pid\":%d,\"tid\":0}",
          id, came, to);
}

/* Reads a trace, sums it up and frees it. `about` is what a trace has beside events. */
static inline struct page_data *data_of(struct made_up *m, const char *about)
{
    struct page_data *data = page_data_create();
    char *copy = strdup(about);
    ck_assert_ptr_nonnull(data);
    ck_assert_int_eq(fclose(m->out), 0);
    ck_assert_ptr_null(page_read_about(data, copy));
    const char *wrong = page_read_events(data, m->text);
    ck_assert_msg(wrong == NULL, "not read: %.200s", wrong);
    ck_assert(page_data_finish(data));
    free(copy);
    free(m->text);
    free(m);
    return data;
}

/* ---- a small trace ------------------------------------------------------------------------------------------------------- */

static const char about[] =
    "{\"program\":\"ompfact <1>\",\"row\":{\"routine\":\"potrf\",\"type\":\"d\",\"n\":64,\"nb\":32,\"ranks\":2,"
    "\"time_s\":1.25e-3,\"gflops\":12.5,\"error\":null,\"layout\":\"a&b\",\"speeds\":[1,2],\"transfers\":2,"
    "\"between_nodes\":\"one-sided\",\"rma_native\":false},\"cores\":2,"
    "\"nodes\":[0,0],\"tiles\":{\"rows\":2,\"columns\":2,\"shown\":[2,2],\"owners\":[0,1,-1,1,1,2]}}";

/* Two ranks, the second with two threads, and two transfers. */
static inline struct made_up *small_trace(void)
{
    struct made_up *m = make_trace();
    event(m, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"thread <1>\"}}");
    a_task(m, "potrf", 0, 0, 0, 100, 300, 4e5);
    a_transfer(m, 7, 0, 1, 1, 0, 300, 450);
    a_wait(m, 1, 0, 50, 460);
    a_task(m, "trsm", 1, 0, 0, 460, 660, 6e5);
    a_task(m, "syrk", 1, 1, 0, 660, 900, 8e5);
    a_transfer(m, 8, 1, 0, 1, 1, 900, 950);
    a_task(m, "potrf", 0, 0, 1, 950, 1000, 1e5);
    event(m, "{\"name\":\"tasks\",\"ph\":\"C\",\"ts\":500,\"pid\":1,\"args\":{\"submitted\":5,\"ready\":2}}");
    event(m, "{\"name\":\"memory\",\"ph\":\"C\",\"ts\":500,\"pid\":1,\"args\":{\"tiles\":1,\"resident\":1048576}}");
    return m;
}

static const char one_task[] = "{\"name\":\"potrf\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":0,\"tid\":0}";

#endif
