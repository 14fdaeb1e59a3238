/*
 * Tiles of other ranks: how they are told to be final, how they are read, how the memory of copies comes back.
 *
 *   owner                           reader                              reader behind it in the tree, or on its node
 *
 *   stores, window sync
 *   rma_publish: flag ------------> sees the flag in its own board
 *                                   (acquire, window sync)
 *                     <------------ reads the tile into a slot
 *                                   window sync, flag ----------------> sees the flag
 *                                   arrived(slot)      <--------------- reads the tile out of that slot
 *                                                      <--------------- acknowledges that it has read it
 *                                   slot is free                        arrived(slot)
 *
 * Three operations make up all of it (carry.c):
 *
 *                      memory that both map        a window                      where no window spans nodes
 *   flag               store (release)             MPI_Accumulate(MPI_REPLACE)   a letter
 *   read               none, the tile is there     MPI_Rget                      a letter, answered by a message
 *   acknowledgement    atomic addition             MPI_Accumulate(MPI_SUM)       a letter
 *
 * Ranks of one node map each other's memory and read tiles in place. With in_place off they copy, through windows, as ranks of
 * different nodes do. A tile crosses to a node once (routes.c): one of its readers there, the head, reads it from its owner or,
 * down a tree, out of another head's slot; the other readers of the node read it in place in their head's slot. A tile that is
 * read in place from its owner has one flag for all, in the owner's board.
 *
 * On networks with RDMA a read is the network card's work: it goes on while the tile's owner computes. Where MPI emulates it
 * the owner's polls do it. probe.c proves which it is. Letters (by_letter.c) are for MPI libraries whose windows span no nodes.
 *
 * Invariants
 *   - A matrix's tile is written by its owner's tasks only, and never again after its publication, until the run's closing
 *     barrier; or until a tile has come that the owner's only reader made final with it (src/factor/layer_sums.c): then it has
 *     been read. A reader reads it only after it has seen the flag.
 *   - A tile's bytes move by reads alone. The end of a read's request means that all of them are here (MPI 4.0, section 12.3.5):
 *     a put has no such end at its target, and nothing orders the bytes of a put, or a put and a flag.
 *   - A flag is written once: by the one rank that the reader takes the tile from, or in place by the owner. The board's holder
 *     zeroes it before the run's opening barrier.
 *   - What an accumulate sends lives until MPI has taken it: the owner's own board, a slot until its children have acknowledged
 *     it, or a post (posts.c).
 *   - Every MPI call inside a run is made under the lock of struct rma: one thread at a time is in MPI.
 *   - No call in a run blocks: nothing is flushed before rma_close, reads are tested. All waiting is polling that yields, and
 *     every rank polls until rma_close says that all ranks are done; accumulates, letters and emulated reads proceed only while
 *     their target polls (MPI 4.0, section 12.7.3, lets an implementation require it).
 *
 * Nothing here knows layouts, kernels or threads' teams. Functions return 0 or an MPI error code, unless said otherwise.
 */
#ifndef OMPFACT_RMA_RMA_H
#define OMPFACT_RMA_RMA_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the machinery of one communicator ---------------------------------------------------------------------------------- */

struct rma;

/* How a tile gets to many other nodes: to each from the owner's, from one to the next, in a binomial tree, or as suits what is
   run: rma_suit(). */
enum rma_bcast { RMA_AUTO, RMA_FLAT, RMA_CHAIN, RMA_BINOMIAL };

/* What carries tiles from one node to another. */
enum rma_between { RMA_ONE_SIDED, RMA_MESSAGES };

/* Reads of tiles that a rank has under way at once; and where a read is the work of the rank that has the tile, of these from one
   rank of another node: what becomes more urgent then need not wait for more than one. */
enum { RMA_READS = 16, RMA_READS_OF_ONE = 1 };

/* Where ranks are, and how tiles get to them: all that the ways of tiles depend on, on paper, too. */
struct rma_nodes {
    int rank, ranks;            /* this one; how many */
    const int *node_of;         /* [rank]: its node, 0 .. count-1, by their lowest ranks; NULL: each is a node by itself */
    int count;
    bool in_place;              /* ranks of one node read each other's tiles where they are */
    enum rma_bcast bcast;       /* RMA_AUTO is a binomial tree */
};

/*
 * Collective. Duplicates comm with MPI_ERRORS_RETURN. Then every rank reads a word of every other one's the way it will read
 * tiles, which tests that flags and reads work here and sets up connections between nodes while all ranks are in MPI (lazily
 * they would wait for a computing target). in_place: ranks of one node read each other's tiles where they are; if some cannot map
 * each other's memory, as in containers of their own, all copy. between: RMA_ONE_SIDED becomes RMA_MESSAGES where MPI makes no
 * window that spans nodes. On several nodes a probe follows (probe.c), of 35 ms at most. On failure text says what did not work.
 */
int rma_create(MPI_Comm comm, bool in_place, enum rma_bcast bcast, enum rma_between between, struct rma **rma, char *text,
               size_t text_size);
/* Collective. Drains MPI before it returns: MPI_Finalize hung over TCP when it came too soon after one-sided traffic. */
void rma_destroy(struct rma **rma);

int rma_rank(const struct rma *rma);
int rma_ranks(const struct rma *rma);
int rma_ranks_on_node(const struct rma *rma);       /* ranks that share this rank's memory */
bool rma_in_place(const struct rma *rma);           /* ranks of one node read each other's tiles where they are */
enum rma_between rma_between(const struct rma *rma);
/* Whether reads go on while their target is outside MPI: 1, a probe has proved it on every rank; 0, it has not, or tiles go by
   messages; -1, there is one node. */
int rma_reads_proceed(const struct rma *rma);
bool rma_copies(const struct rma *rma);             /* some ranks' tiles are copied here, not read in place */
MPI_Comm rma_comm(const struct rma *rma);
const struct rma_nodes *rma_nodes(const struct rma *rma);
/* The tree of the next runs, if rma_create() was told RMA_AUTO. Outside runs; the same on every rank. */
void rma_suit(struct rma *rma, enum rma_bcast tree);

/* Longest random delay of a poll in microseconds (a testing aid; 0: none), and the silence in seconds after which a rank says
   on stderr what it waits for (0: never). Local. */
void rma_set_jitter(struct rma *rma, int microseconds);
void rma_set_watchdog(struct rma *rma, double seconds);
double rma_watchdog(const struct rma *rma);

/*
 * Sums of what is published, from the next spaces on: they travel with the flags, so that a reader can tell whether a tile is
 * what was published, and still is. A testing aid. Collective: on where all ranks say so.
 */
int rma_set_sums(struct rma *rma, bool on);
bool rma_has_sums(const struct rma *rma);

/* Whether ranks tell the first one how far they are in runs, from the next one on. The same on every rank, outside runs. */
int rma_set_shares(struct rma *rma, bool on);
bool rma_has_shares(const struct rma *rma);
void rma_tell_share(struct rma *rma, double done);              /* any thread: this rank's share, 0 to 1 */
double rma_told_share(const struct rma *rma, int rank);         /* on the first rank: the last that it heard of */

/*
 * Words that ranks tell each other while a run is open, in turn: each begins when it likes, and has heard all when all have.
 * One at a time for a machinery. Create and destroy are collective; the others are local and for any thread, one at a time.
 * The last of a rank's words, where it is not 0, calls the others to begin theirs now.
 * From an error on, which the run ends with, what is heard means nothing.
 */
struct rma_talk;
int rma_talk_create(struct rma *rma, int words, struct rma_talk **talk);
void rma_talk_destroy(struct rma_talk **talk);
void rma_talk_begin(struct rma_talk *talk, const int64_t *words);
const int64_t *rma_talk_heard(const struct rma_talk *talk);     /* [rank][words]; NULL: not yet all */
bool rma_talk_is_called(const struct rma_talk *talk);           /* to one that this rank has not begun */

/* ---- waiting ------------------------------------------------------------------------------------------------------------ */

/* The pause between two fruitless polls: first none, then sched_yield, then sleeps of up to 100 microseconds. */
struct rma_backoff {
    int idle;
};
void rma_back_off(struct rma_backoff *backoff);

/* Polls until the request is complete. For one thread outside a run. rma: NULL where there is none yet. */
int rma_wait(struct rma *rma, MPI_Request *request);

/* Collective, outside runs; all poll and yield. The reductions are in place. */
int rma_barrier(struct rma *rma);
int rma_allreduce(struct rma *rma, void *values, int count, MPI_Datatype type, MPI_Op op);
int rma_node_sum(struct rma *rma, int64_t *value);      /* over the ranks that share this rank's memory */
int rma_node_before(struct rma *rma, int64_t *value);   /* the sum over those of them with lower ranks */
int rma_bcast(struct rma *rma, void *values, int count, MPI_Datatype type, int root);

/* ---- spaces: windows of tiles --------------------------------------------------------------------------------------------- */

struct rma_space;
enum { RMA_FLAG_BYTES = 4 };    /* of memory beside each tile */

/*
 * Collective: memory for `bytes` bytes of tiles on this rank and a board of `tiles` flags, one for each tile of the whole matrix,
 * which the other ranks of its node see, where they read in place, and others reach through a window. tile_rows: tile (i,j) has
 * the id i + j * tile_rows.
 */
int rma_space_create(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space);
/* The same where much of it will never be touched: only what is, page by page, takes memory. */
int rma_space_create_sparse(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space);
void rma_space_destroy(struct rma_space **space);       /* collective */
/* Its tiles are those of several matrices of so many tile columns, one behind another: each has its place in its own. */
void rma_space_repeats(struct rma_space *space, int tile_columns);
void *rma_space_base(const struct rma_space *space);    /* this rank's tiles, aligned to 64 bytes, or as MPI does */
/* A rank's tiles as this rank reads them: its own, or in place; NULL where there are none. */
void *rma_space_memory(const struct rma_space *space, int rank, size_t *bytes);
/* Seconds that this rank took to make the space's window, which on some networks pins its memory; 0: there is none. Local. */
double rma_space_register_seconds(const struct rma_space *space);
/* The tiles of a rank that shares this rank's memory; NULL: it does not, or the space is not read in place. */
void *rma_space_in_place(const struct rma_space *space, int rank);

/* A tile as the window knows it; the same on every rank. */
struct rma_address {
    struct rma_space *space;    /* NULL where the matrix exists on paper only */
    int rank;                   /* its owner */
    MPI_Aint disp;              /* bytes from the start of the owner's tiles */
    size_t bytes;               /* of a tile in parts: the most that one reader gets */
    int64_t id;                 /* its flag's index in every board */
    size_t unit;                /* 0; or the tile is published in parts, so many bytes of it to the unit: see rma_part */
    size_t column;              /* 0; or the tile is sized, in columns of so many bytes: see rma_size_bytes */
    const char *what;           /* NULL: a tile of a matrix; else what it is, for messages */
    bool counts;                /* its delivery is a transfer though it is no tile of a matrix */
    bool apart;                 /* neither its delivery nor its bytes are counted here */
};

static inline bool rma_is_transfer(const struct rma_address *tile)
{
    return tile->what == NULL || tile->counts;
}

/*
 * A tile in parts: its owner tells each reader with the flag how many units are for it, and after how many others, when it
 * publishes them. The reader's slot gets these alone. Ranks that share the owner's memory see the whole tile and must know where
 * theirs are.
 */
enum { RMA_PART_MAX = 32767 };      /* units */
static inline uint32_t rma_part(int first, int count)
{
    return (uint32_t)first * (RMA_PART_MAX + 1) + (uint32_t)count;
}

/*
 * A sized tile: how much of it there is its owner finds out, and tells with the flag: so many columns, or all of its bytes. It
 * takes every way that other tiles take, and no more than that travels.
 */
enum { RMA_SIZE_BITS = 14, RMA_ALL = (1 << RMA_SIZE_BITS) - 1 };     /* fewer columns than RMA_ALL */
static inline size_t rma_size_bytes(const struct rma_address *tile, int size)
{
    return size == RMA_ALL ? tile->bytes : (size_t)size * tile->column;
}

/* Its tile row and tile column. */
void rma_tile_place(const struct rma_address *tile, int *i, int *j);

/* ---- a table of tiles ----------------------------------------------------------------------------------------------------- */

/* Tile -> number, for one thread. Clearing costs nothing. */
struct rma_table;
struct rma_table *rma_table_create(int expected);       /* grows past so many tiles; NULL: no memory */
void rma_table_destroy(struct rma_table **table);
void rma_table_clear(struct rma_table *table);
int rma_table_count(const struct rma_table *table);
int rma_table_find(const struct rma_table *table, const void *matrix, int64_t id);      /* -1: not there */
int rma_table_insert(struct rma_table *table, const void *matrix, int64_t id, int value);    /* 0, or 1: no memory */

/* ---- the cache of remote tiles ------------------------------------------------------------------------------------------ */

/* What a board says of a tile: its flag and, where sums are kept, the sum of its bytes. */
struct rma_word {
    uint32_t flag, sum;
};

/*
 * A fixed number of slots. A slot is held by the submitting thread while its step lasts, by every task that reads it, and by the
 * tree while others read it; the last release frees it. At most two steps, k and k + 1, are open at a time. rma_cache_find,
 * _take and _forget are for the submitting thread alone, _hold and _release for any.
 */
struct rma_cache;

/* How a tile of another node comes to a rank. */
struct rma_way {
    int parent;                     /* the rank that it is read from */
    bool borrowed;                  /* in place, out of a slot of the parent's */
    int children;                   /* ranks that read it from here: */
    const int *child;
};

struct rma_slot {
    struct rma_address from;
    void *data;                     /* the tile: a copy, or in place. Of one that is borrowed only a name for it, */
    void *borrowed;                 /*   and from its arrival on the tile is here */
    void (*arrived)(struct rma_slot *slot);
    void *context;                  /* the caller's */
    int64_t urgency;                /* of published tiles that wait to be read the one with the least is first */
    atomic_int holds;
    size_t skipped;                 /* of a tile in parts: bytes before those that are in `data` */
    int size;                       /* of a sized one columns, else RMA_ALL; from.bytes goes by it */
    struct rma_way way;
    struct rma_slot *next;          /* in whichever list the slot is in */
    /* of the cache */
    void *room;
    struct rma_slot *next_lent;     /* the next one that others read */
    uint32_t source;                /* what this rank's board said: whether, and where, there is something to read, */
    uint32_t sum;                   /*   and the sum of it; 0: none was kept */
    _Alignas(8) struct rma_word told;       /* what its children's boards say of it */
    bool copied;
};

/* Collective if it `forwards`: then other ranks read tiles out of it, on this node or down a tree. Else local, and rma may be
   NULL. There is one at a time. sparse: as of a space of that kind. */
int rma_cache_create(struct rma *rma, int slots, size_t slot_bytes, bool forwards, bool sparse, struct rma_cache **cache);
void rma_cache_destroy(struct rma_cache **cache);       /* collective if it forwards */
void *rma_cache_memory(const struct rma_cache *cache, size_t *bytes);   /* of the copies; NULL: there are none */
const struct rma_space *rma_cache_space(const struct rma_cache *cache); /* that it is in, if others read it, or NULL */
struct rma_slot *rma_cache_find(struct rma_cache *cache, int step, const struct rma_address *tile);   /* NULL: not there */
/* For a tile that comes this way; way NULL: from its owner, and not on. NULL: no slot is free now. */
struct rma_slot *rma_cache_take(struct rma_cache *cache, int step, const struct rma_address *tile, const struct rma_way *way);
int rma_slot_number(const struct rma_cache *cache, const struct rma_slot *slot);    /* 0 .. slots - 1 */
void rma_cache_forget(struct rma_cache *cache, int step);   /* a step has been submitted: drops the submitting thread's holds */
/* Whether the tile is what its owner has published; true where no sums are kept. Between its arrival and its release. */
bool rma_slot_is_intact(const struct rma_slot *slot);
void rma_slot_hold(struct rma_slot *slot);
void rma_slot_release(struct rma_cache *cache, struct rma_slot *slot);
int rma_cache_in_use(const struct rma_cache *cache);    /* copies held now */
int rma_cache_peak(const struct rma_cache *cache);      /* most copies ever held at once */

/* ---- ways of tiles: routes.c ---------------------------------------------------------------------------------------------- */

/* Whether some tile may take another way than from its owner straight to a reader. */
bool rma_has_routes(const struct rma_nodes *nodes);
/* Whether some tile may be read out of the cache of a rank of another node. */
bool rma_has_trees(const struct rma_nodes *nodes);
/*
 * The way of a tile that is not this rank's, from all ranks that read it, in the same order on every rank; its children take the
 * first places of that list, and stay there. A tile whose readers differ between ranks' calls would be waited for for ever. What
 * is read in place is as if it came from its owner.
 */
struct rma_way rma_find_way(const struct rma_nodes *nodes, const struct rma_address *tile, int *readers, int count);
/* Whether what is read from that rank crosses from one node to another. */
bool rma_crosses(const struct rma_nodes *nodes, int parent);
/* The place of member `i` (0: the owner, i: head i - 1) among 1 + count: its parent (-1: none), and in child[count] its children;
   returns how many. */
int rma_tree(enum rma_bcast bcast, int count, int i, int *parent, int *child);

/* ---- a run: publish, fetch, progress ------------------------------------------------------------------------------------ */

/* Collective. Clears the flags of the given spaces; when it returns every rank may publish. `settled` spaces hold final tiles
   only: their tiles are fetched without a flag. The array must stay until rma_close is true. cache: the one that forwards, or
   NULL: then every tile comes from its owner. */
int rma_open(struct rma *rma, struct rma_space *const *spaces, const bool *settled, int count, struct rma_cache *cache);

/* One published tile and all its readers; the caller fills it, rma_publish takes it over. */
struct rma_publication {
    struct rma_publication *next;
    struct rma_address tile;
    /* Takes it back when the flags have left, by whichever thread; NULL: it is freed. */
    void (*sent)(struct rma_publication *publication);
    void *context;
    double asked;                   /* the caller's: when */
    /* Of a tile in parts what each reader is told: room for so many in the caller's allocation, which sets the flags, to
       rma_part, before rma_publish. NULL will do where the tile is whole. */
    struct rma_word *word;
    int size;                       /* of a sized tile: columns, or RMA_ALL */
    int count;
    int reader[];
};

/* Any thread: the tile's stores are complete, tell its readers. Returns at once. */
void rma_publish(struct rma *rma, struct rma_publication *publication);

/* Any thread: once slot->from is published pull it into slot->data, where it is not read in place, then call slot->arrived(slot)
   from whichever thread is delivering. Returns at once. */
void rma_fetch(struct rma *rma, struct rma_slot *slot);

/* Any thread, never blocks: lets MPI work, sends flags, starts and completes reads. True if anything moved. A caller that has
   worked since its last call says so, lest the watchdog take a long computation for silence. */
bool rma_progress(struct rma *rma, bool worked);
/* Any thread: calls arrived() of the reads that have completed. It holds no lock, so arrived() may run tasks. True if any. */
bool rma_deliver(struct rma *rma);

/* Any thread, again and again once this rank has nothing left to do: true when all ranks have said so. */
bool rma_close(struct rma *rma);
/* For one thread that has nothing else to do: polls until rma_close is true. */
void rma_finish(struct rma *rma);

/* Of the last run on this rank. */
struct rma_counters {
    int64_t transfers, transfer_bytes;
    int64_t wire_transfers, wire_bytes;     /* of these, and of tiles in parts, what crossed from one node to another */
};
struct rma_counters rma_counters(const struct rma *rma);

/* The first MPI error met in progress since rma_open, 0 if none. */
int rma_error(const struct rma *rma);

/* ---- exchanges in rounds: move.c ------------------------------------------------------------------------------------------ */

/*
 * Moves bytes between all pairs of ranks through staging memory of a fixed size, outside runs. Every rank repeats
 *
 *   rma_exchange_agree      how far this round goes: as far as the rank with the least room can
 *   into the outbox         the bytes for rank 0, behind them those for rank 1, ...
 *   rma_exchange_move       every rank pulls what is for it, on its own node with a copy
 *   out of the inbox        the bytes from rank 0, behind them those from rank 1, ...
 *
 * until all are done, which the ranks must know from the positions agreed on.
 *
 * Invariants
 *   - An outbox is written by its owner only, after agree and before move. It is read by others in move only, after its owner has
 *     told them where (an all-to-all, which a rank enters when it has packed), and nobody leaves agree before all have entered
 *     it, which they do after their reads: so nothing is overwritten that is still to be read.
 *   - No rank waits for another but in the two collectives of a round, which all enter in the same order whatever they have to
 *     move, and for reads, whose targets are in one of these or on their way to the next: between them a rank only copies its
 *     own memory. All three waits poll, so every rank is in MPI until the last one has what it wants. Hence no deadlock.
 *   - A read that fails ends nothing: its rank reports it and goes on with the rounds, so that nobody waits for it.
 */
struct rma_exchange;

/* Collective. An outbox and an inbox of `bytes` bytes each; int counts them. */
int rma_exchange_create(struct rma *rma, size_t bytes, struct rma_exchange **exchange);
void rma_exchange_destroy(struct rma_exchange **exchange);      /* collective */
/* Collective: *position becomes the smallest of all ranks. */
int rma_exchange_agree(struct rma_exchange *exchange, int64_t *position);
void *rma_exchange_outbox(struct rma_exchange *exchange);
const void *rma_exchange_inbox(const struct rma_exchange *exchange);
/* Collective: bytes first[i] .. first[i+1] - 1 of the boxes are for (out), from (in) rank i; [ranks + 1]. None for oneself. */
int rma_exchange_move(struct rma_exchange *exchange, const int64_t *out_first, const int64_t *in_first);
int64_t rma_exchange_bytes(const struct rma_exchange *exchange);        /* that this rank has pulled so far */

#endif
