/* ompfact compare: two files of --json or --trace, run beside run, as a table and as a page. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/command/report.h"
#include "src/command/write_page.h"

struct run {
    char *line;                 /* what the facts' texts point into; NULL: into the trace */
    struct facts facts;
    bool paired;
};

struct runs {
    struct run *item;
    int count;
    struct page_data *trace;    /* NULL: the file is one of rows */
};

/* One of them may be NULL: a run that the other file lacks. */
struct pair {
    const struct run *run[2];
};

enum side { A, B, EITHER };

struct column {
    const char *title;
    const char *key;            /* of a fact, or NULL: the ratio of times */
    enum side side;
    struct cell_look look;
};

static const struct column columns[] = {
    { "type", "type", EITHER, { 0 } }, { "routine", "routine", EITHER, { 0 } },
    { "m", "m", EITHER, { 0 } }, { "n", "n", EITHER, { 0 } }, { "nb", "nb", EITHER, { 0 } },
    { "ranks", "ranks", EITHER, { 0 } },
    { "layout A", "layout", A, { 0 } }, { "layout B", "layout", B, { 0 } },
    { "time_s A", "time_s", A, { 'f', 4 } }, { "time_s B", "time_s", B, { 'f', 4 } },
    { "B/A", NULL, EITHER, { 'f', 3 } },
    { "gflops A", "gflops", A, { 'f', 2 } }, { "gflops B", "gflops", B, { 'f', 2 } },
    { "transfers A", "transfers", A, { 0 } }, { "transfers B", "transfers", B, { 0 } },
    { "error A", "error", A, { 'e', 2 } }, { "error B", "error", B, { 'e', 2 } },
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static void runs_free(struct runs *runs)
{
    for (int i = 0; i < runs->count; i++)
        free(runs->item[i].line);
    free(runs->item);
    page_data_destroy(&runs->trace);
    *runs = (struct runs){ 0 };
}

/* One more, or NULL where there is no memory. */
static struct run *runs_add(struct runs *runs)
{
    struct run *item = realloc(runs->item, ((size_t)runs->count + 1) * sizeof *item);
    if (!item)
        return NULL;
    runs->item = item;
    item[runs->count] = (struct run){ 0 };
    return &item[runs->count++];
}

static int no_routine(const char *path, int number, char *text)
{
    return refuse(text, "%.256s, line %d: names no routine", path, number);
}

static int read_run(const char *line, struct run *run, const char *path, int number, char *text)
{
    if (!run || !(run->line = strdup(line)))
        return refuse(text, "out of memory");
    const char *wrong = facts_read_json(&run->facts, run->line);
    if (wrong)
        return refuse(text, "%.256s, line %d, column %d: not an object as --json writes it", path, number,
                      (int)(wrong - run->line) + 1);
    return run->facts.routine ? 0 : no_routine(path, number, text);
}

static int read_runs(FILE *file, const char *path, struct runs *runs, char *text)
{
    char *line = NULL;
    size_t room = 0;
    int status = 0;
    for (int number = 1; !status && getline(&line, &room, file) >= 0; number++)
        if (line[strspn(line, " \t\r\n")])
            status = read_run(line, runs_add(runs), path, number, text);
    free(line);
    return status;
}

/* The row that a trace carries. */
static int load_trace(const char *path, struct runs *runs, char *text)
{
    if (page_read_trace(path, &runs->trace, text) != 0)
        return COMMAND_USAGE;
    struct run *run = runs_add(runs);
    if (!run)
        return refuse(text, "out of memory");
    run->facts = runs->trace->facts;
    return run->facts.routine ? 0 : no_routine(path, 1, text);
}

static int load(const char *path, struct runs *runs, char *text)
{
    if (page_is_trace(path))
        return load_trace(path, runs, text);
    FILE *file = fopen(path, "r");
    if (!file)
        return refuse(text, "%.256s: %s", path, strerror(errno));
    int status = read_runs(file, path, runs, text);
    if (!status && ferror(file))
        status = refuse(text, "%.256s: cannot be read", path);
    if (!status && runs->count == 0)
        status = refuse(text, "%.256s: no run in this file", path);
    fclose(file);
    return status;
}

static bool same_problem(const struct facts *a, const struct facts *b)
{
    return !strcmp(a->routine, b->routine) && a->type == b->type && a->m == b->m && a->n == b->n && a->nb == b->nb &&
           a->ranks == b->ranks;
}

/* The first run of the same problem that is not paired yet: repetitions meet in their order. */
static const struct run *partner(const struct run *a, struct runs *runs)
{
    for (int i = 0; i < runs->count; i++) {
        struct run *run = &runs->item[i];
        if (!run->paired && same_problem(&a->facts, &run->facts)) {
            run->paired = true;
            return run;
        }
    }
    return NULL;
}

/* Runs of A in their order, each with its partner, then what only B has. */
static int make_pairs(const struct runs *a, struct runs *b, struct pair *pairs)
{
    int count = 0;
    for (int i = 0; i < a->count; i++)
        pairs[count++] = (struct pair){ { &a->item[i], partner(&a->item[i], b) } };
    for (int i = 0; i < b->count; i++)
        if (!b->item[i].paired)
            pairs[count++] = (struct pair){ { NULL, &b->item[i] } };
    return count;
}

static void make_cell(const struct column *column, const struct pair *pair, char cell[CELL_TEXT])
{
    const struct run *a = pair->run[A], *b = pair->run[B];
    const struct run *run = column->side == EITHER ? (a ? a : b) : pair->run[column->side];
    if (!column->key)
        cell_real(a && b && a->facts.time_s > 0 ? b->facts.time_s / a->facts.time_s : NAN, column->look, cell);
    else if (run)
        cell_fact(fact_find(column->key), &run->facts, column->look, cell);
    else
        strcpy(cell, "-");
}

static int width_of(const struct column *column, const struct pair *pairs, int count)
{
    int width = cell_width(column->title);
    for (int i = 0; i < count; i++) {
        char cell[CELL_TEXT];
        make_cell(column, &pairs[i], cell);
        if (cell_width(cell) > width)
            width = cell_width(cell);
    }
    return width;
}

static void print_row(FILE *out, const struct pair *pair, const int *widths)
{
    for (int c = 0; c < COLUMN_COUNT; c++) {
        const struct column *column = &columns[c];
        bool text = column->key && fact_find(column->key)->kind == FACT_TEXT;
        char cell[CELL_TEXT];
        if (pair)
            make_cell(column, pair, cell);
        else
            strcpy(cell, column->title);
        fputs(c ? "  " : "", out);
        cell_print(out, cell, widths[c], text);
    }
    fputc('\n', out);
}

/* Of the first pair; of two files without any, of the first run of each. */
static int write_page(const char *page, const char *const names[2], const struct runs *runs, const struct pair *pairs, int count,
                      char *text)
{
    const struct run *shown[2] = { &runs[A].item[0], &runs[B].item[0] };
    struct page_side side[2];
    if (!page)
        return 0;
    for (int i = count - 1; i >= 0; i--)
        if (pairs[i].run[A] && pairs[i].run[B])
            memcpy(shown, pairs[i].run, sizeof shown);
    for (int i = 0; i < 2; i++)
        side[i] = (struct page_side){ names[i], &shown[i]->facts, runs[i].trace };
    return page_of_two(page, &side[A], &side[B], text);
}

static int show_pairs(const char *const names[2], const char *page, FILE *out, struct runs *runs, char *text)
{
    int widths[COLUMN_COUNT];
    struct pair *pairs = malloc(((size_t)runs[A].count + (size_t)runs[B].count) * sizeof *pairs);
    if (!pairs)
        return refuse(text, "out of memory");
    int count = make_pairs(&runs[A], &runs[B], pairs);
    for (int c = 0; c < COLUMN_COUNT; c++)
        widths[c] = width_of(&columns[c], pairs, count);
    print_row(out, NULL, widths);
    for (int i = 0; i < count; i++)
        print_row(out, &pairs[i], widths);
    int status = write_page(page, names, runs, pairs, count, text);
    free(pairs);
    return status;
}

int compare_run(const char *a, const char *b, const char *page, FILE *out, char text[COMMAND_TEXT])
{
    struct runs runs[2] = { { 0 }, { 0 } };
    const char *const names[2] = { a, b };
    int status = load(a, &runs[A], text);
    if (!status)
        status = load(b, &runs[B], text);
    if (!status) {
        fprintf(out, "A = %s\nB = %s\n", a, b);
        status = show_pairs(names, page, out, runs, text);
    }
    runs_free(&runs[A]);
    runs_free(&runs[B]);
    return status;
}
