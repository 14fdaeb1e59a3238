/* What the files of rma/ share. */
#ifndef OMPFACT_RMA_STATE_H
#define OMPFACT_RMA_STATE_H

#include "rma/rma.h"

#include <pthread.h>

enum { RMA_ALIGNMENT = 64 };     /* of tiles and slots in bytes: a cache line, an AVX-512 register */

/* A flag: 0 not final, 1 its owner has it, s + 2 slot s of this rank's parent in the tree has it; of a tile in parts
   1 + rma_part. */
typedef _Atomic uint32_t rma_flag;
_Static_assert(sizeof(rma_flag) == RMA_FLAG_BYTES, "what callers count a flag as");
enum { RMA_OWNER_HAS_IT = 1, RMA_FIRST_SLOT = 2 };
/* Of a sized tile its size is in the last bits. */
static inline uint32_t rma_flag_of(const struct rma_address *tile, uint32_t source, int size)
{
    return tile->column == 0 ? source : source << RMA_SIZE_BITS | (uint32_t)size;
}

/* Memory of a rank of this node as this process sees it; base NULL: it does not. */
struct rma_mapping {
    unsigned char *base;
    size_t bytes;
};

/* What a rank tells the others of its node: where they find its memory, and how they know it. */
struct rma_offer {
    int64_t process, file;      /* file -1: there is no memory */
    uint64_t device, inode;
};

struct rma_space {
    struct rma *rma;
    MPI_Win window;             /* MPI_WIN_NULL where nobody reads through one */
    bool letters;               /* what goes to other nodes goes by letters; a window is this node's alone */
    unsigned char *board;       /* rma_flag[tile id]: of this rank's tiles, and of those that are published to it */
    struct rma_mapping *peer;   /* [rank]: the memory, from its board on, of a rank whose tiles are read in place */
    double register_s;          /* seconds that making the window took */
    MPI_Aint first;             /* where the tiles begin, in every rank's window */
    size_t bytes;               /* of this rank's tiles */
    int64_t tiles;
    int tile_rows, tile_columns;
    bool settled;
    bool sums;                  /* the board holds struct rma_word */
};

/* The cache of remote tiles: see cache.c. */
enum { RMA_STEPS = 2 };

/* What the submitting thread holds for one step: its table, tile -> slot, and the slots taken. */
struct rma_step {
    struct rma_table *table;
    struct rma_slot **held;
    int held_count;
};

struct rma_cache {
    struct rma *rma;
    int slots;
    int *child;                         /* [slot][most_children]: where tiles go on to */
    size_t most_children;
    atomic_int in_use;                  /* copies */
    int peak;                           /* written by the submitting thread */
    struct rma_slot *slot;
    struct rma_step step[RMA_STEPS];
    char *data;                         /* bytes of it, for all slots */
    size_t bytes, slot_bytes;
    struct rma_slot *free;              /* for the submitting thread */
    _Atomic(struct rma_slot *) freed;   /* pushed by any thread, taken all at once by the submitting one */
    /* where it forwards: */
    struct rma_space *space;            /* the data, and a board of acks; NULL where it does not */
    rma_flag *acks;                     /* [rma_ack_of(slot, near)]: children that have read it, or given it back */
    struct rma_slot *lent;              /* slots whose children read them; under the lock */
    _Atomic(struct rma_slot *) to_return;       /* slots that were lent to this rank, and may go back: pushed by any thread */
};

/* Where a slot's acknowledgements are counted: those of ranks that map it, which add by themselves, and those of others, which
   MPI adds, apart: it promises no atomicity beside the processor's own additions (MPI 4.0, section 12.7.1). */
static inline int64_t rma_ack_of(int64_t slot, bool near)
{
    return 2 * slot + near;
}

/* Silence on this rank: when something moved last, and when the next complaint is due. Under the lock, but for `calls`. */
struct rma_watch {
    double limit, last_move, next_complaint, next_look;     /* seconds; clock of MPI_Wtime */
    unsigned polls;
    atomic_int calls;           /* of all ranks, that this one has come to outside runs, */
    atomic_bool in_call;        /*   and is in one now */
    /* Its neighbour: neighbour.c. */
    bool asked;                 /* and not answered yet */
    double asked_at, heard_of;  /* when the last question was asked, and the last one that it answered */
    int calls_of_neighbour;     /* when it answered last */
    MPI_Request question, answer;
    int nothing, told;          /* what they send */
};

/* How many of its children have read the slot, or given it back. */
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

/* A flag and its sum are read and written as one. sums.c */
size_t rma_word_bytes(const struct rma_space *space);
struct rma_word rma_word_read(const struct rma_space *space, unsigned char *board, int64_t id);
void rma_word_write(const struct rma_space *space, unsigned char *board, int64_t id, struct rma_word word);
/* The sum of a tile of this rank, never 0 but where no sums are kept, */
uint32_t rma_sum_of_tile(const struct rma_address *tile);
/* and of its units that the part has. */
uint32_t rma_sum_of_part(const struct rma_address *tile, uint32_t part);

/* What a rank of another node is told by a message where no window spans nodes: by_letter.c. */
enum rma_letter_kind { RMA_LETTER_FLAG, RMA_LETTER_READ, RMA_LETTER_ACK };
struct rma_letter {
    _Alignas(8) struct rma_word word;   /* of a flag; it may travel as one number */
    int32_t kind, run;          /* which of the machinery's runs */
    int32_t space;              /* which of the run's; -1: the cache's */
    int64_t at;                 /* the tile's id; of a read bytes from the start of the tiles; of an acknowledgement the slot */
    int64_t bytes;              /* of a read */
};

/* Something small that has been sent, and lives until MPI has taken it: posts.c */
struct rma_post {
    struct rma_post *next;
    MPI_Request request;
    struct rma_letter letter;
};
struct rma_posts {
    struct rma_post *sent, *spare;
    struct rma_post reserve;    /* where there is no memory for another one */
};

/* How far ranks are: shares.c. */
struct rma_shares {
    _Atomic double own;
    _Atomic double *told;       /* [rank], of the first rank; NULL: nobody tells */
    double sending;             /* what left last, */
    MPI_Request request;        /*   and may be on its way */
    int last;                   /* ranks whose last message is here */
};

struct rma {
    MPI_Comm comm, node;        /* all ranks; those that share this rank's memory */
    int rank, ranks, ranks_on_node;
    struct rma_nodes nodes;
    enum rma_bcast bcast;       /* as asked for; nodes.bcast as it is in this run */
    enum rma_between between;
    int reads_proceed;          /* as rma_reads_proceed() has it */
    int *node_of;               /* its */
    int most_on_node;           /* ranks of the fullest node */
    int *place_on_node;         /* [rank]: its rank among those of its node */
    struct rma_offer *offers;   /* [place on node]: room for rma_share */

    /* Written by any thread, drained by the holder of the lock. */
    _Atomic(struct rma_publication *) published;
    _Atomic(struct rma_slot *) wanted;
    /* Written by the holder of the lock, drained by any thread. */
    _Atomic(struct rma_slot *) arrived;

    atomic_flag lock;
    /* While a run is open the rest is touched under the lock alone; `error` is atomic. */
    struct rma_posts posts;
    struct rma_letters *letters;                /* NULL: there are none; beside one-sided reads they are for sparse spaces */
    struct rma_slot *waiting;                   /* not yet published, or no read free; the most urgent first */
    MPI_Request request[RMA_READS];
    struct rma_slot *reading[RMA_READS];
    int reads;
    MPI_Request closing;
    bool closing_started, closed;
    struct rma_space *const *spaces;            /* of the open run */
    int space_count;
    struct rma_cache *cache;                    /* that forwards, or NULL */
    int run;                                    /* how many there have been */
    bool needs_mpi;                             /* some ranks' tiles are not read in place */
    bool one_thread_calls;                      /* MPI's level is below MPI_THREAD_SERIALIZED: in a run only its */
    pthread_t opener;                           /*   opener may enter MPI */
    bool sums;                                  /* new spaces keep them */
    struct rma_counters counters;
    struct rma_shares shares;
    struct rma_talk *talk;                      /* NULL: there is none */
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

/* What the window's owner has stored is there for others, and the reverse (MPI 4.0, section 12.5.4).
   Nothing where there is no window. */
int rma_space_sync(const struct rma_space *space);
/* Completes what was sent through the window: waits until its targets poll. Nothing where there is none. */
int rma_space_flush(const struct rma_space *space);
/* A space of which little is used, or that ranks of this node alone read, in place; or both. Collective. */
struct rma_use {
    bool sparse, on_node;
};
int rma_space_create_for(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_use use,
                         struct rma_space **space);
/* The machinery can send letters from now on; does nothing where it can already. Collective. by_letter.c */
int rma_letters_create(struct rma *rma);
void rma_letters_destroy(struct rma *rma);

/* MPI_Allreduce in place, and `bytes` bytes of every rank of comm, in their order. Both poll. */
int rma_reduce_over(struct rma *rma, MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op);
int rma_allgather(struct rma *rma, MPI_Comm comm, const void *mine, void *all, size_t bytes);

/*
 * Memory of `bytes` bytes on this rank, zeroed, that the ranks of its node see: peer[rank] of each of them. Collective over the
 * node; the results may differ. *file: to be closed, if not -1, when all ranks have returned.
 * MPI_ERR_RMA_SHARED: this node's ranks cannot see each other's memory.
 */
int rma_share(struct rma *rma, size_t bytes, bool sparse, struct rma_mapping *peer, int *file);
void rma_unshare(struct rma_mapping *peer, int ranks);
/* Large pages for large memory: fewer misses of the address cache. */
void rma_advise_huge(void *memory, size_t bytes);
/* Small ones for memory of which little is touched. */
void rma_advise_sparse(void *memory, size_t bytes);

/* Keeps those of the readers that do not read the owner's tiles in place; returns how many. routes.c */
int rma_far_readers(const struct rma_nodes *nodes, int owner, int *readers, int count);
/* Keeps one of the readers of each far node, the tile's head there; returns how many. routes.c */
int rma_heads(const struct rma_nodes *nodes, const struct rma_address *tile, int *readers, int count);

/* The first error that is noted ends the run. publish.c */
void rma_note_error(struct rma *rma, int code);

/* Collective, outside runs. selftest.c, probe.c */
int rma_selftest(struct rma *rma, char *text, size_t text_size);
int rma_probe(struct rma *rma);
/* Before a run. watch.c, shares.c */
void rma_watch_reset(struct rma *rma);
void rma_shares_reset(struct rma *rma);

/* ---- under the lock ----------------------------------------------------------------------------------------------------- */

/* Sends what is on the list: with jitter some of it, or all. True if there was any. publish.c */
bool rma_send_flags(struct rma *rma, bool all);
/* With jitter, is this to wait for another poll? publish.c */
bool rma_postponed(struct rma *rma, int64_t id);
/* How far ranks are; whether all has been told, after this rank has begun to close. shares.c */
void rma_shares_progress(struct rma *rma);
bool rma_shares_are_quiet(struct rma *rma);
/* Starts what is to be told, and looks whether all have said theirs. talk.c */
void rma_talk_progress(struct rma *rma);
bool rma_talk_is_open(const struct rma *rma);      /* this rank has said its words, and has not heard all others' */
/* The three operations between two ranks: carry.c. A flag: *word is a struct rma_word, or a flag alone where no sums are kept;
   it lives until the run closes, or all who are told of it have acknowledged it, or else is posted. */
int rma_tell(const struct rma_space *space, int rank, int64_t id, const void *word, bool lives);
/* Starts the read of `bytes` bytes, disp bytes after the start of that rank's tiles, of a rank that is not read in place. */
int rma_read(const struct rma_space *space, int rank, MPI_Aint disp, void *data, int bytes, MPI_Request *request);
/* Of a slot of that rank's cache. */
int rma_acknowledge(const struct rma_cache *cache, int rank, int64_t slot);
/* Something to be posted, with room for a letter; to be handed to rma_posted when MPI has it. posts.c */
struct rma_post *rma_post_take(struct rma *rma);
void rma_posted(struct rma *rma, struct rma_post *post);
void rma_posts_progress(struct rma *rma);
void rma_posts_forget(struct rma *rma);     /* the memory of those that are not on their way; where all is quiet */
/* Sends the letter; receives and answers what has come. by_letter.c */
int rma_letter_send(struct rma *rma, int rank, struct rma_letter letter);
int rma_letter_expect(struct rma *rma, int rank, void *data, int bytes, MPI_Request *request);
bool rma_letters_progress(struct rma *rma);
/* All that this rank has sent, and was to answer, has left. */
bool rma_posts_are_quiet(const struct rma *rma);
bool rma_letters_are_quiet(const struct rma *rma);
/* Starts the read of a published slot from where its flag says. */
int rma_slot_read(struct rma *rma, struct rma_slot *slot, MPI_Request *request);
/* The slot has its tile: acknowledges it to its parent, tells its children. */
int rma_slot_pass_on(struct rma *rma, struct rma_slot *slot);
/* Points a slot that is lent to the parent's, as its flag says. */
void rma_slot_find_borrowed(const struct rma *rma, struct rma_slot *slot);
/* Lets go of slots whose children have all read them. True if any. */
bool rma_slots_collect(struct rma *rma);
/* Gives back those that were lent to this rank. True if any. */
bool rma_slots_return(struct rma *rma);

/* Onto a list that any thread may push to. */
static inline void rma_push_slot(_Atomic(struct rma_slot *) *list, struct rma_slot *slot)
{
    slot->next = atomic_load_explicit(list, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(list, &slot->next, slot, memory_order_release, memory_order_relaxed))
        ;
}

/* Outside the lock, before it is taken: may this thread, now that a run is open, call MPI? */
static inline bool rma_may_call(const struct rma *rma)
{
    return !rma->one_thread_calls || pthread_equal(rma->opener, pthread_self());
}

/* After a poll: answers who asks whether this rank is there, and complains on stderr after a long silence. watch.c */
void rma_watch(struct rma *rma, bool moved);

/* The rank that this one asks whether it is there; the question, if none is under way; what has come from both neighbours. The
   last one outside runs, when all ranks have come to the end: lets questions and answers arrive. neighbour.c */
int rma_neighbour(const struct rma *rma);
void rma_neighbour_ask(struct rma *rma, double now);
void rma_neighbour_answer(struct rma *rma);
void rma_neighbour_part(struct rma *rma);

#endif
