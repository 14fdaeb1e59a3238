/* The parts of a panel that ranks factor separately, and the tree along which their triangles are merged: see reflectors.h. */
#ifndef OMPFACT_SRC_FACTOR_QR_TREE_H
#define OMPFACT_SRC_FACTOR_QR_TREE_H

#include "src/ompfact.h"

struct domain {
    int rank, top;          /* its owner and first tile row */
    int64_t rows;
    int reflectors;         /* min(rows, width of the column) */
    int place;              /* index among its rank's domains of all panels */
};

struct qr_merge {
    int into, from;         /* domains of the panel, into < from */
    int place;              /* index among the merges of the rank of `into` */
};

struct panel_tree {
    int domains;            /* number of domains; there is one merge less */
    struct domain *domain;
    struct qr_merge *merge;
    struct panel_parts *parts;      /* if not NULL: the panel was restored, and has domains of other ranks' tiles: see
                                       restored.h */
};

/* Computes the merges of a panel's domains; merge has room for count - 1. ready: scratch memory, one number for each domain. */
void tree_merges(ompfact_tree tree, const struct domain *domain, int count, double *ready, struct qr_merge *merge);

#endif
