/*
 * Figures of a machine: rates of the kernels over tile sizes (Gustavson, Karlsson, Kagstrom, "Distributed SBP Cholesky
 * Factorization Algorithms with Near-Optimal Scheduling", ACM TOMS 36(2), 2009: Table I, Figure 8), the cost of a transfer (t_s
 * and t_w of their Table II), speeds of ranks and threads that share a node's cores, and devices. `ompfact --tune` measures them
 * and keeps them in a file. A run that finds no such file keeps rates of kernels in another (quick_rates.h). Without either there
 * are typical values. All functions are local, and need libc alone except for machine_here.
 */
#ifndef OMPFACT_SRC_MACHINE_MACHINE_H
#define OMPFACT_SRC_MACHINE_MACHINE_H

#include "src/machine/kernel_rates.h"
#include "src/ompfact_machine.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MACHINE_TEXT = 512 };    /* bytes of a line about an error, including the terminating zero */
enum { MACHINE_NAME = 96, MACHINE_PATH = 1024, MACHINE_RATES = 1024, MACHINE_SPEEDS = 64, MACHINE_SHARES = 64 };
enum { MACHINE_TYPES = 4 };
enum { MACHINE_LOW_RANKS = 64, MACHINE_TASKS = 16 };

struct machine_rate {
    char type;
    enum rate_kernel kernel;
    int threads, nb;
    double gflops;              /* rate of the threads together */
};
#define MACHINE_RATE "%.4g"     /* as the file has it */

struct machine_device_rate {
    int nb;
    double gflops;              /* rate of gemm in double precision on one device */
};

struct machine_low_rank {
    char type;
    int nb, rank;               /* up to this rank a tile of order nb is cheaper as a product of two narrow factors:
                                   break_even.h */
};

struct machine_task {
    int threads;                /* threads of a rank */
    double seconds;             /* time for which they submit a task, beside its arithmetic */
};

struct machine {
    char host[MACHINE_NAME], cpu[MACHINE_NAME], blas[MACHINE_NAME];     /* blas: BLIS's kernels, or "other" */
    int cores;
    double core_gflops;         /* rate of a core for typical rates: GEMM's on large tiles; 0: a typical one */
    int rates, speeds;          /* number of rates and of speeds; rates 0: typical rates are used */
    struct machine_rate rate[MACHINE_RATES];
    ompfact_machine_run speed[MACHINE_SPEEDS];
    double t_s, t_w;            /* seconds to start a transfer, and seconds for each of its 8-byte words */
    bool transfers_measured, over_network;      /* over_network: from one node to another */
    char device_backend[16];    /* backend of the devices that were measured; "": none were */
    int device_rates, shares, blocks;
    struct machine_device_rate device_rate[MACHINE_SHARES];
    ompfact_machine_share share[MACHINE_SHARES];
    ompfact_machine_blocks block[MACHINE_TYPES];
    double bus_up, bus_down;    /* GB/s to a device, and from a device */
    int low_ranks;
    struct machine_low_rank low_rank[MACHINE_LOW_RANKS];
    int tasks;
    struct machine_task task[MACHINE_TASKS];
};

/* Where rates come from. MEASURED: --tune; QUICK: a run, the host's kernels alone; NO_FILE, DAMAGED, OTHER: typical rates, and
   why nothing was read; TOLD: the caller, as for a job on paper. */
enum machine_source { MACHINE_MEASURED, MACHINE_QUICK, MACHINE_NO_FILE, MACHINE_DAMAGED, MACHINE_OTHER, MACHINE_GIVEN };

/* Fills in the names of this machine, and typical values. */
void machine_here(struct machine *machine, const char *blas_kernels);
/* Copies any text of the system as one line. */
void machine_set_name(char name[MACHINE_NAME], const char *value);

/* ---- its file: machine_file.c ---------------------------------------------------------------------------------------------- */

/* The path of --tune's file: $XDG_CACHE_HOME/ompfact/machine or ~/.cache/ompfact/machine; and of the file of runs, rates-HOST in
   the same folder. false: neither variable is set, or the path is too long. */
bool machine_path(char path[MACHINE_PATH]);
bool machine_quick_path(const struct machine *machine, char path[MACHINE_PATH]);

/* Reads either file of the machine that *machine names (machine_here): MACHINE_MEASURED. If there is no file, or it is damaged or
   another machine's, *machine keeps its typical values, and `why` gets one line. */
enum machine_source machine_read(const char *path, struct machine *machine, char why[MACHINE_TEXT]);
/* Does the same for a file of any machine. */
enum machine_source machine_read_any(const char *path, struct machine *machine, char why[MACHINE_TEXT]);

/* Writes the figures as text; or into a file, which replaces an existing one at once, with its folders. 0 or errno. */
void machine_print(FILE *out, const void *machine);
/* Checks before measurements that the file can be written. */
int machine_try(const char *path);
int machine_write(const char *path, const struct machine *machine);

/* ---- devices, where they were measured: machine_devices.c ---------------------------------------------------------------- */

/* The smallest tile size at which a device is nearly as fast as at any; and a device's GFLOP/s at that size. 0: no device was
   measured. */
int machine_device_tile(const struct machine *machine);
double machine_device_rate(const struct machine *machine);
/* How a rank uses devices. The host's share is host_share, or, where that is negative, the machine's if its devices are of this
   backend. */
ompfact_device_use device_use_of(double host_share, int devices, int threads, const char *backend,
                                 const struct machine *machine);
/* The tile size for devices, if each of the ranks uses devices and leaves columns to them, and the matrix has a few such tiles
   for each device: as measured, or a usual size. Otherwise nb. */
int machine_tile_for_devices(const struct machine *machine, const ompfact_device_use *use, int ranks, int64_t m, int64_t n,
                             int nb);
/* The host's share of columns that balances the threads with the devices by these rates (Song, Dongarra, "A Scalable Framework
   for Heterogeneous GPU-Based Clusters", SPAA 2012, section 3.2). */
double machine_formula_share(const struct machine *machine, int devices, int threads);
/* The fastest of all measured shares, or NULL. */
const ompfact_machine_share *machine_best_share(const struct machine *machine);
/* The block sizes measured for a type, or NULL. */
const ompfact_machine_blocks *machine_blocks_of(const struct machine *machine, char type);
/* Adds a measured share, in place of one with as many devices and threads. */
void machine_keep_share(struct machine *machine, const ompfact_machine_share *share);

/* ---- the host -------------------------------------------------------------------------------------------------------------- */

/* The number of threads that compute at once on a node: those of all its ranks, at most one a core. */
int machine_busy(const struct machine *machine, int threads, int ranks_on_node);
/* Seconds of a rank with this many threads for each task, beside its arithmetic, which other threads do meanwhile: as measured
   with the nearest number of threads, or typical. */
double machine_task_seconds(const struct machine *machine, int threads);
/* Adds an item to a table, which has room for `most`, in place of the one that begins with the same `key` bytes. */
void machine_keep(void *table, int *count, int most, size_t size, const void *item, size_t key);
/* Adds a measured time of a task, in place of one with as many threads. */
void machine_keep_task(struct machine *machine, struct machine_task task);
/* The rank of break_even.h for exactly this type and order; 0: not known. */
int machine_low_rank(const struct machine *machine, char type, int nb);
/* Whether rates of this type were measured with exactly this number of threads. */
bool machine_has_rates(const struct machine *machine, char type, int threads);
/* GFLOP/s of one thread on tiles of order nb >= 1 while `threads` threads compute: measured and interpolated, or typical. */
double machine_thread_rate(const struct machine *machine, char type, enum rate_kernel kernel, int threads, double nb);

#endif
