/*
 * One-sided tiles: windows that hold them, flags that say they are final, reads that pull them.
 *
 *   owner                                     reader
 *   tile stores, window sync                  flag seen in its own board (acquire), window sync
 *   rma_publish: flag into each reader's      MPI_Rget of the tile into a slot of its cache,
 *   board, MPI_Accumulate(MPI_REPLACE)        arrived(context)
 *
 * Invariants
 *   - A tile's bytes are written by its owner's tasks only, and never again after its publication, until the run's closing
 *     barrier. A reader reads them only after it has seen the flag.
 *   - A board byte is written by the tile's owner (one accumulate), and zeroed by its holder before the run's opening barrier.
 *   - Every MPI call inside a run is made under the lock of struct rma: one thread at a time is in MPI.
 *   - No call in a run blocks: flags are not flushed, reads are tested. All waiting is polling that yields, and every rank polls
 *     until rma_close says that all ranks are done; a one-sided operation proceeds only while its target is inside MPI
 *     (MPI 4.0, section 12.7.3, lets an implementation require it; MPICH 4.0 does, on one node too).
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

/*
 * Collective. Duplicates comm with MPI_ERRORS_RETURN. Then touches every rank once through a small window, which tests that
 * one-sided reads and flags work here and sets up all connections while all ranks are in MPI (lazily they would wait for a
 * computing target). On failure text says what did not work.
 */
int rma_create(MPI_Comm comm, struct rma **rma, char *text, size_t text_size);
/* Collective. Drains MPI before it returns: MPI_Finalize hung over TCP when it came too soon after one-sided traffic. */
void rma_destroy(struct rma **rma);

int rma_rank(const struct rma *rma);
int rma_ranks(const struct rma *rma);
int rma_ranks_on_node(const struct rma *rma);       /* ranks that share this rank's memory */
MPI_Comm rma_comm(const struct rma *rma);

/* Longest random delay of a poll in microseconds (a testing aid; 0: none), and the silence in seconds after which a rank says
   on stderr what it waits for (0: never). Local. */
void rma_set_jitter(struct rma *rma, int microseconds);
void rma_set_watchdog(struct rma *rma, double seconds);

/* ---- waiting ------------------------------------------------------------------------------------------------------------ */

/* The pause between two fruitless polls: first none, then sched_yield, then sleeps of up to 100 microseconds. */
struct rma_backoff {
    int idle;
};
void rma_back_off(struct rma_backoff *backoff);

/* Polls until the request is complete. For one thread outside a run. */
int rma_wait(struct rma *rma, MPI_Request *request);

/* Collective, outside runs; all poll and yield. The reductions are in place. */
int rma_barrier(struct rma *rma);
int rma_allreduce(struct rma *rma, void *values, int count, MPI_Datatype type, MPI_Op op);
int rma_node_sum(struct rma *rma, int64_t *value);      /* over the ranks that share this rank's memory */
int rma_bcast(struct rma *rma, void *values, int count, MPI_Datatype type, int root);

/* ---- spaces: windows of tiles --------------------------------------------------------------------------------------------- */

struct rma_space;

/*
 * Collective: a window of `bytes` bytes of tiles on this rank and a board of `tiles` flags, one for each tile of the whole matrix.
 * With tile_rows the watchdog turns a tile's id into its place: (id % tile_rows, id / tile_rows).
 */
int rma_space_create(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space);
void rma_space_destroy(struct rma_space **space);       /* collective */
void *rma_space_base(const struct rma_space *space);    /* this rank's tiles, aligned to 64 bytes where MPI lets us ask */

/* A tile as the window knows it; the same on every rank. */
struct rma_address {
    struct rma_space *space;    /* NULL where the matrix exists on paper only */
    int rank;                   /* its owner */
    MPI_Aint disp;              /* bytes from the start of the owner's tiles */
    size_t bytes;
    int64_t id;                 /* its flag's index in every board */
};

/* ---- a table of tiles ----------------------------------------------------------------------------------------------------- */

/* Tile -> number, for one thread. Clearing costs nothing. */
struct rma_table;
struct rma_table *rma_table_create(int expected);       /* grows past so many tiles; NULL: no memory */
void rma_table_destroy(struct rma_table **table);
void rma_table_clear(struct rma_table *table);
int rma_table_count(const struct rma_table *table);
int rma_table_find(const struct rma_table *table, const void *matrix, int64_t id);      /* -1: not there */
int rma_table_insert(struct rma_table *table, const void *matrix, int64_t id, int value);    /* 0, or 1: no memory */

/* ---- the cache of remote tiles ---------------------------------------------------------------------------------------------- */

/*
 * A fixed number of slots. A slot is held by the submitting thread while its step lasts and by every task that reads it; the
 * last release frees it. rma_cache_find, _take and _forget are for the submitting thread alone, _hold and _release for any.
 */
struct rma_cache;

struct rma_slot {
    struct rma_address from;
    void *data;                     /* the tile's copy */
    void (*arrived)(void *context);
    void *context;
    atomic_int holds;
    struct rma_slot *next;          /* in whichever list the slot is in */
};

int rma_cache_create(int slots, size_t slot_bytes, struct rma_cache **cache);   /* 0, or MPI_ERR_NO_MEM */
void rma_cache_destroy(struct rma_cache **cache);
struct rma_slot *rma_cache_find(struct rma_cache *cache, const struct rma_address *tile);   /* NULL: not there */
struct rma_slot *rma_cache_take(struct rma_cache *cache, const struct rma_address *tile);   /* NULL: no slot is free now */
void rma_cache_forget(struct rma_cache *cache);         /* a step has been submitted: drops the submitting thread's holds */
void rma_slot_hold(struct rma_slot *slot);
void rma_slot_release(struct rma_cache *cache, struct rma_slot *slot);
int rma_cache_peak(const struct rma_cache *cache);      /* most slots ever in use at once */

/* ---- a run: publish, fetch, progress ---------------------------------------------------------------------------------------- */

/* Collective. Clears the flags of the given spaces; when it returns every rank may publish. `settled` spaces hold final tiles
   only: their tiles are fetched without a flag. The array must stay until rma_close is true. */
int rma_open(struct rma *rma, struct rma_space **spaces, const bool *settled, int count);

/* One published tile and its readers; the caller fills it, rma_publish takes it over and frees it. */
struct rma_publication {
    struct rma_publication *next;
    struct rma_address tile;
    int count;
    int reader[];
};

/* Any thread: the tile's stores are complete, tell its readers. Returns at once. */
void rma_publish(struct rma *rma, struct rma_publication *publication);

/* Any thread: pull slot->from into slot->data once it is published, then call slot->arrived(slot->context) from whichever thread
   is delivering. Returns at once. */
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
 *   rma_exchange_move       every rank pulls what is for it
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
