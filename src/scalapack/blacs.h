/* Functions of the BLACS that this library calls. */
#ifndef OMPFACT_SRC_SCALAPACK_BLACS_H
#define OMPFACT_SRC_SCALAPACK_BLACS_H

#include <mpi.h>

/* Cblacs_gridinfo(): all results are -1 if there is no such context. Local. */
void blacs_grid(int context, int *nprow, int *npcol, int *myrow, int *mycol);
/* The communicator of an existing context: its processes, row by row. MPI_COMM_NULL: these BLACS do not return it. Local. */
MPI_Comm blacs_comm(int context);

#endif
