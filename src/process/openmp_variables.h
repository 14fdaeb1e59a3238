/* The environment variables of LLVM's OpenMP runtime, which are checked before it starts. */
#ifndef OMPFACT_SRC_PROCESS_OPENMP_VARIABLES_H
#define OMPFACT_SRC_PROCESS_OPENMP_VARIABLES_H

#include <stdbool.h>

/* Removes empty variables of OpenMP, such as a script sets from a variable that is not set, and an OMP_NUM_THREADS that is no
   number. The runtime ends the program for the latter, and prints warnings for the others. */
void openmp_forget_useless(void);
/* Whether KMP_TASKING selects a mode in which the runtime cannot run the tasks of this library. */
bool openmp_no_tasks(void);

#endif
