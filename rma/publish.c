/* What is published: by any thread onto a list, and from there by the holder of the lock as flags to its readers. */
#include "rma/state.h"
#include "rma/wire.h"

#include <stdlib.h>
#include <string.h>

void rma_note_error(struct rma *rma, int code)
{
    int none = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        atomic_compare_exchange_strong(&rma->error, &none, code);
}

static void sent(struct rma_publication *publication)
{
    if (publication->sent != NULL)
        publication->sent(publication);
    else
        free(publication);
}

static void swap_readers(struct rma_publication *p, int i, int j)
{
    struct rma_word word = p->word[i];
    int reader = p->reader[i];
    p->word[i] = p->word[j];
    p->reader[i] = p->reader[j];
    p->word[j] = word;
    p->reader[j] = reader;
}

/* Of a tile in parts keeps the readers that do not read in place, with their words: first those that this rank flags. */
static int far_parts(const struct rma *rma, struct rma_publication *p)
{
    int far = 0, flagged = 0;
    for (int i = 0; i < p->count; i++)
        if (rma_far_readers(&rma->nodes, rma->rank, &(int){ p->reader[i] }, 1) == 1) {
            swap_readers(p, far, i);
            p->word[far].flag += RMA_OWNER_HAS_IT;
            if (!rma_crosses(&rma->nodes, p->reader[far]))
                swap_readers(p, flagged++, far);
            far++;
        }
    p->asking = far - flagged;
    return flagged;
}

/* Ranks of other nodes ask: of a whole tile it is enough that there are any. */
static int without_askers(const struct rma *rma, struct rma_publication *p, int count)
{
    int flagged = rma_keep_node(&rma->nodes, p->reader, count);
    p->asking = count - flagged;
    return flagged;
}

/* Keeps the readers that this rank has to flag itself. */
static int children_of_owner(const struct rma *rma, struct rma_publication *p)
{
    if (p->tile.unit > 0)
        return far_parts(rma, p);
    int far = rma_far_readers(&rma->nodes, rma->rank, p->reader, p->count), parent;
    if (rma->cache == NULL)
        return without_askers(rma, p, far);
    int heads = rma_heads(&rma->nodes, &p->tile, p->reader, far);
    int place[heads + 1], children = rma_tree(rma->nodes.bcast, heads, 0, &parent, place);
    for (int c = 0; c < children; c++)
        place[c] = p->reader[place[c] - 1];
    memcpy(p->reader, place, (size_t)children * sizeof place[0]);
    return without_askers(rma, p, children);
}

static void push_publication(struct rma *rma, struct rma_publication *publication)
{
    publication->next = atomic_load_explicit(&rma->published, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&rma->published, &publication->next, publication, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

/* The sums as they are now: the tile's stores are complete. */
static void write_words(struct rma_publication *p, uint32_t sum)
{
    int told = p->tile.unit == 0 ? p->count : p->count + p->asking;
    for (int i = 0; (p->tile.space->sums || p->tile.column > 0) && i < told; i++)
        p->word[i] = p->tile.unit == 0
                         ? (struct rma_word){ rma_flag_of(&p->tile, RMA_OWNER_HAS_IT, p->size), sum }
                         : (struct rma_word){ p->word[i].flag, rma_sum_of_part(&p->tile, p->word[i].flag - RMA_OWNER_HAS_IT) };
}

/* Of a tile in parts that are all empty nothing is read: it is a signal, and its memory may be written again at once. */
static bool is_read(const struct rma_publication *p)
{
    uint32_t units = p->tile.unit == 0;
    for (int i = 0; i < p->count && p->tile.unit > 0; i++)
        units += p->word[i].flag % (RMA_PART_MAX + 1);
    return units > 0;
}

/* In place one store tells all; and the wire finds the sum there. */
void rma_publish(struct rma *rma, struct rma_publication *publication)
{
    struct rma_address *tile = &publication->tile;
    if (tile->column > 0)
        tile->bytes = rma_size_bytes(tile, publication->size);
    uint32_t sum = is_read(publication) ? rma_sum_of_tile(tile) : 0;
    if (rma->nodes.in_place || tile->space->sums)
        rma_word_write(tile->space, tile->id,
                       (struct rma_word){ rma_flag_of(tile, RMA_OWNER_HAS_IT, publication->size), sum });
    publication->asking = 0;
    publication->told = false;
    publication->count = children_of_owner(rma, publication);
    write_words(publication, sum);
    if (publication->count + publication->asking == 0) {
        sent(publication);
        return;
    }
    push_publication(rma, publication);
}

/* ---- under the lock ----------------------------------------------------------------------------------------------------- */

/* With jitter what may happen in any order does: things wait for another poll, those of some tiles for many. */
bool rma_postponed(struct rma *rma, int64_t id)
{
    return rma->jitter > 0 && rand_r(&rma->jitter_state) % 32 < (id % 4 == rma->rank % 4 ? 31 : 8);
}

/* Whether the boards of its readers are told from its memory, which must then last until the flags are flushed. */
static bool has_words(const struct rma_publication *p)
{
    return p->count > 0 && (p->tile.unit > 0 || p->tile.column > 0 || p->tile.space->sums);
}

static const void *word_for(const struct rma_publication *p, int reader)
{
    static const uint32_t has_it = RMA_OWNER_HAS_IT;
    return has_words(p) ? (const void *)&p->word[reader] : &has_it;
}

/* The tile's stores reach the window before its flags leave. Once: it may come again for those who ask. */
static void send_words(struct rma *rma, struct rma_publication *p)
{
    const struct rma_space *space = p->tile.space;
    if (p->told)
        return;
    rma_note_error(rma, MPI_Win_sync(space->window));
    for (int i = 0; i < p->count; i++)
        rma_note_error(rma, rma_word_send(space, p->reader[i], p->tile.id, word_for(p, i)));
    p->told = true;
}

bool rma_send_flags(struct rma *rma, bool all)
{
    if (atomic_load_explicit(&rma->published, memory_order_relaxed) == NULL)
        return false;
    struct rma_publication *taken = atomic_exchange_explicit(&rma->published, NULL, memory_order_acquire), *list = NULL;
    while (taken != NULL) {     /* the first published goes first */
        struct rma_publication *next = taken->next;
        taken->next = list;
        list = taken;
        taken = next;
    }
    bool any = false;
    while (list != NULL) {
        struct rma_publication *next = list->next;
        if (!all && rma_postponed(rma, list->tile.id)) {
            push_publication(rma, list);
            list = next;
            continue;
        }
        send_words(rma, list);
        if (list->asking > 0 && !rma_wire_publish(rma, list)) {
            push_publication(rma, list);
        } else if (has_words(list)) {
            list->next = rma->kept;
            rma->kept = list;
        } else {
            sent(list);
        }
        any = true;
        list = next;
    }
    return any;
}

/* Their flags have left the memory that they were sent from. */
void rma_give_back(struct rma *rma)
{
    while (rma->kept != NULL) {
        struct rma_publication *p = rma->kept;
        rma->kept = p->next;
        sent(p);
    }
}

void rma_reclaim(struct rma *rma)
{
    if (!rma_may_call(rma) || atomic_flag_test_and_set_explicit(&rma->lock, memory_order_acquire))
        return;
    for (int i = 0; i < rma->space_count && rma->kept != NULL; i++)
        if (rma->spaces[i]->window != MPI_WIN_NULL)
            rma_note_error(rma, MPI_Win_flush_local_all(rma->spaces[i]->window));
    rma_give_back(rma);
    atomic_flag_clear_explicit(&rma->lock, memory_order_release);
}
