/* --checkpoint and --restart of a case. Collective. */
#ifndef OMPFACT_SRC_COMMAND_SAVING_H
#define OMPFACT_SRC_COMMAND_SAVING_H

#include "src/command/instance.h"

/* Before the matrix is made: how a checkpoint's tiles are cut, into the shape, which borrows it. */
int saving_cut(struct instance *x, ompfact_shape *shape, char text[COMMAND_TEXT]);
/* From now on factorizations are saved, if that is asked for. */
int saving_begin(struct instance *x, char text[COMMAND_TEXT]);
/* The next factorization goes on from the checkpoint, if that is asked for: all of it is read and verified. */
int saving_restart(struct instance *x, char text[COMMAND_TEXT]);
/* Whether it has. */
int saving_check(const struct instance *x, char text[COMMAND_TEXT]);
void saving_forget(struct instance *x);

#endif
