/* The host's side of offload: all tiles on the host. */
#include "offload/offload.h"

#include <stdio.h>

const struct kernels *kernels_of(char type)
{
    return host_kernels(type);
}

int offload_check(int devices, char *text, size_t text_size)
{
    if (devices == 0)
        return 0;
    snprintf(text, text_size, "%d devices were asked for, and this build computes on the host alone: use --devices 0", devices);
    return 1;
}
