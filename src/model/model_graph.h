/* The graph of a factorization, for the two files of the model. Nodes are the tasks of all ranks, then the transfers. */
#ifndef OMPFACT_SRC_MODEL_MODEL_GRAPH_H
#define OMPFACT_SRC_MODEL_MODEL_GRAPH_H

#include "src/model/model.h"

struct graph_task {
    double flops;
    int rank, urgency;
    enum task_kind kind;
};

struct graph_transfer {
    int from, to, tile;
    int64_t bytes;
};

/* What the loops of a rank do one after the other: submit task i, ask for transfer i, or wait for all that came before. */
enum { ITEM_TASK, ITEM_ASK, ITEM_WAIT, ITEM_BITS = 2 };
static inline int item(int what, int index)
{
    return index << ITEM_BITS | what;
}
static inline int item_what(int item)
{
    return item & ((1 << ITEM_BITS) - 1);
}
static inline int item_index(int item)
{
    return item >> ITEM_BITS;
}
enum { NODES_MAX = INT32_MAX >> ITEM_BITS };

struct model_graph {
    int ranks, tasks, transfers;
    bool in_order;                      /* no more tasks in flight than threads */
    struct graph_task *task;
    struct graph_transfer *transfer;
    int *item;
    int64_t *first_item;                /* ranks + 1: of each rank */
    int *successor;
    int64_t *first_successor;           /* nodes + 1: of each node */
    int *predecessors;                  /* of each node, how many */
};

#endif
