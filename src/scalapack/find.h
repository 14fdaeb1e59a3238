/* Names in the libraries behind this one. */
#ifndef OMPFACT_SRC_SCALAPACK_FIND_H
#define OMPFACT_SRC_SCALAPACK_FIND_H

/*
 * The next definition of a name after ours: in the program and the libraries that it shows to all, or else in one that was loaded
 * for somebody alone, as interpreters load extensions and what these need. NULL: there is none. Local, for one thread; what was
 * found, or that nothing was, is kept.
 */
void *find_name(const char *name);

#endif
