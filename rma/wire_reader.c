/* The reader's side of the wire: questions, and pieces of tiles into slots. See wire.h. */
#include "rma/wire_state.h"

#include <stdlib.h>

bool rma_wire_brings(const struct rma *rma, const struct rma_slot *slot)
{
    return rma->wire != NULL && slot->copied && rma_crosses(&rma->nodes, slot->way.parent);
}

/* There is one. */
static int place_for(struct rma_wire *w, struct rma_slot *slot)
{
    while (w->expected[w->next_place] != NULL)
        w->next_place = (w->next_place + 1) % w->places;
    w->expected[w->next_place] = slot;
    w->expecting++;
    return w->next_place;
}

static struct letter *new_letter(struct rma_wire *w)
{
    struct letter *l = malloc(sizeof *l);
    if (l == NULL && !w->last_letter_taken) {
        w->last_letter_taken = true;
        l = &w->last_letter;
    }
    return l;
}

void rma_wire_free_letter(struct rma_wire *w, struct letter *l)
{
    if (l == &w->last_letter)
        w->last_letter_taken = false;
    else
        free(l);
}

/* To that parent, with room for a question; NULL: no memory. */
static struct letter *letter_to(struct rma_wire *w, int parent)
{
    for (struct letter *l = w->outgoing; l != NULL; l = l->next)
        if (l->parent == parent && l->count < QUESTIONS)
            return l;
    struct letter *l = new_letter(w);
    if (l != NULL) {
        *l = (struct letter){ .parent = parent };
        *w->last = l;
        w->last = &l->next;
    }
    return l;
}

static int number_of(const struct rma *rma, const struct rma_space *space)
{
    int i = 0;
    while (rma->spaces[i] != space)
        i++;
    return i;
}

bool rma_wire_ask(struct rma *rma, struct rma_slot *s)
{
    struct rma_wire *w = rma->wire;
    struct letter *l = w->expecting == w->places ? NULL : letter_to(w, s->way.parent);
    if (l == NULL)
        return false;
    int place = place_for(w, s);
    s->matched = 0;
    s->pieces = 0;
    s->source = RMA_OWNER_HAS_IT;
    s->place = place;
    s->sum = 0;
    s->head_is_due = rma_wire_has_head(s->from.space, s->from.unit > 0, s->from.column > 0, s->from.bytes);
    l->question[l->count++] = (struct question){ .id = s->from.id, .disp = s->from.disp, .bytes = (int64_t)s->from.bytes,
                                                 .urgency = s->urgency, .unit = (int64_t)s->from.unit,
                                                 .column = (int64_t)s->from.column,
                                                 .space = number_of(rma, s->from.space), .place = place };
    return true;
}

bool rma_wire_send_letters(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    bool any = false;
    while (w->outgoing != NULL && rma_wire_room(w, 1)) {
        struct letter *l = w->outgoing;
        w->outgoing = l->next;
        w->last = w->outgoing == NULL ? &w->outgoing : w->last;
        rma_wire_send(rma, w->letters, l->question, (size_t)l->count * sizeof l->question[0], l->parent, TAG_QUESTIONS,
                      (struct under_way){ .letter = l });
        any = true;
    }
    return any;
}

/* All of the tile is in the slot. */
static void finish(struct rma *rma, struct rma_slot *s)
{
    struct rma_wire *w = rma->wire;
    w->expected[s->place] = NULL;
    w->expecting--;
    if (s->from.unit == 0)
        rma_wire_send(rma, w->tiles, NULL, 0, s->way.parent, TAG_THANKS, (struct under_way){ 0 });
    rma_count_transfer(rma, s);
    rma_note_error(rma, rma_slot_pass_on(rma, s));
    rma_push_slot(&rma->arrived, s);
}

void rma_wire_finish_piece(struct rma *rma, struct rma_slot *s)
{
    if (--s->pieces == 0 && s->matched == s->from.bytes)
        finish(rma, s);
}

/* A part, and what there is of a sized tile, may be empty. */
static void receive_head(struct rma *rma, MPI_Message *message, struct rma_slot *s)
{
    struct head head;
    rma_note_error(rma, MPI_Mrecv(&head, sizeof head, MPI_BYTE, message, MPI_STATUS_IGNORE));
    s->head_is_due = false;
    s->sum = head.sum;
    if (s->from.unit > 0)
        rma_slot_cut(s, head.part);
    if (s->from.column > 0) {
        s->size = (int)head.part;
        s->from.bytes = rma_size_bytes(&s->from, s->size);
    }
    if (s->from.bytes == 0)
        finish(rma, s);
}

void rma_wire_receive_piece(struct rma *rma, MPI_Message *message, int bytes, struct rma_slot *s)
{
    struct rma_wire *w = rma->wire;
    if (s->head_is_due) {
        receive_head(rma, message, s);
        return;
    }
    MPI_Request *request = &w->request[w->messages];
    *request = MPI_REQUEST_NULL;
    rma_note_error(rma, MPI_Imrecv((char *)s->data + s->matched, bytes, MPI_BYTE, message, request));
    w->under_way[w->messages++] = (struct under_way){ .slot = s };
    s->matched += (size_t)bytes;
    s->pieces++;
}

const struct rma_slot *rma_wire_expected(const struct rma *rma, int i)
{
    const struct rma_wire *w = rma->wire;
    for (int place = 0; w != NULL && place < w->places; place++)
        if (w->expected[place] != NULL && i-- == 0)
            return w->expected[place];
    return NULL;
}

bool rma_wire_expects(const struct rma *rma)
{
    return rma->wire != NULL && rma->wire->expecting > 0;
}
