/* Layouts for ranks that share nodes: by_node.c says how. */
#ifndef OMPFACT_LAYOUTS_CHOICE_BY_NODE_H
#define OMPFACT_LAYOUTS_CHOICE_BY_NODE_H

#include "layouts/builders.h"

/* Tiles that are shared out one by one: the owners of all are kept on every rank. */
enum { MOST_SHARED_TILES = 1 << 20 };

/* For how many tiles of the matrix to a rank that is worth weighing: of fewer a node's ranks read most of what each other have,
   for a handful of tiles less between nodes. */
enum { SHARED_TILES_A_RANK = 64 };

/* "nodes:SCHEME": of the question's nodes, which share out their tiles. "blocks:SCHEME", "dealt:SCHEME": of ranks, which go over
   the nodes in this order. Without nodes SCHEME itself; it is "auto" if it is left out. */
create_pattern create_nodes, create_blocks, create_dealt;

/* The pattern with its ranks in that order; NULL where it is the `same`, or there is no memory. */
struct pattern *pattern_over_nodes(const struct pattern *plain, const struct layout_question *question, bool dealt, bool *same);

#endif
