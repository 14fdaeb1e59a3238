/* The checkpoint data of a grid: where to make checkpoints, and a checkpoint to continue from. */
#ifndef OMPFACT_SRC_CHECKPOINT_CHECKPOINT_H
#define OMPFACT_SRC_CHECKPOINT_CHECKPOINT_H

#include "src/checkpoint/folder_lock.h"
#include "src/checkpoint/manifest.h"
#include "src/grid/grid.h"

struct checkpoints {
    ompfact_checkpoints how;        /* with copies of its strings */
    struct folder_lock *lock;       /* of the folder; NULL: this rank has no part in the lock */
    bool failed;                    /* whether the caller has received a failure to write one */
    bool slow;                      /* and the report that they take longer than the interval */
};

struct saved_tiles;

/* A checkpoint that is complete; the next factorization of its kind continues from it. */
struct restart {
    char *folder;
    bool appends;                   /* the checkpoint is a factor, to which that factorization appends rows */
    struct manifest manifest;
    struct saved_tiles *tiles;      /* restart.h */
};

void restart_free(struct restart **restart);      /* saved_tiles.c */
/* Frees all of it at the end of a grid. */
void checkpoints_forget_all(ompfact_grid *grid);

#endif
