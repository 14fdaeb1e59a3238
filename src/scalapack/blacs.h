/* What is asked of the BLACS. */
#ifndef OMPFACT_SRC_SCALAPACK_BLACS_H
#define OMPFACT_SRC_SCALAPACK_BLACS_H

#include <mpi.h>

/* Cblacs_gridinfo(): all -1 where there is no such context. Local. */
void blacs_grid(int context, int *nprow, int *npcol, int *myrow, int *mycol);
/* The communicator of a context that there is: its processes, row by row. MPI_COMM_NULL: these BLACS do not tell. Local. */
MPI_Comm blacs_comm(int context);

#endif
