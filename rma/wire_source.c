/* The source's side of the wire: who has asked for what, and what is sent to whom. See wire.h. */
#include "rma/wire_state.h"

#include <stdlib.h>

static struct rma_asked *take_spare(struct rma_wire *w)
{
    struct rma_asked *a = w->spare;
    w->spares--;
    if (a == NULL)
        return &w->asked[w->asked_used++];
    w->spare = a->next;
    return a;
}

/* Its tile is there. Equal ones stay in the order in which they were asked for. */
static void make_due(struct rma_wire *w, struct rma_asked *a)
{
    struct reader *to = &w->reader[a->reader];
    struct rma_asked **link = a->question.unit > 0 ? &to->parts : &to->tiles;
    while (*link != NULL && (*link)->question.urgency <= a->question.urgency)
        link = &(*link)->next;
    a->next = *link;
    *link = a;
    w->due++;
}

/* It is here now, as its flag says: for those who have asked, and for those who will. */
static void hold(struct rma *rma, struct rma_space *space, int64_t id, uint32_t source, int size)
{
    struct rma_holding *holding = &space->holding[id];
    holding->source = source;
    holding->size = size;
    while (holding->waiting != NULL) {
        struct rma_asked *a = holding->waiting;
        holding->waiting = a->next;
        make_due(rma->wire, a);
    }
}

/* Takes the reader's question, or what was offered to him, off the list; NULL: it is not there. */
static struct rma_asked *take_asked(struct rma_holding *holding, int reader)
{
    struct rma_asked **link = &holding->waiting;
    while (*link != NULL && (*link)->reader != reader)
        link = &(*link)->next;
    struct rma_asked *a = *link;
    if (a != NULL)
        *link = a->next;
    return a;
}

/* False: it has not been asked for, and there is no memory to offer it. */
static bool publish_part(struct rma *rma, struct rma_holding *holding, int reader, struct rma_word word, bool sums)
{
    struct rma_asked *a = take_asked(holding, reader);
    struct head head = { word.flag - RMA_OWNER_HAS_IT, sums ? word.sum : 0 };
    if (a != NULL) {
        a->head = head;
        make_due(rma->wire, a);
        return true;
    }
    a = malloc(sizeof *a);
    if (a == NULL)
        return false;
    *a = (struct rma_asked){ .reader = reader, .next = holding->waiting, .head = head, .offered = true };
    holding->waiting = a;
    return true;
}

bool rma_wire_publish(struct rma *rma, struct rma_publication *p)
{
    const struct rma_address *tile = &p->tile;
    if (tile->unit == 0) {
        hold(rma, tile->space, tile->id, RMA_OWNER_HAS_IT, p->size);
        return true;
    }
    int left = p->count;
    for (int i = p->count; i < p->count + p->asking; i++)
        if (!publish_part(rma, &tile->space->holding[tile->id], p->reader[i], p->word[i], tile->space->sums)) {
            p->reader[left] = p->reader[i];
            p->word[left++] = p->word[i];
        }
    p->asking = left - p->count;
    return p->asking == 0;
}

void rma_wire_lend(struct rma *rma, struct rma_slot *slot, int readers)
{
    slot->borrowers = readers;
    rma_slot_hold(slot);
    hold(rma, slot->from.space, slot->from.id, (uint32_t)(slot - rma->cache->slot) + RMA_FIRST_SLOT, slot->size);
}

void rma_wire_receive_questions(struct rma *rma, MPI_Message *message, int bytes, int reader)
{
    struct question question[QUESTIONS];
    rma_note_error(rma, MPI_Mrecv(question, bytes, MPI_BYTE, message, MPI_STATUS_IGNORE));
    for (int i = 0; i < bytes / (int)sizeof question[0]; i++) {
        struct rma_space *space = rma->spaces[question[i].space];
        struct rma_holding *holding = &space->holding[question[i].id];
        struct rma_asked *offered = question[i].unit > 0 ? take_asked(holding, reader) : NULL;
        struct rma_asked *a = offered != NULL ? offered : take_spare(rma->wire);
        struct head head = offered != NULL ? offered->head : (struct head){ 0 };
        *a = (struct rma_asked){ .question = question[i], .reader = reader, .next = holding->waiting, .head = head,
                                 .offered = offered != NULL };
        if (offered != NULL || holding->source != 0 || space->settled)
            make_due(rma->wire, a);
        else
            holding->waiting = a;
    }
}

/* Where it is, and its head. */
static const char *find_tile(const struct rma *rma, struct rma_asked *a)
{
    const struct rma_space *space = rma->spaces[a->question.space];
    struct question *q = &a->question;
    if (q->unit > 0) {
        q->bytes = a->head.part % (RMA_PART_MAX + 1) * q->unit;
        return (const char *)rma_space_base(space) + q->disp + a->head.part / (RMA_PART_MAX + 1) * q->unit;
    }
    if (q->column > 0) {
        a->head.part = space->settled ? RMA_ALL : (uint32_t)space->holding[q->id].size;
        q->bytes = a->head.part == RMA_ALL ? q->bytes : (int64_t)a->head.part * q->column;
    }
    uint32_t source = space->holding[a->question.id].source;
    if (source >= RMA_FIRST_SLOT) {
        a->slot = &rma->cache->slot[source - RMA_FIRST_SLOT];
        a->head.sum = a->slot->sum;
        return a->slot->data;
    }
    a->head.sum = space->settled ? 0 : rma_word_read(space, space->board, a->question.id).sum;
    return (const char *)rma_space_base(space) + a->question.disp;
}

static void send_tile(struct rma *rma, struct rma_asked *a)
{
    const char *data = find_tile(rma, a);
    size_t bytes = (size_t)a->question.bytes, eighth = (bytes / PIECES + RMA_ALIGNMENT) / RMA_ALIGNMENT * RMA_ALIGNMENT;
    size_t piece = eighth > PIECE ? eighth : PIECE;
    int tag = TAG_TILE + a->question.place;
    struct under_way what = { .asked = a };
    if (rma_wire_has_head(rma->spaces[a->question.space], a->question.unit > 0, a->question.column > 0, bytes)) {
        a->pieces++;
        rma_wire_send(rma, rma->wire->tiles, &a->head, sizeof a->head, a->reader, tag, what);
    }
    for (size_t at = 0; at < bytes; at += piece) {
        a->pieces++;
        rma_wire_send(rma, rma->wire->tiles, data + at, bytes - at < piece ? bytes - at : piece, a->reader, tag, what);
    }
}

/* The first one of a list. */
static bool send_first(struct rma *rma, struct rma_asked **list)
{
    struct rma_asked *a = *list;
    if (a == NULL || !rma_wire_room(rma->wire, TILE_MESSAGES) || rma_postponed(rma, a->question.id))
        return false;
    *list = a->next;
    rma->wire->due--;
    send_tile(rma, a);
    return true;
}

/* The reader of the most urgent tile that may go now; NULL: there is none. */
static struct reader *most_urgent(const struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    struct reader *first = NULL;
    for (int r = 0; w->ahead < w->most_ahead && r < rma->ranks; r++) {
        struct reader *to = &w->reader[r];
        bool may = to->tiles != NULL && to->ahead < RMA_AHEAD;
        if (may && (first == NULL || to->tiles->question.urgency < first->tiles->question.urgency))
            first = to;
    }
    return first;
}

bool rma_wire_send_tiles(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    bool any = false;
    for (int r = 0; w->due > 0 && r < rma->ranks; r++)
        while (send_first(rma, &w->reader[r].parts))
            any = true;
    struct reader *to = w->due > 0 ? most_urgent(rma) : NULL;
    while (to != NULL && send_first(rma, &to->tiles)) {
        to->ahead++;
        w->ahead++;
        any = true;
        to = most_urgent(rma);
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
    if (a->offered) {
        free(a);
        return;
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
