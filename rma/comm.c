/* Creation and destruction of struct rma, its settings and its counters. */
#include "rma/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rma_rank(const struct rma *rma)
{
    return rma->rank;
}

int rma_ranks(const struct rma *rma)
{
    return rma->ranks;
}

int rma_ranks_on_node(const struct rma *rma)
{
    return rma->ranks_on_node;
}

bool rma_in_place(const struct rma *rma)
{
    return rma->nodes.in_place;
}

enum rma_between rma_between(const struct rma *rma)
{
    return rma->between;
}

int rma_reads_proceed(const struct rma *rma)
{
    return rma->reads_proceed;
}

MPI_Comm rma_comm(const struct rma *rma)
{
    return rma->comm;
}

const struct rma_nodes *rma_nodes(const struct rma *rma)
{
    return &rma->nodes;
}

void rma_set_jitter(struct rma *rma, int microseconds)
{
    rma->jitter = microseconds;
}

void rma_set_watchdog(struct rma *rma, double seconds)
{
    rma->watch.limit = seconds;
}

double rma_watchdog(const struct rma *rma)
{
    return rma->watch.limit;
}

int rma_set_sums(struct rma *rma, bool on)
{
    int all = on;
    RMA_TRY(rma_allreduce(rma, &all, 1, MPI_INT, MPI_MIN));
    rma->sums = all;
    return MPI_SUCCESS;
}

void rma_suit(struct rma *rma, enum rma_bcast tree)
{
    if (rma->bcast == RMA_AUTO)
        rma->nodes.bcast = tree;
}

struct rma_counters rma_counters(const struct rma *rma)
{
    return rma->counters;
}

/* ---- creation and destruction ---------------------------------------------------------------------------------------------- */

/* all: memory for the node and the place on the node of every rank. */
static int find_places(struct rma *rma, int *all)
{
    int mine[2] = { rma->rank, 0 };
    RMA_TRY(MPI_Comm_rank(rma->node, &mine[1]));
    RMA_TRY(rma_reduce_over(rma, rma->node, &mine[0], 1, MPI_INT, MPI_MIN));
    RMA_TRY(rma_allgather(rma, rma->comm, mine, all, sizeof mine));
    rma->nodes.count = 0;
    for (int i = 0; i < rma->ranks; i++) {
        int lowest = all[2 * i];
        rma->node_of[i] = lowest == i ? rma->nodes.count++ : rma->node_of[lowest];
        rma->place_on_node[i] = all[2 * i + 1];
    }
    return MPI_SUCCESS;
}

/* A testing aid: OMPFACT_TEST_NODES=N splits each node into N nodes, blocks of its ranks, with any MPI. */
static int split_node(struct rma *rma)
{
    const char *value = getenv("OMPFACT_TEST_NODES");
    int nodes = value == NULL ? 1 : atoi(value), place, ranks;
    MPI_Comm whole = rma->node;
    RMA_TRY(MPI_Comm_rank(whole, &place));
    RMA_TRY(MPI_Comm_size(whole, &ranks));
    RMA_TRY(rma_reduce_over(rma, whole, &nodes, 1, MPI_INT, MPI_MAX));
    if (nodes <= 1)
        return MPI_SUCCESS;
    rma->node = MPI_COMM_NULL;
    int code = MPI_Comm_split(whole, (int)((int64_t)place * nodes / ranks), place, &rma->node);
    MPI_Comm_free(&whole);
    return code;
}

static int find_node(struct rma *rma)
{
    RMA_TRY(MPI_Comm_split_type(rma->comm, MPI_COMM_TYPE_SHARED, rma->rank, MPI_INFO_NULL, &rma->node));
    MPI_Comm_set_errhandler(rma->node, MPI_ERRORS_RETURN);
    RMA_TRY(split_node(rma));
    MPI_Comm_set_errhandler(rma->node, MPI_ERRORS_RETURN);
    RMA_TRY(MPI_Comm_size(rma->node, &rma->ranks_on_node));
    int *all = malloc(2 * (size_t)rma->ranks * sizeof *all);
    int no_memory = all == NULL;
    int code = rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX);
    if (code == MPI_SUCCESS)
        code = no_memory ? MPI_ERR_NO_MEM : find_places(rma, all);
    free(all);
    RMA_TRY(code);
    rma->most_on_node = rma->ranks_on_node;
    return rma_allreduce(rma, &rma->most_on_node, 1, MPI_INT, MPI_MAX);
}

static void release(struct rma **rma)
{
    if (*rma == NULL)
        return;
    free((*rma)->node_of);
    free((*rma)->place_on_node);
    free((*rma)->offers);
    free((*rma)->shares.reported);
    rma_posts_free(*rma);
    free(*rma);
    *rma = NULL;
}

/* Returns NULL if there is no memory. */
static struct rma *allocate(MPI_Comm comm)
{
    struct rma *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    atomic_flag_clear(&r->lock);
    rma_posts_free(r);
    r->node = MPI_COMM_NULL;
    r->watch.ping = r->watch.pong = MPI_REQUEST_NULL;
    MPI_Comm_rank(comm, &r->rank);
    MPI_Comm_size(comm, &r->ranks);
    r->node_of = malloc((size_t)r->ranks * sizeof *r->node_of);
    r->place_on_node = malloc((size_t)r->ranks * sizeof *r->place_on_node);
    r->offers = malloc((size_t)r->ranks * sizeof *r->offers);
    if (r->node_of == NULL || r->place_on_node == NULL || r->offers == NULL)
        release(&r);
    return r;
}

/* The ranks agree over the communicator of the caller whether all have memory, before there is another communicator to be
   freed. */
static int duplicate(MPI_Comm comm, struct rma *r, char *text, size_t text_size)
{
    MPI_Request request;
    int no_memory = r == NULL;
    snprintf(text, text_size, "MPI could not duplicate the communicator");
    RMA_TRY(MPI_Iallreduce(MPI_IN_PLACE, &no_memory, 1, MPI_INT, MPI_MAX, comm, &request));
    RMA_TRY(rma_wait(NULL, &request));
    if (no_memory) {
        snprintf(text, text_size, "no memory for a grid's ranks");
        return MPI_ERR_NO_MEM;
    }
    RMA_TRY(MPI_Comm_idup(comm, &r->comm, &request));
    RMA_TRY(rma_wait(NULL, &request));
    return MPI_Comm_set_errhandler(r->comm, MPI_ERRORS_RETURN);
}

/* Finds the first transport that works: the requested one, or the next one where it does not. */
static int find_links(struct rma *r, char *text, size_t text_size)
{
    if (r->between == RMA_MESSAGES && r->nodes.count > 1)
        RMA_TRY(rma_messages_create(r));
    int code = rma_selftest(r, text, text_size);
    if (code == MPI_ERR_RMA_SHARED && r->nodes.in_place) {      /* as in a container for each rank */
        r->nodes.in_place = false;
        return find_links(r, text, text_size);
    }
    if (code == MPI_ERR_WIN && r->between == RMA_ONE_SIDED && r->nodes.count > 1) {     /* as with Open MPI 4.1 over TCP */
        r->between = RMA_MESSAGES;
        return find_links(r, text, text_size);
    }
    return code;
}

/* Settings that need no communication. */
static void settle(struct rma *r, bool in_place, enum rma_bcast bcast, enum rma_between between)
{
    int level;
    r->nodes = (struct rma_nodes){ .rank = r->rank, .ranks = r->ranks, .node_of = r->node_of, .in_place = in_place,
                                   .bcast = bcast };
    r->bcast = bcast;
    r->between = between;
    r->needs_mpi = true;
    MPI_Query_thread(&level);
    r->one_thread_calls = level < MPI_THREAD_SERIALIZED;
    r->jitter_state = (unsigned)r->rank + 1;
}

int rma_create(MPI_Comm comm, bool in_place, enum rma_bcast bcast, enum rma_between between, struct rma **rma, char *text,
               size_t text_size)
{
    struct rma *r = allocate(comm);
    *rma = NULL;
    int code = duplicate(comm, r, text, text_size);
    if (code != MPI_SUCCESS) {
        release(&r);
        return code;
    }
    snprintf(text, text_size, "no memory for a grid's nodes, or MPI could not find them");
    settle(r, in_place, bcast, between);
    code = find_node(r);
    if (code == MPI_SUCCESS && r->ranks > 1)
        code = find_links(r, text, text_size);
    if (code == MPI_SUCCESS) {
        snprintf(text, text_size, "no memory to find out whether reads between nodes proceed, or MPI could not");
        code = rma_probe(r);
    }
    if (code != MPI_SUCCESS)
        rma_destroy(&r);
    *rma = r;
    return code;
}

/*
 * Lets everything in flight between nodes arrive. A rank that enters MPI_Finalize too early stops reading, and ranks that wait
 * for it there wait for ever (MPICH 4.0.2 with UCX over TCP; openucx/ucx#2254 is similar). Messages between two ranks keep
 * their order, so everything that was sent before an all-to-all has been read when it ends; half a second more serves MPI's own
 * replies. On one node nothing needs draining.
 */
static void drain(struct rma *rma)
{
    if (rma->ranks_on_node == rma->ranks)
        return;
    MPI_Request request;
    int *words = (int *)(void *)rma->offers;     /* memory that exists on all ranks, since all must take part */
    memset(rma->offers, 0, (size_t)rma->ranks * sizeof *rma->offers);
    if (MPI_Ialltoall(words, 1, MPI_INT, words + rma->ranks, 1, MPI_INT, rma->comm, &request) == MPI_SUCCESS)
        rma_wait(rma, &request);
    struct rma_backoff backoff = { 0 };
    for (double end = MPI_Wtime() + 0.5; MPI_Wtime() < end; rma_back_off(&backoff))
        rma_progress(rma, true);
}

void rma_destroy(struct rma **rma)
{
    struct rma *r = *rma;
    if (r == NULL)
        return;
    rma_barrier(r);
    rma_ping_drain(r);
    rma_barrier(r);         /* until here this rank replies to pings; */
    rma_ping_drain(r);  /* completes the last reply */
    drain(r);
    rma_messages_destroy(r);
    if (r->node != MPI_COMM_NULL)
        MPI_Comm_free(&r->node);
    MPI_Comm_free(&r->comm);
    release(rma);
}
