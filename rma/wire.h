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
 *   - A tile is sent only to who has asked for it, so there is room for it: no message waits for memory but letters, which have a
 *     communicator of their own, and questions are as many as the readers' slots.
 *   - A question is answered once: when it has come and the tile is final, whichever is later.
 *   - Of a tile in parts the owner knows who gets which when it is final: a part waits for its reader's question, or the question
 *     for it. It goes at once, whatever was sent before, and without thanks: it is small, and whole columns wait for it.
 *   - Memory that a reader's part was sent from is written again when that reader's doings say that it has the part: by then MPI
 *     has taken all of it, whether or not this rank has seen the send end.
 *   - Messages between two ranks are matched in the order in which they were sent (MPI 4.0, section 3.5), so that the pieces of a
 *     tile need no numbers. Before them goes a head where the reader has to be told of part, size or sum.
 *   - Everything here is done under the lock of struct rma; nothing blocks: messages are received when they are there.
 */
#ifndef OMPFACT_RMA_WIRE_H
#define OMPFACT_RMA_WIRE_H

#include "rma/rma.h"

/* Collective. Nothing is made where there is one node. */
int rma_wire_create(struct rma *rma);
void rma_wire_destroy(struct rma *rma);

/* Whether the slot's tile comes by a message. */
bool rma_wire_brings(const struct rma *rma, const struct rma_slot *slot);
/* Asks the slot's parent for its tile; arrived(slot) follows when it is there. False: there is no memory for the question now. */
bool rma_wire_ask(struct rma *rma, struct rma_slot *slot);
/* This rank's own tile is final. There must be room: false, there is no memory for what it will be asked for. */
bool rma_wire_can_publish(struct rma *rma, const struct rma_publication *publication);
void rma_wire_publish(struct rma *rma, const struct rma_publication *publication);
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
