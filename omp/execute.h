/* Execution of one task, from ready to done: on the calling thread, or begun on a device and completed later. */
#ifndef OMPFACT_OMP_EXECUTE_H
#define OMPFACT_OMP_EXECUTE_H

#include "omp/execution.h"

/* Creates run->device_work. random: as in ready_init. false: no memory */
bool run_prepare_devices(struct run *run, unsigned random);
void run_free_devices(struct run *run);

/* run_ready_of returns the heap in which a task waits. run_next_task returns the task to run next, or NULL; after it the
   thread's own tasks are in the common heap. */
struct ready *run_ready_of(struct run *run, const struct task *task);
struct task *run_next_task(struct run *run, struct worker *me);
/* Computes the task, or begins it on a device. Then completes and frees it. */
void run_task(struct run *run, struct worker *me, struct task *task);
/* Completes a task that a device has done. Returns false if there is none. */
bool run_begun_task(struct run *run, struct worker *me);

/* The identity of a transfer: the same at both ends, and unique in a run on one matrix. */
int64_t run_flow(const struct run *run, int64_t tile, int reader);

#endif
