/*
 * One walk over all groups of a matrix or of right-hand sides, on this rank. In a round (rounds.c)
 *
 *     patches go to the ranks that compute their groups;  B := W^T B W there;  they go back, each where it was
 *
 * through staging memory. Where all ranks see each other's memory there are no rounds: each computes its groups where they are.
 */
#ifndef OMPFACT_SRC_BUTTERFLY_TOUR_H
#define OMPFACT_SRC_BUTTERFLY_TOUR_H

#include "src/butterfly/groups.h"

enum { MOST_STOPS = 1024 };         /* groups of a round that this rank has to do with */
enum box { OUT, IN };               /* what is mine and goes to a worker; what comes to me, the worker */

/* A group of the round, and where its patches are in a box, after what else goes to or comes from their rank. */
struct stop {
    int64_t position;
    int at[GROUP_PATCHES];
};

struct tour {
    struct groups groups;
    bool back;
    bool in_place;                  /* no rounds */
    int me, ranks;
    struct rma_exchange *exchange;
    int64_t room, most;             /* bytes of a box; positions of a round */
    int64_t *first[2];              /* [box][ranks + 1] */
    int64_t *next[2];               /* [box][ranks]: how far it is filled */
    struct stop *stops;
    int count;
    _Atomic bool no_memory;
};

/* Of a patch of this stop that goes to or comes from a rank: its place in the memory of a box. */
static inline char *place_in(const struct tour *t, enum box box, int rank, const struct stop *stop, int k, void *memory)
{
    return (char *)memory + t->first[box][rank] + stop->at[k];
}

/* What a thread does at stop number `index`: the group is gathered, mixed and put back, if it is this rank's. group_block.c */
void compute_group(void *tour, int64_t index);

/* rounds.c: bytes of a box that suit a matrix, and the most positions of a round. */
int64_t round_room(const ompfact_matrix *A);
int64_t round_positions(const struct tour *t);
/* Does all rounds. Returns MPI's code; a failure is returned at the end, so that other ranks can continue. Collective. */
int make_all_rounds(struct tour *t, int threads);

#endif
