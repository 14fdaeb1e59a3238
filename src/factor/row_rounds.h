/*
 * Moves of rows between ranks, in rounds through the grid's staging memory. A round moves pieces of many tile columns, so that
 * all ranks send and receive in it. Every rank knows the layout and all moves, hence which pieces are in a round: it is full
 * when the next piece could exceed the memory of any rank. The rows from one rank to another are together, piece after piece,
 * so both know the place of each row. All rows of a round are read before any is written.
 */
#ifndef OMPFACT_SRC_FACTOR_ROW_ROUNDS_H
#define OMPFACT_SRC_FACTOR_ROW_ROUNDS_H

#include "src/factor/row_lists.h"

struct row_rounds;

/* Collective, as all calls here. Makes the staging memory. After an error *rounds is NULL. */
ompfact_status row_rounds_begin(struct row_lists *lists, struct row_rounds **rounds);
/* Adds the column that row_lists_column() has chosen, j, to the present round, or to several. `source` is read in this call
   only. After an error this rank still takes part in the rounds of the others. */
void row_rounds_add(struct row_rounds *x, int j, int64_t first, const int64_t *source);
/* Moves what has been added. Adds the parts of rows, one tile wide, that came from other ranks, and their bytes. Returns the
   first error of MPI. */
int row_rounds_end(struct row_rounds **rounds, int64_t *moved, int64_t *bytes);

#endif
