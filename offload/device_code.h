/* Kernels of this library for NVIDIA's and AMD's devices; their names in the code are the same. */
#ifndef OMPFACT_OFFLOAD_DEVICE_CODE_H
#define OMPFACT_OFFLOAD_DEVICE_CODE_H

enum { ROWS_AT_ONCE = 448 };

/* Lists of rows in a kernel's arguments, which have room for 4 KiB. Without a list: 0, 1, 2, ... */
struct row_lists {
    int count, from_is_given, to_is_given;
    int from[ROWS_AT_ONCE], to[ROWS_AT_ONCE];
};

/* The PTX of device_code.c, which NVIDIA's driver compiles for its device. */
extern const char device_code[];

/* A bundle of its code objects for some of AMD's devices, from which HIP takes the one for its device. Begins with a zero if
   the build has none. */
extern const char device_code_amd[];

#endif
