/* Layouts for ranks that share nodes: see by_node.c. */
#ifndef OMPFACT_LAYOUTS_CHOICE_BY_NODE_H
#define OMPFACT_LAYOUTS_CHOICE_BY_NODE_H

#include "layouts/builders.h"

/* Most tiles that are distributed one by one: every rank stores the owners of all of them. */
enum { MOST_SHARED_TILES = 1 << 20 };

/* Fewest tiles of the matrix per rank for which that is tried. With fewer tiles the ranks of a node would read most of each
   other's tiles to save a few transfers between nodes. */
enum { SHARED_TILES_A_RANK = 64 };

/* "nodes:SCHEME": a layout of the nodes, which distribute their tiles. "blocks:SCHEME", "dealt:SCHEME": a layout of ranks in
   this order over the nodes. Without nodes it is SCHEME itself; the default SCHEME is "auto". */
create_pattern create_nodes, create_blocks, create_dealt;

/* The pattern with its ranks in that order; NULL if the order is the `same`, or without memory. */
struct pattern *pattern_over_nodes(const struct pattern *plain, const struct layout_question *question, bool dealt, bool *same);

#endif
