/*
 * Inside rma/: tiles between nodes, by messages. A reader asks as soon as it has a slot, long before the tile is final; whoever
 * it takes the tile from, its owner or a rank before it in the tree, sends it when it is final. So a tile is one message behind
 * the task that makes it, and no question waits in a link's queue behind other tiles.
 *
 *   reader                                    source
 *   slot taken                                asked: notes who wants the tile
 *   question to way.parent              ->    tile final: the most urgent of those that this reader asked for is sent,
 *   pieces of the tile into the slot    <-    at most RMA_AHEAD of them, rma_most_ahead() to all readers, before a thanks
 *   thanks; arrived(slot)               ->    the slot that it was sent from may be taken again
 *
 * Invariants
 *   - A tile is sent only to who has asked for it, so there is room for it.
 *   - A question is answered once: when it has come and the tile is final, whichever is later.
 *   - Of a tile in parts the owner knows who gets which when it is final: a part waits for its reader's question, or the question
 *     for it. It goes at once, whatever was sent before, and without thanks: it is small, and whole columns wait for it.
 *   - Memory that a reader's part was sent from is written again when that reader's doings say that it has the part: by then MPI
 *     has taken all of it, whether or not this rank has seen the send end.
 *   - Messages between two ranks are matched in the order in which they were sent (MPI 4.0, section 3.5), so that the pieces of a
 *     tile need no numbers. Before them goes a head where the reader has to be told of part, size or sum.
 *   - Everything here is done under the lock of struct rma; nothing blocks: messages are received when they are there.
 *
 * Why nothing waits for memory for ever. What a run must have is reserved before it begins, with its cache; where malloc has
 * more things go faster, where it has none they wait for what comes back:
 *   - The reader has a place for each of its slots, and a letter. The letter comes back when its source has received it.
 *   - The source has room for a question from each slot of all other ranks, and for one more letter. A slot asks once until its
 *     tile is there; what is left of its questions before are sends, which end because their readers receive. So letters are
 *     received.
 *   - There is room for the messages of one tile, and one place more that only what is received takes. What is received has
 *     been sent, and ends; its place is free for the thanks, which are empty and gone at once. So every rank can receive, and
 *     all sends end.
 *   - A part whose reader has not asked yet is noted in memory of its own. Where there is none it stays in its publication until
 *     its reader asks, which is as soon as that has submitted the task that reads it: no slot is wanting for that (cache.c).
 */
#ifndef OMPFACT_RMA_WIRE_H
#define OMPFACT_RMA_WIRE_H

#include "rma/rma.h"

/* Collective. Nothing is made where there is one node. */
int rma_wire_create(struct rma *rma);
void rma_wire_destroy(struct rma *rma);
/* Collective, between runs. What those with so many slots on this rank must have, instead of what was reserved before, and its
   end; where there is one node nothing. All ranks get the same. A cache does so for its slots. */
int rma_wire_reserve(struct rma *rma, int slots);
void rma_wire_release(struct rma *rma);

/* Whether the slot's tile comes by a message. */
bool rma_wire_brings(const struct rma *rma, const struct rma_slot *slot);
/* Asks the slot's parent for its tile; arrived(slot) follows when it is there. False: there is no memory for the question now,
   and it is to be asked again. */
bool rma_wire_ask(struct rma *rma, struct rma_slot *slot);
/* This rank's own tile is final. False: there is no memory for the parts of the readers that are now left in it, and it is to be
   called again. */
bool rma_wire_publish(struct rma *rma, struct rma_publication *publication);
/* The slot has its tile, and so many other nodes' ranks take it from here. */
void rma_wire_lend(struct rma *rma, struct rma_slot *slot, int readers);
/* Sends and receives what there is. True if anything moved. */
bool rma_wire_progress(struct rma *rma);

/* Nothing is under way from or to this rank that it knows of. */
bool rma_wire_is_quiet(const struct rma *rma);
/* Whether it has asked for a tile that is not here; the i-th of them, NULL: there are not as many. */
bool rma_wire_expects(const struct rma *rma);
const struct rma_slot *rma_wire_expected(const struct rma *rma, int i);

#endif
