/*
 * The graph of a factorization: nodes are the tasks of all ranks, then the transfers. Tasks, their order and their waits come
 * from the loops themselves, which every rank walks with the visiting sink, and ways of tiles from rma/routes.c: the model has no
 * description of an algorithm of its own.
 */
#ifndef OMPFACT_SRC_MODEL_MODEL_GRAPH_H
#define OMPFACT_SRC_MODEL_MODEL_GRAPH_H

#include "src/factor/factor.h"

struct graph_task {
    double flops;
    int64_t urgency;
    int rank;
    int i, j, step;         /* of the tile that it writes */
    enum task_kind kind;
};

/* A tile on its way to a rank. */
struct graph_transfer {
    int from, to;           /* from: its owner, or who passes it on */
    int i, j;
    int tile;               /* which: where it is among all that the graph knows */
    int64_t urgency, bytes;
    bool crosses;           /* from one node to another; else it takes no time, as if it were read where it is */
};

/* The steps of a rank's loops, one after the other: submit task i, request transfer i, or wait for all steps before. */
enum { ITEM_TASK, ITEM_REQUEST, ITEM_WAIT, ITEM_BITS = 2 };
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

/* The tasks of all ranks of a matrix on paper, which are on these nodes (.rank does not count): of Cholesky's factorization, of
   LU without pivoting, or with signs. NULL: no memory. Local. */
struct model_graph *model_graph_create(ompfact_matrix *A, const struct algorithm *algorithm, ompfact_schedule schedule,
                                       const struct rma_nodes *nodes);
void model_graph_destroy(struct model_graph **graph);

#endif
