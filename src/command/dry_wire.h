/* Nodes of a dry run: rank r is on node r / --ranks-per-node. */
#ifndef OMPFACT_SRC_COMMAND_DRY_WIRE_H
#define OMPFACT_SRC_COMMAND_DRY_WIRE_H

#include "src/command/options.h"
#include "src/command/result.h"
#include "src/matrix/matrix.h"

int dry_node_count(const struct options *o);
/* Ranks of the node that has most. */
int dry_most_on_node(const struct options *o);
/* The node of each rank; the caller frees it. NULL: no memory. */
int *dry_nodes(const struct options *o);
/* What crosses between nodes in Cholesky or LU of A, which is on paper and not empty. */
int dry_wire(const struct options *o, const int *node_of, const ompfact_matrix *A, struct dry_result *r, char text[COMMAND_TEXT]);

#endif
