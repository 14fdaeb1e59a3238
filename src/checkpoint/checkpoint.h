/* What a grid knows of checkpoints: where to make them, and one to go on from. */
#ifndef OMPFACT_SRC_CHECKPOINT_CHECKPOINT_H
#define OMPFACT_SRC_CHECKPOINT_CHECKPOINT_H

#include "src/checkpoint/folder_lock.h"
#include "src/checkpoint/manifest.h"
#include "src/grid/grid.h"

struct checkpoints {
    ompfact_checkpoints how;        /* its strings are kept */
    struct folder_lock *lock;       /* of the folder; NULL: this rank has no part in it */
    bool failed;                    /* it was told that one could not be written, */
    bool slow;                      /*   and that they take longer than the interval */
};

struct saved_tiles;

/* A checkpoint that was found whole; the next factorization of its kind goes on from it. */
struct restart {
    char *folder;
    bool appends;                   /* it is a factor, to which that one appends rows */
    struct manifest manifest;
    struct saved_tiles *tiles;      /* restart.h */
};

void restart_free(struct restart **restart);
/* All that a grid knows, when it ends. */
void checkpoints_forget_all(ompfact_grid *grid);

#endif
