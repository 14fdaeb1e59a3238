/* The drop-in, which has ScaLAPACK's names and no MPI; dispatch.c. */
#ifndef OMPFACT_SRC_SCALAPACK_DISPATCH_H
#define OMPFACT_SRC_SCALAPACK_DISPATCH_H

/* Calls the routine ("pdpotrf_") of the flavour for this process's MPI, otherwise that of the next library, with its
   parameters. */
void dispatch(const char *name, void **parameter, int count);

#endif
