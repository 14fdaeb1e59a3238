/*
 * Letters: what accumulates and reads do, by messages, for spaces whose windows do not span nodes. A letter is a few words; the
 * bytes of a read come in one message from whoever has the tile, as soon as that rank polls.
 *
 *   reader                                    who has the tile
 *   tile expected (MPI_Irecv)
 *   letter: read so many bytes there    ->    sends them
 *   tile is here                        <-
 *
 * Invariants
 *   - A tile is expected before the letter that asks for it leaves, and letters between two ranks keep their order (MPI 4.0,
 *     section 3.5), as do the messages that answer them: so these need no numbers.
 *   - A rank answers a letter when it receives it, from memory that is final: the reader has seen the flag.
 *   - A rank has at most RMA_READS reads under way, so it is owed as many answers. An answer ends when its reader polls; where
 *     there is room for no other one letters wait for that.
 *   - A run closes when nothing of it is on its way. After an error of MPI something may be: a letter of another run is dropped,
 *     and the watchdog names who waits for what has not left.
 */
#include "rma/state.h"

#include <stdlib.h>

enum { TAG_LETTER, TAG_TILE };

struct rma_letters {
    MPI_Comm comm;
    MPI_Request *answer;        /* [answers]: tiles on their way from here */
    int answers, room;
};

int rma_letters_create(struct rma *rma)
{
    if (rma->letters != NULL)
        return MPI_SUCCESS;
    struct rma_letters *l = calloc(1, sizeof *l);
    MPI_Request *answer = malloc((size_t)rma->ranks * RMA_READS * sizeof *answer), request;
    int no_memory = l == NULL || answer == NULL;
    int code = rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX);
    if (code == MPI_SUCCESS)
        code = no_memory ? MPI_ERR_NO_MEM : MPI_Comm_idup(rma->comm, &l->comm, &request);
    if (code == MPI_SUCCESS)
        code = rma_wait(NULL, &request);
    if (code != MPI_SUCCESS) {
        free(l);
        free(answer);
        return code;
    }
    MPI_Comm_set_errhandler(l->comm, MPI_ERRORS_RETURN);
    l->answer = answer;
    l->room = rma->ranks * RMA_READS;
    rma->letters = l;
    return MPI_SUCCESS;
}

void rma_letters_destroy(struct rma *rma)
{
    if (rma->letters == NULL)
        return;
    MPI_Comm_free(&rma->letters->comm);
    free(rma->letters->answer);
    free(rma->letters);
    rma->letters = NULL;
}

/* ---- the reader ------------------------------------------------------------------------------------------------------------ */

int rma_letter_expect(struct rma *rma, int rank, void *data, int bytes, MPI_Request *request)
{
    return MPI_Irecv(data, bytes, MPI_BYTE, rank, TAG_TILE, rma->letters->comm, request);
}

int rma_letter_send(struct rma *rma, int rank, struct rma_letter letter)
{
    struct rma_post *post = rma_post_take(rma);
    post->letter = letter;
    post->letter.run = rma->run;
    int code = MPI_Isend(&post->letter, sizeof post->letter, MPI_BYTE, rank, TAG_LETTER, rma->letters->comm, &post->request);
    rma_posted(rma, post);
    return code;
}

/* ---- whoever receives ------------------------------------------------------------------------------------------------------ */

static void answer(struct rma *rma, const struct rma_space *space, const struct rma_letter *letter, int reader)
{
    struct rma_letters *l = rma->letters;
    const char *from = (const char *)rma_space_base(space) + letter->at;
    MPI_Request *request = &l->answer[l->answers++];
    *request = MPI_REQUEST_NULL;
    rma_note_error(rma, MPI_Isend(from, (int)letter->bytes, MPI_BYTE, reader, TAG_TILE, l->comm, request));
}

static void take(struct rma *rma, const struct rma_letter *letter, int from)
{
    const struct rma_space *space = letter->space < 0 ? rma->cache->space : rma->spaces[letter->space];
    if (letter->kind == RMA_LETTER_READ)
        answer(rma, space, letter, from);
    else if (letter->kind == RMA_LETTER_FLAG)
        rma_word_write(space, space->board, letter->at, letter->word);
    else
        atomic_fetch_add_explicit(&rma->cache->acks[rma_ack_of(letter->at, false)], 1, memory_order_release);
}

static bool receive(struct rma *rma)
{
    struct rma_letters *l = rma->letters;
    struct rma_letter letter;
    MPI_Message message;
    MPI_Status status;
    int there = 0;
    int code = l->answers < l->room ? MPI_Improbe(MPI_ANY_SOURCE, TAG_LETTER, l->comm, &there, &message, &status) : MPI_SUCCESS;
    if (code == MPI_SUCCESS && there)
        code = MPI_Mrecv(&letter, sizeof letter, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    rma_note_error(rma, code);
    if (code != MPI_SUCCESS || !there)
        return false;
    if (letter.run == rma->run && !rma->closed)
        take(rma, &letter, status.MPI_SOURCE);
    return true;
}

static void finish_answers(struct rma *rma)
{
    struct rma_letters *l = rma->letters;
    for (int i = 0; i < l->answers;) {
        int left = 1;
        rma_note_error(rma, MPI_Test(&l->answer[i], &left, MPI_STATUS_IGNORE));
        if (left)
            l->answer[i] = l->answer[--l->answers];
        else
            i++;
    }
}

bool rma_letters_progress(struct rma *rma)
{
    enum { MANY = 16 };         /* so that other things move in between */
    bool any = false;
    if (rma->letters == NULL)
        return false;
    finish_answers(rma);
    for (int i = 0; i < MANY && receive(rma); i++)
        any = true;
    return any;
}

/* What this rank has passed on is acknowledged by letters, too. */
bool rma_letters_are_quiet(const struct rma *rma)
{
    bool failed = atomic_load(&((struct rma *)rma)->error) != MPI_SUCCESS;
    return rma->letters == NULL || (rma->letters->answers == 0 && (failed || rma->cache == NULL || rma->cache->lent == NULL));
}
