#include "src/command/instance.h"
#include "src/io/trace_frame.h"
#include "src/page/page.h"
#include "src/page/trace_about.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(char text[COMMAND_TEXT])
{
    return refuse(text, "no memory for a page");
}

/* ---- of a run -------------------------------------------------------------------------------------------------------------- */

/* Data of a trace or a page in addition to events; it borrows from the instance. cores: of a node. NULL: no memory. */
static struct page_data *page_of_instance(const struct instance *x, int cores)
{
    const ompfact_forecast *f = ompfact_plan_forecast(x->plan);
    struct trace_about about = { .program = "ompfact " OMPFACT_VERSION, .facts = &x->facts, .ranks = f->ranks, .cores = cores,
                                 .node_of = ompfact_plan_node_of(x->plan), .mt = f->mt, .nt = f->nt, .layers = f->copies,
                                 .owner = case_owner, .layout = x->plan,
                                 .ranks_of_tiles = { x->rank_map[0], x->rank_map[1] },
                                 .precisions_of_tiles = { x->precision_map[0], x->precision_map[1] } };
    struct page_data *data = page_data_create();
    if (data != NULL && !page_add_about(data, &about))
        page_data_destroy(&data);
    return data;
}

/* Destinations of the ranks' texts; either may be missing. */
struct taking {
    struct output trace, page;
    struct page_data *data;
    bool begun;
    const char *wrong;      /* an event that a page cannot read */
};

static bool take_text(void *context, char *events, size_t length)
{
    struct taking *t = context;
    if (t->trace.file != NULL) {
        fputs(t->begun ? ",\n" : TRACE_EVENTS, t->trace.file);
        fwrite(events, 1, length, t->trace.file);
    }
    t->begun = true;
    if (t->page.file != NULL && t->wrong == NULL)
        t->wrong = page_read_events(t->data, events);
    return true;
}

/* Opens the files on the first rank, which alone writes, and writes the data before the events. page: its name; NULL: there is
   none. */
static int begin(struct instance *x, struct taking *t, const char *page, int cores, char text[COMMAND_TEXT])
{
    int code = output_open(&t->trace, "trace", x->session->options->trace, text);
    if (code == 0)
        code = output_open(&t->page, "report", page, text);
    if (code == 0 && (t->data = page_of_instance(x, cores)) == NULL)
        code = no_memory(text);
    if (code == 0 && t->trace.file != NULL) {
        fputs(TRACE_OPEN "\"otherData\":", t->trace.file);
        page_write_about(t->trace.file, t->data);
        fputc(',', t->trace.file);
    }
    return code;
}

static int end(struct taking *t, char text[COMMAND_TEXT])
{
    int code = 0;
    if (t->trace.file != NULL)
        fputs(TRACE_CLOSE, t->trace.file);
    if (t->wrong != NULL)
        code = refuse(text, "the trace cannot be read: %.60s", t->wrong);
    else if (t->page.file != NULL && (!page_data_finish(t->data) || !page_write(t->page.file, t->data)))
        code = no_memory(text);
    if (code == 0)
        code = output_close(&t->trace, text);
    return code == 0 ? output_close(&t->page, text) : code;
}

static void forget(struct taking *t)
{
    output_drop(&t->trace);
    output_drop(&t->page);
    page_data_destroy(&t->data);
}

int write_simulated_trace(struct instance *x, char text[COMMAND_TEXT])
{
    CLEANUP(forget) struct taking t = { .begun = false };
    TRY_STEP(begin(x, &t, NULL, 0, text));
    TRY_WHY(text, ompfact_plan_trace(x->plan, take_text, &t, why));
    return end(&t, text);
}

/* The trace that the grid still has is that of another problem. */
static void print_that_nothing_ran(const struct options *o)
{
    const char *files[] = { o->trace, o->report };
    for (int i = 0; i < 2; i++)
        if (files[i] != NULL)
            fprintf(stderr, "ompfact: %s is not written: nothing was factored\n", files[i]);
}

int write_trace_and_page(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    CLEANUP(forget) struct taking t = { .begun = false };
    bool first = ompfact_rank(s->grid) == 0, ran = x->timed.seconds > 0;
    if (!ran && first)
        print_that_nothing_ran(s->options);
    if (!ran)
        return 0;
    TRY_STEP(agree_line(s, first ? begin(x, &t, s->options->report, ompfact_node_cores(), text) : 0, text));
    TRY_STEP(refuse_status(s, ompfact_trace_take(s->grid, take_text, &t), text));
    return agree_line(s, first ? end(&t, text) : 0, text);
}

/* ---- of files -------------------------------------------------------------------------------------------------------------- */

static int would_write_over(const char *file, char text[COMMAND_TEXT])
{
    return refuse(text, "%.256s would be overwritten: give another file for the page", file);
}

/* The trace's name with another ending. NULL: no memory. */
static char *name_page(const char *trace)
{
    static const char before[] = ".json", behind[] = ".html";
    size_t length = strlen(trace), cut = length >= strlen(before) ? length - strlen(before) : length;
    if (strcmp(trace + cut, before) != 0)
        cut = length;
    char *name = malloc(cut + sizeof behind);
    if (name != NULL)
        strcpy(memcpy(name, trace, cut) + cut, behind);
    return name;
}

static int write_page_of(const struct page_data *data, const char *trace, const char *path, char text[COMMAND_TEXT])
{
    CLEANUP(output_drop) struct output out = { 0 };
    TRY_STEP(replace_same(trace, path) ? would_write_over(trace, text) : output_open(&out, "report", path, text));
    return page_write(out.file, data) ? output_close(&out, text) : no_memory(text);
}

int page_of_trace(const char *trace, const char *file, bool summary, char text[COMMAND_TEXT])
{
    struct page_data *data;
    char *name = file == NULL && !summary ? name_page(trace) : NULL;
    const char *path = file != NULL ? file : name;
    int code = path == NULL && !summary ? no_memory(text) : page_read_trace(trace, &data, text) != 0 ? COMMAND_USAGE : 0;
    if (code == 0) {
        if (path != NULL)
            code = write_page_of(data, trace, path, text);
        if (code == 0 && summary)
            page_summary(stdout, data);
        page_data_destroy(&data);
    }
    free(name);
    return code;
}

int page_of_two(const char *file, const struct page_side *a, const struct page_side *b, char text[COMMAND_TEXT])
{
    CLEANUP(output_drop) struct output out = { 0 };
    if (replace_same(file, a->name) || replace_same(file, b->name))
        return would_write_over(file, text);
    TRY_STEP(output_open(&out, "report", file, text));
    return page_write_comparison(out.file, a, b) ? output_close(&out, text) : no_memory(text);
}
