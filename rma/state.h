/* Data structures and functions that the files of rma/ share. */
#ifndef OMPFACT_RMA_STATE_H
#define OMPFACT_RMA_STATE_H

#include "rma/rma.h"

#include <pthread.h>

enum { RMA_ALIGNMENT = 64 };     /* alignment of tiles and slots in bytes: a cache line, an AVX-512 register */

/* A flag. 0: not final. 1: read the tile from its owner. s + 2: read it from slot s of this rank's parent in the tree. Of a
   tile in parts: 1 + rma_part(). */
typedef _Atomic uint32_t rma_flag;
_Static_assert(sizeof(rma_flag) == RMA_FLAG_BYTES, "what callers count a flag as");
enum { RMA_OWNER_HAS_IT = 1, RMA_FIRST_SLOT = 2 };
/* The flag of a sized tile carries the size in its last bits. */
static inline uint32_t rma_flag_of(const struct rma_address *tile, uint32_t source, int size)
{
    return tile->column == 0 ? source : source << RMA_SIZE_BITS | (uint32_t)size;
}

/* Memory of a rank of this node as this process maps it; base NULL: not mapped. */
struct rma_mapping {
    unsigned char *base;
    size_t bytes;
};

/* What a rank sends to the others of its node so that they can map its memory and verify that they have mapped the right
   file. */
struct rma_offer {
    int64_t process, file;      /* file -1: there is no memory */
    uint64_t device, inode;
};

struct rma_space {
    struct rma *rma;
    MPI_Win window;             /* MPI_WIN_NULL: nobody reads through a window */
    bool by_messages;               /* transfers to other nodes use messages; a window, if any, spans this node alone */
    unsigned char *board;       /* rma_flag[tile id]: of tiles of this rank, and of tiles published to this rank */
    struct rma_mapping *peer;   /* [rank]: the mapped memory, from its board on, of a rank whose tiles are read in place */
    double register_s;          /* seconds to create the window */
    MPI_Aint first;             /* offset of the tiles in the window of every rank */
    size_t bytes;               /* size of the tiles of this rank */
    int64_t tiles;
    int tile_rows, tile_columns;
    bool settled;
    bool sums;                  /* the board holds struct rma_word, not plain flags */
};

/* The cache of remote tiles: see cache.c. */
enum { RMA_STEPS = 2 };

/* What the submitting thread holds for one step: a table from tiles to slots, and the slots taken. */
struct rma_step {
    struct rma_table *table;
    struct rma_slot **held;
    int held_count;
};

struct rma_cache {
    struct rma *rma;
    int slots;
    int *child;                         /* [slot][most_children]: the children of each slot */
    size_t most_children;
    atomic_int in_use;                  /* slots with copies */
    int peak;                           /* written by the submitting thread */
    struct rma_slot *slot;
    struct rma_step step[RMA_STEPS];
    char *data;                         /* memory of all slots, `bytes` bytes */
    size_t bytes, slot_bytes;
    struct rma_slot *free;              /* of the submitting thread */
    _Atomic(struct rma_slot *) freed;   /* pushed by any thread, taken as a whole by the submitting thread */
    /* of a cache that forwards: */
    struct rma_space *space;            /* has the data, and a board of acknowledgements; NULL: does not forward */
    rma_flag *acks;                     /* [rma_ack_of(slot, near)]: children that have acknowledged the slot */
    struct rma_slot *forwarded;              /* slots that children still read; under the lock */
    _Atomic(struct rma_slot *) to_return;       /* slots of the parent that this rank no longer needs and must acknowledge:
                                                   pushed by any thread */
};

/* The index of a slot's counter of acknowledgements. There are two counters: ranks that map the memory add to one themselves,
   MPI adds to the other for all other ranks. MPI promises no atomicity between its accumulates and additions of the processor
   (MPI 4.0, section 12.7.1). */
static inline int64_t rma_ack_of(int64_t slot, bool near)
{
    return 2 * slot + near;
}

/* The watchdog of this rank: when something moved last, and when to print next. Under the lock, except `calls` and `in_call`. */
struct rma_watch {
    double limit, last_move, next_complaint, next_check;     /* seconds, by MPI_Wtime */
    unsigned polls;
    atomic_int calls;           /* collective calls outside runs that this rank has entered */
    atomic_bool in_call;        /* this rank is in a collective call */
    /* Pings to the next rank: ping.c. */
    bool ping_open;                 /* a ping has no reply yet */
    double ping_time, pong_time;  /* when the last ping was sent, and the last ping that got a reply */
    int calls_of_target;     /* `calls` of the next rank, from its last reply */
    MPI_Request ping, pong;
    int ping_value, pong_value; /* buffers of the two sends */
};

/* The number of children that have acknowledged the slot. */
static inline uint32_t rma_acks(const struct rma_cache *c, const struct rma_slot *s)
{
    int64_t slot = s - c->slot;
    return atomic_load_explicit(&c->acks[rma_ack_of(slot, false)], memory_order_acquire) +
           atomic_load_explicit(&c->acks[rma_ack_of(slot, true)], memory_order_acquire);
}

static inline rma_flag *rma_board(unsigned char *board)
{
    return (rma_flag *)(void *)board;
}

/* Entries of a board: a flag and its checksum are read and written as one. sums.c */
size_t rma_word_bytes(const struct rma_space *space);
struct rma_word rma_word_read(const struct rma_space *space, unsigned char *board, int64_t id);
void rma_word_write(const struct rma_space *space, unsigned char *board, int64_t id, struct rma_word word);
/* The checksum of a tile of this rank, or of the units in one part; 0 only without checksums. */
uint32_t rma_sum_of_tile(const struct rma_address *tile);
uint32_t rma_sum_of_part(const struct rma_address *tile, uint32_t part);

/* A message to a rank of another node, where no window spans nodes: by_message.c. */
enum rma_message_kind { RMA_MESSAGE_FLAG, RMA_MESSAGE_READ, RMA_MESSAGE_ACK };
struct rma_message {
    _Alignas(8) struct rma_word word;   /* of a flag; may be sent as one number */
    int32_t kind, run;          /* number of the run (rma.run) */
    int32_t space;              /* index among the spaces of the run; -1: the cache */
    int64_t at;                 /* flag: the tile's id; read: offset from the start of the tiles; acknowledgement: the slot */
    int64_t bytes;              /* read: its size */
};

/* A small buffer that has been sent and lives until MPI has read it: posts.c */
struct rma_post {
    struct rma_post *next;
    MPI_Request request;
    struct rma_message message;
};
struct rma_posts {
    struct rma_post *sent, *spare;
    struct rma_post reserve;    /* used when malloc fails */
};

/* Progress reports to the first rank: shares.c. */
struct rma_shares {
    _Atomic double own;
    _Atomic double *reported;       /* [rank], on the first rank; NULL: reports are off */
    double sending;             /* the buffer of the last send */
    MPI_Request request;        /* of the last send */
    int last;                   /* ranks whose final report has arrived */
};

/* Messages in place of one-sided operations: by_message.c */
struct rma_messages {
    MPI_Comm comm;
    MPI_Request *reply;         /* [replies]: replies in flight */
    int replies, room;
};

/* An all-gather while a run is open: gather.c */
enum gather_state { GATHER_IDLE, GATHER_REQUESTED, GATHER_IN_FLIGHT };

struct rma_gather {
    struct rma *rma;
    MPI_Comm comm;
    MPI_Request request;
    int words;                      /* words of one rank */
    int64_t *mine, *all;            /* [words], [rank][words] */
    atomic_int state;
    unsigned polls;
    atomic_int pending;                /* requests announced by a gather and not received; negative: received and not yet
                                          announced */
};

struct rma {
    MPI_Comm comm, node;        /* all ranks; the ranks that share memory with this rank */
    int rank, ranks, ranks_on_node;
    struct rma_nodes nodes;
    enum rma_bcast bcast;       /* as passed to rma_create; nodes.bcast is the value for this run */
    enum rma_between between;
    int reads_proceed;          /* the result of rma_reads_proceed() */
    int *node_of;               /* memory of nodes.node_of */
    int most_on_node;           /* ranks on the node with the most ranks */
    int *place_on_node;         /* [rank]: its rank among those of its node */
    struct rma_offer *offers;   /* [place on node]: a buffer for rma_share */

    /* Written by any thread, drained by the holder of the lock. */
    _Atomic(struct rma_publication *) published;
    _Atomic(struct rma_slot *) wanted;
    /* Written by the holder of the lock, drained by any thread. */
    _Atomic(struct rma_slot *) arrived;

    atomic_flag lock;
    /* While a run is open, a thread touches the rest only under the lock; `error` is atomic. */
    struct rma_posts posts;
    struct rma_messages *messages;               /* NULL: not created; together with one-sided reads they serve sparse spaces */
    struct rma_slot *waiting;                   /* requested, not yet published or no read free; the most urgent first */
    MPI_Request request[RMA_READS];
    struct rma_slot *reading[RMA_READS];
    int reads;
    MPI_Request closing;
    bool closing_started, closed;
    struct rma_space *const *spaces;            /* spaces of the open run */
    int space_count;
    struct rma_cache *cache;                    /* the forwarding cache, or NULL */
    int run;                                    /* number of the open run, from 1 */
    bool needs_mpi;                             /* the tiles of some ranks are not read in place */
    bool one_thread_calls;                      /* MPI's thread level is below MPI_THREAD_SERIALIZED: in a run only `opener`
                                                   may enter MPI */
    pthread_t opener;                           /* the thread that opened the run */
    bool sums;                                  /* new spaces have checksums */
    struct rma_counters counters;
    struct rma_shares shares;
    struct rma_gather *gather;                      /* NULL: none */
    struct rma_watch watch;
    int jitter;
    unsigned jitter_state;
    atomic_int error;
};

#define RMA_TRY(call)                                                                                                           \
    do {                                                                                                                        \
        int rma_try_code = (call);                                                                                              \
        if (rma_try_code != MPI_SUCCESS)                                                                                        \
            return rma_try_code;                                                                                                \
    } while (0)

/* Makes stores of the window's owner visible to others, and the reverse (MPI 4.0, section 12.5.4). Does nothing without a
   window. */
int rma_space_sync(const struct rma_space *space);
/* Completes all accumulates through the window; waits until the targets poll. Does nothing without a window. */
int rma_space_flush(const struct rma_space *space);
/* How a space is used. sparse: only little of it is touched. on_node: only ranks of this node read it, in place. Collective. */
struct rma_use {
    bool sparse, on_node;
};
int rma_space_create_for(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_use use,
                         struct rma_space **space);
/* Creates the communicator for messages, unless it exists. Collective. messages_create.c */
int rma_messages_create(struct rma *rma);
void rma_messages_destroy(struct rma *rma);

/* MPI_Allreduce in place; MPI_Allgather of `bytes` bytes of every rank of comm. Both poll. */
int rma_reduce_over(struct rma *rma, MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op);
int rma_allgather(struct rma *rma, MPI_Comm comm, const void *mine, void *all, size_t bytes);

/*
 * Makes zeroed memory of `bytes` bytes on this rank and maps the memory of the other ranks of its node: peer[rank]. Collective
 * over the node; results may differ between ranks. *file: if not -1, to be closed when all ranks have returned.
 * MPI_ERR_RMA_SHARED: the ranks of this node cannot map each other's memory.
 */
int rma_share(struct rma *rma, size_t bytes, bool sparse, struct rma_mapping *peer, int *file);
void rma_unshare(struct rma_mapping *peer, int ranks);
/* Asks for small pages, for memory of which little is touched. */
void rma_advise_sparse(void *memory, size_t bytes);

/* Keeps the readers that do not read the owner's tiles in place; returns their number. routes.c */
int rma_far_readers(const struct rma_nodes *nodes, int owner, int *readers, int count);
/* Keeps one reader of each far node, the head of the tile there; returns their number. routes.c */
int rma_heads(const struct rma_nodes *nodes, const struct rma_address *tile, int *readers, int count);

/* Records an error; the first one ends the run. */
static inline void rma_note_error(struct rma *rma, int code)
{
    int none = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        atomic_compare_exchange_strong(&rma->error, &none, code);
}

void rma_sleep(long microseconds);     /* back_off.c */

/* Collective, outside runs. selftest.c, probe.c */
int rma_selftest(struct rma *rma, char *text, size_t text_size);
int rma_probe(struct rma *rma);
/* Before a run. watch.c, shares.c */
void rma_watch_reset(struct rma *rma);
void rma_shares_reset(struct rma *rma);

/* ---- under the lock ----------------------------------------------------------------------------------------------------- */

/* Sends the queued flags: all of them, or with jitter some. Returns true if there was any. publish.c */
bool rma_send_flags(struct rma *rma, bool all);
/* Whether, with jitter, this tile is postponed to another poll. publish.c */
bool rma_postponed(struct rma *rma, int64_t id);
/* Sends and receives progress reports; whether all reports have arrived, once this rank has begun to close. shares.c */
void rma_shares_progress(struct rma *rma);
bool rma_shares_are_quiet(struct rma *rma);
/* Starts a requested gather and tests whether it is complete. gather.c */
void rma_gather_progress(struct rma *rma);
bool rma_gather_is_open(const struct rma *rma);      /* begun on this rank, and incomplete */
/* The three operations between two ranks: carry.c. A flag: *word is a struct rma_word, or a plain flag without checksums.
   lives: *word lives until the run closes or all readers have acknowledged it; otherwise it is copied into a post. */
int rma_set_flag(const struct rma_space *space, int rank, int64_t id, const void *word, bool lives);
/* Starts a read of `bytes` bytes at offset disp of the tiles of a rank that is not read in place. */
int rma_read(const struct rma_space *space, int rank, MPI_Aint disp, void *data, int bytes, MPI_Request *request);
/* Acknowledges a slot in the cache of that rank. */
int rma_acknowledge(const struct rma_cache *cache, int rank, int64_t slot);
/* Takes a free post; the caller passes it to rma_posted() once MPI has its buffer. posts.c */
struct rma_post *rma_post_take(struct rma *rma);
void rma_posted(struct rma *rma, struct rma_post *post);
void rma_posts_progress(struct rma *rma);
void rma_posts_free(struct rma *rma);     /* frees the posts that are not in flight; only when none is */
/* Sends a message; prepares for the reply to a read; receives messages and replies to them. by_message.c */
int rma_message_send(struct rma *rma, int rank, struct rma_message message);
int rma_reply_receive(struct rma *rma, int rank, void *data, int bytes, MPI_Request *request);
bool rma_messages_progress(struct rma *rma);
/* Whether all posts, messages and replies of this rank have left. */
bool rma_posts_are_quiet(const struct rma *rma);
bool rma_messages_are_quiet(const struct rma *rma);
/* Starts the read of a published slot from the place that its flag names. */
int rma_slot_read(struct rma *rma, struct rma_slot *slot, MPI_Request *request);
/* Called when the slot has its tile: acknowledges it to its parent and sets the flags of its children. */
int rma_slot_pass_on(struct rma *rma, struct rma_slot *slot);
/* Sets parent_data of a slot whose tile is read in a slot of the parent. */
void rma_slot_find_in_parent(const struct rma *rma, struct rma_slot *slot);
/* Releases slots that all children have acknowledged. True if any. */
bool rma_slots_collect(struct rma *rma);
/* Acknowledges the parent's slots that this rank no longer needs. True if any. */
bool rma_slots_return(struct rma *rma);

/* Pushes a slot onto a list; any thread may. */
static inline void rma_push_slot(_Atomic(struct rma_slot *) *list, struct rma_slot *slot)
{
    slot->next = atomic_load_explicit(list, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(list, &slot->next, slot, memory_order_release, memory_order_relaxed))
        ;
}

/* Whether this thread may call MPI now that a run is open. To be tested before the lock is taken. */
static inline bool rma_may_call(const struct rma *rma)
{
    return !rma->one_thread_calls || pthread_equal(rma->opener, pthread_self());
}

/* After a poll: replies to pings, and prints on stderr after a long silence. watch.c */
void rma_watch(struct rma *rma, bool moved);

/* The rank that this rank pings; sends a ping unless one is open; receives pings and replies. Drain: outside runs, when all
   ranks have ended, completes all pings and replies. ping.c */
int rma_ping_target(const struct rma *rma);
void rma_ping_send(struct rma *rma, double now);
void rma_ping_poll(struct rma *rma);
void rma_ping_drain(struct rma *rma);

#endif
