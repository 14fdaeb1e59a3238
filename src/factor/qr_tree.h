/* The parts of a panel that ranks factor by themselves, and the tree in which their triangles become one: see reflectors.h. */
#ifndef OMPFACT_SRC_FACTOR_QR_TREE_H
#define OMPFACT_SRC_FACTOR_QR_TREE_H

#include "src/ompfact.h"

struct domain {
    int rank, top;          /* its owner and first tile row */
    int64_t rows;
    int reflectors;         /* min(rows, width of the column) */
    int place;              /* among its rank's domains of all panels */
};

struct qr_merge {
    int into, from;         /* domains of the panel, into < from */
    int place;              /* among the merges of the rank of `into` */
};

struct panel_tree {
    int domains;            /* and one merge less */
    struct domain *domain;
    struct qr_merge *merge;
    struct panel_parts *parts;      /* not NULL: it was restored, and has domains that were others' tiles: see restored.h */
};

/* The merges of a panel's domains, with room for count - 1. ready: scratch, one for each domain. */
void tree_merges(ompfact_tree tree, const struct domain *domain, int count, double *ready, struct qr_merge *merge);

#endif
