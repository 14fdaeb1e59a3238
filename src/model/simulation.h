/* Inside the model: what is known at one moment of the model's time. */
#ifndef OMPFACT_SRC_MODEL_SIMULATION_H
#define OMPFACT_SRC_MODEL_SIMULATION_H

#include "src/grid/grid.h"
#include "src/model/heap.h"
#include "src/model/model.h"

enum { NONE = -1 };

struct processor {
    struct heap ready;              /* tasks, by urgency and program order */
    int64_t item, end;              /* the submitter's place */
    int in_flight, fetching;
    int idle;                       /* threads */
    int *idle_thread;               /* their numbers */
    struct rma_pace pace;           /* of its reads */
    int reads;                      /* under way */
    int first_waiting;              /* to be read, the most urgent first; NONE */
    bool to_submit, to_start;       /* something has happened to it, and it is on that list */
};

/* Ranks, each at most once. */
struct ranks {
    int *rank;
    int count;
};

/* What a rank reads from another one: the tiles come one after the other, as they were asked for. */
struct pair {
    short reads;                    /* under way */
    int first_reply;                /* of those that the source has been asked for, the one on the wire is the first; NONE */
};

struct simulation {
    const struct model_graph *graph;
    const struct model_machine *machine;
    int threads;
    int *lacks;                     /* of each node: predecessors that are not done, and one until it is submitted or asked for */
    int *next_waiting;              /* of each transfer: the one after it in its reader's list, then in that of replies */
    double *asked;                  /* of each transfer: when, where there are traces */
    int *thread;                    /* of each task: that executes it, where there are traces */
    struct pair *pair;              /* [reader * ranks + source] */
    struct processor *processor;
    struct model_rank *rank;
    struct trace *trace;            /* [rank]; NULL: none are kept */
    struct heap events;             /* by time; what happens is event(what, node) */
    struct ranks to_submit, to_start;
    int flying;                     /* transfers on the wire */
    double now;
    bool no_memory;
};

/* What happens at a time: a task is done; a reader knows of its tile; its question is at the source; a tile that needs no wire is
   there. */
enum { DONE, TOLD, AT_SOURCE, HERE, EVENTS };

/* It happens after so many seconds. */
void happens(struct simulation *s, double after, int what, int node);
/* The rank may be able to go on. */
void change(struct simulation *s, int rank);
/* The node lacks one thing less. */
void release(struct simulation *s, int node);
/* A task is done, or a tile there: what waits for it lacks one thing less. */
void release_successors(struct simulation *s, int node);

/* ---- transfers: reads.c ---------------------------------------------------------------------------------------------------- */

/* Its tile is where it is read from. */
void tell_reader(struct simulation *s, int transfer);
/* Its reader knows that, and has asked for it. */
void want_read(struct simulation *s, int transfer);
/* Its reader's question is where it is read from: it is sent when those asked for before it are. */
void send_tile(struct simulation *s, int transfer);
/* It is off the wire. */
void end_read(struct simulation *s, int transfer);
/* It is at its reader. */
void arrive(struct simulation *s, int transfer);

#endif
