/* Inside the model: what is known at one moment of the model's time. */
#ifndef OMPFACT_SRC_MODEL_SIMULATION_H
#define OMPFACT_SRC_MODEL_SIMULATION_H

#include "src/grid/grid.h"
#include "src/model/heap.h"
#include "src/model/model.h"

enum { NONE = -1, SUBMITTER = 0 };     /* the latter a thread's number */

struct processor {
    struct heap ready;              /* tasks, by urgency and program order */
    int64_t item, end;              /* the submitter's place */
    int in_flight, fetching;
    int waiting, reads;             /* tiles that it can read, and that it reads */
    int idle;                       /* threads */
    int *idle_thread;               /* their numbers */
    bool submitting;                /* its first thread is, the item at the submitter's place */
    bool to_submit, to_start;       /* something has happened to it, and it is on that list */
};

/* Ranks, each at most once. */
struct ranks {
    int *rank;
    int count;
};

/* What a rank takes from another one. */
struct pair {
    int waiting;                    /* of the tiles that it can read the most urgent; NONE */
    int reads;                      /* under way */
};

struct simulation {
    const struct model_graph *graph;
    const struct model_machine *machine;
    int threads;
    int *lacks;                     /* of each node: predecessors that are not done or flagged, and one till its item */
    int *next_waiting;              /* of each transfer: the one after it in the list where it waits */
    double *request_time;           /* of each transfer: when, where there are traces */
    int *thread;                    /* of each task: that executes it */
    struct pair *pair;              /* [reader * ranks + source] */
    struct ideal *ideal;            /* NULL: transfers go by flags and reads */
    struct processor *processor;
    struct model_rank *rank;
    struct trace *trace;            /* [rank]; NULL: none are kept */
    struct heap events;             /* by time; the second is node * EVENTS + what */
    struct ranks to_submit, to_start;
    int flying;                     /* transfers on the wire */
    double now;
    bool no_memory;
};

/* What happens at a time: a task is done; a rank has submitted its next one; a flag is at a tile's reader; the reader's request
   is where the tile is; a tile that needs no wire is there. */
enum { DONE, SUBMITTED, FLAGGED, REQUESTED, HERE, EVENTS };

/* It happens after so many seconds. */
void happens(struct simulation *s, double after, int what, int node);
/* The rank may be able to continue. */
void change(struct simulation *s, int rank);
/* The node lacks one thing less. */
void release_node(struct simulation *s, int node);
/* A task is done, or a tile there: what waits for it lacks one thing less, or will when the flag has come. */
void release_successors(struct simulation *s, int node);

/* ---- transfers_ideal.c ----------------------------------------------------------------------------------------------------- */

struct ideal *ideal_create(const struct model_graph *graph);       /* NULL: no memory */
void ideal_destroy(struct ideal **ideal);
/* Its tile is there, and its reader has a slot; and it is off the wire. */
void ideal_due(struct simulation *s, int transfer);
void ideal_end(struct simulation *s, int transfer);

/* ---- transfers.c ----------------------------------------------------------------------------------------------------------- */

/* Its tile is where its reader takes it from. */
void flag(struct simulation *s, int transfer);
/* Its reader knows, and has a slot. */
void make_due(struct simulation *s, int transfer);
/* The rank reads what it can. */
void start_reads(struct simulation *s, int reader);
/* It is off the wire. */
void end_transfer(struct simulation *s, int transfer);
/* It is at its reader. */
void arrive(struct simulation *s, int transfer);
/* Its tile leaves, from that rank. */
void start_on_wire(struct simulation *s, int transfer, int from);
/* Into a list by urgency; equal ones stay in the order of the loops. */
void wait_by_urgency(struct simulation *s, int *list, int transfer);

#endif
