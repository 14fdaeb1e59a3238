/* What the launcher tells a process in its environment: before MPI is initialised, or where MPI is another one's. */
#ifndef OMPFACT_SRC_PROCESS_LAUNCHER_H
#define OMPFACT_SRC_PROCESS_LAUNCHER_H

#include <stdbool.h>

int launcher_rank(void);        /* -1: it says nothing, or this process is one of its own */
int launcher_size(void);        /* processes that were started together; -1: it says nothing */
bool launcher_ends_all(void);   /* as soon as one process ends with a status other than 0, as Open MPI's does */

/* Before MPI starts: Open MPI's blocking calls spin, each for a scheduler's turn or more, unless they are told that ranks
   outnumber cores. A user's own setting stays. */
void launcher_let_yield(void);

#endif
