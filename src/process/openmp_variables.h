/* What the environment tells OpenMP's runtime of LLVM: to be looked at before it starts. */
#ifndef OMPFACT_SRC_PROCESS_OPENMP_VARIABLES_H
#define OMPFACT_SRC_PROCESS_OPENMP_VARIABLES_H

#include <stdbool.h>

/* Removes variables of OpenMP's that are set to nothing, as a script does whose own variable is not set, and an OMP_NUM_THREADS
   that is no number: the runtime ends the program for that one, and complains of the others. */
void openmp_forget_useless(void);
/* Is the runtime told, by KMP_TASKING, to do tasks in a way in which it cannot do ours? */
bool openmp_no_tasks(void);

#endif
