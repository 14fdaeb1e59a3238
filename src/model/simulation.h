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
    int ahead;                      /* tiles that it has sent, and was not thanked for */
    int idle;                       /* threads */
    int *idle_thread;               /* their numbers */
    bool to_submit, to_start;       /* something has happened to it, and it is on that list */
};

/* Ranks, each at most once. */
struct ranks {
    int *rank;
    int count;
};

/* What a rank takes from another one. */
struct pair {
    int due;                        /* of those that are there, and asked for, the most urgent; NONE */
    int sent;                       /* the one on the wire, and behind it those that have been sent; NONE */
    int ahead;                      /* sent, and not thanked for */
};

struct simulation {
    const struct model_graph *graph;
    const struct model_machine *machine;
    int threads;
    int *lacks;                     /* of each node: predecessors that are not done, and one until it is submitted or asked for */
    int *next_waiting;              /* of each transfer: the one after it in its pair's list */
    double *asked;                  /* of each transfer: when, where there are traces */
    int *thread;                    /* of each task: that executes it */
    struct pair *pair;              /* [reader * ranks + source] */
    struct ideal *ideal;            /* NULL: transfers go as rma/wire.c has them */
    struct processor *processor;
    struct model_rank *rank;
    struct trace *trace;            /* [rank]; NULL: none are kept */
    struct heap events;             /* by time; the second is node * EVENTS + what */
    struct ranks to_submit, to_start;
    int flying;                     /* transfers on the wire */
    double now;
    bool no_memory;
};

/* What happens at a time: a task is done; a source is asked for a tile; it is thanked for it; a tile that needs no wire is
   there. */
enum { DONE, ASKED, THANKED, HERE, EVENTS };

/* It happens after so many seconds. */
void happens(struct simulation *s, double after, int what, int node);
/* The rank may be able to go on. */
void change(struct simulation *s, int rank);
/* The node lacks one thing less. */
void release(struct simulation *s, int node);
/* A task is done, or a tile there: what waits for it lacks one thing less. */
void release_successors(struct simulation *s, int node);

/* ---- transfers_ideal.c ----------------------------------------------------------------------------------------------------- */

struct ideal *ideal_create(const struct model_graph *graph);       /* NULL: no memory */
void ideal_destroy(struct ideal **ideal);
/* The tile is there, and has been asked for; and it is off the wire. */
void ideal_due(struct simulation *s, int transfer);
void ideal_end(struct simulation *s, int transfer);

/* ---- transfers.c ----------------------------------------------------------------------------------------------------------- */

/* Its reader has a slot for it, and asks where it takes it from. */
void ask(struct simulation *s, int transfer);
/* Its tile is there, and has been asked for. */
void make_due(struct simulation *s, int transfer);
/* It is off the wire. */
void end_transfer(struct simulation *s, int transfer);
/* Its reader's thanks are where it came from. */
void thank(struct simulation *s, int transfer);
/* It is at its reader. */
void arrive(struct simulation *s, int transfer);
/* Its tile leaves, from that rank. */
void start_on_wire(struct simulation *s, int transfer, int from);
/* Whether it goes before another one. */
bool is_before(const struct simulation *s, int transfer, int other);

#endif
