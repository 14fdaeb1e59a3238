/* Finds names in the libraries behind this one, and calls their functions. */
#ifndef OMPFACT_SRC_SCALAPACK_FIND_H
#define OMPFACT_SRC_SCALAPACK_FIND_H

/*
 * The next definition of a name after ours: in the program and its global libraries, otherwise in a local library, such as an
 * extension of an interpreter and its needs. NULL: there is none. Local, for one thread; results are stored, also that there is
 * none.
 */
void *find_name(const char *name);

/* From now on `find` finds names, for the library in front of this one. The drop-in calls this function of a flavour. */
void ompfact_scalapack_behind(void *(*find)(const char *name)) __attribute__((visibility("default")));

/* Calls a routine with its parameters and after them the lengths of strings, all of one letter, for Fortran routines that read
   them. Extra parameters do no harm if the caller removes parameters from the stack, as C compilers on all our systems do. */
enum { MOST_PARAMETERS = 20 };
void call_by_name(void *routine, void **parameter, int count);

#endif
