/* See wire.h. */
#include "rma/wire.h"
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>

/*
 * A tile goes in pieces: what MPI sends without asking the receiver first (MPICH with UCX over TCP: up to 16 KiB) is behind no
 * handshake; of a large tile an eighth, so that the handshake of a piece is behind the pieces before it.
 */
enum { PIECE = 16000, PIECES = 8 };     /* bytes, at least; of a tile, at most */
enum { TAG_QUESTIONS = 1, TAG_THANKS, TAG_TILE };
enum { NONE = -1 };
enum { QUESTIONS = 32 };                /* in a message */

struct question {
    int64_t id, disp, bytes, urgency;   /* the tile; where it is at its owner, bytes from the start of its tiles */
    int32_t space, place;               /* which of the run's; of the reader's expected[] */
};

/* Questions for one rank. */
struct letter {
    struct letter *next;
    int parent, count;
    struct question question[QUESTIONS];
};

/* A question that this rank has been asked, in one list at a time. */
struct rma_asked {
    struct rma_asked *next;
    struct question question;
    int reader;
    struct rma_slot *slot;              /* that its tile is in; NULL: it is this rank's own */
    int pieces;                         /* on their way */
    uint32_t sum;                       /* of the tile: it must live until it has left */
};

/* What another rank is owed by this one. */
struct reader {
    struct rma_asked *due;              /* tiles that are there, the most urgent first */
    int ahead;                          /* sent, and not thanked for */
};

/* A message that MPI has not done with: a piece of what was asked for, or of a slot's tile, or a letter; or thanks. */
struct under_way {
    struct rma_asked *asked;
    struct rma_slot *slot;
    struct letter *letter;
};

struct rma_wire {
    MPI_Comm comm;
    struct reader *reader;              /* [rank] */
    int due, ahead;                     /* of all readers: tiles that are there, and that were not thanked for */
    struct rma_slot **expected;         /* [place]: NULL where it is free */
    int places, expecting, next_place;
    struct letter *outgoing;            /* not sent yet */
    struct rma_asked *spare;            /* for the next questions */
    int spares;
    MPI_Request *request;               /* [messages], and what each is; */
    struct under_way *under_way;
    int *completed;                     /*   room for MPI's answer */
    int messages, room;
};

/* ---- life ------------------------------------------------------------------------------------------------------------------ */

static int make_comm(struct rma *rma, struct rma_wire *w)
{
    MPI_Request request;
    RMA_TRY(MPI_Comm_idup(rma->comm, &w->comm, &request));
    RMA_TRY(rma_wait(NULL, &request));
    return MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN);
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
        code = make_comm(rma, w);
        if (code == MPI_SUCCESS) {
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
    MPI_Comm_free(&w->comm);
    while (w->spare != NULL) {
        struct rma_asked *next = w->spare->next;
        free(w->spare);
        w->spare = next;
    }
    free(w->reader);
    free(w->expected);
    free(w->request);
    free(w->under_way);
    free(w->completed);
    free(w);
    rma->wire = NULL;
}

bool rma_wire_is_quiet(const struct rma *rma)
{
    const struct rma_wire *w = rma->wire;
    return w == NULL || (w->messages == 0 && w->ahead == 0 && w->expecting == 0 && w->outgoing == NULL);
}

/* ---- messages that MPI has ------------------------------------------------------------------------------------------------- */

/* Room for so many more; false: no memory. */
static bool room_for(struct rma_wire *w, int messages)
{
    if (w->messages + messages <= w->room)
        return true;
    int room = 2 * w->room + messages;
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

/* There is room for it. What cannot be sent counts as sent: the noted error ends the run. */
static void send(struct rma *rma, const void *data, size_t bytes, int to, int tag, struct under_way what)
{
    struct rma_wire *w = rma->wire;
    MPI_Request *request = &w->request[w->messages];
    *request = MPI_REQUEST_NULL;
    rma_note_error(rma, MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, w->comm, request));
    w->under_way[w->messages++] = what;
}

/* ---- the reader's side ----------------------------------------------------------------------------------------------------- */

bool rma_wire_brings(const struct rma *rma, const struct rma_slot *slot)
{
    return rma->wire != NULL && slot->copied && slot->from.unit == 0 && rma_crosses(&rma->nodes, slot->way.parent);
}

/* NONE: no memory. */
static int place_for(struct rma_wire *w, struct rma_slot *slot)
{
    if (w->expecting == w->places) {
        int places = 2 * w->places + 64;
        struct rma_slot **larger = realloc(w->expected, (size_t)places * sizeof(struct rma_slot *));
        if (larger == NULL)
            return NONE;
        for (int i = w->places; i < places; i++)
            larger[i] = NULL;
        w->expected = larger;
        w->next_place = w->places;
        w->places = places;
    }
    while (w->expected[w->next_place] != NULL)
        w->next_place = (w->next_place + 1) % w->places;
    w->expected[w->next_place] = slot;
    w->expecting++;
    return w->next_place;
}

/* To that parent, with room for a question; NULL: no memory. */
static struct letter *letter_to(struct rma_wire *w, int parent)
{
    for (struct letter *l = w->outgoing; l != NULL; l = l->next)
        if (l->parent == parent && l->count < QUESTIONS)
            return l;
    struct letter *l = malloc(sizeof *l);
    if (l != NULL) {
        *l = (struct letter){ .parent = parent, .next = w->outgoing };
        w->outgoing = l;
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

int rma_wire_ask(struct rma *rma, struct rma_slot *s)
{
    struct rma_wire *w = rma->wire;
    struct letter *l = letter_to(w, s->way.parent);
    int place = l == NULL ? NONE : place_for(w, s);
    if (place == NONE)
        return MPI_ERR_NO_MEM;
    s->matched = 0;
    s->pieces = 0;
    s->source = RMA_OWNER_HAS_IT;
    s->place = place;
    s->sum_is_due = s->from.space->sums;
    l->question[l->count++] = (struct question){ .id = s->from.id, .disp = s->from.disp, .bytes = (int64_t)s->from.bytes,
                                                 .urgency = s->urgency, .space = number_of(rma, s->from.space), .place = place };
    return MPI_SUCCESS;
}

static bool send_letters(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    bool any = false;
    while (w->outgoing != NULL && room_for(w, 1)) {
        struct letter *l = w->outgoing;
        w->outgoing = l->next;
        send(rma, l->question, (size_t)l->count * sizeof l->question[0], l->parent, TAG_QUESTIONS, (struct under_way){ .letter = l });
        any = true;
    }
    return any;
}

/* All of it is in the slot. */
static void finish_tile(struct rma *rma, struct rma_slot *s)
{
    struct rma_wire *w = rma->wire;
    w->expected[s->place] = NULL;
    w->expecting--;
    send(rma, NULL, 0, s->way.parent, TAG_THANKS, (struct under_way){ 0 });
    rma_count_transfer(rma, s);
    rma_note_error(rma, rma_slot_pass_on(rma, s));
    rma_push_slot(&rma->arrived, s);
}

static void receive_piece(struct rma *rma, MPI_Message *message, int bytes, struct rma_slot *s)
{
    struct rma_wire *w = rma->wire;
    if (s->sum_is_due) {
        s->sum_is_due = false;
        rma_note_error(rma, MPI_Mrecv(&s->sum, bytes, MPI_BYTE, message, MPI_STATUS_IGNORE));
        return;
    }
    MPI_Request *request = &w->request[w->messages];
    *request = MPI_REQUEST_NULL;
    rma_note_error(rma, MPI_Imrecv((char *)s->data + s->matched, bytes, MPI_BYTE, message, request));
    w->under_way[w->messages++] = (struct under_way){ .slot = s };
    s->matched += (size_t)bytes;
    s->pieces++;
}

/* ---- the source's side ----------------------------------------------------------------------------------------------------- */

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
static bool room_for_questions(struct rma_wire *w)
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

static void receive_questions(struct rma *rma, MPI_Message *message, int bytes, int reader)
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
        send(rma, &a->sum, sizeof a->sum, a->reader, tag, what);
    }
    size_t at = 0;
    do {
        a->pieces++;
        send(rma, data + at, bytes - at < piece ? bytes - at : piece, a->reader, tag, what);
        at += piece;
    } while (at < bytes);
}

static bool send_tiles(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    bool any = false;
    for (int r = 0; w->due > 0 && r < rma->ranks; r++) {
        struct reader *to = &w->reader[r];
        while (to->due != NULL && to->ahead < RMA_AHEAD && room_for(w, PIECES + 1) &&
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

/* It has left. */
static void finish_sending(struct rma *rma, struct rma_asked *a)
{
    struct rma_slot *slot = a->slot;
    if (slot != NULL && --slot->borrowers == 0) {
        rma->spaces[a->question.space]->holding[a->question.id].source = 0;
        rma_slot_release(rma->cache, slot);
    }
    a->next = rma->wire->spare;
    rma->wire->spare = a;
    rma->wire->spares++;
}

/* ---- both ------------------------------------------------------------------------------------------------------------------ */

static void receive(struct rma *rma, MPI_Message *message, const MPI_Status *status)
{
    struct rma_wire *w = rma->wire;
    int bytes, from = status->MPI_SOURCE;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    if (status->MPI_TAG == TAG_QUESTIONS) {
        receive_questions(rma, message, bytes, from);
    } else if (status->MPI_TAG == TAG_THANKS) {
        rma_note_error(rma, MPI_Mrecv(NULL, 0, MPI_BYTE, message, MPI_STATUS_IGNORE));
        w->reader[from].ahead--;
        w->ahead--;
    } else {
        receive_piece(rma, message, bytes, w->expected[status->MPI_TAG - TAG_TILE]);
    }
}

/* Where memory is short messages wait. */
static bool receive_all(struct rma *rma)
{
    enum { MANY = 16 };     /* so that tiles leave in between */
    struct rma_wire *w = rma->wire;
    bool any = false;
    for (int i = 0; i < MANY && room_for(w, 1) && room_for_questions(w); i++) {
        int there;
        MPI_Message message;
        MPI_Status status;
        int code = MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &there, &message, &status);
        rma_note_error(rma, code);
        if (code != MPI_SUCCESS || !there)
            break;
        receive(rma, &message, &status);
        any = true;
    }
    return any;
}

static void finish(struct rma *rma, struct under_way what)
{
    if (what.asked != NULL && --what.asked->pieces == 0)
        finish_sending(rma, what.asked);
    if (what.slot != NULL && --what.slot->pieces == 0 && what.slot->matched == what.slot->from.bytes)
        finish_tile(rma, what.slot);
    free(what.letter);
}

/* Those that have become MPI_REQUEST_NULL are complete. A tile that is complete is thanked for, by one more message. */
static bool finish_messages(struct rma *rma)
{
    struct rma_wire *w = rma->wire;
    int before = w->messages, count, kept = 0;
    if (before == 0 || !room_for(w, before))
        return false;
    rma_note_error(rma, MPI_Testsome(before, w->request, &count, w->completed, MPI_STATUSES_IGNORE));
    for (int i = 0; i < before; i++)
        if (w->request[i] == MPI_REQUEST_NULL)
            finish(rma, w->under_way[i]);
    for (int i = 0; i < w->messages; i++)
        if (i >= before || w->request[i] != MPI_REQUEST_NULL) {
            w->request[kept] = w->request[i];
            w->under_way[kept++] = w->under_way[i];
        }
    bool any = kept < w->messages;
    w->messages = kept;
    return any;
}

bool rma_wire_progress(struct rma *rma)
{
    if (rma->wire == NULL)
        return false;
    bool moved = send_letters(rma);
    moved |= receive_all(rma);
    moved |= finish_messages(rma);
    moved |= send_tiles(rma);
    return moved;
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
