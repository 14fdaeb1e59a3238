/*
 * Where tiles are computed: the host, and the devices of this rank. Today every tile lives on the host; the interface is what the
 * task layer and the command use, so that device tiles come in behind it.
 */
#ifndef OMPFACT_OFFLOAD_OFFLOAD_H
#define OMPFACT_OFFLOAD_OFFLOAD_H

#include "omp/kernels.h"

/* The kernels for tiles of a precision; NULL for a letter that is none of s, d, c, z. */
const struct kernels *kernels_of(char type);

/*
 * Can this process compute on so many devices? Returns 0 if it can (0 devices: always), or 1 and one line that says why not.
 */
int offload_check(int devices, char *text, size_t text_size);

#endif
