/* ompfact compare: the runs of two files of --json or --trace in pairs, as a table and as a page. */
#include "src/command/report.h"
#include "src/page/page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct compared_run {
    char *line;                 /* memory that the facts' texts point into; NULL: they point into the trace */
    struct facts facts;
    bool paired;
};

/* A run of A and a run of B. One of them is NULL if the other file lacks such a run. */
struct compared_pair {
    const struct compared_run *run[2];
};

struct runs {
    struct compared_run *item;
    int count;
    struct page_data *trace;    /* NULL: the file has rows */
};

struct column {
    const char *title;
    const char *key;            /* of a fact; NULL: the ratio of times */
    enum { SHARED, BOTH, CHANGED } shown;       /* a column that pairs share; one for each side, or one if it is the same in all
                                                   pairs; or only if it differs */
    struct cell_format format;
};

static const struct column columns[] = {
    { "type", "type", SHARED, { 0 } }, { "routine", "routine", SHARED, { 0 } },
    { "m", "m", SHARED, { 0 } }, { "n", "n", SHARED, { 0 } }, { "ranks", "ranks", SHARED, { 0 } },
    { "nb", "nb", BOTH, { 0 } }, { "layout", "layout", BOTH, { 0 } },
    { "threads", "threads", CHANGED, { 0 } }, { "nrhs", "nrhs", CHANGED, { 0 } }, { "nodes", "nodes", CHANGED, { 0 } },
    { "devices", "devices", CHANGED, { 0 } }, { "pivot", "pivot", CHANGED, { 0 } }, { "tree", "tree", CHANGED, { 0 } },
    { "schedule", "schedule", CHANGED, { 0 } }, { "bcast", "bcast", CHANGED, { 0 } }, { "on_node", "on_node", CHANGED, { 0 } },
    { "between_nodes", "between_nodes", CHANGED, { 0 } }, { "accuracy", "accuracy", CHANGED, { 'e', 1 } },
    { "seed", "seed", CHANGED, { 0 } },
    { "time_s", "time_s", BOTH, { 'f', 4 } }, { "B/A", NULL, SHARED, { 'f', 3 } },
    { "gflops", "gflops", BOTH, { 'f', 2 } }, { "transfers", "transfers", BOTH, { 0 } },
    { "error", "error", CHANGED, { 'e', 2 } }, { "info", "info", CHANGED, { 0 } },
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

enum side { A, B, EITHER };

/* A column of the table. */
struct shown_column {
    const struct column *column;
    enum side side;
    char title[32];
    int width;
};

static void runs_free(struct runs *runs)
{
    for (int i = 0; i < runs->count; i++)
        free(runs->item[i].line);
    free(runs->item);
    page_data_destroy(&runs->trace);
    *runs = (struct runs){ 0 };
}

/* Adds one run; NULL: no memory. */
static struct compared_run *runs_add(struct runs *runs)
{
    struct compared_run *item = realloc(runs->item, ((size_t)runs->count + 1) * sizeof *item);
    if (!item)
        return NULL;
    runs->item = item;
    item[runs->count] = (struct compared_run){ 0 };
    return &item[runs->count++];
}

static int no_routine(const char *path, int number, char *text)
{
    return refuse(text, "%.256s, line %d: has no routine", path, number);
}

static int read_run(const char *line, struct compared_run *run, const char *path, int number, char *text)
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

/* The row in a trace. */
static int load_trace(const char *path, struct runs *runs, char *text)
{
    if (page_read_trace(path, &runs->trace, text) != 0)
        return COMMAND_USAGE;
    struct compared_run *run = runs_add(runs);
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
    return !strcmp(a->routine, b->routine) && a->type == b->type && a->m == b->m && a->n == b->n && a->ranks == b->ranks;
}

static bool same_layout(const struct facts *a, const struct facts *b)
{
    return a->layout == NULL || b->layout == NULL ? a->layout == b->layout : !strcmp(a->layout, b->layout);
}

/* How alike two runs of one problem are: 2, in tiles and layout; 1, in the size of the tiles; 0, in neither. */
static int likeness(const struct facts *a, const struct facts *b)
{
    return a->nb != b->nb ? 0 : same_layout(a, b) ? 2 : 1;
}

/* The first unpaired run of the same problem that is as like. Repetitions pair in their order. */
static struct compared_run *partner(const struct compared_run *a, struct runs *runs, int like)
{
    for (int i = 0; i < runs->count; i++) {
        struct compared_run *run = &runs->item[i];
        if (!run->paired && same_problem(&a->facts, &run->facts) && likeness(&a->facts, &run->facts) == like) {
            run->paired = true;
            return run;
        }
    }
    return NULL;
}

/* Runs of A in their order, each with its partner, the most alike first; then the runs that only B has. */
static int make_pairs(const struct runs *a, struct runs *b, struct compared_pair *pairs)
{
    int count = a->count;
    for (int i = 0; i < a->count; i++)
        pairs[i] = (struct compared_pair){ { &a->item[i], NULL } };
    for (int like = 2; like >= 0; like--)
        for (int i = 0; i < a->count; i++)
            if (pairs[i].run[B] == NULL)
                pairs[i].run[B] = partner(&a->item[i], b, like);
    for (int i = 0; i < b->count; i++)
        if (!b->item[i].paired)
            pairs[count++] = (struct compared_pair){ { NULL, &b->item[i] } };
    return count;
}

/* ---- the table ------------------------------------------------------------------------------------------------------------- */

static void cell_of_run(const struct column *column, const struct compared_run *run, char cell[CELL_TEXT])
{
    if (run)
        cell_fact(fact_find(column->key), &run->facts, column->format, cell);
    else
        strcpy(cell, "-");
}

/* side: A, B, or EITHER for a column that both share. */
static void make_cell(const struct column *column, enum side side, const struct compared_pair *pair, char cell[CELL_TEXT])
{
    const struct compared_run *a = pair->run[A], *b = pair->run[B];
    if (!column->key)
        cell_real(a && b && a->facts.time_s > 0 ? b->facts.time_s / a->facts.time_s : NAN, column->format, cell);
    else
        cell_of_run(column, side == EITHER ? (a ? a : b) : pair->run[side], cell);
}

/* Whether the runs of any pair differ. A missing run, or one without the fact, differs, unless where_paired. */
static bool differs(const struct column *column, const struct compared_pair *pairs, int count, bool where_paired)
{
    for (int i = 0; i < count; i++) {
        char cell[2][CELL_TEXT];
        if (where_paired && (!pairs[i].run[A] || !pairs[i].run[B]))
            continue;
        make_cell(column, A, &pairs[i], cell[A]);
        make_cell(column, B, &pairs[i], cell[B]);
        bool known = strcmp(cell[A], "-") != 0 && strcmp(cell[B], "-") != 0;
        if (strcmp(cell[A], cell[B]) != 0 && (known || !where_paired))
            return true;
    }
    return false;
}

static void print_field(FILE *out, const char *text, const struct shown_column *c, bool first)
{
    fputs(first ? "" : "  ", out);
    cell_print(out, text, c->width, c->column->key && fact_find(c->column->key)->kind == FACT_TEXT);
}

static void add_column(struct shown_column *shown, int *columns_shown, const struct column *column, enum side side,
                       const struct compared_pair *pairs, int count)
{
    static const char *const of[] = { [A] = " A", [B] = " B", [EITHER] = "" };
    struct shown_column *c = &shown[(*columns_shown)++];
    *c = (struct shown_column){ .column = column, .side = side };
    snprintf(c->title, sizeof c->title, "%s%s", column->title, of[side]);
    c->width = cell_width(c->title);
    for (int i = 0; i < count; i++) {
        char cell[CELL_TEXT];
        make_cell(column, side, &pairs[i], cell);
        c->width = cell_width(cell) > c->width ? cell_width(cell) : c->width;
    }
}

static void print_table(FILE *out, const struct compared_pair *pairs, int count)
{
    struct shown_column shown[2 * COLUMN_COUNT];
    int n = 0;
    for (const struct column *c = columns; c < columns + COLUMN_COUNT; c++) {
        if (c->shown == SHARED || (c->shown == BOTH && !differs(c, pairs, count, false))) {
            add_column(shown, &n, c, EITHER, pairs, count);
        } else if (c->shown == BOTH || differs(c, pairs, count, true)) {
            add_column(shown, &n, c, A, pairs, count);
            add_column(shown, &n, c, B, pairs, count);
        }
    }
    for (int c = 0; c < n; c++)
        print_field(out, shown[c].title, &shown[c], c == 0);
    fputc('\n', out);
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < n; c++) {
            char cell[CELL_TEXT];
            make_cell(shown[c].column, shown[c].side, &pairs[i], cell);
            print_field(out, cell, &shown[c], c == 0);
        }
        fputc('\n', out);
    }
}

/* ---- evidence -------------------------------------------------------------------------------------------------------------- */

/* Compares the times of repeated runs. */
struct times {
    int count;
    double least, most;
};

static void add_time(struct times *t, double seconds)
{
    t->least = t->count == 0 ? seconds : fmin(t->least, seconds);
    t->most = t->count == 0 ? seconds : fmax(t->most, seconds);
    t->count++;
}

static bool is_whole(const struct compared_pair *pair)
{
    return pair->run[0] && pair->run[1] && pair->run[0]->facts.time_s > 0 && pair->run[1]->facts.time_s > 0;
}

static bool repeats(const struct facts *a, const struct facts *b)
{
    return same_problem(a, b) && likeness(a, b) == 2;
}

static bool pair_repeats(const struct compared_pair *a, const struct compared_pair *b)
{
    return is_whole(a) && is_whole(b) && repeats(&a->run[A]->facts, &b->run[A]->facts) &&
           repeats(&a->run[B]->facts, &b->run[B]->facts);
}

/* A difference of times that do not overlap. */
static void print_result(FILE *out, const struct facts *f, const struct times t[2])
{
    bool b_first = t[1].most < t[0].least, apart = b_first || t[0].most < t[1].least;
    fputs(f->routine, out);
    if (f->type != '\0')
        fprintf(out, " %c", f->type);
    if (f->nb > 0)
        fprintf(out, ", nb = %lld", (long long)f->nb);
    fprintf(out, ", n = %lld, %d runs each: A %.4g to %.4g s, B %.4g to %.4g s, ", (long long)f->n, t[0].count, t[0].least,
            t[0].most, t[1].least, t[1].most);
    if (apart)
        fprintf(out, "%c is faster in all of them\n", b_first ? 'B' : 'A');
    else
        fputs("the ranges overlap, so they show no difference\n", out);
}

/* Prints for each problem, tile size and layout whether the times of its runs show a difference of A and B. One run each is no
   evidence. */
static void weigh(FILE *out, const struct compared_pair *pairs, int count)
{
    bool once = false;
    for (int i = 0; i < count; i++) {
        struct times t[2] = { { 0 } };
        bool printed = !is_whole(&pairs[i]);
        for (int j = 0; j < i && !printed; j++)
            printed = pair_repeats(&pairs[j], &pairs[i]);
        for (int j = i; j < count && !printed; j++)
            for (int side = 0; side < 2 && pair_repeats(&pairs[i], &pairs[j]); side++)
                add_time(&t[side], pairs[j].run[side]->facts.time_s);
        once |= !printed && t[0].count == 1;
        if (!printed && t[0].count > 1)
            print_result(out, &pairs[i].run[0]->facts, t);
    }
    if (once)
        fputs("one run each proves nothing, because runs of one problem differ, too: --repeat 5 shows by how much\n", out);
}

/* ---- the page, and all of it ----------------------------------------------------------------------------------------------- */

/* Describes the first pair or, without pairs, the first run of each file. */
static int write_page(const char *page, const char *const names[2], const struct runs *runs, const struct compared_pair *pairs,
                      int count, char *text)
{
    const struct compared_run *shown[2] = { &runs[A].item[0], &runs[B].item[0] };
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
    struct compared_pair *pairs = malloc(((size_t)runs[A].count + (size_t)runs[B].count) * sizeof *pairs);
    if (!pairs)
        return refuse(text, "out of memory");
    int count = make_pairs(&runs[A], &runs[B], pairs);
    print_table(out, pairs, count);
    weigh(out, pairs, count);
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
