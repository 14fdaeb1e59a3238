/* Execution of one task, from ready to done: on the calling thread, or begun on a device and completed later. */
#ifndef OMPFACT_OMP_EXECUTE_H
#define OMPFACT_OMP_EXECUTE_H

#include "omp/execution.h"

/* Creates run->device_work. random: as in ready_init. false: no memory */
bool run_prepare_devices(struct run *run, unsigned random);
void run_forget_devices(struct run *run);

/* run_ready_of: the heap in which a task waits. run_next_task: the task to run next, or NULL; then the tasks of the thread
   are among the common ones. */
struct ready *run_ready_of(struct run *run, const struct task *task);
struct task *run_next_task(struct run *run, struct worker *me);
/* Computes the task, or begins it on a device, and completes it: then it is freed. */
void run_task(struct run *run, struct worker *me, struct task *task);
/* Completes a task that a device has done; false: there is none. */
bool run_begun_task(struct run *run, struct worker *me);

/* The identity of a transfer: the same at both ends, and unique in a run on one matrix. */
int64_t run_flow(const struct run *run, int64_t tile, int reader);

#endif
