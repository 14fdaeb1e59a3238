/*
 * The longest chain of tasks and transfers, each of which waits for the one before it. No schedule takes less time, on any number
 * of threads and links.
 */
#ifndef OMPFACT_SRC_MODEL_CHAIN_H
#define OMPFACT_SRC_MODEL_CHAIN_H

#include "src/model/model.h"

/*
 * Seconds of the longest chain for Cholesky, or LU without pivoting, of A, which may be on paper, with the ranks on these nodes
 * (NULL: each rank on a node of its own). NAN: no memory. A tile passes from its owner's node to another one in the time of the
 * wire for that tile alone, and within a node at once. If there are more than CHAIN_STEPS steps, the leading ones are walked, and
 * the rest of the chain is extrapolated from their second half. Local.
 */
enum { CHAIN_STEPS = 256 };
double chain_seconds(const ompfact_matrix *A, const struct algorithm *algorithm, const int *node_of,
                     const struct model_machine *machine);

#endif
