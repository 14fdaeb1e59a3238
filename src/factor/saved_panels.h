/* The data of QR's panels beside tiles, for saving and restoring a factorization. */
#ifndef OMPFACT_SRC_FACTOR_SAVED_PANELS_H
#define OMPFACT_SRC_FACTOR_SAVED_PANELS_H

#include "src/factor/snapshot.h"

/* Members of struct algorithm. */
keep_function keep_panel;
int64_t most_of_panels(const struct job *job);

/* Restores A->done panels. Collective. */
resume_beside restore_panels;

#endif
