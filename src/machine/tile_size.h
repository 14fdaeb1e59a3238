/* --nb auto: chooses the tile size that is fastest in a simple model. Local, needs libc alone. */
#ifndef OMPFACT_SRC_MACHINE_TILE_SIZE_H
#define OMPFACT_SRC_MACHINE_TILE_SIZE_H

#include "src/machine/machine.h"

#include <stdint.h>

struct tile_question {
    bool cholesky, qr;      /* false, false: LU */
    bool pivots;            /* LU with pivoting */
    char type;
    int64_t m, n;
    int ranks, threads;     /* threads of each rank */
    int ranks_on_node;      /* ranks that share a node's cores; 0: all, as far as there are cores */
};

enum { TILE_SIZE_MIN = 32, TILE_SIZE_MAX = 512 };

/*
 * Seconds that the factorization takes in tiles of order nb >= 1, by the model
 *
 *   T = (C^4 + S^4)^(1/4)
 *   C = (work / workers) (1 + imbalance) + (1 - 1 / workers) f critical path
 *   S = tasks of a rank, times the seconds to submit one (machine_task_seconds), if the rank has several threads
 *
 * C is the time of the cores. S is the time of the thread that submits a rank's tasks one by one, however many threads wait for
 * them. Where one of the two is small the other decides. (Of simulations with 16 to 128 threads, bench/model_times --task, T is
 * within 11 %.)
 *
 * work: every kernel's flops at its rate, and 3 microseconds a task; workers: the cores that the ranks' threads keep busy.
 * imbalance: the work of the busiest rank over the mean, less 1; 0 for one rank. Cholesky: a cyclic layout gives some ranks one
 * more tile row and one more tile column, of n / nb / sqrt(ranks) each; balanced layouts have an eighth of that, sqrt(ranks) nb
 * / 4 n. LU and QR: counted for tile rows and columns dealt in turn to a grid of ranks with cells about as wide as high,
 * whatever the layout; it jumps with the number of tile columns.
 *
 * The critical path passes every diagonal tile, a tile below it and the update of that tile, and two transfers if there are
 * several ranks. In QR, and in LU with pivoting, it passes a rank's part of the panel, one task, instead; in QR the update is
 * that part's update of one tile column. With f = 1 the sum bounds the time of any schedule that never idles a worker while a
 * task is ready (Graham, 1969). Look-ahead hides a part: f is 0.5 for Cholesky, 0.4 for LU, 0.8 for QR. Several ranks cannot
 * execute each other's tasks, so with several ranks 1 replaces 1 - 1 / workers. All these fractions were fitted, with
 * sqrt(ranks) nb / 4 n for LU and QR as well, to runs with n = 1000, 2000, 4096 on 1 and 2 ranks of an AMD EPYC of family 25
 * (Zen 4).
 */
double tile_size_seconds(const struct machine *machine, const struct tile_question *question, double nb);
/* The mean number of tasks of a rank. */
double tile_size_tasks(const struct tile_question *question, double nb);

/* Whether there are several sizes to choose from. Otherwise the machine is not used, and may be NULL. */
bool tile_size_is_open(const struct tile_question *question);
/* The best of some sizes from 32 up to 512 and to half of min(m, n), made even: a multiple of 8, or of 16 in single precision,
   such that the last tile is mostly at least a quarter of the others; for LU on several ranks then the best of such sizes within
   a fifth of it. If that leaves 32 alone, and the matrix is long, sizes up to 256 such that each worker has 64 tiles; but at most
   max(m, n), and at least 1. */
int tile_size_choose(const struct machine *machine, const struct tile_question *question);

/* The tile size of a compressed matrix of order n. Dense tiles on the diagonal take n nb elements in all, the others about n^2 /
   nb times a rank that hardly grows with nb, so the best nb grows as the square root of n. With many ranks each gets 8 tiles. */
int tile_size_compressed(int64_t n, int ranks);

#endif
