/* Names in the libraries behind this one, and calls of what has them. */
#ifndef OMPFACT_SRC_SCALAPACK_FIND_H
#define OMPFACT_SRC_SCALAPACK_FIND_H

/*
 * The next definition of a name after ours: in the program and the libraries that it shows to all, or else in one that was loaded
 * for somebody alone, as interpreters load extensions and what these need. NULL: there is none. Local, for one thread; what was
 * found, or that nothing was, is kept.
 */
void *find_name(const char *name);

/* From now on `find` does it, of the library that stands in front of this one. The drop-in calls it, of a flavour. */
void ompfact_scalapack_behind(void *(*find)(const char *name)) __attribute__((visibility("default")));

/* Calls a routine with its parameters. Behind them are the lengths of strings, all of one letter, for Fortran routines that look
   for them. More than a routine takes do no harm where the caller takes parameters off the stack, as C compilers on all our
   systems do. */
enum { MOST_PARAMETERS = 20 };
void call_by_name(void *routine, void **parameter, int count);

#endif
