/*
 * What a page shows: a run as its trace tells it, in order and summed up. Times are seconds from the start of the run.
 *
 * page_data_create, then any number of texts in any order, then page_data_finish. Local.
 */
#ifndef OMPFACT_SRC_PAGE_PAGE_DATA_H
#define OMPFACT_SRC_PAGE_PAGE_DATA_H

#include "src/facts/facts.h"

enum { PAGE_KERNELS = 64, PAGE_STEPS_MAX = 1 << 20, PAGE_RANKS_MAX = 1 << 12 };
enum { PAGE_TRACKS_MAX = 1 << 12 };     /* of a rank */

/* A thread, or a lane of a device. */
struct page_track {
    int rank, thread;
    bool of_device;
    char name[40];
    int64_t first, tasks;       /* in page_data.task, */
    int64_t first_wait, waits;  /*   and in page_data.wait */
    double busy;                /* seconds of its tasks */
};

struct page_task {
    double start, end, flops;
    int track, kernel;
    int i, j, step, updates;
};

/* No task was ready: until one was, or for good. */
struct page_wait {
    double start, end;
    int track, from;            /* the rank whose tile ended it; -1: none came */
    double transit;             /* how much of it that tile was final and on its way */
    int step;                   /* of the tile, or of the task that ended it; -1: not known */
};

struct page_fetch {
    int rank, from, i, j;
    double start, end;
    int64_t flow;
};

struct page_flow {
    int64_t id;
    int track;
    double time;
    bool arrives;
};

struct page_transfer {
    int from, to;               /* tracks */
    double sent, used;
};

struct page_sample {
    double time;
    int rank;
    bool of_tasks;              /* else of memory */
    int64_t value[2];           /* submitted and ready tasks; or remote tiles and resident bytes */
};

struct page_kernel {
    char name[24];
    bool on_device;
    int64_t tasks;              /* updates that are merged counted one by one */
    double seconds, flops;
};

struct page_rank {
    int tracks;
    double busy, end;           /* seconds of tasks on all its tracks; the end of the last one */
    double seconds[PAGE_KERNELS], flops[PAGE_KERNELS];
    int64_t tasks[PAGE_KERNELS];
    double waited;              /* of its threads, for tiles of others, */
    double transit;             /*   and how much of it they were on their way */
    double idle;                /* of its threads in all */
    double tiles, work;         /* stored tiles that it owns, as far as they are shown; flops over the mean */
};

/* All tasks with the same args.step. */
struct page_step {
    int64_t tasks;
    double first, median, last; /* when the first, half of the tasks and the last one began, ended, and ended */
    double seconds;             /* of its tasks */
    double chain;               /* of one task of each kind, as long as they are on average: none of these can be at once */
};

/* Owners of the leading tiles, row by row; -1: not stored. */
struct page_layout {
    int mt, nt;                 /* of the matrix; 0: not known */
    int rows, cols;             /* shown */
    int *owner;
};

/* How compressed tiles are kept, row by row: as they were filled, and as factors. */
enum { RANK_DENSE = -1, RANK_NOT_STORED = -2 };
struct page_tile_ranks {
    int block;                  /* tiles that a cell is wide and high, whose mean rank it has; 0: no tile is compressed */
    int largest;                /* of a tile */
    int rows, cols;             /* of cells */
    int *rank[2];               /* [factored] */
};

/* The same of precisions, with the share of a cell's tiles that are in single, in per cent, in the rank's place. */
enum { ALL_IN_SINGLE = 100 };

struct page_data {
    char program[64];           /* that wrote the trace, with its version */
    struct facts facts;
    char *texts;                /* of the facts, where these are read */
    struct page_layout layout;
    struct page_tile_ranks tile_ranks, tile_precisions;
    int *node_of, nodes_known;  /* [rank] */
    int cores;                  /* of a node; 0: not known */

    struct page_kernel kernel[PAGE_KERNELS];
    int kernels;
    struct page_track *track;
    struct page_task *task;
    struct page_wait *wait;
    struct page_fetch *fetch;
    struct page_flow *flow;
    struct page_transfer *transfer;
    struct page_sample *sample;
    struct page_rank *rank;
    struct page_step *step;     /* [steps] */
    int64_t tasks, waits, fetches, flows, transfers, samples;
    int64_t task_room, wait_room, fetch_room, flow_room, sample_room;
    int64_t *sent;              /* [from * ranks + to]: transfers */
    int tracks, ranks, threads, steps;      /* threads: tracks that are none of devices */
    double length;              /* the end of the last task */

    struct page_lookup *lookup; /* while texts are read */
    bool no_memory;
};

struct page_data *page_data_create(void);       /* NULL: no memory */
void page_data_destroy(struct page_data **data);

/* ---- read_trace.c ---------------------------------------------------------------------------------------------------------- */

/* Each takes a text, which it changes. NULL, or where it is wrong; no_memory is for page_data_finish to tell. */
const char *page_read_about(struct page_data *data, char *object);      /* what else a trace carries: see trace_about.h */
const char *page_read_events(struct page_data *data, char *events);     /* elements of a list, commas between them */

/* trace_document.c: a whole trace from a file, finished. 0, or not and one line in text. */
enum { PAGE_TEXT = 512 };
int page_read_trace(const char *path, struct page_data **data, char text[PAGE_TEXT]);
bool page_is_trace(const char *path);       /* or else a file of rows */

/* ---- sum_up.c -------------------------------------------------------------------------------------------------------------- */

/* All is read: puts it in order and sums it up. false: no memory. */
bool page_data_finish(struct page_data *data);
int64_t page_task_count(const struct page_data *data);
int page_nodes(const struct page_data *data);       /* of the ranks, as far as they are known */

#endif
