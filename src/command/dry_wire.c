/* What crosses between nodes in a dry run. */
#include "src/command/dry_wire.h"

#include "src/choose/choose.h"
#include "src/command/refuse.h"

#include <stdlib.h>

static bool count(const struct options *o, const ompfact_matrix *A, const struct layout *of_nodes, struct dry_result *r)
{
    enum layout_algorithm algorithm = is_cholesky(o) ? LAYOUT_CHOLESKY : LAYOUT_LU;
    int *heights = tiling_sizes(&A->rows), *widths = tiling_sizes(&A->cols);
    bool made = heights != NULL && widths != NULL;
    r->wire_transfers = layout_transfers(of_nodes, algorithm);
    r->wire_bytes = made ? (int64_t)A->precision->size * layout_transferred(of_nodes, algorithm, heights, widths) : -1;
    free(heights);
    free(widths);
    return r->wire_transfers >= 0 && r->wire_bytes >= 0;
}

int dry_node_count(const struct options *o)
{
    return (o->ranks - 1) / o->ranks_per_node + 1;
}

int dry_most_on_node(const struct options *o)
{
    return o->ranks < o->ranks_per_node ? o->ranks : o->ranks_per_node;
}

int *dry_nodes(const struct options *o)
{
    int *node_of = malloc((size_t)o->ranks * sizeof *node_of);
    for (int q = 0; node_of != NULL && q < o->ranks; q++)
        node_of[q] = q / o->ranks_per_node;
    return node_of;
}

int dry_wire(const struct options *o, const int *node_of, const ompfact_matrix *A, struct dry_result *r, char text[COMMAND_TEXT])
{
    char why[LAYOUT_TEXT] = "no memory to count what crosses between nodes";
    struct layout *of_nodes = NULL;
    bool counted = layout_of_nodes(A->layout, node_of, dry_node_count(o), &of_nodes, why) == 0 &&
                   count(o, A, of_nodes, r);
    layout_destroy(&of_nodes);
    return counted ? 0 : refuse(text, "%s", why);
}
