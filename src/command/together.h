/* What the ranks of the command tell each other, on a communicator of its own. All collective; waits are polls that give up the
   core. Each returns false where MPI failed. */
#ifndef OMPFACT_SRC_COMMAND_TOGETHER_H
#define OMPFACT_SRC_COMMAND_TOGETHER_H

#include "src/command/refuse.h"

#include <mpi.h>
#include <stdbool.h>

/* A communicator of all ranks; to be freed. */
bool together_begin(MPI_Comm *comm);

/* In place. */
bool together_reduce(MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op);
/* What a rank has, on all. */
bool together_share(MPI_Comm comm, void *values, int count, MPI_Datatype type, int from);

/* The lowest failing rank's code and line become everybody's; and a line of its own where MPI failed. */
int together_agree(MPI_Comm comm, int code, char text[COMMAND_TEXT]);

#endif
