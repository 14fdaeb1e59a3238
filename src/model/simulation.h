/* The state of the model at one moment of its time. Private to the model. */
#ifndef OMPFACT_SRC_MODEL_SIMULATION_H
#define OMPFACT_SRC_MODEL_SIMULATION_H

#include "src/grid/grid.h"
#include "src/model/heap.h"
#include "src/model/model.h"

enum { NONE = -1, SUBMITTER = 0 };     /* SUBMITTER: the number of the thread that submits */

struct processor {
    struct heap ready;              /* ready tasks by urgency, then program order */
    int64_t item, end;              /* the item at which the submitter is, and the end of the rank's items */
    int in_flight, fetching;
    int waiting, reads;             /* tiles that the rank can read, and tiles that it is reading */
    int idle;                       /* number of idle threads */
    int *idle_thread;               /* numbers of the idle threads */
    bool submitting;                /* the first thread is submitting the current item */
    bool to_submit, to_start;       /* the rank is on that list, because of an event */
};

/* A list of ranks, each at most once. */
struct ranks {
    int *rank;
    int count;
};

/* Transfers of a rank from another rank. */
struct pair {
    int waiting;                    /* the most urgent tile that the reader can read; NONE: none */
    int reads;                      /* reads in flight */
};

struct simulation {
    const struct model_graph *graph;
    const struct model_machine *machine;
    int threads;
    int *lacks;                     /* of each node: unfinished predecessors, plus one until its item is submitted */
    int *next_waiting;              /* of each transfer: the next one in its waiting list */
    double *request_time;           /* of each transfer: the time of the request; only for traces */
    int *thread;                    /* of each task: the thread that executes it */
    struct pair *pair;              /* [reader * ranks + source] */
    void *memory;                   /* of all arrays */
    struct ideal *ideal;            /* NULL: transfers go by flags and reads */
    struct processor *processor;
    struct model_rank *rank;
    struct trace *trace;            /* [rank]; NULL: no traces are kept */
    struct heap events;             /* events by time; the second member is node * EVENTS + kind */
    struct ranks to_submit, to_start;
    int flying;                     /* transfers on the wire */
    double now;
    bool no_memory;
};

/* Kinds of events. DONE: a task is done; SUBMITTED: a rank has submitted its next item; FLAGGED: a flag has arrived at the
   reader; REQUESTED: the reader's request has arrived at the source; HERE: a tile that needs no wire has arrived. */
enum { DONE, SUBMITTED, FLAGGED, REQUESTED, HERE, EVENTS };

/* Schedules an event after so many seconds. */
void happens(struct simulation *s, double after, int what, int node);
/* Notes that the rank may be able to continue. */
void change(struct simulation *s, int rank);
/* The node lacks one predecessor less. */
void release_node(struct simulation *s, int node);
/* A task is done, or a tile has arrived: its successors lack one predecessor less, readers on other ranks when the flag has
   arrived. */
void release_successors(struct simulation *s, int node);

/* ---- transfers_ideal.c ----------------------------------------------------------------------------------------------------- */

struct ideal *ideal_create(const struct model_graph *graph);       /* NULL: no memory */
void ideal_destroy(struct ideal **ideal);
/* The tile exists, and its reader has a slot; and the transfer has left the wire. */
void ideal_due(struct simulation *s, int transfer);
void ideal_end(struct simulation *s, int transfer);

/* ---- transfers.c ----------------------------------------------------------------------------------------------------------- */

/* The tile is now at the rank from which the reader takes it. */
void flag(struct simulation *s, int transfer);
/* The reader has the flag and a slot. */
void make_due(struct simulation *s, int transfer);
/* Starts the reads that the rank can start. */
void start_reads(struct simulation *s, int reader);
/* The transfer has left the wire. */
void end_transfer(struct simulation *s, int transfer);
/* The tile has arrived at its reader. */
void arrive(struct simulation *s, int transfer);
/* The tile leaves rank `from`. */
void start_on_wire(struct simulation *s, int transfer, int from);
/* Inserts into a list by urgency; equal ones stay in the order of the loops. */
void wait_by_urgency(struct simulation *s, int *list, int transfer);

#endif
