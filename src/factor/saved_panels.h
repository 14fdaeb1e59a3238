/* What QR's panels leave beside tiles, for those who save a factorization and those who go on from one. */
#ifndef OMPFACT_SRC_FACTOR_SAVED_PANELS_H
#define OMPFACT_SRC_FACTOR_SAVED_PANELS_H

#include "src/factor/snapshot.h"

/* As the members of struct algorithm are. */
keep_function keep_panel;
int64_t most_of_panels(const struct job *job);

/* Of A->done panels. Collective. */
resume_beside restore_panels;

#endif
