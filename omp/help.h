/* The work of a thread between tasks, also of one that waits while it submits. */
#ifndef OMPFACT_OMP_HELP_H
#define OMPFACT_OMP_HELP_H

#include "omp/execution.h"

struct worker *run_worker(struct run *run);     /* of the calling thread */
/* For the submitting thread: the number of tasks and empty writers in flight; the effects of all others are visible. */
int run_in_flight(struct run *run);
/* One round of a thread without a task: poll, execute a task if there is one, pause if nothing moved. */
void run_help(struct run *run, struct rma_backoff *backoff);

#endif
