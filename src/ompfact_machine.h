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

/* ---- what is known ------------------------------------------------------------------------------------------------------ */

/** Where rates of a machine's kernels come from. */
typedef enum {
    OMPFACT_MACHINE_TUNED = 0,      /**< ompfact_tune(), or `ompfact --tune`, has measured it */
    OMPFACT_MACHINE_RATED = 1,      /**< a run has, and nothing but kernels on the host */
    OMPFACT_MACHINE_TYPICAL = 2,    /**< nothing was measured: they are typical ones */
    OMPFACT_MACHINE_TOLD = 3        /**< a job tells it, or its platform does: ompfact_plan.h */
} ompfact_machine_source;

/** Cholesky in double precision by ranks of one node. */
typedef struct {
    int ranks, threads;             /**< of each rank */
    int n, nb;                      /**< order of the matrix, and of its tiles */
    double gflops;                  /**< of all ranks together */
} ompfact_machine_run;

/** The same by one rank with devices, and the share of its columns that was the fastest of those that were tried. */
typedef struct {
    int devices, threads;           /**< of the rank */
    int n, nb;                      /**< order of the matrix, and of its tiles */
    double share;                   /**< of the host; 1 without devices */
    double gflops;                  /**< of host and devices together */
} ompfact_machine_share;

/** The columns of blocks that kernels of a type on devices are fastest with: ompfact_set_device_blocks(). */
typedef struct {
    char type;                      /**< of elements: 's' 'd' 'c' 'z' */
    int nb;                         /**< order of the tiles that they were tried on */
    int herk, trsm;                 /**< 0: the library's own */
} ompfact_machine_blocks;

/** A machine. Texts and arrays are of whom it was asked, a grid or a plan, and live as long, until it learns more. */
typedef struct {
    const char *host, *processor;   /**< their names */
    const char *blas;               /**< BLIS's kernels, or "other" */
    int cores;                      /**< of the machine */
    ompfact_machine_source source;  /**< of its rates */
    const char *why;                /**< why nothing that was tuned is in use; "": there is nothing */
    int runs;                       /**< how many there are of the next, as of others below */
    const ompfact_machine_run *run; /**< the fastest of each number of ranks and threads */
    double transfer_s, word_s;      /**< seconds of a transfer's start, and of each of its words of 8 bytes; */
    bool transfers_measured;        /**<   else they are typical ones of one node */
    bool over_network;              /**< measured from one node to another */
    const char *device_backend;     /**< of the devices that were measured; "": none were, and the rest does not count */
    int device_nb;                  /**< the smallest tiles on which a device is as fast as on any, or nearly; */
    double device_gflops;           /**<   a device's GEMM on them, in double precision */
    double bus_up, bus_down;        /**< GB/s to a device, and from it */
    int blocks, shares;             /**< how many there are of the next two: */
    const ompfact_machine_blocks *block;    /**< of each type that was tried, */
    const ompfact_machine_share *share;     /**<   and of each number of devices */
    const ompfact_machine_share *best_share;    /**< the fastest; NULL: there is none */
    const void *rates;              /**< what the next three functions go by */
    int64_t reserved[16];           /**< zero: room for members of later versions */
} ompfact_machine;

/** GFLOP/s of one of so many threads that compute at once: measured and interpolated, or typical. Local. 0: there is no such
    kernel or type.
    @param kernel  "potrf", "getrf", "trsm", "syrk" or "gemm", on tiles of order nb */
double ompfact_machine_rate(const ompfact_machine *machine, char type, const char *kernel, int threads, int nb);

/** Seconds in which a rank of so many threads hands on a task, beside its arithmetic: measured with the nearest number of threads
    that `ompfact --tune` has tried, or typical. Local. */
double ompfact_machine_task(const ompfact_machine *machine, int threads);

/** All that is known, as the machine's file has it, in lines. Local. The caller frees it by free(); NULL: no memory. */
char *ompfact_machine_text(const ompfact_machine *machine);

/** The name of this machine's processor, or "unknown". Local. */
void ompfact_processor(char text[OMPFACT_MESSAGE]);

/* ---- tuning ------------------------------------------------------------------------------------------------------------- */

/** How long to measure. All zero (or a NULL pointer in its place) means less than a minute; with devices, two. */
typedef struct {
    double kernel_s;                /**< seconds of one of the few runs of each kernel; default 0.01 */
    int largest_nb;                 /**< of tiles on the host; default 512 */
    int order;                      /**< of the matrices that are factored; default 4096 */
    int largest_device_nb;          /**< of tiles on devices; default 2048 */
    double device_s;                /**< seconds, about and at most, of a factorization with devices; default 2 */
    int64_t reserved[8];            /**< zero: room for members of later versions */
} ompfact_effort;

/**
 * Measures the machine of the grid's first rank: rates of kernels over tile sizes; what a transfer takes to a rank of another
 * node, or if there is none of the same; how fast ranks and threads share the cores, up to as many ranks as the grid has there;
 * and the first rank's devices, the host's share with 1, 2, 4 .. of them and the blocks of their kernels. Nothing else should run
 * there meanwhile. Collective.
 *
 * The first rank keeps it in its user's cache folder, as `ompfact --tune` does, for all grids that begin after that, and this one
 * chooses tile sizes by it from now on. The grid's ompfact_options::progress is told, on the first rank, how far it is. What an
 * earlier call has measured and this one does not, devices or more ranks, stays.
 *
 * @param effort   NULL for the default; the same on every rank
 * @param machine  the same on every rank
 *
 * OMPFACT_BAD_ARGUMENT where the file cannot be written, which is tried before anything is measured; OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_tune(ompfact_grid *grid, const ompfact_effort *effort, ompfact_machine *machine);

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
