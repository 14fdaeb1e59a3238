/*
 * Tiles of other ranks: how an owner publishes a tile, how readers read it, and how the memory of copies is freed again.
 *
 *   owner                           reader (the head of its node)       child: a reader further down the tree or on its node
 *
 *   stores the tile, window sync
 *   rma_publish: flag ------------> sees the flag in its own board
 *                                   (acquire, window sync)
 *                     <------------ reads the tile into a slot
 *                                   window sync, flag ----------------> sees the flag
 *                                   arrived(slot)      <--------------- reads the tile out of that slot
 *                                                      <--------------- acknowledges the read
 *                                   the slot is free                    arrived(slot)
 *
 * The protocol has three operations (carry.c). Each one has three implementations:
 *
 *                      memory that both map        a window                      messages (no window spans nodes)
 *   flag               store (release)             MPI_Accumulate(MPI_REPLACE)   a message
 *   read               none, the tile is there     MPI_Rget                      a request, and a reply with the bytes
 *   acknowledgement    atomic addition             MPI_Accumulate(MPI_SUM)       a message
 *
 * Ranks of one node map each other's memory and read tiles in place. With in_place off they copy tiles through windows, as ranks
 * of different nodes do. A tile crosses to a node once (routes.c): one reader of the node, the head, reads the tile from its
 * owner or, down a tree, from the slot of another head. The other readers of the node read the tile in place in the slot of
 * their head. A tile that is read in place from its owner has one flag for all readers, in the board of the owner.
 *
 * On networks with RDMA the network card does a read, so the read proceeds while the owner of the tile computes. Where MPI
 * emulates reads, the polls of the owner do them. probe.c proves which of the two holds. Messages (by_message.c) serve MPI
 * libraries whose windows span no nodes.
 *
 * Invariants
 *   - Only tasks of the owner write a tile of a matrix. After its publication nobody writes the tile until the closing barrier of
 *     the run. A reader reads a tile only after it has seen the flag.
 *   - Only reads move the bytes of a tile. When the request of a read completes, all bytes have arrived (MPI 4.0, section
 *     12.3.5). A put has no such completion at its target, and nothing orders the bytes of a put, or a put and a flag.
 *   - A flag is written once: by the rank from which the reader reads the tile, or in place by the owner. The holder of the board
 *     zeroes the flag before the opening barrier of the run.
 *   - The origin buffer of an accumulate lives until MPI has read the buffer. It is the owner's own board, a slot (until its
 *     children have acknowledged it), or a post (posts.c).
 *   - Every MPI call inside a run is made under the lock of struct rma: one thread at a time is in MPI.
 *   - No call in a run blocks: nothing is flushed before rma_close, and reads are tested. All waiting is polling that yields, and
 *     every rank polls until rma_close returns true, which means that all ranks are done. Accumulates, messages and emulated
 *     reads proceed only while their target polls (MPI 4.0, section 12.7.3, lets an implementation require it).
 *
 * This folder knows no layouts, kernels or teams of threads. Functions return 0 or an MPI error code unless stated otherwise.
 */
#ifndef OMPFACT_RMA_RMA_H
#define OMPFACT_RMA_RMA_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- struct rma: the state of one communicator ---------------------------------------------------------------------------- */

struct rma;

/* How a tile gets to many other nodes: each node reads it from the owner (flat), each from the one before (chain), or by a
   binomial tree. RMA_AUTO: rma_suit() decides for each run. */
enum rma_bcast { RMA_AUTO, RMA_FLAT, RMA_CHAIN, RMA_BINOMIAL };

/* The transport of tiles between nodes. */
enum rma_between { RMA_ONE_SIDED, RMA_MESSAGES };

/* RMA_READS: reads of tiles that a rank may have in flight at once. RMA_READS_OF_ONE: of these, reads from one rank of
   another node where that rank itself does the reads; a tile that becomes more urgent then waits for at most one other. */
enum { RMA_READS = 16, RMA_READS_OF_ONE = 1 };

/* The nodes of all ranks, and the kind of tree: routes depend on nothing else, so plans compute the same routes without MPI. */
struct rma_nodes {
    int rank, ranks;            /* this rank; the number of ranks */
    const int *node_of;         /* [rank]: its node, 0 .. count-1, in the order of the lowest ranks; NULL: each rank is a node */
    int count;
    bool in_place;              /* ranks of one node read each other's tiles in place */
    enum rma_bcast bcast;       /* RMA_AUTO: a binomial tree */
};

/*
 * Collective. Duplicates comm with MPI_ERRORS_RETURN. Then every rank reads one word from every other rank the way it will
 * read tiles. This tests flags and reads, and it sets up the connections between nodes while all ranks are in MPI (later, MPI
 * would set them up lazily and wait for a target that computes). in_place: ranks of one node read each other's tiles in place;
 * if some cannot map each other's memory (containers), all copy. between: RMA_ONE_SIDED becomes RMA_MESSAGES where MPI makes
 * no window that spans nodes. On several nodes a probe follows (probe.c), of at most 35 ms. On failure `text` describes what
 * did not work.
 */
int rma_create(MPI_Comm comm, bool in_place, enum rma_bcast bcast, enum rma_between between, struct rma **rma, char *text,
               size_t text_size);
/* Collective. Drains MPI before it returns: over TCP, MPI_Finalize hung when the program called it too soon after one-sided
   traffic. */
void rma_destroy(struct rma **rma);

int rma_rank(const struct rma *rma);
int rma_ranks(const struct rma *rma);
int rma_ranks_on_node(const struct rma *rma);       /* ranks that share memory with this rank */
bool rma_in_place(const struct rma *rma);           /* ranks of one node read each other's tiles in place */
enum rma_between rma_between(const struct rma *rma);
/* Whether reads proceed while their target is outside MPI. 1: a probe has proved it on every rank. 0: no proof, or tiles
   travel by messages. -1: there is one node. */
int rma_reads_proceed(const struct rma *rma);
bool rma_copies(const struct rma *rma);             /* this rank copies the tiles of some ranks; it does not read them in
                                                       place */
MPI_Comm rma_comm(const struct rma *rma);
const struct rma_nodes *rma_nodes(const struct rma *rma);
/* Sets the tree of the next runs if rma_create() got RMA_AUTO. Outside runs; the same on every rank. */
void rma_suit(struct rma *rma, enum rma_bcast tree);

/* jitter: the longest random delay of a poll in microseconds (a testing aid; 0: none). watchdog: after so many seconds
   without progress a rank prints on stderr what it waits for (0: never). Local. */
void rma_set_jitter(struct rma *rma, int microseconds);
void rma_set_watchdog(struct rma *rma, double seconds);
double rma_watchdog(const struct rma *rma);

/*
 * Checksums of published tiles, for spaces that are created from now on. A checksum travels with the flag, so a reader can
 * verify that the tile has the published bytes and keeps them. A testing aid. Collective: on if all ranks pass true.
 */
int rma_set_sums(struct rma *rma, bool on);
bool rma_has_sums(const struct rma *rma);

/* Whether ranks report their progress to the first rank, from the next run on. The same on every rank, outside runs. */
int rma_set_shares(struct rma *rma, bool on);
bool rma_has_shares(const struct rma *rma);
void rma_report_share(struct rma *rma, double done);              /* any thread: sets the share of this rank, 0 to 1 */
double rma_reported_share(const struct rma *rma, int rank);         /* on the first rank: the last share that it received */

/*
 * An all-gather of a few words while a run is open. Each rank begins at a time of its choice, and the result is there when all
 * ranks have begun. One gather at a time for each struct rma. Create and destroy are collective; the other functions are
 * local, for one thread at a time. If the last word of a rank is not 0, it also sends all others a request to begin now. After
 * an MPI error, which ends the run, the result is undefined.
 */
struct rma_gather;
int rma_gather_create(struct rma *rma, int words, struct rma_gather **gather);
void rma_gather_destroy(struct rma_gather **gather);
void rma_gather_begin(struct rma_gather *gather, const int64_t *words);
const int64_t *rma_gather_result(const struct rma_gather *gather);     /* [rank][words]; NULL: incomplete */
bool rma_gather_is_requested(const struct rma_gather *gather);           /* another rank has requested a gather that this rank
                                                                            has not begun */

/* ---- waiting ------------------------------------------------------------------------------------------------------------ */

/* The pause after a poll without progress: at first none, then sched_yield, then sleeps of up to 100 microseconds. */
struct rma_backoff {
    int idle;
};
void rma_back_off(struct rma_backoff *backoff);

/* Polls until the request is complete. For one thread outside a run. rma may be NULL (before rma_create is done). */
int rma_wait(struct rma *rma, MPI_Request *request);

/* Collective, outside runs. All of them poll and yield. The reductions work in place. */
int rma_barrier(struct rma *rma);
int rma_allreduce(struct rma *rma, void *values, int count, MPI_Datatype type, MPI_Op op);
int rma_node_sum(struct rma *rma, int64_t *value);      /* over the ranks that share memory with this rank */
int rma_node_before(struct rma *rma, int64_t *value);   /* the sum over the lower ranks among these */
int rma_bcast(struct rma *rma, void *values, int count, MPI_Datatype type, int root);

/* ---- spaces: windows of tiles --------------------------------------------------------------------------------------------- */

struct rma_space;
enum { RMA_FLAG_BYTES = 4 };    /* memory for the flag of one tile */

/*
 * Collective. Makes memory for `bytes` bytes of tiles on this rank and a board of `tiles` flags, one for each tile of the
 * whole matrix. The other ranks of the node map both where they read in place; all others reach them through a window. Tile
 * (i,j) has the id i + j * tile_rows.
 */
int rma_space_create(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space);
/* The same for memory that will mostly stay untouched: only pages that are touched take memory. */
int rma_space_create_sparse(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space);
void rma_space_destroy(struct rma_space **space);       /* collective */
/* Asks for large pages, which mean fewer page faults and fewer misses of the address cache, as spaces have them. Local; any
   memory of this process. */
void rma_advise_huge(void *memory, size_t bytes);
/* Declares that the tiles belong to several matrices of so many tile columns, one behind another; rma_tile_place() then
   counts the columns of each matrix from 0. */
void rma_space_repeats(struct rma_space *space, int tile_columns);
void *rma_space_base(const struct rma_space *space);    /* tiles of this rank, aligned to 64 bytes, or as MPI aligns them */
/* The tiles of a rank as this rank reads them: its own, or in place. NULL: this rank does not map them. */
void *rma_space_memory(const struct rma_space *space, int rank, size_t *bytes);
/* Seconds that this rank took to create the window of the space; on some networks this pins the memory. 0: there is no
   window. Local. */
double rma_space_register_seconds(const struct rma_space *space);
/* The tiles of a rank that shares memory with this rank. NULL: it does not, or the space is not read in place. */
void *rma_space_in_place(const struct rma_space *space, int rank);

/* The address of a tile; the same on every rank. */
struct rma_address {
    struct rma_space *space;    /* NULL for a matrix of a plan, which has no memory */
    int rank;                   /* its owner */
    MPI_Aint disp;              /* bytes from the start of the owner's tiles */
    size_t bytes;               /* size; of a tile in parts, the largest part that one reader gets */
    int64_t id;                 /* index of its flag in every board */
    size_t unit;                /* not 0: the tile is published in parts, in units of so many bytes (rma_part) */
    size_t column;              /* not 0: the tile is sized, in columns of so many bytes (rma_size_bytes) */
    size_t half, quarter;       /* not 0: numbers of a sized tile may take half of their bytes, or a quarter, and all of them so
                                   many, with what does not shrink */
    const char *what;           /* NULL: a tile of a matrix; else a description for messages */
    bool counts;                /* counted as a transfer although it is no tile of a matrix */
};

static inline bool rma_is_transfer(const struct rma_address *tile)
{
    return tile->what == NULL || tile->counts;
}

/*
 * A tile in parts. The flag of each reader carries how many units are for this reader, and after how many other units they
 * begin. The slot of the reader receives only these units. Ranks that share memory with the owner see the whole tile and must
 * know where their part begins.
 */
enum { RMA_PART_MAX = 32767 };      /* units of one part */
static inline uint32_t rma_part(int first, int count)
{
    return (uint32_t)first * (RMA_PART_MAX + 1) + (uint32_t)count;
}

/*
 * A sized tile. Only its owner knows how much of the tile exists, and publishes the size with the flag: a number of columns,
 * or RMA_ALL. Sized tiles take the same routes as other tiles, and only the existing columns travel. Where numbers may be
 * halved the size is rma_halved_size() of the columns, RMA_ALL_HALVED for all of them, RMA_ALL_QUARTERED for all of them
 * halved again, or RMA_ALL.
 */
enum { RMA_SIZE_BITS = 14, RMA_ALL = (1 << RMA_SIZE_BITS) - 1, RMA_ALL_HALVED = 1, RMA_ALL_QUARTERED = RMA_ALL - 1 };
static inline int rma_halved_size(int columns, bool halved)
{
    return columns == 0 ? 0 : 2 * columns + halved;
}
static inline size_t rma_size_bytes(const struct rma_address *tile, int size)
{
    if (size == RMA_ALL)
        return tile->bytes;
    if (tile->half == 0)
        return (size_t)size * tile->column;
    if (size == RMA_ALL_QUARTERED)
        return tile->quarter;
    return size == RMA_ALL_HALVED ? tile->half : (size_t)(size / 2) * tile->column / (size_t)(size % 2 + 1);
}

/* The tile row and the tile column of a tile. */
void rma_tile_place(const struct rma_address *tile, int *i, int *j);

/* ---- a table of tiles ----------------------------------------------------------------------------------------------------- */

/* A map from tiles to numbers, for one thread. Clearing takes constant time. */
struct rma_table;
struct rma_table *rma_table_create(int expected);       /* may grow beyond `expected` tiles; NULL: no memory */
void rma_table_destroy(struct rma_table **table);
void rma_table_clear(struct rma_table *table);
int rma_table_count(const struct rma_table *table);
int rma_table_find(const struct rma_table *table, const void *matrix, int64_t id);      /* -1: not found */
int rma_table_insert(struct rma_table *table, const void *matrix, int64_t id, int value);    /* 0, or 1: no memory */

/* ---- the cache of remote tiles ------------------------------------------------------------------------------------------ */

/* An entry of a board: the flag of a tile and, where checksums are on, the checksum of its bytes. */
struct rma_word {
    uint32_t flag, sum;
};

/*
 * The cache has a fixed number of slots. A slot is held by the submitting thread while its step lasts, by every task that
 * reads the slot, and by the tree while other ranks read the slot. The last release frees the slot. At most two steps, k and k
 * + 1, are open at a time. rma_cache_find, _take and _end_step are for the submitting thread alone, _hold and _release for any
 * thread.
 */
struct rma_cache;

/* The route of a tile to this rank, and on from here. */
struct rma_route {
    int parent;                     /* the rank from which this rank reads the tile */
    bool in_parent;                  /* the tile is read in place in a slot of the parent */
    int children;                   /* number of ranks that read the tile from here */
    const int *child;
};

struct rma_slot {
    struct rma_address from;
    void *data;                     /* the tile: a copy, or in place; with route.in_parent only the address that names the
                                       slot */
    void *parent_data;                 /* with route.in_parent, after arrival: the tile */
    void (*arrived)(struct rma_slot *slot);
    void *context;                  /* for the caller */
    int64_t urgency;                /* the published tile with the least value is read first */
    atomic_int holds;
    size_t skipped;                 /* of a tile in parts: bytes of the tile before the part in `data` */
    int size;                       /* of a sized tile its columns, else RMA_ALL; from.bytes follows from it */
    struct rma_route route;
    struct rma_slot *next;          /* in the list that has the slot */
    /* internal to the cache: */
    void *room;
    struct rma_slot *next_forwarded;     /* the next slot that other ranks read */
    uint32_t source;                /* the flag from the board: 0, or where to read the tile */
    uint32_t sum;                   /* the published checksum; 0: none */
    _Alignas(8) struct rma_word sent;       /* the entry that this rank writes into the boards of its children */
    bool copied;
};

/* Collective if `forwards`: then other ranks read tiles from its slots, on this node or down a tree. Else local, and rma may
   be NULL. There is one forwarding cache at a time. sparse: as rma_space_create_sparse. */
int rma_cache_create(struct rma *rma, int slots, size_t slot_bytes, bool forwards, bool sparse, struct rma_cache **cache);
void rma_cache_destroy(struct rma_cache **cache);       /* collective if the cache forwards */
void *rma_cache_memory(const struct rma_cache *cache, size_t *bytes);   /* the memory of the slots; NULL: none */
const struct rma_space *rma_cache_space(const struct rma_cache *cache); /* the space of the slots if the cache forwards, else
                                                                           NULL */
struct rma_slot *rma_cache_find(struct rma_cache *cache, int step, const struct rma_address *tile);   /* NULL: not in the
                                                                                                         cache */
/* Takes a slot for a tile with this route. route NULL: from the owner, and no children. Returns NULL if no slot is free now. */
struct rma_slot *rma_cache_take(struct rma_cache *cache, int step, const struct rma_address *tile, const struct rma_route *route);
int rma_slot_number(const struct rma_cache *cache, const struct rma_slot *slot);    /* 0 .. slots - 1 */
void rma_cache_end_step(struct rma_cache *cache, int step);   /* releases the slots that the submitting thread holds for the
                                                               step */
/* Whether the tile has the published checksum; true without checksums. Between arrival and release. */
bool rma_slot_is_intact(const struct rma_slot *slot);
void rma_slot_hold(struct rma_slot *slot);
void rma_slot_release(struct rma_cache *cache, struct rma_slot *slot);
int rma_cache_in_use(const struct rma_cache *cache);    /* slots with copies that are held now */
int rma_cache_peak(const struct rma_cache *cache);      /* the largest value that rma_cache_in_use had */

/* ---- routes of tiles: routes.c --------------------------------------------------------------------------------------------- */

/* Whether some tile may take another route than straight from its owner to each reader. */
bool rma_has_routes(const struct rma_nodes *nodes);
/* Whether some rank may read a tile from the cache of a rank of another node. */
bool rma_has_trees(const struct rma_nodes *nodes);
/*
 * The route of a tile of another rank. `readers` has all ranks that read the tile, in the same order on every rank. On return
 * the children are the first entries of `readers`, and route.child points to them. If two ranks pass different readers, some
 * rank waits for ever. A tile that is read in place has its owner as parent.
 */
struct rma_route rma_find_route(const struct rma_nodes *nodes, const struct rma_address *tile, int *readers, int count);
/* Whether a read from that rank crosses from one node to another. */
bool rma_crosses(const struct rma_nodes *nodes, int parent);
/* A tree of 1 + count members, member 0 the owner, member i head i - 1. Sets the parent of member i (-1: none) and its
   children, child[count]; returns the number of children. */
int rma_tree(enum rma_bcast bcast, int count, int i, int *parent, int *child);

/* ---- a run: publish, fetch, progress ------------------------------------------------------------------------------------ */

/* Collective. Clears the flags of the given spaces; when it returns, every rank may publish. `settled` spaces hold only final
   tiles, which are fetched without a flag. The array must live until rma_close returns true. cache: the forwarding cache, or
   NULL: then every tile comes from its owner. */
int rma_open(struct rma *rma, struct rma_space *const *spaces, const bool *settled, int count, struct rma_cache *cache);

/* One published tile and all its readers. The caller fills it; rma_publish takes ownership. */
struct rma_publication {
    struct rma_publication *next;
    struct rma_address tile;
    /* Called by any thread when the flags have left; it frees the publication. NULL: free() does. */
    void (*sent)(struct rma_publication *publication);
    void *context;
    double request_time;                 /* for the caller: the time of the request */
    /* Of a tile in parts the entry for each reader, in memory that belongs to the allocation of the caller. The caller sets
       the flags to rma_part() before rma_publish. NULL if the tile is whole. */
    struct rma_word *word;
    int size;                       /* of a sized tile: its columns, or RMA_ALL */
    int count;
    int reader[];
};

/* Any thread: publishes a tile whose stores are complete. Returns at once. */
void rma_publish(struct rma *rma, struct rma_publication *publication);

/* Any thread: requests slot->from. Once the tile is published, it is read into slot->data (unless it is read in place); then
   a thread in rma_deliver calls slot->arrived(slot). Returns at once. */
void rma_fetch(struct rma *rma, struct rma_slot *slot);

/* Any thread, never blocks. Lets MPI make progress, sends flags, starts and completes reads. Returns true if anything moved.
   worked: the caller has computed since its last call, so the watchdog must not count that time as silence. */
bool rma_progress(struct rma *rma, bool worked);
/* Any thread: calls arrived() of the reads that have completed. It holds no lock, so arrived() may run tasks. Returns true if
   there was any. */
bool rma_deliver(struct rma *rma);

/* Any thread, repeatedly once this rank has nothing left to do. Returns true when all ranks call it. */
bool rma_close(struct rma *rma);
/* For one thread that has nothing else to do: polls until rma_close returns true. */
void rma_finish(struct rma *rma);

/* Counters of the last run on this rank. */
struct rma_counters {
    int64_t transfers, transfer_bytes;
    int64_t wire_transfers, wire_bytes;     /* the part of these, and of tiles in parts, that crossed between nodes */
};
struct rma_counters rma_counters(const struct rma *rma);

/* The first MPI error since rma_open; 0: none. */
int rma_error(const struct rma *rma);

#endif
