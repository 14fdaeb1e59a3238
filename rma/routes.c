/*
 * Trees of readers. The owner is member 0, its readers on other nodes are members 1, 2, ... as the layout lists them; every rank
 * computes the same tree, so nobody is told where a tile comes from.
 *
 * Why trees cannot deadlock. What a rank forwards must not depend on tasks of its own that come later than those that wait for
 * it. A rank asks for the tiles of a panel before it submits a task that comes after the panel's first one that reads a tile of a
 * tree, on whatever rank, and for all tiles of a step's rows and updates before it submits the first of them
 * (src/factor/schedule.c), and holds a slot for each. Take the first unfinished task X, of step k, in the order of the loops. All
 * tasks before it are done on all ranks, so every rank's loop has come, or comes without waiting for a task, to where it asks for
 * what X reads: tasks before that place are before X. Slots are free for it: those of steps that are over have been read by their
 * own readers and by their children, ranks whose tasks of those steps are done, too. What X reads is published, so it comes down.
 */
#include "rma/state.h"

/* Up to so many readers take a tile from its owner under `auto`: a tree pays where the owner's wire is the bottleneck. */
enum { FEW_READERS = 3 };

bool rma_has_routes(const struct rma *rma)
{
    return rma->bcast != RMA_FLAT && rma->most_far > (rma->bcast == RMA_AUTO ? FEW_READERS : 0);
}

int rma_tree(enum rma_bcast bcast, int count, int i, int *parent, int *child)
{
    int children = 0;
    if (bcast == RMA_AUTO)
        bcast = count <= FEW_READERS ? RMA_FLAT : RMA_BINOMIAL;
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

int rma_far_readers(const struct rma *rma, int owner, int *readers, int count)
{
    int far = 0;
    for (int i = 0; i < count; i++)
        if (!rma->in_place || rma->node_of[readers[i]] != rma->node_of[owner])
            readers[far++] = readers[i];
    return far;
}

void rma_route(const struct rma *rma, struct rma_slot *slot, int *readers, int count)
{
    int me = 0, owner = slot->from.rank, parent, members = rma_far_readers(rma, owner, readers, count);
    slot->parent = owner;
    slot->children = 0;
    while (me < members && readers[me] != rma->rank)
        me++;
    if (me == members)      /* it is read in place */
        return;
    slot->children = rma_tree(rma->bcast, members, me + 1, &parent, slot->child);
    slot->parent = parent == 0 ? owner : readers[parent - 1];
    for (int c = 0; c < slot->children; c++)
        slot->child[c] = readers[slot->child[c] - 1];
}
