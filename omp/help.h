/* What a thread does between tasks, also one that has to wait while it submits. */
#ifndef OMPFACT_OMP_HELP_H
#define OMPFACT_OMP_HELP_H

#include "omp/execution.h"

struct worker *run_worker(struct run *run);     /* of the calling thread */
/* The submitting thread: tasks and empty writers in flight; what those that are not any more have done is seen. */
int run_in_flight(struct run *run);
/* One round of what a thread without a task does: poll, execute a task if there is one, pause if nothing moved. */
void run_help(struct run *run, struct rma_backoff *backoff);

#endif
