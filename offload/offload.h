/*
 * Where tiles are computed: the host, and the devices of this rank. omp/device.h says what can be asked of devices. No MPI here:
 * whoever opens them tells which rank of the node it is, and brings what went wrong to the others.
 */
#ifndef OMPFACT_OFFLOAD_OFFLOAD_H
#define OMPFACT_OFFLOAD_OFFLOAD_H

#include "omp/device.h"

#include <stdbool.h>
#include <stddef.h>

/* How products may be computed, by cuBLAS, in other arithmetic than their type's: ompfact.h's ompfact_emulation. */
enum emulation { EMULATE_NONE, EMULATE_FP64, EMULATE_BF16X9, EMULATE_TF32, EMULATE_BF16, EMULATIONS };

struct offload_request {
    int devices;                        /* of this rank; -1 (auto): its share of the node's accelerators, as many for each rank */
    const char *backend;                /* NULL or "auto", "cuda", "hip", "host", "portable" */
    enum emulation emulation;
    int rank_on_node, ranks_on_node;    /* rank r has the devices (r * devices + d) mod those there are */
};

/*
 * Opens devices, each one proven to compute. Returns 0, with *devices NULL where the answer is none (0 asked for, or auto and no
 * accelerator); or 1, or OFFLOAD_NO_MEMORY, and one line that says why not. LLVM's emulated devices are the host's cores again,
 * so auto does not take them unless a backend is named.
 */
enum { OFFLOAD_NO_MEMORY = 2 };
int offload_open(const struct offload_request *request, struct devices **devices, char *text, size_t text_size);

/* Sets *devices to NULL, which it may be. Nothing may be under way, and all memory released. */
void offload_close(struct devices **devices);

#endif
