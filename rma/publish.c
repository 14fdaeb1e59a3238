/* Publication: any thread pushes a publication onto a list, and the holder of the lock sends its flags to the readers. */
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>

static void sent(struct rma_publication *publication)
{
    if (publication->sent != NULL)
        publication->sent(publication);
    else
        free(publication);
}

/* Of a tile in parts: keeps the readers that do not read in place, with their entries; returns their number. */
static int far_parts(const struct rma *rma, struct rma_publication *p)
{
    int far = 0;
    for (int i = 0; i < p->count; i++)
        if (rma_far_readers(&rma->nodes, rma->rank, &(int){ p->reader[i] }, 1) == 1) {
            uint32_t flag = p->word[i].flag + RMA_OWNER_HAS_IT;
            p->reader[far] = p->reader[i];
            p->word[far++] = (struct rma_word){ flag, rma_sum_of_part(&p->tile, flag - RMA_OWNER_HAS_IT) };
        }
    return far;
}

/* Keeps the readers whose flags this rank has to set itself; returns their number. */
static int children_of_owner(const struct rma *rma, struct rma_publication *p)
{
    if (p->tile.unit > 0)
        return far_parts(rma, p);
    int far = rma_far_readers(&rma->nodes, rma->rank, p->reader, p->count), parent;
    if (rma->cache == NULL)
        return far;
    int heads = rma_heads(&rma->nodes, &p->tile, p->reader, far);
    int place[heads + 1], children = rma_tree(rma->nodes.bcast, heads, 0, &parent, place);
    for (int c = 0; c < children; c++)
        place[c] = p->reader[place[c] - 1];
    memcpy(p->reader, place, (size_t)children * sizeof place[0]);
    return children;
}

static void push_publication(struct rma *rma, struct rma_publication *publication)
{
    publication->next = atomic_load_explicit(&rma->published, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&rma->published, &publication->next, publication, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

/* A tile in parts that are all empty is only a signal: nobody reads it, and its memory may be written again at once. */
static bool is_read(const struct rma_publication *p)
{
    uint32_t units = p->tile.unit == 0;
    for (int i = 0; i < p->count && p->tile.unit > 0; i++)
        units += p->word[i].flag % (RMA_PART_MAX + 1);
    return units > 0;
}

/* All ranks that read in place see the board of this rank; the other readers get a copy of its entry. */
void rma_publish(struct rma *rma, struct rma_publication *publication)
{
    struct rma_address *tile = &publication->tile;
    if (tile->column > 0)
        tile->bytes = rma_size_bytes(tile, publication->size);
    uint32_t sum = is_read(publication) ? rma_sum_of_tile(tile) : 0;
    rma_word_write(tile->space, tile->space->board, tile->id,
                   (struct rma_word){ rma_flag_of(tile, RMA_OWNER_HAS_IT, publication->size), sum });
    publication->count = children_of_owner(rma, publication);
    if (publication->count == 0)
        sent(publication);
    else
        push_publication(rma, publication);
}

/* ---- under the lock ----------------------------------------------------------------------------------------------------- */

/* With jitter, events happen in any allowed order: tiles wait for another poll, some of them for many. */
bool rma_postponed(struct rma *rma, int64_t id)
{
    return rma->jitter > 0 && rand_r(&rma->jitter_state) % 32 < (id % 4 == rma->rank % 4 ? 31 : 8);
}

/* The window sync makes the tile's stores visible before its flags leave. */
static void send_words(struct rma *rma, const struct rma_publication *p)
{
    const struct rma_space *space = p->tile.space;
    const unsigned char *own = space->board + (size_t)p->tile.id * rma_word_bytes(space);
    bool whole = p->tile.unit == 0;
    rma_note_error(rma, rma_space_sync(space));
    for (int i = 0; i < p->count; i++)
        rma_note_error(rma, rma_set_flag(space, p->reader[i], p->tile.id, whole ? (const void *)own : &p->word[i], whole));
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
        sent(list);
        any = true;
        list = next;
    }
    return any;
}
