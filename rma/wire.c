/* The wire itself: messages that MPI has, and who gets those that come. See wire.h. */
#include "rma/wire_state.h"

#include <stdlib.h>

/* ---- life ------------------------------------------------------------------------------------------------------------------ */

static int duplicate(struct rma *rma, MPI_Comm *comm)
{
    MPI_Request request;
    RMA_TRY(MPI_Comm_idup(rma->comm, comm, &request));
    RMA_TRY(rma_wait(NULL, &request));
    return MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
}

static int make_comms(struct rma *rma, struct rma_wire *w)
{
    RMA_TRY(duplicate(rma, &w->letters));
    RMA_TRY(duplicate(rma, &w->tiles));
    int *bound, found;
    RMA_TRY(MPI_Comm_get_attr(w->tiles, MPI_TAG_UB, &bound, &found));
    w->places_max = found ? *bound - TAG_TILE : 32767 - TAG_TILE;
    return MPI_SUCCESS;
}

int rma_wire_create(struct rma *rma)
{
    if (rma->nodes.count < 2)
        return MPI_SUCCESS;
    struct rma_wire *w = calloc(1, sizeof *w);
    struct reader *readers = calloc((size_t)rma->ranks, sizeof *readers);
    int no_memory = w == NULL || readers == NULL;
    int code = rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX);
    if (code == MPI_SUCCESS && !no_memory) {
        w->reader = readers;
        w->last = &w->outgoing;
        w->most_ahead = rma_most_ahead(&rma->nodes);
        code = make_comms(rma, w);
        int wrong = code != MPI_SUCCESS;
        RMA_TRY(rma_allreduce(rma, &wrong, 1, MPI_INT, MPI_MAX));
        if (!wrong) {
            rma->wire = w;
            return MPI_SUCCESS;
        }
    }
    free(w);
    free(readers);
    return code != MPI_SUCCESS ? code : MPI_ERR_NO_MEM;
}

void rma_wire_destroy(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    if (w == NULL)
        return;
    MPI_Comm_free(&w->letters);
    MPI_Comm_free(&w->tiles);
    rma_wire_release(rma);
    free(w->reader);
    free(w);
    rma->wire = NULL;
}

int rma_wire_reserve(struct rma *rma, int slots)
{
    struct rma_wire *w = rma->wire;
    int64_t all = slots;
    if (w == NULL)
        return MPI_SUCCESS;
    RMA_TRY(rma_allreduce(rma, &all, 1, MPI_INT64_T, MPI_SUM));
    rma_wire_release(rma);
    w->next_place = 0;
    w->places = slots < w->places_max ? slots : w->places_max;
    w->expected = calloc((size_t)w->places + 1, sizeof(struct rma_slot *));
    w->asked_used = 0;
    w->spares = w->asked_count = all - slots + QUESTIONS;
    w->asked = malloc((size_t)w->asked_count * sizeof *w->asked);
    int no_memory = w->expected == NULL || w->asked == NULL || !rma_wire_room(w, TILE_MESSAGES);
    RMA_TRY(rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX));
    return no_memory ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

/* Between runs: nothing is under way. */
void rma_wire_release(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    if (w == NULL)
        return;
    free(w->expected);
    free(w->asked);
    free(w->request);
    free(w->under_way);
    free(w->completed);
    w->expected = NULL;
    w->asked = w->spare = NULL;
    w->request = NULL;
    w->under_way = NULL;
    w->completed = NULL;
    w->places = w->room = 0;
    w->spares = w->asked_count = 0;
}

bool rma_wire_is_quiet(const struct rma *rma)
{
    const struct rma_wire *w = rma->wire;
    return w == NULL || (w->messages == 0 && w->ahead == 0 && w->expecting == 0 && w->outgoing == NULL);
}

/* ---- messages that MPI has ------------------------------------------------------------------------------------------------- */

bool rma_wire_room(struct rma_wire *w, int messages)
{
    if (w->messages + messages + 1 <= w->room)
        return true;
    int room = 2 * w->room + messages + 1;
    MPI_Request *request = realloc(w->request, (size_t)room * sizeof *request);
    w->request = request != NULL ? request : w->request;
    struct under_way *under_way = realloc(w->under_way, (size_t)room * sizeof *under_way);
    w->under_way = under_way != NULL ? under_way : w->under_way;
    int *completed = realloc(w->completed, (size_t)room * sizeof *completed);
    w->completed = completed != NULL ? completed : w->completed;
    if (request == NULL || under_way == NULL || completed == NULL)
        return false;
    w->room = room;
    return true;
}

void rma_wire_send(struct rma *rma, MPI_Comm comm, const void *data, size_t bytes, int to, int tag, struct under_way what)
{
    struct rma_wire *w = rma->wire;
    MPI_Request *request = &w->request[w->messages];
    *request = MPI_REQUEST_NULL;
    rma_note_error(rma, MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, comm, request));
    w->under_way[w->messages++] = what;
}

typedef void receiver(struct rma *rma, MPI_Message *message, const MPI_Status *status, int bytes);

static void receive_letter(struct rma *rma, MPI_Message *message, const MPI_Status *status, int bytes)
{
    rma_wire_receive_questions(rma, message, bytes, status->MPI_SOURCE);
}

static void receive_tile(struct rma *rma, MPI_Message *message, const MPI_Status *status, int bytes)
{
    if (status->MPI_TAG == TAG_THANKS)
        rma_wire_receive_thanks(rma, message, status->MPI_SOURCE);
    else
        rma_wire_receive_piece(rma, message, bytes, rma->wire->expected[status->MPI_TAG - TAG_TILE]);
}

/* Takes a message, if there is one. */
static bool receive(struct rma *rma, MPI_Comm comm, receiver *take)
{
    int there = 0, bytes;
    MPI_Message message;
    MPI_Status status;
    int code = MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &there, &message, &status);
    rma_note_error(rma, code);
    if (code != MPI_SUCCESS || !there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    take(rma, &message, &status, bytes);
    return true;
}

static bool can_receive(struct rma_wire *w)
{
    return w->messages < w->room || rma_wire_room(w, 1);
}

/* Where memory is short letters wait. */
static bool receive_all(struct rma *rma)
{
    enum { MANY = 16 };     /* so that tiles leave in between */
    struct rma_wire *w = rma->wire;
    bool any = false, more = true;
    for (int i = 0; i < MANY && more; i++) {
        more = can_receive(w) && receive(rma, w->tiles, receive_tile);
        more |= w->spares >= QUESTIONS && receive(rma, w->letters, receive_letter);
        any |= more;
    }
    return any;
}

static void finish(struct rma *rma, struct under_way what)
{
    if (what.asked != NULL)
        rma_wire_finish_sending(rma, what.asked);
    if (what.slot != NULL)
        rma_wire_finish_piece(rma, what.slot);
    if (what.letter != NULL)
        rma_wire_free_letter(rma->wire, what.letter);
}

/* Those that have become MPI_REQUEST_NULL are complete. A tile that is complete is thanked for by one more message, which takes
   the place of the one that is done. */
static bool finish_messages(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    int count;
    if (w->messages == 0)
        return false;
    rma_note_error(rma, MPI_Testsome(w->messages, w->request, &count, w->completed, MPI_STATUSES_IGNORE));
    bool any = false;
    for (int i = 0; i < w->messages;) {
        if (w->request[i] != MPI_REQUEST_NULL) {
            i++;
            continue;
        }
        struct under_way done = w->under_way[i];
        w->request[i] = w->request[--w->messages];
        w->under_way[i] = w->under_way[w->messages];
        finish(rma, done);
        any = true;
    }
    return any;
}

/* Outside runs nothing comes. */
bool rma_wire_progress(struct rma *rma)
{
    if (rma->wire == NULL || rma->wire->room == 0)
        return false;
    bool moved = rma_wire_send_letters(rma);
    moved |= receive_all(rma);
    moved |= finish_messages(rma);
    moved |= rma_wire_send_tiles(rma);
    return moved;
}
