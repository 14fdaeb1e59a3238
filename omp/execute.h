/* One task, from ready to done: on the calling thread, or begun on a device and seen through later. */
#ifndef OMPFACT_OMP_EXECUTE_H
#define OMPFACT_OMP_EXECUTE_H

#include "omp/execution.h"

/* run->device_work. random: as in ready_init. false: no memory */
bool run_prepare_devices(struct run *run, unsigned random);
void run_forget_devices(struct run *run);

/* Among which ready ones a task waits; and the one to run next, or NULL: what the thread has at hand is among the others then. */
struct ready *run_ready_of(struct run *run, const struct task *task);
struct task *run_next_task(struct run *run, struct worker *me);
/* Computes the task, or has a device begin it, and sees it through to the end: then it is freed. */
void run_task(struct run *run, struct worker *me, struct task *task);
/* Sees through one that a device has done; false: there is none. */
bool run_begun_task(struct run *run, struct worker *me);

/* The name of a transfer: the same at both ends, and of no other one in a run on one matrix. */
int64_t run_flow(const struct run *run, int64_t tile, int reader);

#endif
