/**
 * @file ompfact_machine.h
 * What is known about the machine of a grid, and measurements of it, for programs that decide how work is distributed.
 *
 * These calls measure on the ranks and devices of a grid, unlike those of ompfact_plan.h, which describe clusters that need not
 * exist. ompfact.h defines the words and the errors.
 */
#ifndef OMPFACT_MACHINE_H
#define OMPFACT_MACHINE_H

#include "ompfact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is known ------------------------------------------------------------------------------------------------------ */

/** The source of the kernel rates of a machine. */
typedef enum {
    OMPFACT_MACHINE_TUNED = 0,      /**< measured by ompfact_tune() or `ompfact --tune` */
    OMPFACT_MACHINE_RATED = 1,      /**< measured by a run: kernels on the host only */
    OMPFACT_MACHINE_TYPICAL = 2,    /**< typical rates; nothing was measured */
    OMPFACT_MACHINE_GIVEN = 3        /**< given by a job or its platform: ompfact_plan.h */
} ompfact_machine_source;

/** A measured run: Cholesky in double precision by ranks of one node. */
typedef struct {
    int ranks, threads;             /**< number of ranks, and threads of each rank */
    int n, nb;                      /**< order of the matrix, and tile size */
    double gflops;                  /**< rate of all ranks together */
} ompfact_machine_run;

/** A measured run by one rank with devices, with the share of columns on the host that was the fastest of the tried ones. */
typedef struct {
    int devices, threads;           /**< devices and threads of the rank */
    int n, nb;                      /**< order of the matrix, and tile size */
    double share;                   /**< share of the columns on the host; 1 without devices */
    double gflops;                  /**< rate of host and devices together */
} ompfact_machine_share;

/** The block sizes with which kernels of a type are fastest on devices: ompfact_set_device_blocks(). */
typedef struct {
    char type;                      /**< type of elements: 's' 'd' 'c' 'z' */
    int nb;                         /**< tile size of the measurement */
    int herk, trsm;                 /**< columns of a block of herk, and of trsm; 0: the kernel of the device library */
} ompfact_machine_blocks;

/** A machine. Its texts and arrays belong to the grid or plan that returned it, and are valid as long as that, until new
    measurements replace them. */
typedef struct {
    const char *host, *processor;   /**< name of the host, and of its processor */
    const char *blas;               /**< name of the BLIS kernels, or "other" */
    int cores;                      /**< cores of the machine */
    ompfact_machine_source source;  /**< source of its rates */
    const char *why;                /**< why the rates of ompfact_tune() are not used; "": no reason */
    int runs;                       /**< number of elements of `run` */
    const ompfact_machine_run *run; /**< the fastest run for each number of ranks and threads */
    double transfer_s, word_s;      /**< seconds to start a transfer, and for each of its words of 8 bytes */
    bool transfers_measured;        /**< transfer_s and word_s are measured; otherwise they are typical of one node */
    bool over_network;              /**< transfer_s and word_s were measured between two nodes */
    const char *device_backend;     /**< backend of the measured devices; "": none, and the following members are undefined */
    int device_nb;                  /**< smallest tile size at which a device reaches (nearly) its full speed */
    double device_gflops;           /**< GEMM rate of a device at device_nb, in double precision */
    double bus_up, bus_down;        /**< GB/s to a device, and from a device */
    int blocks, shares;             /**< number of elements of `block`, and of `share` */
    const ompfact_machine_blocks *block;    /**< block sizes for each measured type */
    const ompfact_machine_share *share;     /**< fastest run for each number of devices */
    const ompfact_machine_share *best_share;    /**< the fastest element of `share`; NULL: none */
    const void *rates;              /**< internal data for the functions below */
    int64_t reserved[16];           /**< zero; for members of later versions */
} ompfact_machine;

/**
 * The rate in GFLOP/s of one of so many threads that compute at once: measured and interpolated, or typical; 0 for an unknown
 * kernel or type. Local.
 *
 * @param machine  the machine
 * @param type     's', 'd', 'c' or 'z'
 * @param kernel   "potrf", "getrf", "trsm", "syrk" or "gemm"
 * @param threads  the number of threads
 * @param nb       the tile size
 */
double ompfact_machine_rate(const ompfact_machine *machine, char type, const char *kernel, int threads, int nb);

/** Seconds that a rank with so many threads needs to process a task besides its arithmetic: measured with the nearest number
    of threads that `ompfact --tune` has tried, or typical. Local. */
double ompfact_machine_task(const ompfact_machine *machine, int threads);

/** All known data as text, in the format of the machine's file. Local. The caller frees it by free(); NULL: no memory. */
char *ompfact_machine_text(const ompfact_machine *machine);

/** The name of the processor of this machine, or "unknown". Local. */
void ompfact_processor(char text[OMPFACT_MESSAGE]);

/* ---- tuning ------------------------------------------------------------------------------------------------------------- */

/** The effort of a measurement. All zero (or a NULL pointer) means less than a minute, with devices two. */
typedef struct {
    double kernel_s;                /**< seconds of one run of a kernel, of the few runs that it gets; default 0.01 */
    int largest_nb;                 /**< largest tile size on the host; default 512 */
    int order;                      /**< order of the factored matrices; default 4096 */
    int largest_device_nb;          /**< largest tile size on devices; default 2048 */
    double device_s;                /**< approximate limit in seconds of a factorization with devices; default 2 */
    int64_t reserved[8];            /**< zero; for members of later versions */
} ompfact_effort;

/**
 * Measures the machine of the grid's first rank. Collective. No other program should run there at the same time.
 *
 * It measures the rates of kernels over tile sizes; the time of a transfer to a rank of another node (or without one, of the
 * same node); the speed of combinations of ranks and threads, up to the number of ranks that the grid has there; and the
 * devices of the first rank, with the share of the host for 1, 2, 4 .. of them and the block sizes of their kernels.
 *
 * The first rank writes the results to the cache folder of its user, as `ompfact --tune` does, for grids that are created
 * later. This grid chooses tile sizes by them from now on. On the first rank the call reports its progress by
 * ompfact_options::progress. Results of an earlier call that this one does not measure, for devices or more ranks, remain.
 *
 * @param grid     the grid
 * @param effort   NULL for the default; the same on every rank
 * @param machine  set to the same on every rank
 *
 * Returns OMPFACT_BAD_ARGUMENT if the file cannot be written (tested before the measurement), or OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_tune(ompfact_grid *grid, const ompfact_effort *effort, ompfact_machine *machine);

/* ---- speeds of ranks ---------------------------------------------------------------------------------------------------- */

/**
 * Measures the speeds of the ranks of a grid, for ompfact_shape::speeds: the GEMM rate of every rank while all of them
 * compute. Collective. It takes half a second. Speeds are multiples of 1/20 in units of the slowest rank; speeds that differ
 * by less than the spread become equal.
 *
 * @param grid        the grid
 * @param on_devices  includes the devices of each rank with their share; false for ompfact_geqrf()
 * @param speeds      memory for one number for each rank; the same everywhere
 * @param spread      set to the relative spread of the rates while nothing changed, but at least 0.1 and at most 0.5
 *
 * Returns OMPFACT_NO_MEMORY, also if the devices of a rank fail.
 */
ompfact_status ompfact_measure_speeds(ompfact_grid *grid, bool on_devices, double *speeds, double *spread);

/**
 * Reads speeds from a file with one positive number a line. Local. Returns OMPFACT_BAD_ARGUMENT if there is no such file or
 * the number of speeds differs.
 *
 * @param path     the file
 * @param ranks    the number of ranks
 * @param speeds   memory for so many numbers
 * @param message  NULL, or a buffer of OMPFACT_MESSAGE characters for one line on failure
 */
ompfact_status ompfact_read_speeds(const char *path, int ranks, double *speeds, char *message);

/* ---- devices ------------------------------------------------------------------------------------------------------------ */

/** The reason for the host's share of tiles, with devices. */
typedef enum {
    OMPFACT_SHARE_UNKNOWN = 0,      /**< not yet known; measured when a run starts */
    OMPFACT_SHARE_GIVEN = 1,        /**< given by ompfact_options::host_share */
    OMPFACT_SHARE_TRIED = 2,        /**< the fastest share that `ompfact --tune` tried with as many devices and threads */
    OMPFACT_SHARE_BALANCED = 3,     /**< balances the rates that `ompfact --tune` has measured */
    OMPFACT_SHARE_MEASURED = 4      /**< balances rates that were measured when the grid was created */
} ompfact_share_source;

/** The use of devices by a rank. */
typedef struct {
    int devices, threads;           /**< devices and threads of the rank; without devices the other members are undefined */
    const char *backend;            /**< backend of the devices; "": unknown */
    bool measured;                  /**< `ompfact --tune` has measured such devices on this machine */
    double host_share;              /**< share of the columns of tiles on the host; NaN: not yet known */
    ompfact_share_source source;    /**< reason for host_share */
} ompfact_device_use;

/** Returns how this rank uses devices. Local. */
ompfact_device_use ompfact_devices_used(const ompfact_grid *grid);

/**
 * Sets the block sizes of two kernels on this rank's devices for one type: herk, the product of a matrix with its own
 * transpose, and trsm, which multiplies by inverses of diagonal blocks. Local. A new grid has the fastest sizes that
 * `ompfact --tune` has found on such devices, or those of its backend. The call does nothing without devices or if
 * the kernels have no blocks.
 *
 * @param grid        the grid
 * @param type        's', 'd', 'c' or 'z'
 * @param herk, trsm  columns of a block; 0: the kernel of the device library; negative: no change
 */
ompfact_status ompfact_set_device_blocks(ompfact_grid *grid, char type, int herk, int trsm);

/* ---- rates -------------------------------------------------------------------------------------------------------------- */

/**
 * Measures how fast all ranks together multiply matrices of a type on their threads, as far as these have cores, to compare a
 * factorization with. Collective.
 *
 * @param grid     the grid
 * @param type     's', 'd', 'c' or 'z'
 * @param seconds  approximate time of the measurement
 * @param gflops   set to the rate of all ranks together; a rank without memory counts 0
 */
ompfact_status ompfact_gemm_rate(ompfact_grid *grid, char type, double seconds, double *gflops);

#ifdef __cplusplus
}
#endif
#endif
