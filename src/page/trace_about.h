/* What a trace carries beside its events, so that a page can be made of it alone: "otherData" of the file. */
#ifndef OMPFACT_SRC_PAGE_TRACE_ABOUT_H
#define OMPFACT_SRC_PAGE_TRACE_ABOUT_H

#include "src/page/page_data.h"

enum { TRACE_SHOWN_MAX = 300 };     /* rows and columns of tiles whose owners are told: the leading ones */
enum { TRACE_RANKS_MAX = 200 };     /* and of ranks: of more tiles, those of blocks of them */

struct trace_about {
    const char *program;
    const struct facts *facts;  /* the row is of */
    int ranks, cores;           /* cores: of a node; 0: not known */
    const int *node_of;         /* [rank]; NULL: all on one */
    int mt, nt;                 /* tiles of the matrix */
    /* Of a stored tile, else -1. */
    int (*owner)(const void *layout, int i, int j);
    const void *layout;
    const int *ranks_of_tiles[2];   /* [factored]: as ompfact_rank_map() has them; NULL: not known */
    const int *precisions_of_tiles[2];      /* as ompfact_precision_map() has them */
};

/* Into what a page is made of, which borrows what the facts borrow. false: no memory. */
bool page_add_about(struct page_data *data, const struct trace_about *about);
/* The object. Whether the file took it is for the caller to ask. */
void page_write_about(FILE *out, const struct page_data *data);

#endif
