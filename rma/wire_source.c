/* The source's side of the wire: who has asked for what, and what is sent to whom. See wire.h. */
#include "rma/wire_state.h"

#include <stdlib.h>

/*
 * A tile goes in pieces: what MPI sends without asking the receiver first (MPICH with UCX over TCP: up to 16 KiB) is behind no
 * handshake; of a large tile an eighth, so that the handshake of a piece is behind the pieces before it.
 */
enum { PIECE = 16000, PIECES = 8 };     /* bytes, at least; of a tile, at most */

/* Its tile is there. Equal ones stay in the order in which they were asked for. */
static void make_due(struct rma_wire *w, struct rma_asked *a)
{
    struct rma_asked **link = &w->reader[a->reader].due;
    while (*link != NULL && (*link)->question.urgency <= a->question.urgency)
        link = &(*link)->next;
    a->next = *link;
    *link = a;
    w->due++;
}

/* It is here now, as its flag says: for those who have asked, and for those who will. */
static void hold(struct rma *rma, struct rma_space *space, int64_t id, uint32_t source)
{
    struct rma_holding *holding = &space->holding[id];
    holding->source = source;
    while (holding->waiting != NULL) {
        struct rma_asked *a = holding->waiting;
        holding->waiting = a->next;
        make_due(rma->wire, a);
    }
}

void rma_wire_publish(struct rma *rma, const struct rma_address *tile)
{
    hold(rma, tile->space, tile->id, RMA_OWNER_HAS_IT);
}

void rma_wire_lend(struct rma *rma, struct rma_slot *slot, int readers)
{
    slot->borrowers = readers;
    rma_slot_hold(slot);
    hold(rma, slot->from.space, slot->from.id, slot->told.flag);
}

/* Room for another letter's questions; false: no memory. */
bool rma_wire_room_for_questions(struct rma_wire *w)
{
    for (; w->spares < QUESTIONS; w->spares++) {
        struct rma_asked *a = malloc(sizeof *a);
        if (a == NULL)
            return false;
        a->next = w->spare;
        w->spare = a;
    }
    return true;
}

void rma_wire_receive_questions(struct rma *rma, MPI_Message *message, int bytes, int reader)
{
    struct question question[QUESTIONS];
    rma_note_error(rma, MPI_Mrecv(question, bytes, MPI_BYTE, message, MPI_STATUS_IGNORE));
    for (int i = 0; i < bytes / (int)sizeof question[0]; i++) {
        struct rma_space *space = rma->spaces[question[i].space];
        struct rma_holding *holding = &space->holding[question[i].id];
        struct rma_asked *a = rma->wire->spare;
        rma->wire->spare = a->next;
        rma->wire->spares--;
        *a = (struct rma_asked){ .question = question[i], .reader = reader, .next = holding->waiting };
        if (holding->source != 0 || space->settled)
            make_due(rma->wire, a);
        else
            holding->waiting = a;
    }
}

/* Where it is, and the sum of it. */
static const char *find_tile(const struct rma *rma, struct rma_asked *a)
{
    const struct rma_space *space = rma->spaces[a->question.space];
    uint32_t source = space->holding[a->question.id].source;
    if (source >= RMA_FIRST_SLOT) {
        a->slot = &rma->cache->slot[source - RMA_FIRST_SLOT];
        a->sum = a->slot->sum;
        return a->slot->data;
    }
    a->sum = space->settled ? 0 : rma_word_read(space, space->board, a->question.id).sum;
    return (const char *)rma_space_base(space) + a->question.disp;
}

static void send_tile(struct rma *rma, struct rma_asked *a)
{
    size_t bytes = (size_t)a->question.bytes, eighth = (bytes / PIECES + RMA_ALIGNMENT) / RMA_ALIGNMENT * RMA_ALIGNMENT;
    size_t piece = eighth > PIECE ? eighth : PIECE;
    const char *data = find_tile(rma, a);
    int tag = TAG_TILE + a->question.place;
    struct under_way what = { .asked = a };
    rma->wire->reader[a->reader].ahead++;
    rma->wire->ahead++;
    if (rma->spaces[a->question.space]->sums) {
        a->pieces++;
        rma_wire_send(rma, &a->sum, sizeof a->sum, a->reader, tag, what);
    }
    size_t at = 0;
    do {
        a->pieces++;
        rma_wire_send(rma, data + at, bytes - at < piece ? bytes - at : piece, a->reader, tag, what);
        at += piece;
    } while (at < bytes);
}

bool rma_wire_send_tiles(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    bool any = false;
    for (int r = 0; w->due > 0 && r < rma->ranks; r++) {
        struct reader *to = &w->reader[r];
        while (to->due != NULL && to->ahead < RMA_AHEAD && rma_wire_room(w, PIECES + 1) &&
               !rma_postponed(rma, to->due->question.id)) {
            struct rma_asked *a = to->due;
            to->due = a->next;
            w->due--;
            send_tile(rma, a);
            any = true;
        }
    }
    return any;
}

/* With the last piece the tile has left. */
void rma_wire_finish_sending(struct rma *rma, struct rma_asked *a)
{
    struct rma_slot *slot = a->slot;
    if (--a->pieces > 0)
        return;
    if (slot != NULL && --slot->borrowers == 0) {
        rma->spaces[a->question.space]->holding[a->question.id].source = 0;
        rma_slot_release(rma->cache, slot);
    }
    a->next = rma->wire->spare;
    rma->wire->spare = a;
    rma->wire->spares++;
}


void rma_wire_receive_thanks(struct rma *rma, MPI_Message *message, int reader)
{
    rma_note_error(rma, MPI_Mrecv(NULL, 0, MPI_BYTE, message, MPI_STATUS_IGNORE));
    rma->wire->reader[reader].ahead--;
    rma->wire->ahead--;
}

void rma_wire_forget_questions(struct rma_wire *w)
{
    while (w->spare != NULL) {
        struct rma_asked *next = w->spare->next;
        free(w->spare);
        w->spare = next;
    }
}
