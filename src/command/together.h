/* Messages between the ranks of the command, on a communicator of its own. All functions are collective; waits are polls that
   yield the core. Each function returns false if MPI failed. */
#ifndef OMPFACT_SRC_COMMAND_TOGETHER_H
#define OMPFACT_SRC_COMMAND_TOGETHER_H

#include "src/command/refuse.h"

#include <mpi.h>
#include <stdbool.h>

/* Creates a communicator of all ranks, which the caller frees. */
bool together_begin(MPI_Comm *comm);

/* Reduces in place. */
bool together_reduce(MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op);
/* Broadcasts the values of a rank. */
bool together_share(MPI_Comm comm, void *values, int count, MPI_Datatype type, int from);

/* Returns the code and the line of the lowest failing rank on every rank; the call has its own line for a failure of MPI. */
int together_agree(MPI_Comm comm, int code, char text[COMMAND_TEXT]);

#endif
