/*
 * The longest chain of tasks and transfers, each of which waits for the one before it: no order of them takes less, on however
 * many threads and links.
 */
#ifndef OMPFACT_SRC_MODEL_CHAIN_H
#define OMPFACT_SRC_MODEL_CHAIN_H

#include "src/model/model.h"

/*
 * Seconds of it for Cholesky, or LU without pivoting, of A, which may be on paper, on the nodes that ranks are on (NULL: each on
 * its own); NAN: no memory. A tile goes from its owner's node to another one in what the wire takes for it alone, and on a node
 * at once. Of more than so many steps the leading ones are walked, and the chain grows on as it did in their second half. Local.
 */
enum { CHAIN_STEPS = 256 };
double chain_seconds(const ompfact_matrix *A, const struct algorithm *algorithm, const int *node_of,
                     const struct model_machine *machine);

#endif
