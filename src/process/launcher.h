/* The launcher's data in the environment of a process, before MPI is initialised, or under another MPI's launcher. */
#ifndef OMPFACT_SRC_PROCESS_LAUNCHER_H
#define OMPFACT_SRC_PROCESS_LAUNCHER_H

#include <stdbool.h>

int launcher_rank(void);        /* -1: not known, or this process is alone */
int launcher_size(void);        /* number of processes that were started together; -1: not known */
bool launcher_ends_all(void);   /* whether the launcher ends all processes when one ends with a status other than 0, as Open MPI's
                                   does */

/* To be called before MPI starts. Open MPI's blocking calls spin, each for a scheduler's time slice or more, unless a variable
   states that ranks outnumber cores. A user's own setting stays. */
void launcher_let_yield(void);

#endif
