/*
 * Pages: a run as one HTML file that asks nobody for anything. What stands in it is src/page/figures.h's; its looks and behaviour
 * are page.css and page.js, which the build makes into strings of the program.
 *
 * Each returns false where there is no memory; whether the file took it is for the caller to ask.
 */
#ifndef OMPFACT_SRC_PAGE_PAGE_H
#define OMPFACT_SRC_PAGE_PAGE_H

#include "src/page/page_data.h"

#include <stdio.h>

bool page_write(FILE *out, const struct page_data *data);
/* The numbers of a run as text: summary.c. */
void page_summary(FILE *out, const struct page_data *data);

/* A run in a comparison. */
struct page_side {
    const char *name;                   /* of its file */
    const struct facts *facts;
    const struct page_data *data;       /* NULL: only its row is known */
};
bool page_write_comparison(FILE *out, const struct page_side *a, const struct page_side *b);

/* page_text.c, which the build makes. */
extern const char page_css[], page_js[];

#endif
