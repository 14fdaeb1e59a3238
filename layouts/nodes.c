/* Layouts by nodes: the transfers between nodes are the transfers of a layout of the nodes themselves. */
#include "layouts/layout.h"

#include <stdlib.h>

int layout_of_nodes(const struct layout *l, const int *node_of, int nodes, struct layout **of_nodes, char text[LAYOUT_TEXT])
{
    struct pattern *p = pattern_alloc(nodes, l->rows, l->cols);
    *of_nodes = NULL;
    if (p == NULL) {
        snprintf(text, LAYOUT_TEXT, "no memory for a layout of %d nodes", nodes);
        return LAYOUT_NO_MEMORY;
    }
    for (int64_t c = 0; c < (int64_t)l->rows * l->cols; c++)
        p->cell[c] = node_of[l->cell[c]];
    int failed = layout_create(p, l->mt, l->nt, l->part, of_nodes, text);
    pattern_destroy(&p);
    return failed;
}

/* Adds the transfers of a final tile, with this number of elements, to all its readers. */
static void load_tile(const struct layout *l, enum layout_algorithm algorithm, int i, int j, int64_t elements, int *ranks,
                      unsigned char *seen, struct layout_links *links)
{
    int count = layout_readers(l, algorithm, i, j, ranks, seen);
    links->sent[layout_owner(l, i, j)] += count * elements;
    for (int r = 0; r < count; r++)
        links->received[ranks[r]] += elements;
}

static void load_all(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width,
                     const bool *step, int *ranks, unsigned char *seen, struct layout_links *links)
{
    for (int j = 0; j < l->nt; j++)
        for (int i = algorithm == LAYOUT_CHOLESKY ? j : 0; i < l->mt; i++)
            if (step == NULL || step[i < j ? i : j])
                load_tile(l, algorithm, i, j, (int64_t)height[i] * width[j], ranks, seen, links);
}

int layout_load_links(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width,
                      const bool *step, struct layout_links *links)
{
    size_t ranks = (size_t)l->ranks;
    int *readers = malloc(ranks * sizeof *readers);
    unsigned char *seen = calloc(ranks, 1);
    int failed = readers == NULL || seen == NULL;
    if (!failed)
        load_all(l, algorithm, height, width, step, readers, seen, links);
    free(readers);
    free(seen);
    return failed;
}
