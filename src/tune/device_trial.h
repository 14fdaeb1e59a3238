/* Measures how long a kernel takes on a device, to find the fastest block sizes of kernels. */
#ifndef OMPFACT_SRC_TUNE_DEVICE_TRIAL_H
#define OMPFACT_SRC_TUNE_DEVICE_TRIAL_H

#include "omp/device.h"

enum device_trial {
    TRIAL_HERK,         /* C -= A A^H, a triangle of C */
    TRIAL_TRSM,         /* C := C A^-H, A a lower triangle */
};

/* Seconds on the first device with tiles of order n: the least of a few tries on several tiles that share a factor. Local.
   Infinity: there is no memory on the host or the device, or the device has failed. */
double device_trial(struct devices *devices, enum device_trial kernel, char type, int n);

#endif
