/* What the object with the target regions offers. It alone is compiled for devices. */
#ifndef OMPFACT_OFFLOAD_REGIONS_H
#define OMPFACT_OFFLOAD_REGIONS_H

enum device_kind {
    DEVICE_NONE,        /* target regions do not run there */
    DEVICE_EMULATED,    /* LLVM's: the host's cores and memory under other names */
    DEVICE_NVIDIA,
    DEVICE_OTHER,
};

/* Runs a target region there and tells what has run it. */
enum device_kind region_kind(int device);

#endif
