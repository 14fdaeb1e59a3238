/* What is asked of the BLACS. In the shared library the names may be missing, so that programs without ScaLAPACK can load it. */
#ifndef OMPFACT_SRC_SCALAPACK_BLACS_H
#define OMPFACT_SRC_SCALAPACK_BLACS_H

#include <mpi.h>

#ifdef BLACS_MAY_BE_MISSING
#define MAY_BE_MISSING __attribute__((weak))
#else
#define MAY_BE_MISSING
#endif

enum { BLACS_SYSTEM_HANDLE = 10 };      /* of Cblacs_get: of the communicator that a context is based on */

void Cblacs_gridinfo(int context, int *nprow, int *npcol, int *myrow, int *mycol) MAY_BE_MISSING;
void Cblacs_get(int context, int what, int *value) MAY_BE_MISSING;
MPI_Comm Cblacs2sys_handle(int handle) MAY_BE_MISSING;

#endif
