/* --checkpoint and --restart of a case. Collective. */
#ifndef OMPFACT_SRC_COMMAND_SAVING_H
#define OMPFACT_SRC_COMMAND_SAVING_H

#include "src/command/instance.h"

/* Before the matrix is made: copies the tile sizes of a checkpoint into the shape, which borrows them. */
int saving_cut(struct instance *x, ompfact_shape *shape, char text[COMMAND_TEXT]);
/* Starts checkpoints of factorizations, if requested. */
int saving_begin(struct instance *x, char text[COMMAND_TEXT]);
/* Lets the next factorization continue from the checkpoint, if requested: reads and verifies all of it. */
int saving_restart(struct instance *x, char text[COMMAND_TEXT]);
/* Whether it has continued. */
int saving_check(const struct instance *x, char text[COMMAND_TEXT]);
void saving_forget(struct instance *x);

#endif
