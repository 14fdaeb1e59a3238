/* 1D x 1D: the virtual row of each tile row and the column of each tile column, and the steps of each section. */
#include "layouts/arguments.h"
#include "layouts/arithmetic.h"
#include "layouts/rank_speeds.h"
#include "layouts/refusal.h"
#include "layouts/unequal/plan.h"
#include "layouts/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PUBLISHED_CPB "12.7/21.3/49.5"      /* these give the sections of ICPADS 2020, figure 7 */

/* ---- sections -------------------------------------------------------------------------------------------------------------- */

/* The columns, from the right, and the virtual rows that take part in the steps being dealt. */
struct active {
    unsigned char *row, *col;
    int cols;                   /* number of columns */
    bool all;                   /* whether everything is open; ranks without a virtual row of their own remain unused */
    int *taken_rows, *taken_cols;   /* Algorithm 1's counters, which continue from section to section */
};

static double slowest_of_row(const struct plan *p, int v, int cols)
{
    int columns = p->partition.columns;
    double slowest = HUGE_VAL;
    for (int c = columns - cols; c < columns; c++)
        slowest = fmin(slowest, p->speed[p->rows.owner[(int64_t)v * columns + c]]);
    return slowest;
}

/* Opens one virtual row of the fastest rank, which is the last of the last column: its largest row, the lowest among equals. */
static void open_first(const struct plan *p, struct active *a)
{
    int columns = p->partition.columns, fastest = p->partition.rank[p->ranks - 1], largest = p->rows.count - 1;
    for (int v = p->rows.count - 1; v >= 0; v--)
        if (p->rows.owner[(int64_t)v * columns + columns - 1] == fastest &&
            p->rows.height[v] > p->rows.height[largest] * (1 + 1e-9))
            largest = v;
    a->row[largest] = 1;
    a->cols = 1;
    a->col[columns - 1] = 1;
}

/* Opens one more column, and the rows in which the slowest rank of the open columns is as fast as possible; at last all
   rows. */
static void open_next(const struct plan *p, struct active *a)
{
    int columns = p->partition.columns;
    double fastest = 0;
    if (a->cols < columns)
        a->col[columns - ++a->cols] = 1;
    a->all = a->cols == columns;
    for (int v = 0; v < p->rows.count; v++)
        fastest = fmax(fastest, slowest_of_row(p, v, a->cols));
    for (int v = 0; v < p->rows.count; v++)
        if (a->all || slowest_of_row(p, v, a->cols) == fastest)
            a->row[v] = 1;
}

/* Records the section that has been opened. New ranks get its number, and its last step is the present one. */
static void describe_section(struct plan *p, const struct active *a, int step)
{
    struct section *s = &p->section[p->sections];
    int columns = p->partition.columns, speeds = 0;
    double latest = 0;
    for (int v = 0; v < p->rows.count; v++)
        for (int c = columns - a->cols; a->row[v] && c < columns; c++) {
            int rank = p->rows.owner[(int64_t)v * columns + c];
            if (p->section_of_rank[rank] < 0)
                p->section_of_rank[rank] = p->sections;
        }
    *s = (struct section){ .last = step };
    for (int e = 0; e < p->ranks; e++) {            /* in the order of speeds */
        int rank = p->partition.rank[e];
        if (p->section_of_rank[rank] < 0)
            continue;
        speeds += p->speed[rank] != latest;
        latest = p->speed[rank];
        s->ranks++;
        s->speed += latest;
    }
    int which = s->ranks == 1 ? 0 : speeds;         /* see struct plan */
    s->cpb = p->kind == PLAN_1D1D ? HUGE_VAL : p->cpb[which < p->cpbs ? which : p->cpbs - 1];
    p->sections++;
}

/* Opens sections until the work of this step fits into its critical path. */
static void open_sections(struct plan *p, struct active *a, int step)
{
    struct section *s = &p->section[p->sections - 1];
    while (s->ranks < p->ranks && !a->all && plan_abe_star(p, step, s->speed) > s->cpb) {
        open_next(p, a);
        if (s->last == step) {          /* the section has no step yet */
            p->sections--;
        } else {
            s->first = step + 1;
        }
        describe_section(p, a, step);
        s = &p->section[p->sections - 1];
    }
}

/* ---- dealing --------------------------------------------------------------------------------------------------------------- */

/* From the last tile row and column to the first. Those beyond the last step of a matrix that is not square belong to that
   step. */
static void deal(struct plan *p, struct active *a)
{
    int steps = least(p->mt, p->nt), rows = p->mt, cols = p->nt;
    if (p->kind == PLAN_1D1D) {
        memset(a->row, 1, (size_t)p->rows.count);
        memset(a->col, 1, (size_t)p->partition.columns);
        a->cols = p->partition.columns;
    } else {
        open_first(p, a);
    }
    describe_section(p, a, steps - 1);
    for (int step = steps - 1; step >= 0; step--) {
        open_sections(p, a, step);
        while (rows > step)
            p->row[--rows] = deal_next(p->rows.height, a->row, p->rows.count, a->taken_rows);
        while (cols > step)
            p->col[--cols] = deal_next(p->partition.width, a->col, p->partition.columns, a->taken_cols);
    }
    p->section[p->sections - 1].first = 0;
    for (int rank = 0; rank < p->ranks; rank++)
        if (p->section_of_rank[rank] < 0)
            p->section_of_rank[rank] = p->sections;
}

/* Returns 1 without memory. */
static int fill_plan(struct plan *p, const struct layout_question *q)
{
    p->speed = speeds_of_ranks(q->speeds, p->ranks);
    if (p->speed == NULL || partition_create(p->speed, p->ranks, &p->partition) ||
        virtual_rows_create(&p->partition, p->speed, &p->rows))
        return 1;

    size_t rows = (size_t)p->rows.count, cols = (size_t)p->partition.columns;
    struct active a = { .row = calloc(rows, 1), .col = calloc(cols, 1), .taken_rows = calloc(rows, sizeof *a.taken_rows),
                        .taken_cols = calloc(cols, sizeof *a.taken_cols) };
    p->row = calloc((size_t)p->mt, sizeof *p->row);
    p->col = calloc((size_t)p->nt, sizeof *p->col);
    p->section = calloc(cols + 2, sizeof *p->section);
    p->section_of_rank = malloc((size_t)p->ranks * sizeof *p->section_of_rank);
    int failed = a.row == NULL || a.col == NULL || a.taken_rows == NULL || a.taken_cols == NULL || p->row == NULL ||
                 p->col == NULL || p->section == NULL || p->section_of_rank == NULL;
    if (!failed) {
        memset(p->section_of_rank, -1, (size_t)p->ranks * sizeof *p->section_of_rank);
        deal(p, &a);
    }
    free(a.row);
    free(a.col);
    free(a.taken_rows);
    free(a.taken_cols);
    return failed || (p->kind == PLAN_SHUFFLED && plan_shuffle(p));
}

/* ---- names ----------------------------------------------------------------------------------------------------------------- */

static const char *const kinds[] = { [PLAN_1D1D] = "1d1d", [PLAN_CONSTRAINED] = "1d1d-c", [PLAN_SHUFFLED] = "1d1d-cs" };

/* The kind of the scheme, or -1. */
static int find_kind(const char *scheme, const char **args)
{
    for (int kind = PLAN_1D1D; kind <= PLAN_SHUFFLED; kind++)
        if (is_scheme(scheme, kinds[kind], args))
            return kind;
    return -1;
}

bool plan_is_scheme(const char *scheme)
{
    const char *args;
    return find_kind(scheme, &args) >= 0;
}

/* "cpb=A/B/C..." */
static int parse_cpb(const char *args, struct plan *p)
{
    if (strncmp(args, "cpb=", 4) != 0)
        return 1;
    for (const char *s = args + 4;; s++) {
        char *end;
        if (p->cpbs == PLAN_CPB || strspn(s, "0123456789.") == 0)
            return 1;
        p->cpb[p->cpbs] = words_real(s, &end);
        if (!isfinite(p->cpb[p->cpbs]) || !(p->cpb[p->cpbs] > 0))
            return 1;
        p->cpbs++;
        if (*end == '\0')
            return 0;
        if (*end != '/')
            return 1;
        s = end;
    }
}

/* Parses the text behind the kind's name, and writes the resolved name. */
static int parse_plan(const char *args, struct plan *p, char *text)
{
    const char *kind = kinds[p->kind];
    if (p->kind == PLAN_1D1D && args != NULL)
        return layout_refuse(text, "layout 1d1d takes no argument, it was given \"%.100s\"", args);
    if (p->kind == PLAN_1D1D) {
        snprintf(p->name, sizeof p->name, "%s", kind);
        return 0;
    }
    if (args == NULL)
        args = "cpb=" PUBLISHED_CPB;
    snprintf(p->name, sizeof p->name, "%s:%.110s", kind, args);
    if (parse_cpb(args, p) || strlen(args) > 100)
        return layout_refuse(text, "%.100s: write %s, or %s:cpb=A/B/C with at most %d positive numbers", p->name, kind, kind,
                             PLAN_CPB);
    return 0;
}

int plan_create_kind(enum plan_kind kind, const char *args, const struct layout_question *q, struct plan **plan, char *text)
{
    struct plan parsed = { .algorithm = q->algorithm, .kind = kind, .ranks = q->ranks, .mt = q->mt, .nt = q->nt };
    *plan = NULL;
    if (parse_plan(args, &parsed, text))
        return 1;
    if (q->ranks < 1 || q->mt < 1 || q->nt < 1)
        return layout_refuse(text, "layout %s needs a rank and a tile, not %d and %d x %d", kinds[kind], q->ranks, q->mt, q->nt);
    if (q->ranks > PLAN_RANKS)
        return layout_refuse(text, "layout %s takes at most %d ranks, not %d", kinds[kind], PLAN_RANKS, q->ranks);
    if ((int64_t)q->mt * q->nt > PLAN_TILES)
        return layout_refuse(text, "layout %s takes at most %d tiles, not %d x %d", kinds[kind], PLAN_TILES, q->mt, q->nt);
    if (layout_check_speeds(q->speeds, q->ranks, text))
        return 1;

    struct plan *p = *plan = malloc(sizeof *p);
    if (p != NULL)
        *p = parsed;
    if (p != NULL && fill_plan(p, q) == 0)
        return 0;
    plan_destroy(plan);
    return layout_refuse(text, "no memory for layout %s on %d ranks", kinds[kind], q->ranks);
}

int plan_create(const char *scheme, const struct layout_question *q, struct plan **plan, char text[LAYOUT_TEXT])
{
    const char *args;
    int kind = find_kind(scheme, &args);
    *plan = NULL;
    if (kind < 0)
        return layout_refuse(text, "\"%.100s\" is not a layout for unequal ranks", scheme);
    return plan_create_kind((enum plan_kind)kind, args, q, plan, text);
}

void plan_destroy(struct plan **plan)
{
    struct plan *p = *plan;
    *plan = NULL;
    if (p == NULL)
        return;
    partition_free(&p->partition);
    virtual_rows_free(&p->rows);
    free(p->speed);
    free(p->row);
    free(p->col);
    free(p->section);
    free(p->section_of_rank);
    free(p->owner);
    free(p);
}
