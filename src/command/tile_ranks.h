/* The ranks of a compressed matrix's tiles, as it was filled and as it was factored: for --tile-ranks, traces and pages. */
#ifndef OMPFACT_SRC_COMMAND_TILE_RANKS_H
#define OMPFACT_SRC_COMMAND_TILE_RANKS_H

#include "src/command/instance.h"

/* Collective: notes the ranks as they are now. factored: of the factors. Nothing where nobody asks for them. 0, or COMMAND_USAGE
   and a line. */
int tile_ranks_note(struct instance *x, bool factored, char text[COMMAND_TEXT]);
/* --tile-ranks: the first rank writes them. 0, or COMMAND_USAGE and a line. */
int tile_ranks_write(const struct instance *x, char text[COMMAND_TEXT]);
void tile_ranks_forget(struct instance *x);

#endif
