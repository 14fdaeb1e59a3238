/* MPI's own part of start-up and end: initialises it as ompfact does, meets once, and finalizes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
