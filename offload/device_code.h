/* Kernels of our own for NVIDIA's and AMD's devices: their names are theirs in the code, too. */
#ifndef OMPFACT_OFFLOAD_DEVICE_CODE_H
#define OMPFACT_OFFLOAD_DEVICE_CODE_H

enum { ROWS_AT_ONCE = 448 };

/* Rows, which a kernel is given with its arguments: these have room for 4 KiB. Not given: 0, 1, 2, ... */
struct row_lists {
    int count, from_is_given, to_is_given;
    int from[ROWS_AT_ONCE], to[ROWS_AT_ONCE];
};

/* The PTX of device_code.c, which NVIDIA's driver compiles for the device that it has. */
extern const char device_code[];

/* A bundle of its code objects for some of AMD's devices, from which HIP takes the one for the device that it has. It begins with
   a zero where the build has none. */
extern const char device_code_amd[];

#endif
