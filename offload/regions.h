/* The interface of the object with the target regions, which is the only one compiled for devices. */
#ifndef OMPFACT_OFFLOAD_REGIONS_H
#define OMPFACT_OFFLOAD_REGIONS_H

#include "offload/backend.h"

/* Runs a target region on the device and returns the kind of device that ran it. */
enum device_kind region_kind(int device);

/* Kernels as plain target regions, correct on any device that LLVM supports. */
const struct kernels *portable_kernels(char type);
extern const struct bf16_kernels portable_bf16;

#endif
