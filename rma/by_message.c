/*
 * Messages: they replace accumulates and reads for spaces whose windows do not span nodes. A message is a few words. The bytes
 * of a read come in one reply from the rank that has the tile, as soon as that rank polls.
 *
 *   reader                                    rank that has the tile
 *   MPI_Irecv for the tile
 *   message: send me these bytes        ->    sends the bytes
 *   the tile has arrived                <-
 *
 * Invariants
 *   - A reader posts the receive for a tile before it sends the request. Messages between two ranks keep their order (MPI 4.0,
 *     section 3.5), and so do the replies: neither needs a number.
 *   - A rank replies to a message when it receives the message, from memory that is final: the reader has seen the flag.
 *   - A rank has at most RMA_READS reads in flight, which bounds the replies to it. A reply completes when its reader polls. A
 *     rank with no free request for a reply receives no more messages until one completes.
 *   - A run closes when nothing of it is in flight. After an MPI error something may be: a rank drops messages of another run,
 *     and the watchdog names the ranks that wait for them.
 */
#include "rma/state.h"

enum { TAG_MESSAGE, TAG_TILE };

/* ---- at the reader --------------------------------------------------------------------------------------------------------- */

int rma_reply_receive(struct rma *rma, int rank, void *data, int bytes, MPI_Request *request)
{
    return MPI_Irecv(data, bytes, MPI_BYTE, rank, TAG_TILE, rma->messages->comm, request);
}

int rma_message_send(struct rma *rma, int rank, struct rma_message message)
{
    struct rma_post *post = rma_post_take(rma);
    post->message = message;
    post->message.run = rma->run;
    int code = MPI_Isend(&post->message, sizeof post->message, MPI_BYTE, rank, TAG_MESSAGE, rma->messages->comm, &post->request);
    rma_posted(rma, post);
    return code;
}

/* ---- at the receiver ------------------------------------------------------------------------------------------------------- */

static void reply(struct rma *rma, const struct rma_space *space, const struct rma_message *message, int reader)
{
    struct rma_messages *l = rma->messages;
    const char *from = (const char *)rma_space_base(space) + message->at;
    MPI_Request *request = &l->reply[l->replies++];
    *request = MPI_REQUEST_NULL;
    rma_note_error(rma, MPI_Isend(from, (int)message->bytes, MPI_BYTE, reader, TAG_TILE, l->comm, request));
}

static void take(struct rma *rma, const struct rma_message *message, int from)
{
    const struct rma_space *space = message->space < 0 ? rma->cache->space : rma->spaces[message->space];
    if (message->kind == RMA_MESSAGE_READ)
        reply(rma, space, message, from);
    else if (message->kind == RMA_MESSAGE_FLAG)
        rma_word_write(space, space->board, message->at, message->word);
    else
        atomic_fetch_add_explicit(&rma->cache->acks[rma_ack_of(message->at, false)], 1, memory_order_release);
}

static bool receive(struct rma *rma)
{
    struct rma_messages *l = rma->messages;
    struct rma_message message;
    MPI_Message matched;
    MPI_Status status;
    int there = 0;
    int code = l->replies < l->room ? MPI_Improbe(MPI_ANY_SOURCE, TAG_MESSAGE, l->comm, &there, &matched, &status) : MPI_SUCCESS;
    if (code == MPI_SUCCESS && there)
        code = MPI_Mrecv(&message, sizeof message, MPI_BYTE, &matched, MPI_STATUS_IGNORE);
    rma_note_error(rma, code);
    if (code != MPI_SUCCESS || !there)
        return false;
    if (message.run == rma->run && !rma->closed)
        take(rma, &message, status.MPI_SOURCE);
    return true;
}

static void finish_replies(struct rma *rma)
{
    struct rma_messages *l = rma->messages;
    for (int i = 0; i < l->replies;) {
        int left = 1;
        rma_note_error(rma, MPI_Test(&l->reply[i], &left, MPI_STATUS_IGNORE));
        if (left)
            l->reply[i] = l->reply[--l->replies];
        else
            i++;
    }
}

bool rma_messages_progress(struct rma *rma)
{
    enum { MANY = 16 };         /* then other operations get their turn */
    bool any = false;
    if (rma->messages == NULL)
        return false;
    finish_replies(rma);
    for (int i = 0; i < MANY && receive(rma); i++)
        any = true;
    return any;
}

/* Acknowledgements of forwarded tiles are messages, too, so this rank waits until it has them all. */
bool rma_messages_are_quiet(const struct rma *rma)
{
    bool failed = atomic_load(&((struct rma *)rma)->error) != MPI_SUCCESS;
    bool acknowledged = rma->cache == NULL || rma->cache->forwarded == NULL;
    return rma->messages == NULL || (rma->messages->replies == 0 && (failed || acknowledged));
}
