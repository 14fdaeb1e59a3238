/*
 * Routes of tiles between nodes. The readers of a tile that share memory are one member of its tree, represented by their head,
 * which reads the tile for all of them, so a tile crosses to a node once. The owner is member 0. The heads are members 1, 2,
 * ... in the order in which the layout lists the first readers of the nodes. Every rank computes the same tree, so no rank has
 * to be informed where a tile comes from. A hash of the tile's number selects the head among the readers of a node, which
 * shares out that work.
 *
 * Why this cannot deadlock. A tile that a rank forwards must not depend on later tasks of that rank than the tasks that wait
 * for the tile. A rank requests all tiles of a panel before it submits the first task of the panel, and all tiles of a step's
 * rows and updates before it submits the first of these (src/factor/schedule.c); each request holds a slot. Let X be the first
 * unfinished task, of step k, in the order of the loops. All tasks before X are done on all ranks, so the loop of every rank
 * has come, or comes without waiting for a task, to the place where it requests the tiles that X reads: the tasks before that
 * place are before X. A slot is free for the request: the slots of finished steps have been read by their own readers and by
 * their children. Tasks of those steps are done on these children, too, and their loops are past those steps, so they have
 * acknowledged the slots. (A rank only forwards tiles that it has requested itself, so none of a step that its loop has not
 * reached.) The tiles that X reads are published, so they arrive.
 */
#include "rma/state.h"

#include <string.h>

/* The largest number of members, beside the owner, of a tile's tree. */
static int far_places(const struct rma_nodes *nodes)
{
    return (nodes->in_place ? nodes->count : nodes->ranks) - 1;
}

bool rma_has_trees(const struct rma_nodes *nodes)
{
    return nodes->bcast != RMA_FLAT && far_places(nodes) > (nodes->bcast == RMA_CHAIN ? 1 : 2);
}

bool rma_has_routes(const struct rma_nodes *nodes)
{
    return rma_has_trees(nodes) || (nodes->in_place && nodes->ranks > nodes->count && far_places(nodes) > 0);
}

int rma_tree(enum rma_bcast bcast, int count, int i, int *parent, int *child)
{
    int children = 0;
    if (bcast == RMA_AUTO)
        bcast = RMA_BINOMIAL;
    if (bcast == RMA_CHAIN) {
        *parent = i - 1;
        if (i < count)
            child[children++] = i + 1;
    } else if (bcast == RMA_BINOMIAL) {
        *parent = i == 0 ? -1 : i & (i - 1);        /* without its lowest bit */
        int lowest = i == 0 ? 1 << 30 : i & -i, bit = 1;
        while (bit < lowest && bit <= count)
            bit <<= 1;
        for (bit >>= 1; bit > 0; bit >>= 1)         /* the largest subtree first */
            if (i + bit <= count)
                child[children++] = i + bit;
    } else {
        *parent = i == 0 ? -1 : 0;
        for (int c = 1; i == 0 && c <= count; c++)
            child[children++] = c;
    }
    return children;
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------------- */

static bool share_memory(const struct rma_nodes *nodes, int a, int b)
{
    return nodes->in_place && (nodes->node_of == NULL ? a == b : nodes->node_of[a] == nodes->node_of[b]);
}

bool rma_crosses(const struct rma_nodes *nodes, int parent)
{
    return nodes->node_of == NULL || nodes->node_of[parent] != nodes->node_of[nodes->rank];
}

int rma_far_readers(const struct rma_nodes *nodes, int owner, int *readers, int count)
{
    int far = 0;
    for (int i = 0; i < count; i++)
        if (!share_memory(nodes, readers[i], owner))
            readers[far++] = readers[i];
    return far;
}

/* Moves the readers that share memory with readers[first] next to it; returns the index behind the last of them. */
static int gather_node(const struct rma_nodes *nodes, int *readers, int first, int count)
{
    int end = first + 1;
    for (int i = end; i < count; i++)
        if (share_memory(nodes, readers[i], readers[first])) {
            int reader = readers[i];
            memmove(&readers[end + 1], &readers[end], (size_t)(i - end) * sizeof reader);
            readers[end++] = reader;
        }
    return end;
}

/* The head among the readers of one node, readers[first .. end-1]. The number is hashed because the numbers of tiles with the
   same readers differ by multiples, which would make one rank the head of all. */
static int head_of(const struct rma_address *tile, const int *readers, int first, int end)
{
    uint64_t mixed = (uint64_t)tile->id * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    return readers[first + (int)(mixed % (uint64_t)(end - first))];
}

int rma_heads(const struct rma_nodes *nodes, const struct rma_address *tile, int *readers, int count)
{
    int heads = 0;
    for (int first = 0, end; first < count; first = end) {
        end = gather_node(nodes, readers, first, count);
        readers[heads++] = head_of(tile, readers, first, end);
    }
    return heads;
}

/* ---- routes ---------------------------------------------------------------------------------------------------------------- */

struct rma_route rma_find_route(const struct rma_nodes *nodes, const struct rma_address *tile, int *readers, int count)
{
    struct rma_route route = { .parent = tile->rank };
    int far = rma_far_readers(nodes, tile->rank, readers, count), head[far + 1], heads = 0, place = -1, mine = 0, end_of_mine = 0;
    for (int first = 0, end; first < far; first = end, heads++) {
        end = gather_node(nodes, readers, first, far);
        head[heads] = head_of(tile, readers, first, end);
        if (readers[first] == nodes->rank || share_memory(nodes, readers[first], nodes->rank)) {
            place = heads;
            mine = first;
            end_of_mine = end;
        }
    }
    if (place < 0)
        return route;
    if (head[place] != nodes->rank)
        return (struct rma_route){ .parent = head[place], .in_parent = true };
    int child[far + 1], parent;
    route.children = rma_tree(nodes->bcast, heads, place + 1, &parent, child);
    route.parent = parent == 0 ? tile->rank : head[parent - 1];
    for (int c = 0; c < route.children; c++)
        child[c] = head[child[c] - 1];
    for (int i = mine; i < end_of_mine; i++)
        if (readers[i] != nodes->rank)
            child[route.children++] = readers[i];
    memcpy(readers, child, (size_t)route.children * sizeof *readers);
    route.child = readers;
    return route;
}
