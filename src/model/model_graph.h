/*
 * The graph of a factorization: its nodes are the tasks of all ranks, then the transfers. The loops themselves define the tasks,
 * their order and their waits: every rank walks them with the visiting sink. rma/routes.c defines the routes of tiles. The model
 * has no other description of an algorithm.
 */
#ifndef OMPFACT_SRC_MODEL_MODEL_GRAPH_H
#define OMPFACT_SRC_MODEL_MODEL_GRAPH_H

#include "src/factor/factor.h"

struct graph_task {
    double flops;
    int64_t urgency;
    int rank;
    int i, j, step;         /* the tile that the task writes, and its step */
    enum task_kind kind;
};

/* A transfer of a tile to a rank. */
struct graph_transfer {
    int from, to;           /* from: the owner, or the rank that forwards the tile */
    int i, j;
    int tile;               /* the number of the tile in the graph */
    int64_t urgency, bytes;
    bool crosses;           /* from one node to another; other transfers take no time, as ranks of a node read tiles in place */
};

/* The items of a rank's loops, in order: submit task i, request transfer i, or wait for all items before. */
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
    int64_t *first_item;                /* ranks + 1: the first item of each rank */
    int *successor;
    int64_t *first_successor;           /* nodes + 1: the first successor of each node */
    int *predecessors;                  /* the number of predecessors of each node */
};

/* The tasks of all ranks for a matrix on paper, with the ranks on these nodes (.rank is ignored): of Cholesky, of LU without
   pivoting, or of LDL^T with signs. NULL: no memory. Local. */
struct model_graph *model_graph_create(ompfact_matrix *A, const struct algorithm *algorithm, ompfact_schedule schedule,
                                       const struct rma_nodes *nodes);
void model_graph_destroy(struct model_graph **graph);

#endif
