/* The environment variables of LLVM's OpenMP runtime, which are checked before it starts. */
#ifndef OMPFACT_SRC_PROCESS_OPENMP_VARIABLES_H
#define OMPFACT_SRC_PROCESS_OPENMP_VARIABLES_H

#include <stdbool.h>

/* Removes variables of OpenMP's that are set to nothing, as a script does whose own variable is not set, and an OMP_NUM_THREADS
   that is no number: the runtime ends the program for that one, and complains of the others. */
void openmp_forget_useless(void);
/* Whether KMP_TASKING selects a mode in which the runtime cannot run our tasks. */
bool openmp_no_tasks(void);

#endif
