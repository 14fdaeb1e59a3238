/* Functions with MPI handles, which are integers in Fortran and of any type in C, so Fortran cannot call C directly. */
#include "src/ompfact.h"

ompfact_status ompfact_fortran_grid_create(MPI_Fint comm, const ompfact_options *options, ompfact_grid **grid, char *message);

ompfact_status ompfact_fortran_grid_create(MPI_Fint comm, const ompfact_options *options, ompfact_grid **grid, char *message)
{
    return ompfact_grid_create(MPI_Comm_f2c(comm), options, grid, message);
}
