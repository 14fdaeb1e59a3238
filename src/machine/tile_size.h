/* --nb auto: the tile size that a simple model takes for the fastest. Local, plain libc. */
#ifndef OMPFACT_SRC_MACHINE_TILE_SIZE_H
#define OMPFACT_SRC_MACHINE_TILE_SIZE_H

#include "src/machine/machine.h"

#include <stdint.h>

struct tile_question {
    bool cholesky, qr;      /* else LU, */
    bool pivots;            /*   with pivoting */
    char type;
    int64_t m, n;
    int ranks, threads;     /* threads of each rank */
    int ranks_on_node;      /* that share a node's cores; 0: all, as far as the cores go */
};

enum { TILE_SIZE_MIN = 32, TILE_SIZE_MAX = 512 };

/*
 * Seconds that the factorization takes in tiles of order nb >= 1, by the model
 *
 *   T = (C^4 + S^4)^(1/4)
 *   C = (work / workers) (1 + sqrt(ranks) nb / 4 n) + (1 - 1 / workers) f critical path
 *   S = tasks of a rank, times what the rank takes to hand on one (machine_task_seconds), as long as it has several threads
 *
 * C is the cores' time, S that of the thread which submits a rank's tasks, one by one, however many threads wait for them: where
 * one of the two is small the other decides (of simulations with 16 to 128 threads, bench/model_times --task, T is within 11 %).
 *
 * work: every kernel's flops at its rate, and 3 microseconds a task; workers: the cores that the ranks' threads keep busy. A rank
 * has up to one tile row and one tile column more than others in a cyclic layout, of n / nb / sqrt(ranks) each (one rank: none);
 * balanced layouts have an eighth of that. The critical path goes through every diagonal tile, a tile below it and that one's
 * update (in QR, and in LU with pivoting, through a rank's share of the panel, one task; in QR through that of an update of one
 * tile column), and two transfers if there are several ranks. With f = 1 the sum bounds the time of any schedule that never idles
 * a worker while a task is ready
 * (Graham, 1969); look-ahead hides a part: f is 0.5 for Cholesky, 0.4 for LU, 0.8 for QR. With several ranks, which do not
 * take over each other's tasks, 1 takes the place of 1 - 1 / workers. All these fractions were fitted to runs with n = 1000,
 * 2000, 4096 on 1 and 2 ranks of an AMD EPYC of family 25 (Zen 4).
 */
double tile_size_seconds(const struct machine *machine, const struct tile_question *question, double nb);
/* The tasks of a rank, a mean. */
double tile_size_tasks(const struct tile_question *question, double nb);

/* Whether there are several to choose from: else the machine does not count, and may be NULL. */
bool tile_size_is_open(const struct tile_question *question);
/* The best of some sizes from 32 up to 512 and to half of min(m, n), made even: it is a multiple of 8, or 16 in single
   precision, and the last tile is mostly no smaller than a quarter of the others. Where that leaves 32 alone, and the matrix is
   long, up to 256, so that each worker has 64 tiles; but not more than max(m, n), nor less than 1. */
int tile_size_choose(const struct machine *machine, const struct tile_question *question);

/* Of a compressed matrix of order n. Dense tiles on the diagonal take n nb elements in all, the others about n^2 / nb times a
   rank that hardly grows with nb: so the best nb grows as the square root of n. Of many ranks each has 8 tiles. */
int tile_size_compressed(int64_t n, int ranks);

#endif
