/* ompfact compare: two files of --json, run beside run. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/command/fields.h"

struct run {
    char *line;                 /* what the result's texts point into */
    struct result result;
    bool paired;
};

struct runs {
    struct run *item;
    int count;
};

/* One of them may be NULL: a run that the other file lacks. */
struct pair {
    const struct result *run[2];
};

enum side { A, B, EITHER };

struct column {
    const char *title;
    const char *key;            /* of run_fields, or NULL: the ratio of times */
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

static int read_run(char *line, struct run *run, const char *path, int number, char *text)
{
    if (!run || !(run->line = strdup(line)))
        return refuse(text, "out of memory");
    const char *wrong = json_read(run->line, run_fields, &run->result);
    if (wrong)
        return refuse(text, "%.256s, line %d, column %d: not an object as --json writes it", path, number,
                      (int)(wrong - run->line) + 1);
    if (!run->result.routine)
        return refuse(text, "%.256s, line %d: names no routine", path, number);
    return 0;
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

static int load(const char *path, struct runs *runs, char *text)
{
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

static bool same_problem(const struct result *a, const struct result *b)
{
    return !strcmp(a->routine, b->routine) && a->type == b->type && a->m == b->m && a->n == b->n && a->nb == b->nb &&
           a->ranks == b->ranks;
}

/* The first run of the same problem that is not paired yet: repetitions meet in their order. */
static const struct result *partner(const struct result *a, struct runs *runs)
{
    for (int i = 0; i < runs->count; i++) {
        struct run *run = &runs->item[i];
        if (!run->paired && same_problem(a, &run->result)) {
            run->paired = true;
            return &run->result;
        }
    }
    return NULL;
}

/* Runs of A in their order, each with its partner, then what only B has. */
static int make_pairs(const struct runs *a, struct runs *b, struct pair *pairs)
{
    int count = 0;
    for (int i = 0; i < a->count; i++)
        pairs[count++] = (struct pair){ { &a->item[i].result, partner(&a->item[i].result, b) } };
    for (int i = 0; i < b->count; i++)
        if (!b->item[i].paired)
            pairs[count++] = (struct pair){ { NULL, &b->item[i].result } };
    return count;
}

static void make_cell(const struct column *column, const struct pair *pair, char cell[CELL_TEXT])
{
    const struct result *a = pair->run[A], *b = pair->run[B];
    const struct result *run = column->side == EITHER ? (a ? a : b) : pair->run[column->side];
    if (!column->key)
        cell_real(a && b && a->time_s > 0 ? b->time_s / a->time_s : NAN, column->look, cell);
    else if (run)
        cell_field(field_find(run_fields, column->key), run, column->look, cell);
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
        bool text = column->key && field_find(run_fields, column->key)->kind == FIELD_TEXT;
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

static int print_pairs(FILE *out, struct runs *runs, char *text)
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
    free(pairs);
    return 0;
}

int compare_run(const char *a, const char *b, FILE *out, char text[COMMAND_TEXT])
{
    struct runs runs[2] = { { 0 }, { 0 } };
    int status = load(a, &runs[A], text);
    if (!status)
        status = load(b, &runs[B], text);
    if (!status) {
        fprintf(out, "A = %s\nB = %s\n", a, b);
        status = print_pairs(out, runs, text);
    }
    runs_free(&runs[A]);
    runs_free(&runs[B]);
    return status;
}
