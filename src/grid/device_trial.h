/* How long a kernel takes on a device, with its blocks as they are: to find those that are fastest. */
#ifndef OMPFACT_SRC_GRID_DEVICE_TRIAL_H
#define OMPFACT_SRC_GRID_DEVICE_TRIAL_H

#include "omp/device.h"

enum device_trial {
    TRIAL_HERK,         /* C -= A A^H, a triangle of it */
    TRIAL_TRSM,         /* C := C A^-H, A a lower triangle */
};

/* Seconds on the first device with tiles of order n, the least of a few tries on several tiles that share a factor. Local;
   infinity where there is no memory, here or there, or the device fails. */
double device_trial(struct devices *devices, enum device_trial kernel, char type, int n);

#endif
