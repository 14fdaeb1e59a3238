/* The figures of a page, each in its own file. They write HTML; false: no memory. */
#ifndef OMPFACT_SRC_PAGE_FIGURES_H
#define OMPFACT_SRC_PAGE_FIGURES_H

#include "src/page/page_data.h"

#include <stdio.h>

/* suffix of the id: "" or "-a"; length: of the time axis, which two charts may share. */
bool fig_gantt(FILE *out, const struct page_data *data, const char *suffix, double length);     /* fig_gantt.c */
bool fig_steps(FILE *out, const struct page_data *data);        /* fig_steps.c: iteration against time, tasks, ABE, CPB, CABE */
bool fig_kernels(FILE *out, const struct page_data *data);      /* fig_kernels.c: tasks by kernel, and their rates */
bool fig_memory(FILE *out, const struct page_data *data);       /* fig_samples.c */
bool fig_layout(FILE *out, const struct page_data *data);       /* fig_layout.c: who owns which tile */
bool fig_ranks(FILE *out, const struct page_data *data);        /* fig_ranks.c: forms of compressed tiles, if there are any */
bool fig_precisions(FILE *out, const struct page_data *data);   /* the same for tiles of mixed precision */
bool fig_heat(FILE *out, const struct page_data *data);         /* fig_heat.c: transfers between ranks, and between nodes */

/* A panel of fig_steps: tasks in hand over time, stacked by rank. which: 0 submitted, 1 ready. fig_samples.c */
bool fig_tasks_in_hand(FILE *out, const struct page_data *data, int which);

/* Writes all cells of this value as data of a path, in units of a cell. fig_layout.c */
void draw_cells(FILE *out, const int *cell, int rows, int cols, int value);

/* Begins the figure fig-NAME with its title. */
void figure_begin(FILE *out, const char *name, const char *title);
/* The kind of a kernel selects its colour: a class of page.css. */
const char *kernel_role(const char *kernel);

/* ---- page_facts.c: facts for people, their names and values ---------------------------------------------------------------- */

bool fact_is_known(const struct fact *fact, const struct facts *facts);

/* Writes <data id="PREFIXKEY" value="VALUE">, with the value for people inside; a dash if it is not known. */
void fact_datum(FILE *out, const char *prefix, const struct fact *fact, const struct facts *facts);

/* Writes all known facts in tables by subject, except these facts (the last one NULL). */
void facts_tables(FILE *out, const struct facts *facts, const struct fact *const *but);
/* Writes rows of a table for two runs side by side, with a mark at differences. */
void facts_compared(FILE *out, const struct facts *a, const struct facts *b);

#endif
