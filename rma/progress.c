/*
 * rma_progress, the function that every wait calls. The thread that gets the lock sends the queued flags, starts reads of
 * published tiles, and completes reads; other threads return at once. So a rank that computes serves its readers between two
 * tasks, and no thread only communicates.
 *
 * Where MPI was initialised below MPI_THREAD_SERIALIZED, only the thread that opened the run takes the lock. It computes as the
 * others do, and all its waits call this function, so requests of other threads are served at the latest when its task ends.
 */
#include "rma/state.h"

#include <stdlib.h>

/* ---- queues: pushed by any thread, taken as a whole and put back in order -------------------------------------------------- */

static struct rma_slot *take_slots(_Atomic(struct rma_slot *) *list)
{
    struct rma_slot *taken = atomic_load_explicit(list, memory_order_relaxed) == NULL
                                 ? NULL
                                 : atomic_exchange_explicit(list, NULL, memory_order_acquire);
    struct rma_slot *in_order = NULL;
    while (taken != NULL) {
        struct rma_slot *next = taken->next;
        taken->next = in_order;
        in_order = taken;
        taken = next;
    }
    return in_order;
}

void rma_fetch(struct rma *rma, struct rma_slot *slot)
{
    rma_push_slot(&rma->wanted, slot);
}

/* ---- under the lock -------------------------------------------------------------------------------------------------------- */

/* A tile that cannot be read counts as arrived: its tasks compute with undefined numbers, the recorded error ends the run,
   and nobody waits. */
static void give_up(struct rma *rma, struct rma_slot *s, int code)
{
    rma_note_error(rma, code);
    rma_note_error(rma, rma_slot_pass_on(rma, s));
    rma_push_slot(&rma->arrived, s);
}

/* Tiles of equal urgency stay in the order of rma_fetch. */
static void accept_wanted(struct rma *rma)
{
    struct rma_slot **link = &rma->waiting;
    int64_t last = INT64_MIN;
    for (struct rma_slot *s = take_slots(&rma->wanted), *next; s != NULL; s = next) {
        next = s->next;
        if (s->urgency < last)
            link = &rma->waiting;
        while (*link != NULL && (*link)->urgency <= s->urgency)
            link = &(*link)->next;
        s->next = *link;
        *link = s;
        last = s->urgency;
    }
}

/* Takes the size of a sized tile from its flag; without a flag (settled spaces) the tile is complete. */
static void take_size(struct rma_slot *s, bool settled)
{
    s->size = settled ? RMA_ALL : (int)(s->source & RMA_ALL);
    s->source = settled ? s->source : s->source >> RMA_SIZE_BITS;
    s->from.bytes = rma_size_bytes(&s->from, s->size);
}

/* Reads the board with the flag of this tile: the board of its owner if it is read in place, else the board of this rank. */
static bool is_published(struct rma_slot *s)
{
    const struct rma_space *space = s->from.space;
    unsigned char *board = space->peer[s->from.rank].base != NULL ? space->peer[s->from.rank].base : space->board;
    struct rma_word word = space->settled ? (struct rma_word){ .flag = RMA_OWNER_HAS_IT }
                                          : rma_word_read(space, board, s->from.id);
    s->source = word.flag;
    s->sum = word.sum;
    if (s->from.column > 0 && s->source != 0)
        take_size(s, space->settled);
    return s->source != 0;
}

/* Limits the slot to the part of the tile that is for this rank. */
static void cut(struct rma_slot *s, uint32_t part)
{
    s->skipped = part / (RMA_PART_MAX + 1) * s->from.unit;
    s->from.disp += (MPI_Aint)s->skipped;
    s->from.bytes = part % (RMA_PART_MAX + 1) * s->from.unit;
    s->source = RMA_OWNER_HAS_IT;
}

/* Of a tile in parts only the part crosses. */
static void count_transfer(struct rma *rma, const struct rma_slot *s)
{
    bool crosses = s->copied && rma_crosses(&rma->nodes, s->route.parent);
    rma->counters.transfers += rma_is_transfer(&s->from);
    rma->counters.transfer_bytes += s->from.unit == 0 ? (int64_t)s->from.bytes : 0;
    rma->counters.wire_transfers += crosses && rma_is_transfer(&s->from);
    rma->counters.wire_bytes += crosses ? (int64_t)s->from.bytes : 0;
}

/* A tile is read after its flag was seen, with a window sync in between (MPI 4.0, section 12.7). */
static void start_read(struct rma *rma, struct rma_slot *s)
{
    if (s->copied && s->from.unit > 0)
        cut(s, s->source - RMA_OWNER_HAS_IT);
    if (s->route.in_parent)
        rma_slot_find_in_parent(rma, s);
    count_transfer(rma, s);
    if (!s->copied || s->from.bytes == 0) {
        if (s->copied)      /* empty, but children may wait for it */
            rma_note_error(rma, rma_slot_pass_on(rma, s));
        rma_push_slot(&rma->arrived, s);
        return;
    }
    rma_note_error(rma, rma_space_sync(s->from.space));
    int code = rma_slot_read(rma, s, &rma->request[rma->reads]);
    if (code != MPI_SUCCESS) {
        give_up(rma, s, code);
        return;
    }
    rma->reading[rma->reads++] = s;
}

/* Where the source does the read, a second read delays tiles that become more urgent (7 hosts, 100 Mbit/s: 3 to 7 % of the
   time). Where the network card does it, reads must last from poll to poll (a reader that polls once in 1 ms takes 0.45 of
   the time of two reads at once). Parts are small, and whole columns wait for them, so they do not wait for a tile of their
   source. */
static bool may_be_read(const struct rma *rma, const struct rma_slot *s)
{
    int of_one = 0, most = rma->reads_proceed == 1 ? RMA_READS : RMA_READS_OF_ONE;
    if (!s->copied || !rma_crosses(&rma->nodes, s->route.parent) || s->from.unit > 0)
        return !s->copied || rma->reads < RMA_READS;
    for (int i = 0; i < rma->reads; i++)
        of_one += rma->reading[i]->route.parent == s->route.parent && rma->reading[i]->from.unit == 0;
    return of_one < most && rma->reads < RMA_READS;
}

static bool start_reads(struct rma *rma)
{
    bool moved = false;
    if (rma->waiting == NULL)
        return false;
    for (int i = 0; i < rma->space_count; i++)
        rma_note_error(rma, rma_space_sync(rma->spaces[i]));
    struct rma_slot **link = &rma->waiting;
    while (*link != NULL) {
        struct rma_slot *s = *link;
        bool postponed = rma_postponed(rma, s->from.id);
        if (!is_published(s) || postponed || !may_be_read(rma, s)) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        start_read(rma, s);
        moved = true;
    }
    return moved;
}

static bool finish_reads(struct rma *rma)
{
    if (rma->reads == 0)
        return false;
    int count, index[RMA_READS];
    MPI_Status status[RMA_READS];
    int code = MPI_Testsome(rma->reads, rma->request, &count, index, status);
    rma_note_error(rma, code);
    if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS)
        count = 0;
    for (int i = 0; i < count; i++) {
        rma_note_error(rma, rma_slot_pass_on(rma, rma->reading[index[i]]));
        rma_push_slot(&rma->arrived, rma->reading[index[i]]);
        rma->reading[index[i]] = NULL;
    }
    int kept = 0;
    for (int i = 0; i < rma->reads; i++)
        if (rma->reading[i] != NULL) {
            rma->reading[kept] = rma->reading[i];
            rma->request[kept++] = rma->request[i];
        }
    rma->reads = kept;
    return count > 0;
}

static void let_mpi_work(struct rma *rma)
{
    int flag;
    rma_note_error(rma, MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, rma->comm, &flag, MPI_STATUS_IGNORE));
}

static void delay(struct rma *rma)
{
    if (rma->jitter > 0 && rand_r(&rma->jitter_state) % 16 == 0)
        rma_sleep(rand_r(&rma->jitter_state) % rma->jitter);
}

/* ---- for all threads ----------------------------------------------------------------------------------------------------- */

bool rma_progress(struct rma *rma, bool worked)
{
    if (!rma_may_call(rma) || atomic_flag_test_and_set_explicit(&rma->lock, memory_order_acquire))
        return false;
    delay(rma);
    if (rma->needs_mpi)
        let_mpi_work(rma);
    bool moved = rma_send_flags(rma, false);
    accept_wanted(rma);
    moved |= rma_messages_progress(rma);
    moved |= start_reads(rma);
    moved |= finish_reads(rma);
    moved |= rma_slots_return(rma);
    moved |= rma_slots_collect(rma);
    rma_posts_progress(rma);
    rma_shares_progress(rma);
    rma_gather_progress(rma);
    rma_watch(rma, moved || worked);
    atomic_flag_clear_explicit(&rma->lock, memory_order_release);
    return moved;
}

bool rma_deliver(struct rma *rma)
{
    struct rma_slot *list = take_slots(&rma->arrived);
    bool any = list != NULL;
    while (list != NULL) {
        struct rma_slot *next = list->next;
        list->arrived(list);
        list = next;
    }
    return any;
}

/* Every reader has seen its flag, and the acknowledgements go to ranks that are about to enter the next collective call: the
   flushes wait for no task. */
static void complete_windows(struct rma *rma)
{
    for (int i = 0; i < rma->space_count; i++)
        rma_note_error(rma, rma_space_flush(rma->spaces[i]));
    if (rma->cache != NULL)
        rma_note_error(rma, rma_space_flush(rma->cache->space));
}

bool rma_close(struct rma *rma)
{
    if (atomic_flag_test_and_set_explicit(&rma->lock, memory_order_acquire))
        return false;
    int done = rma->closed;
    if (!done && !rma->closing_started) {
        rma_send_flags(rma, true);
        rma_slots_return(rma);
        rma_note_error(rma, MPI_Ibarrier(rma->comm, &rma->closing));
        rma->closing_started = true;
    }
    if (!done) {
        rma_note_error(rma, MPI_Test(&rma->closing, &done, MPI_STATUS_IGNORE));
        done = done && rma_posts_are_quiet(rma) && rma_messages_are_quiet(rma) && rma_shares_are_quiet(rma);
        if (done) {
            complete_windows(rma);
            rma_posts_free(rma);
            rma->closed = true;
            rma->needs_mpi = true;
            rma->cache = NULL;      /* the caller owns the cache */
            rma->spaces = NULL;     /* the caller owns the array */
            rma->space_count = 0;
        }
    }
    atomic_flag_clear_explicit(&rma->lock, memory_order_release);
    return done;
}

void rma_finish(struct rma *rma)
{
    struct rma_backoff backoff = { 0 };
    while (!rma_close(rma)) {
        rma_progress(rma, false);
        rma_back_off(&backoff);
    }
}
