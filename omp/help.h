/* What a thread does between tasks, also one that has to wait while it submits. */
#ifndef OMPFACT_OMP_HELP_H
#define OMPFACT_OMP_HELP_H

#include "omp/execution.h"

struct worker *run_worker(struct run *run);     /* of the calling thread */
/* One round of what a thread without a task does: poll, execute a task if there is one, pause if nothing moved. */
void run_help(struct run *run, struct rma_backoff *backoff);

#endif
