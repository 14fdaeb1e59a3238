/* What the object with the target regions offers. It alone is compiled for devices. */
#ifndef OMPFACT_OFFLOAD_REGIONS_H
#define OMPFACT_OFFLOAD_REGIONS_H

#include "offload/backend.h"

/* Runs a target region there and tells what has run it. */
enum device_kind region_kind(int device);

/* Kernels as plain target regions, right on any device that LLVM supports. */
const struct kernels *portable_kernels(char type);

#endif
