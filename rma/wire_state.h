/* What the files of the wire share: what is known of questions, tiles and messages. All of it under the lock of struct rma. */
#ifndef OMPFACT_RMA_WIRE_STATE_H
#define OMPFACT_RMA_WIRE_STATE_H

#include "rma/state.h"
#include "rma/wire.h"

enum { TAG_QUESTIONS, TAG_THANKS = 0, TAG_TILE };
enum { QUESTIONS = 32 };            /* in a letter; with them it is below 3 KiB */
/*
 * A tile goes in pieces: what MPI sends without asking the receiver first (MPICH with UCX over TCP: up to 16 KiB) is behind no
 * handshake; of a large tile an eighth, so that the handshake of a piece is behind the pieces before it.
 */
enum { PIECE = 16000, PIECES = 8 };     /* bytes, at least; of a tile, at most */
enum { TILE_MESSAGES = PIECES + 1 };    /* and a head */

struct question {
    int64_t id, disp, bytes, urgency;   /* the tile; where it is at its owner, bytes from the start of its tiles */
    int64_t unit;                       /* of a tile in parts, its bytes; else 0 */
    int64_t column;                     /* of a sized tile, its bytes; else 0 */
    int32_t space, place;               /* which of the run's; of the reader's expected[] */
};

/* Questions for one rank. */
struct letter {
    struct letter *next;
    int parent, count;
    struct question question[QUESTIONS];
};

/* What a tile begins with where its space keeps sums, or it is in parts or sized: which part this is, or what size, and its
   sum. */
struct head {
    uint32_t part, sum;
};

static inline bool rma_wire_has_head(const struct rma_space *space, bool in_parts, bool sized, size_t bytes)
{
    return space->sums || in_parts || sized || bytes == 0;
}

/* A question that this rank has been asked, or the head of a part that it will be asked for; in one list at a time. */
struct rma_asked {
    struct rma_asked *next;
    struct question question;
    int reader;
    struct rma_slot *slot;              /* that its tile is in; NULL: it is this rank's own */
    int pieces;                         /* on their way */
    struct head head;                   /* it must live until it has left */
    bool offered;                       /* before it was asked for: memory of its own */
};

/* What another rank is owed by this one: what is there, the most urgent first. */
struct reader {
    struct rma_asked *tiles, *parts;
    int ahead;                          /* tiles that were sent, and not thanked for */
};

/* A message that MPI has not done with: a piece of what was asked for, or of a slot's tile, or a letter; or thanks. */
struct under_way {
    struct rma_asked *asked;
    struct rma_slot *slot;
    struct letter *letter;
};

struct rma_wire {
    MPI_Comm letters, tiles;            /* letters wait for memory, tiles and thanks do not: they are behind none */
    struct reader *reader;              /* [rank] */
    int due, ahead, most_ahead;         /* of all readers */
    struct rma_slot **expected;         /* [place]: NULL where it is free */
    int places, expecting, next_place;
    int places_max;                     /* for they are tags, too */
    struct letter *outgoing, **last;    /* not sent yet; where the next one goes */
    struct letter last_letter;          /* where there is no memory for another one */
    bool last_letter_taken;
    struct rma_asked *asked;            /* reserved; those from asked_used on have never been taken, */
    int64_t asked_count, asked_used;
    struct rma_asked *spare;            /*   these are back: spares of both kinds */
    int64_t spares;
    MPI_Request *request;               /* [messages], and what each is; */
    struct under_way *under_way;
    int *completed;                     /*   room for MPI's answer */
    int messages, room;
};

/* Room for so many more messages, and for one that is received behind them; false: there is no memory now. wire.c */
bool rma_wire_room(struct rma_wire *wire, int messages);
/* Sends; there is room for it. What MPI refuses counts as sent, and the error is noted: if the run cannot end for it, the
   watchdog tells. wire.c */
void rma_wire_send(struct rma *rma, MPI_Comm comm, const void *data, size_t bytes, int to, int tag, struct under_way what);

/* The reader: wire_reader.c */
bool rma_wire_send_letters(struct rma *rma);                /* true if any */
void rma_wire_free_letter(struct rma_wire *wire, struct letter *letter);
void rma_wire_receive_piece(struct rma *rma, MPI_Message *message, int bytes, struct rma_slot *slot);
void rma_wire_finish_piece(struct rma *rma, struct rma_slot *slot);

/* The source: wire_source.c */
void rma_wire_receive_questions(struct rma *rma, MPI_Message *message, int bytes, int reader);
void rma_wire_receive_thanks(struct rma *rma, MPI_Message *message, int reader);
bool rma_wire_send_tiles(struct rma *rma);                  /* true if any */
void rma_wire_finish_sending(struct rma *rma, struct rma_asked *asked);     /* a piece of it */

#endif
