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
    int64_t first, tasks;       /* range in page_data.task */
    int64_t first_wait, waits;  /* range in page_data.wait */
    double busy;                /* seconds of its tasks */
};

struct page_task {
    double start, end, flops;
    int track, kernel;
    int i, j, step, updates;
};

/* A time without a ready task, until there is one or until the end. */
struct page_wait {
    double start, end;
    int track, from;            /* the rank whose tile ended the wait; -1: no tile */
    double transit;             /* the part of it in which that tile was final and in flight */
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
    bool of_tasks;              /* otherwise of memory */
    int64_t value[2];           /* submitted and ready tasks; or remote tiles and resident bytes */
};

struct page_kernel {
    char name[24];
    bool on_device;
    int64_t tasks;              /* merged updates count one by one */
    double seconds, flops;
};

struct page_rank {
    int tracks;
    double busy;                /* seconds of tasks on all its tracks */
    double seconds[PAGE_KERNELS], flops[PAGE_KERNELS];
    int64_t tasks[PAGE_KERNELS];
    double tiles, work;         /* stored tiles that it owns, among those shown; flops over the mean */
};

/* All tasks with the same args.step. */
struct page_step {
    int64_t tasks;
    double first, median, last; /* the start of the first task, the end of half of the tasks, and the end of the last */
    double chain;               /* one task of each kind, of mean length: no two of these can run at once */
};

/* Owners of the leading tiles, row by row, layer after layer; -1: not stored. */
struct page_layout {
    int mt, nt;                 /* of the matrix; 0: not known */
    int rows, cols, layers;     /* shown */
    int *owner;
};
static inline int page_owners(const struct page_layout *l)
{
    return l->layers * l->rows * l->cols;
}

/* Forms of compressed tiles, row by row: after filling, and of the factors. */
enum { RANK_DENSE = -1, RANK_NOT_STORED = -2 };
struct page_tile_ranks {
    int block;                  /* width and height of a cell in tiles; a cell has their mean rank; 0: no tile is compressed */
    int largest;                /* of a tile */
    int rows, cols;             /* of cells */
    int *rank[2];               /* [factored] */
};

/* The same for precisions: instead of a rank, the share of a cell's tiles in single precision, in per cent. */
enum { ALL_IN_SINGLE = 100 };

struct page_data {
    char program[64];           /* the program that wrote the trace, with its version */
    struct facts facts;
    char *texts;                /* of the facts, which point into it */
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
    int tracks, ranks, threads, steps;      /* threads: tracks that are not of devices */
    double length;              /* the end of the last task */

    struct page_lookup *lookup; /* only while texts are read */
    bool no_memory;
};

struct page_data *page_data_create(void);       /* NULL: no memory */
void page_data_destroy(struct page_data **data);

/* ---- read_trace.c ---------------------------------------------------------------------------------------------------------- */

/* Each function reads a text, which it changes. Returns NULL, or the place of an error; page_data_finish reports no_memory. */
const char *page_read_about(struct page_data *data, char *object);      /* other data of a trace: see trace_about.h */
const char *page_read_events(struct page_data *data, char *events);     /* elements of a list, separated by commas */

/* trace_document.c: reads a whole trace from a file and finishes. Returns 0, or not 0 and one line in text. */
enum { PAGE_TEXT = 512 };
int page_read_trace(const char *path, struct page_data **data, char text[PAGE_TEXT]);
bool page_is_trace(const char *path);       /* otherwise a file of rows */

/* ---- sum_up.c -------------------------------------------------------------------------------------------------------------- */

/* Sorts and sums the data after the last text. false: no memory. */
bool page_data_finish(struct page_data *data);
int64_t page_task_count(const struct page_data *data);
int page_nodes(const struct page_data *data);       /* the number of nodes of the ranks, as far as known */

#endif
