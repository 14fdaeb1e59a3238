/*
 * The devices of this rank, in addition to the host. omp/device.h describes their interface. There is no MPI here: the caller
 * provides the rank's number on the node, and passes failures on to other ranks.
 */
#ifndef OMPFACT_OFFLOAD_OFFLOAD_H
#define OMPFACT_OFFLOAD_OFFLOAD_H

#include "omp/device.h"

#include <stdbool.h>
#include <stddef.h>

/* The arithmetic of products in cuBLAS, if it differs from that of their type: ompfact.h's ompfact_emulation. */
enum emulation { EMULATE_NONE, EMULATE_FP64, EMULATE_BF16X9, EMULATE_TF32, EMULATE_BF16, EMULATIONS };

struct offload_request {
    int devices;                        /* number of devices of this rank; -1 (auto): its share of the node's accelerators,
                                           equal for all ranks */
    const char *backend;                /* NULL or "auto", "cuda", "hip", "host", "portable" */
    enum emulation emulation;
    int rank_on_node, ranks_on_node;    /* rank r has the devices (r * devices + d) modulo their number */
};

/*
 * Opens devices, after a test that each one computes. Returns 0, with *devices NULL if there are none (0 requested, or auto
 * without an accelerator); or 1, or OFFLOAD_NO_MEMORY, and one line with the reason. LLVM's emulated devices are the host's
 * cores, so auto does not use them unless a backend is named.
 */
enum { OFFLOAD_NO_MEMORY = 2 };
int offload_open(const struct offload_request *request, struct devices **devices, char *text, size_t text_size);

/* Closes the devices and sets *devices to NULL; it may be NULL. All work must be done, and all memory released. */
void offload_close(struct devices **devices);

#endif
