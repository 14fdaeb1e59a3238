/*
 * The graph of the model: dependences between tasks, which addresses of tiles create when the loops are executed (omp/run.h).
 *
 *     writer of a tile  ->  its next reader or writer         on one rank
 *     readers of a tile ->  its next writer                   on one rank
 *     final writer      ->  transfer  ->  readers             between ranks: each tile once to each rank
 *     transfer          ->  transfer                          if a rank forwards the tile
 */
#include "src/model/model_graph.h"

#include "src/factor/signs.h"
#include "src/matrix/layers.h"

#include <stdlib.h>

enum { NONE = -1 };

struct edge {
    int from, to;       /* a task, or ~transfer */
};

/* A task that has read a tile since the last write. */
struct reader {
    int task, next;
};

struct builder {
    struct model_graph *graph;
    struct edge *edge;
    struct reader *reader;
    urgency_function *urgency;
    int64_t tiles, layer_tiles, tasks_room, transfers_room, items, items_room, edges, edges_room, readers, readers_room;
    int rank, mt;
    struct job *job;
    struct rma_nodes nodes;         /* nodes as the walking rank sees them */
    bool routes;
    int *readers_of;                /* scratch memory: the ranks that read a tile */
    int *next;                      /* for each transfer: another one of the same tile, or NONE */
    int64_t next_room;
    int *transfers_of;              /* for each tile: its last transfer, or NONE */
    int *writer, *first_reader;     /* for each tile: the last task that wrote it, and the last that has read it since; NONE: no
                                       task */
    int *transfer;                  /* for each tile: its transfer to this rank, or NONE */
    bool *final;                    /* for each tile: no task writes it again */
    bool no_memory;
    void *memory;                   /* of the arrays of tiles and ranks */
};

/* Enlarges the array so that one more element fits. Without memory the array stays, and no_memory is set. */
static void *grow(struct builder *b, void *array, int64_t count, int64_t *room, size_t size)
{
    if (count < *room || b->no_memory)
        return array;
    int64_t larger = 2 * *room + 1024;
    void *moved = realloc(array, (size_t)larger * size);
    b->no_memory = moved == NULL;
    if (moved == NULL)
        return array;
    *room = larger;
    return moved;
}

static void add_edge(struct builder *b, int from, int to)
{
    b->edge = grow(b, b->edge, b->edges, &b->edges_room, sizeof *b->edge);
    if (!b->no_memory)
        b->edge[b->edges++] = (struct edge){ from, to };
}

static void add_item(struct builder *b, int item)
{
    struct model_graph *g = b->graph;
    g->item = grow(b, g->item, b->items, &b->items_room, sizeof *g->item);
    if (!b->no_memory)
        g->item[b->items++] = item;
}

/* ---- the visitor --------------------------------------------------------------------------------------------------------- */

/* The number of an operand. Layers of a matrix in copies follow each other, and then the data beside tiles, one for each step. */
static int tile_of(const struct builder *b, const struct operand *o)
{
    const ompfact_matrix *A = o->matrix;
    return o->address.what != NULL ? (int)b->tiles + o->j : (int)(A->layer * b->layer_tiles) + o->i + o->j * b->mt;
}

static struct graph_transfer transfer_of(const struct builder *b, const struct operand *o)
{
    struct rma_route route = { .parent = o->address.rank };
    if (b->routes)
        route = rma_find_route(&b->nodes, &o->address, b->readers_of, job_readers(b->job, o, b->readers_of));
    return (struct graph_transfer){ .from = route.parent, .to = b->rank, .i = o->i, .j = o->j, .tile = tile_of(b, o),
                                    .bytes = (int64_t)o->address.bytes,
                                    .crosses = !route.in_parent && rma_crosses(&b->nodes, route.parent) };
}

/* Only a rank's first request of a tile counts. */
static void add_request(void *context, int step, const struct operand *o, const struct operand *output)
{
    struct builder *b = context;
    struct model_graph *g = b->graph;
    int tile = tile_of(b, o);
    if (b->transfer[tile] != NONE)
        return;
    g->transfer = grow(b, g->transfer, g->transfers, &b->transfers_room, sizeof *g->transfer);
    b->next = grow(b, b->next, g->transfers, &b->next_room, sizeof *b->next);
    if (b->no_memory)
        return;
    g->transfer[g->transfers] = transfer_of(b, o);
    g->transfer[g->transfers].urgency = b->urgency(output->due, step, URGENT_READ);
    b->next[g->transfers] = b->transfers_of[tile];
    b->transfers_of[tile] = g->transfers;
    add_item(b, item(ITEM_REQUEST, g->transfers));
    b->transfer[tile] = g->transfers++;
}

static void wait_here(void *context)
{
    add_item(context, item(ITEM_WAIT, 0));
}

static void read_tile(struct builder *b, int task, int tile)
{
    if (b->writer[tile] != NONE)
        add_edge(b, b->writer[tile], task);
    if (b->final[tile])
        return;
    b->reader = grow(b, b->reader, b->readers, &b->readers_room, sizeof *b->reader);
    if (b->no_memory)
        return;
    b->reader[b->readers] = (struct reader){ task, b->first_reader[tile] };
    b->first_reader[tile] = (int)b->readers++;
}

static void write_tile(struct builder *b, int task, int tile, bool final)
{
    if (b->writer[tile] != NONE)
        add_edge(b, b->writer[tile], task);
    for (int r = b->first_reader[tile]; r != NONE; r = b->reader[r].next)
        add_edge(b, b->reader[r].task, task);
    b->first_reader[tile] = NONE;
    b->writer[tile] = task;
    b->final[tile] = final;
}

static void add_task(void *context, enum task_kind kind, int step, double flops, int count, const struct operand *operands)
{
    struct builder *b = context;
    struct model_graph *g = b->graph;
    const struct operand *output = &operands[count - 1];
    for (int i = 0; i < count; i++)
        if (!operands[i].mine)
            add_request(b, step, &operands[i], output);
    b->no_memory |= g->tasks + g->transfers >= NODES_MAX - TASK_OPERANDS || b->readers >= NODES_MAX;
    g->task = grow(b, g->task, g->tasks, &b->tasks_room, sizeof *g->task);
    if (b->no_memory)
        return;
    g->task[g->tasks] = (struct graph_task){ .flops = flops, .rank = b->rank, .kind = kind, .i = output->i, .j = output->j,
                                             .step = step,
                                             .urgency = b->urgency(output->due, step, output->access == FINAL ? URGENT_PANEL
                                                                                                          : URGENT_UPDATE) };
    add_item(b, item(ITEM_TASK, g->tasks));
    for (int i = 0; i < count; i++) {
        int tile = tile_of(b, &operands[i]);
        if (!operands[i].mine)
            add_edge(b, ~b->transfer[tile], g->tasks);
        else if (operands[i].access == READ)
            read_tile(b, g->tasks, tile);
        else
            write_tile(b, g->tasks, tile, operands[i].access == FINAL);
    }
    g->tasks++;
}

/* ---- all ranks ------------------------------------------------------------------------------------------------------------- */

static void fill(int *array, int64_t count, int value)
{
    for (int64_t i = 0; i < count; i++)
        array[i] = value;
}

/* Walks the loops as a rank, which for a matrix in copies is on its own layer. */
static void see_as(struct builder *b, ompfact_matrix *A, int rank)
{
    for (int l = 0; A->layers != NULL && l < A->layers->count; l++)
        A->layers->layer[l]->me = rank;
    A->me = rank;
    b->job->A = my_layer(A);
}

static void walk_ranks(struct builder *b, ompfact_matrix *A)
{
    struct run_plan plan = { .loops = factor_loops, .context = b->job };
    struct visitor visitor = { .context = b, .task = add_task, .requested = add_request, .wait = wait_here };
    int64_t tiles = b->tiles + A->nt;
    int me = A->me;
    b->urgency = b->job->algorithm->urgency;
    fill(b->writer, tiles, NONE);
    fill(b->transfers_of, tiles, NONE);
    fill(b->first_reader, tiles, NONE);
    for (int rank = 0; rank < A->ranks; rank++) {
        see_as(b, A, rank);
        b->rank = b->nodes.rank = rank;
        b->graph->first_item[rank] = b->items;
        fill(b->transfer, tiles, NONE);
        b->no_memory |= !run_visit(&plan, &visitor);
    }
    b->graph->first_item[A->ranks] = b->items;
    see_as(b, A, me);
}

/* The transfer that brought the tile to the rank which this one reads from; NONE: that rank is the owner. */
static int parent_of(const struct builder *b, int transfer)
{
    const struct graph_transfer *all = b->graph->transfer;
    int x = b->transfers_of[all[transfer].tile];
    while (x != NONE && all[x].to != all[transfer].from)
        x = b->next[x];
    return x;
}

/* A tile that the loops never make final exists from the start. */
static void connect_transfers(struct builder *b)
{
    const struct model_graph *g = b->graph;
    for (int x = 0; x < g->transfers; x++) {
        int parent = parent_of(b, x), tile = g->transfer[x].tile;
        if (parent != NONE)
            add_edge(b, ~parent, ~x);
        else if (b->final[tile])
            add_edge(b, b->writer[tile], ~x);
    }
}

static int node(const struct model_graph *g, int end)
{
    return end < 0 ? g->tasks + ~end : end;
}

/* Sorts the edges by the node where they start. */
static void sort_edges(struct builder *b)
{
    struct model_graph *g = b->graph;
    int64_t nodes = (int64_t)g->tasks + g->transfers;
    g->first_successor = calloc((size_t)nodes + 2, sizeof *g->first_successor);
    g->predecessors = calloc((size_t)nodes + 1, sizeof *g->predecessors);
    g->successor = malloc(((size_t)b->edges + 1) * sizeof *g->successor);
    b->no_memory |= g->first_successor == NULL || g->predecessors == NULL || g->successor == NULL;
    if (b->no_memory)
        return;
    int64_t *place = g->first_successor + 1;    /* the place of the next edge of each node; after all are placed these are the
                                                   starts */
    for (int64_t e = 0; e < b->edges; e++)
        if (node(g, b->edge[e].from) + 1 < nodes)
            place[node(g, b->edge[e].from) + 1]++;
    for (int64_t n = 1; n < nodes; n++)
        place[n] += place[n - 1];
    for (int64_t e = 0; e < b->edges; e++) {
        int to = node(g, b->edge[e].to);
        g->successor[place[node(g, b->edge[e].from)]++] = to;
        g->predecessors[to]++;
    }
}

static bool prepare(struct builder *b, const ompfact_matrix *A)
{
    size_t tiles = (size_t)A->mt * (size_t)A->nt * (size_t)layers_count(A) + (size_t)A->nt + 1;
    b->graph = calloc(1, sizeof *b->graph);
    b->mt = A->mt;
    b->layer_tiles = (int64_t)A->mt * A->nt;
    b->tiles = b->layer_tiles * layers_count(A);
    if (b->graph == NULL || tiles >= NODES_MAX)
        return false;
    b->graph->ranks = A->ranks;
    b->graph->first_item = malloc(((size_t)A->ranks + 1) * sizeof *b->graph->first_item);
    const struct array arrays[] = { ARRAY(b->writer, tiles), ARRAY(b->first_reader, tiles), ARRAY(b->transfer, tiles),
                                    ARRAY(b->transfers_of, tiles), ARRAY(b->final, tiles), ARRAY(b->readers_of, A->ranks),
                                    ARRAY(b->job->seen, A->ranks) };
    b->memory = make_arrays(arrays, sizeof arrays / sizeof arrays[0]);
    return b->graph->first_item != NULL && b->memory != NULL;
}

struct model_graph *model_graph_create(ompfact_matrix *A, const struct algorithm *algorithm, ompfact_schedule schedule,
                                       const struct rma_nodes *nodes)
{
    struct signs signs = { 0 };
    struct job job = { .A = A, .algorithm = algorithm, .schedule = schedule, .signs = &signs };
    struct builder b = { .job = &job, .nodes = *nodes };
    if (nodes->bcast == RMA_AUTO)
        b.nodes.bcast = algorithm->tree;
    b.routes = job.routes = rma_has_routes(&b.nodes);
    b.no_memory = !prepare(&b, A) || !signs_on_paper(A, &signs);
    if (!b.no_memory) {
        b.graph->in_order = schedule == OMPFACT_STATIC;
        walk_ranks(&b, A);
        connect_transfers(&b);
        sort_edges(&b);
    }
    free(b.edge);
    free(b.reader);
    free(b.next);
    free(b.memory);
    signs_free(&signs);
    if (b.no_memory)
        model_graph_destroy(&b.graph);
    return b.graph;
}

void model_graph_destroy(struct model_graph **graph)
{
    struct model_graph *g = *graph;
    if (g == NULL)
        return;
    free(g->task);
    free(g->transfer);
    free(g->item);
    free(g->first_item);
    free(g->successor);
    free(g->first_successor);
    free(g->predecessors);
    free(g);
    *graph = NULL;
}
