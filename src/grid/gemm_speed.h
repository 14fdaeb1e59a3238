/* How fast this rank multiplies matrices: its threads, and its devices. */
#ifndef OMPFACT_SRC_GRID_GEMM_SPEED_H
#define OMPFACT_SRC_GRID_GEMM_SPEED_H

#include <stdbool.h>

struct devices;

/* Flops a second of GEMM of order n in double precision on the first device, and bytes a second on the way there and back: the
   second of two tries. */
struct device_speed {
    double gemm, up, down;
};
/* Local; all 0 where there is no memory, here or there, or the device fails. */
struct device_speed device_speed_measure(struct devices *devices, int n);

/* GFLOP/s in double precision. */
struct gemm_speed {
    double threads;     /* of all of them together */
    double devices;     /* of all of them, as fast as the first; 0: there are none, or it failed */
    double spread;      /* relative to `threads`: how far the two halves of the time are apart */
};

/*
 * Of the threads, while all of them multiply tiles for so many seconds of wall time after waking up; then the first device's.
 * Without devices (NULL) of the threads alone. A system that lets a rank compute for part of every 100 ms takes several of those.
 * Local; false: no memory.
 */
bool gemm_speed_measure(int threads, struct devices *devices, double seconds, struct gemm_speed *speed);

/* The threads' share of the work with which they take as long as the devices (section 3.2 of the paper that placement.h names).
   Local. 0 where a device has failed. */
double gemm_speed_share(const struct gemm_speed *speed);

/* GFLOP/s of threads and devices together, where the threads have such a share of the work; with the share that balances them,
   the sum. Local. */
double gemm_speed_together(const struct gemm_speed *speed, double share);

#endif
