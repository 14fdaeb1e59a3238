/*
 * One walk over all groups of a matrix or of right-hand sides, on this rank. In a round (rounds.c)
 *
 *     patches go to the workers of their groups;  workers compute B := W^T B W;  results return to the owners of the patches
 *
 * through staging memory. Where all ranks share memory there are no rounds: each worker computes its groups in place.
 */
#ifndef OMPFACT_SRC_BUTTERFLY_TOUR_H
#define OMPFACT_SRC_BUTTERFLY_TOUR_H

#include "src/butterfly/groups.h"

enum { MOST_STOPS = 1024 };         /* most groups of a round that this rank computes or sends patches to */
enum box { OUT, IN };               /* OUT: patches of this rank for workers; IN: patches of others for this rank, the worker */

/* A group of the round, and the offsets of its patches in a box, counted from the first byte for that rank. */
struct stop {
    int64_t position;
    int at[GROUP_PATCHES];
};

struct tour {
    struct groups groups;
    bool back;
    bool in_place;                  /* true: ranks share memory, and there are no rounds */
    int me, ranks;
    struct rma_exchange *exchange;
    int64_t room, most;             /* bytes of a box; most positions of a round */
    int64_t *first[2];              /* [box][ranks + 1] */
    int64_t *next[2];               /* [box][ranks]: bytes filled so far */
    struct stop *stops;
    int count;
    _Atomic bool no_memory;
};

/* The address in the memory of a box of patch k of this stop, which goes to `rank` or comes from it. */
static inline char *place_in(const struct tour *t, enum box box, int rank, const struct stop *stop, int k, void *memory)
{
    return (char *)memory + t->first[box][rank] + stop->at[k];
}

/* The work of a thread at stop number `index`: if this rank is the worker, it gathers the group, mixes it, and writes the results
   back. group_block.c */
void compute_group(void *tour, int64_t index);

/* rounds.c: the bytes of a box for this matrix, and the most positions of a round. */
int64_t round_room(const ompfact_matrix *A);
int64_t round_positions(const struct tour *t);
/* Does all rounds. Returns MPI's code; a failure is returned at the end, so that other ranks can continue. Collective. */
int make_all_rounds(struct tour *t, int threads);

#endif
