/* The functions of the BLACS. A program that links this file statically links the BLACS, too. The shared library looks up the
   BLACS at its first call, because programs without ScaLAPACK may have loaded it. */
#include "src/scalapack/blacs.h"
#include "src/scalapack/find.h"

#include <stddef.h>

typedef void gridinfo_function(int context, int *nprow, int *npcol, int *myrow, int *mycol);
typedef void get_function(int context, int what, int *value);
typedef MPI_Comm handle_function(int handle);

#ifdef BLACS_MAY_BE_MISSING
#define FIND(pointer, name) (*(void **)&(pointer) = find_name(#name))
#else
gridinfo_function Cblacs_gridinfo;
get_function Cblacs_get;
handle_function Cblacs2sys_handle;
#define FIND(pointer, name) ((pointer) = name)
#endif

void blacs_grid(int context, int *nprow, int *npcol, int *myrow, int *mycol)
{
    gridinfo_function *gridinfo;
    *nprow = *npcol = *myrow = *mycol = -1;
    FIND(gridinfo, Cblacs_gridinfo);
    if (gridinfo != NULL)
        gridinfo(context, nprow, npcol, myrow, mycol);
}

MPI_Comm blacs_comm(int context)
{
    enum { SYSTEM_HANDLE = 10 };    /* key of the communicator that a context is based on */
    get_function *get;
    handle_function *system_handle;
    int handle;
    FIND(get, Cblacs_get);
    FIND(system_handle, Cblacs2sys_handle);
    if (get == NULL || system_handle == NULL)
        return MPI_COMM_NULL;
    get(context, SYSTEM_HANDLE, &handle);
    return system_handle(handle);
}
