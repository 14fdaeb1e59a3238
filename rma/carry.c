/*
 * The three operations between two ranks: a flag, a read, an acknowledgement. Each goes by memory that both ranks map, by a
 * window, or by a message. Under the lock; none waits.
 */
#include "rma/state.h"

#include <string.h>

static bool takes_messages(const struct rma_space *space, int rank)
{
    return space->by_messages && rma_crosses(&space->rma->nodes, rank);
}

/* With messages, a window spans the ranks of this node alone. */
static int rank_in_window(const struct rma_space *space, int rank)
{
    return space->by_messages ? space->rma->place_on_node[rank] : rank;
}

static int number_of(const struct rma *rma, const struct rma_space *space)
{
    int i = 0;
    while (i < rma->space_count && rma->spaces[i] != space)
        i++;
    return i < rma->space_count ? i : -1;
}

/* The origin buffer of an accumulate must live until MPI has read it, and the request tells when. */
static int accumulate_posted(const struct rma_space *space, int rank, MPI_Aint disp, const void *word, MPI_Datatype type)
{
    struct rma *rma = space->rma;
    struct rma_post *post = rma_post_take(rma);
    memcpy(&post->message.word, word, rma_word_bytes(space));
    int code = MPI_Raccumulate(&post->message.word, 1, type, rank, disp, 1, type, MPI_REPLACE, space->window, &post->request);
    rma_posted(rma, post);
    return code;
}

int rma_set_flag(const struct rma_space *space, int rank, int64_t id, const void *word, bool lives)
{
    struct rma_word value = { 0 };
    if (rank == space->rma->rank)       /* this rank has written its own board */
        return MPI_SUCCESS;
    memcpy(&value, word, rma_word_bytes(space));
    if (space->peer[rank].base != NULL) {
        rma_word_write(space, space->peer[rank].base, id, value);
        return MPI_SUCCESS;
    }
    if (takes_messages(space, rank))
        return rma_message_send(space->rma, rank, (struct rma_message){ .kind = RMA_MESSAGE_FLAG, .at = id, .word = value,
                                                                      .space = number_of(space->rma, space) });
    MPI_Datatype type = space->sums ? MPI_UINT64_T : MPI_UINT32_T;
    MPI_Aint disp = (MPI_Aint)((size_t)id * rma_word_bytes(space));
    int target = rank_in_window(space, rank);
    if (!lives)
        return accumulate_posted(space, target, disp, word, type);
    return MPI_Accumulate(word, 1, type, target, disp, 1, type, MPI_REPLACE, space->window);
}

int rma_read(const struct rma_space *space, int rank, MPI_Aint disp, void *data, int bytes, MPI_Request *request)
{
    struct rma *rma = space->rma;
    if (!takes_messages(space, rank))
        return MPI_Rget(data, bytes, MPI_BYTE, rank_in_window(space, rank), space->first + disp, bytes, MPI_BYTE, space->window,
                        request);
    RMA_TRY(rma_reply_receive(rma, rank, data, bytes, request));
    return rma_message_send(rma, rank, (struct rma_message){ .kind = RMA_MESSAGE_READ, .at = disp, .bytes = bytes,
                                                           .space = number_of(rma, space) });
}

int rma_acknowledge(const struct rma_cache *cache, int rank, int64_t slot)
{
    static const uint32_t ONE = 1;
    const struct rma_space *space = cache->space;
    if (space->peer[rank].base != NULL) {
        atomic_fetch_add_explicit(&rma_board(space->peer[rank].base)[rma_ack_of(slot, true)], 1, memory_order_release);
        return MPI_SUCCESS;
    }
    if (takes_messages(space, rank))
        return rma_message_send(space->rma, rank, (struct rma_message){ .kind = RMA_MESSAGE_ACK, .at = slot, .space = -1 });
    return MPI_Accumulate(&ONE, 1, MPI_UINT32_T, rank_in_window(space, rank),
                          (MPI_Aint)((size_t)rma_ack_of(slot, false) * sizeof *cache->acks), 1, MPI_UINT32_T, MPI_SUM,
                          space->window);
}
