/* --nb auto: the tile size that a simple model takes for the fastest. Local, plain libc. */
#ifndef OMPFACT_SRC_MACHINE_TILE_SIZE_H
#define OMPFACT_SRC_MACHINE_TILE_SIZE_H

#include "src/machine/machine.h"

#include <stdint.h>

struct tile_question {
    bool cholesky, qr;      /* else LU */
    char type;
    int64_t m, n;
    int ranks, threads;     /* threads of each rank */
    int ranks_on_node;      /* that share a node's cores; 0: all, as far as the cores go */
};

enum { TILE_SIZE_MIN = 32, TILE_SIZE_MAX = 672 };

/*
 * Seconds that the factorization takes in tiles of order nb >= 1, by the model
 *
 *   T = (work / workers) (1 + 2 sqrt(ranks) nb / n) + (1 - 1 / workers) critical path
 *
 * work: every kernel's flops at its rate, and 3 microseconds a task; workers: ranks x threads; 2 sqrt(ranks) nb / n bounds the
 * imbalance of a cyclic layout, where a rank has up to one tile row of n / nb / nprow and one tile column of n / nb / npcol more
 * than others (one rank: none); the critical path goes through every diagonal tile, a tile below it and that one's update (in QR:
 * through a rank's share of the panel, one task, and that of an update of one tile column), and two transfers if there are
 * several ranks. The sum bounds the time of any schedule that never idles a worker while a task is ready (Graham, 1969); with
 * several ranks, which do not take over each other's tasks, the path counts in full.
 */
double tile_size_seconds(const struct machine *machine, const struct tile_question *question, double nb);

/* Whether there are several to choose from: else the machine does not count, and may be NULL. */
bool tile_size_is_open(const struct tile_question *question);
/* The best of multiples of 16 from 32 up to 672 and to half of min(m, n). Where that leaves 32 alone, and the matrix is long, up
   to 256, so that each worker has 64 tiles; but not more than max(m, n), nor less than 1. */
int tile_size_choose(const struct machine *machine, const struct tile_question *question);

#endif
