/* Host memory that is pinned for a rank's devices. */
#ifndef OMPFACT_OMP_PINNED_H
#define OMPFACT_OMP_PINNED_H

#include "omp/device.h"
#include "rma/rma.h"

/* A zeroed structure is empty. */
struct pinned {
    void **memory;
    int count, room;
};

/* Pins the part of the memory that can be pinned and is not. */
void pinned_add(struct pinned *pinned, struct devices *devices, void *memory, size_t bytes, bool to_read);
/* Pins this rank's tiles, and tiles of others that it reads in place. */
void pinned_add_space(struct pinned *pinned, struct devices *devices, const struct rma_space *space, const struct rma *rma);
void pinned_release(struct pinned *pinned, struct devices *devices);

#endif
