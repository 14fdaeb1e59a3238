/* What the submitting thread does with a task before task_submit: in the order of the functions here, moves of its tiles between
   them. */
#ifndef OMPFACT_OMP_SUBMIT_H
#define OMPFACT_OMP_SUBMIT_H

#include "omp/execution.h"

/* Of a task of this step whose output is due then: the plan's. */
int64_t run_urgency_of(const struct run *run, int due, enum urgent what);
/* The task that will run, a copy of the loops', which may be gone by then. */
struct task *run_copy_task(struct run *run, const struct task *task);
/* One more name in run->names; `lasts`: not a slot of the cache, which is soon written again. */
void run_name(struct run *run, enum access access, char *name, bool lasts);
/* Gives the copy its number and its urgency, and waits until it may be in flight. */
void run_enter(struct run *run, struct task *copy, int64_t urgency);

/* A task of the runtime's that does nothing, but writes this name. */
void run_write_nothing(struct run *run, char *name);

#endif
