/* Data of a trace in addition to its events, so that the trace alone makes a page: "otherData" of the file. */
#ifndef OMPFACT_SRC_PAGE_TRACE_ABOUT_H
#define OMPFACT_SRC_PAGE_TRACE_ABOUT_H

#include "src/page/page_data.h"

enum { TRACE_SHOWN_MAX = 300 };     /* rows and columns of tiles with owners: the leading ones */
enum { TRACE_RANKS_MAX = 200 };     /* the same for ranks: of more tiles, for blocks of tiles */
enum { TRACE_LAYERS_MAX = 16 };     /* layers of a matrix in copies: the first ones */

struct trace_about {
    const char *program;
    const struct facts *facts;  /* facts of the row */
    int ranks, cores;           /* cores: of a node; 0: not known */
    const int *node_of;         /* [rank]; NULL: all ranks are on one node */
    int mt, nt, layers;         /* tiles of the matrix, and its layers; 0: one */
    /* Owner of a stored tile of a layer, otherwise -1. */
    int (*owner)(const void *layout, int layer, int i, int j);
    const void *layout;
    const int *ranks_of_tiles[2];   /* [factored]: in the form of ompfact_rank_map(); NULL: not known */
    const int *precisions_of_tiles[2];      /* in the form of ompfact_precision_map() */
};

/* Sets the data of a page, which borrows what the facts borrow. false: no memory. */
bool page_add_about(struct page_data *data, const struct trace_about *about);
/* Writes the object. The caller checks the file for errors. */
void page_write_about(FILE *out, const struct page_data *data);

#endif
