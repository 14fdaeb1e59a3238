/* The structures of the interface, as C has them. */
#include "src/ompfact.h"

int struct_sizes_differ(const size_t *sizes);

int struct_sizes_differ(const size_t *sizes)
{
    return sizes[0] != sizeof(ompfact_options) || sizes[1] != sizeof(ompfact_shape) || sizes[2] != sizeof(ompfact_tile) ||
           sizes[3] != sizeof(ompfact_scalapack) || sizes[4] != sizeof(ompfact_report);
}
