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

/* ---- rates -------------------------------------------------------------------------------------------------------------- */

/**
 * How fast all ranks together multiply matrices of a type on their threads, as far as these have cores: what a factorization can
 * be compared with. Collective.
 *
 * @param seconds  about how long that may take
 * @param gflops   a rank without memory for it counts as none
 */
ompfact_status ompfact_gemm_rate(ompfact_grid *grid, char type, double seconds, double *gflops);

#ifdef __cplusplus
}
#endif
#endif
