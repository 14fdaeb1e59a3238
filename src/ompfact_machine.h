/**
 * @file ompfact_machine.h
 * What is known of the machine that a grid is on, and what can be measured of it: for programs that say how work is shared out.
 *
 * Unlike ompfact_plan.h, which is about clusters that need not be there, these calls measure on a grid's own ranks and devices.
 * Words, and errors, are those of ompfact.h.
 */
#ifndef OMPFACT_MACHINE_H
#define OMPFACT_MACHINE_H

#include "ompfact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- speeds of ranks ---------------------------------------------------------------------------------------------------- */

/**
 * How fast the ranks of a grid are, as ompfact_shape::speeds wants them: GEMM's rate of every rank while all of them compute.
 * Collective. Takes half a second.
 *
 * Speeds are in units of the slowest and multiples of 1/20, and those that differ by less than the spread are made equal.
 *
 * @param on_devices  whether the grid's devices, too, each rank's with its share: false for ompfact_geqrf()
 * @param speeds      room for one of each rank; the same everywhere
 * @param spread      relative: how far rates were apart while nothing changed, but 0.1 at least and 0.5 at most
 *
 * OMPFACT_NO_MEMORY, also where a rank's devices fail.
 */
ompfact_status ompfact_measure_speeds(ompfact_grid *grid, bool on_devices, double *speeds, double *spread);

/**
 * Reads speeds from a file, one positive number a line. Local.
 *
 * @param speeds   room for so many ranks
 * @param message  NULL, or room for OMPFACT_MESSAGE characters: one line on failure
 *
 * OMPFACT_BAD_ARGUMENT where there is no such file, or it does not have just as many.
 */
ompfact_status ompfact_read_speeds(const char *path, int ranks, double *speeds, char *message);

/* ---- devices ------------------------------------------------------------------------------------------------------------ */

/** Why the host has its share of tiles where there are devices. */
typedef enum {
    OMPFACT_SHARE_UNKNOWN = 0,      /**< it will be measured when a run starts */
    OMPFACT_SHARE_GIVEN = 1,        /**< by ompfact_options::host_share */
    OMPFACT_SHARE_TRIED = 2,        /**< the fastest of those that `ompfact --tune` tried with as many devices and threads */
    OMPFACT_SHARE_BALANCED = 3,     /**< which balances the rates that `ompfact --tune` has measured */
    OMPFACT_SHARE_MEASURED = 4      /**< or rates that were measured when the grid was made */
} ompfact_share_source;

/** What a rank does with devices. */
typedef struct {
    int devices, threads;           /**< of the rank; devices 0: all else does not count */
    const char *backend;            /**< whose kernels run on them; "": not known */
    bool measured;                  /**< `ompfact --tune` has measured such devices on this machine */
    double host_share;              /**< of the columns of tiles; NaN where it is not known yet */
    ompfact_share_source source;    /**< of host_share */
} ompfact_device_use;

/** How this rank uses devices. Local. */
ompfact_device_use ompfact_devices_used(const ompfact_grid *grid);

/**
 * The columns of the blocks that two kernels on this rank's devices are made of, for one type: a product with a matrix's own
 * transpose (herk), and products with the inverses of a triangle's blocks (trsm). Local. A grid begins with those that
 * `ompfact --tune` has found the fastest on such devices, or else with its backend's. Does nothing where there are no devices, or
 * their kernels have no blocks.
 *
 * @param herk, trsm  0: the library's own kernel; negative: as it is
 */
ompfact_status ompfact_set_device_blocks(ompfact_grid *grid, char type, int herk, int trsm);

#ifdef __cplusplus
}
#endif
#endif
