/* MPI's own start and end, for bench/growth: initializes MPI as ompfact does, calls one barrier, and finalizes MPI. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
