/* The drop-in: ScaLAPACK's names, and no MPI; dispatch.c. */
#ifndef OMPFACT_SRC_SCALAPACK_DISPATCH_H
#define OMPFACT_SRC_SCALAPACK_DISPATCH_H

/* Calls the routine ("pdpotrf_") of the flavour for this process's MPI, else the one behind this library, with its parameters. */
void dispatch(const char *name, void **parameter, int count);

#endif
