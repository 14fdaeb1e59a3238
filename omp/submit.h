/* Steps of the submitting thread for a task before task_submit, in the order of these functions; moves of its tiles come in
   between. */
#ifndef OMPFACT_OMP_SUBMIT_H
#define OMPFACT_OMP_SUBMIT_H

#include "omp/execution.h"

/* The urgency of a task of this step whose output becomes final in step `due`, by the plan. */
int64_t run_urgency_of(const struct run *run, int due, enum urgent what);
/* Copies the task of the loops, which may be gone when the copy runs. */
struct task *run_copy_task(struct run *run, const struct task *task);
/* Adds a name to run->names. lasts: the name is not a slot of the cache. (A slot is soon written again.) */
void run_name(struct run *run, enum access access, char *name, bool lasts);
/* Sets the number and the urgency of the copy, and waits until it may be in flight. */
void run_enter(struct run *run, struct task *copy, int64_t urgency);

/* Creates an empty runtime task that writes this name. */
void run_write_nothing(struct run *run, char *name);

#endif
