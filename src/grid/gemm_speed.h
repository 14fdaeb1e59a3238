/* Measures how fast this rank multiplies matrices on its threads and on its devices. */
#ifndef OMPFACT_SRC_GRID_GEMM_SPEED_H
#define OMPFACT_SRC_GRID_GEMM_SPEED_H

#include <stdbool.h>

struct devices;

/* Flops a second of GEMM of order n in double precision on the first device, and bytes a second of uploads and downloads: the
   second of two tries. */
struct device_speed {
    double gemm, up, down;
};
/* Local. All members are 0 where there is no memory on the host or the device, or the device has failed. */
struct device_speed device_speed_measure(struct devices *devices, int n);

/* GFLOP/s in double precision. */
struct gemm_speed {
    double threads;     /* of all threads together */
    double devices;     /* of all devices, each as fast as the first; 0: there are none, or the first has failed */
    double spread;      /* the difference between the two halves of the time, relative to `threads` */
};

/*
 * Measures the threads, while all of them multiply tiles for `seconds` of wall time after a warm-up, then the first device.
 * Without devices (NULL) it measures the threads alone. `seconds` is to span several periods of 100 ms, because a system may let
 * a rank compute for a part of each period only. Local; false: no memory.
 */
bool gemm_speed_measure(int threads, struct devices *devices, double seconds, struct gemm_speed *speed);

/* The threads' part of the work with which they take as long as the devices (section 3.2 of the paper that placement.h names).
   Local. 0: a device has failed. */
double gemm_speed_share(const struct gemm_speed *speed);

/* GFLOP/s of threads and devices together, where the threads do this part of the work. With gemm_speed_share() that is the sum of
   both. Local. */
double gemm_speed_together(const struct gemm_speed *speed, double share);

#endif
