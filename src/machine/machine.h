/*
 * What is known of a machine: rates of the kernels over tile sizes (Gustavson, Karlsson, Kagstrom, "Distributed SBP Cholesky
 * Factorization Algorithms with Near-Optimal Scheduling", ACM TOMS 36(2), 2009: Table I, Figure 8), what a transfer costs (t_s
 * and t_w of their Table II), how fast ranks and threads share the node's cores, and devices. `ompfact --tune` measures it and
 * keeps it in a file; a run that does not find one keeps rates of kernels in another (quick_rates.h); without either there are
 * typical values. Local, plain libc but for machine_here.
 */
#ifndef OMPFACT_SRC_MACHINE_MACHINE_H
#define OMPFACT_SRC_MACHINE_MACHINE_H

#include "src/machine/kernel_rates.h"
#include "src/ompfact_machine.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MACHINE_TEXT = 512 };    /* characters of a line about an error, including the terminating zero */
enum { MACHINE_NAME = 96, MACHINE_PATH = 1024, MACHINE_RATES = 1024, MACHINE_SPEEDS = 64, MACHINE_SHARES = 64 };
enum { MACHINE_TYPES = 4 };
enum { MACHINE_LOW_RANKS = 64, MACHINE_TASKS = 16 };

struct machine_rate {
    char type;
    enum rate_kernel kernel;
    int threads, nb;
    double gflops;              /* of the threads together */
};
#define MACHINE_RATE "%.4g"     /* how the file has it */

struct machine_device_rate {
    int nb;
    double gflops;              /* of gemm in double precision on one device */
};

struct machine_low_rank {
    char type;
    int nb, rank;               /* up to it a tile of order nb is cheaper as a product of so many columns: break_even.h */
};

struct machine_task {
    int threads;                /* of a rank */
    double seconds;             /* in which they hand on a task, beside its arithmetic */
};

struct machine {
    char host[MACHINE_NAME], cpu[MACHINE_NAME], blas[MACHINE_NAME];     /* blas: BLIS's kernels, or "other" */
    int cores;
    double core_gflops;         /* of typical rates, GEMM's on large tiles; 0: what is typical */
    int rates, speeds;          /* how many there are; rates 0: typical ones are used */
    struct machine_rate rate[MACHINE_RATES];
    ompfact_machine_run speed[MACHINE_SPEEDS];
    double t_s, t_w;            /* seconds of a transfer's start, and of each of its words of 8 bytes */
    bool transfers_measured, over_network;      /* from one node to another */
    char device_backend[16];    /* of the devices that were measured; "": none were */
    int device_rates, shares, blocks;
    struct machine_device_rate device_rate[MACHINE_SHARES];
    ompfact_machine_share share[MACHINE_SHARES];
    ompfact_machine_blocks block[MACHINE_TYPES];
    double bus_up, bus_down;    /* GB/s to a device, and from it */
    int low_ranks;
    struct machine_low_rank low_rank[MACHINE_LOW_RANKS];
    int tasks;
    struct machine_task task[MACHINE_TASKS];
};

/* By --tune; by a run, and of the host's kernels alone; or why nothing was. The last: its rates are a job's. */
enum machine_source { MACHINE_MEASURED, MACHINE_QUICK, MACHINE_NO_FILE, MACHINE_DAMAGED, MACHINE_OTHER, MACHINE_TOLD };

/* This machine with typical values. */
void machine_here(struct machine *machine, const char *blas_kernels);
/* One line, for any text of the system. */
void machine_set_name(char name[MACHINE_NAME], const char *value);

/* ---- its file: machine_file.c ---------------------------------------------------------------------------------------------- */

/* Where --tune's file is: $XDG_CACHE_HOME/ompfact/machine or ~/.cache/ompfact/machine. False: neither variable is set, or too
   long. And beside it the file of runs, rates-HOST. */
bool machine_path(char path[MACHINE_PATH]);
bool machine_quick_path(const struct machine *machine, char path[MACHINE_PATH]);

/* Reads a file, either one, of the machine that *machine names (machine_here): MACHINE_MEASURED. Where there is none, or it is
   damaged or another machine's, *machine keeps its typical values and why has one line. */
enum machine_source machine_read(const char *path, struct machine *machine, char why[MACHINE_TEXT]);
/* The same of whatever machine the file is of. */
enum machine_source machine_read_any(const char *path, struct machine *machine, char why[MACHINE_TEXT]);

/* As text, and that into a file at once (another one is written, then renamed), with its folders. 0 or errno. */
void machine_print(const struct machine *machine, FILE *out);
/* Checks that this file can be written, before measurements. */
int machine_try(const char *path);
int machine_write(const char *path, const struct machine *machine);

/* ---- devices: machine_devices.c. Of a machine whose devices were measured. ------------------------------------------------- */

/* The smallest tiles on which a device is as fast as on any, or nearly; and its GFLOP/s on them. 0: no device was measured. */
int machine_device_tile(const struct machine *machine);
double machine_device_rate(const struct machine *machine);
/* How a rank uses devices, with the host's share as given, or where that is negative by the machine, if its devices are of this
   backend. */
ompfact_device_use device_use_of(double host_share, int devices, int threads, const char *backend,
                                 const struct machine *machine);
/* The tile size where each of so many ranks uses devices so and leaves them some columns: theirs, as they were measured or as is
   usual, where a matrix has a few such tiles for each; or else nb. */
int machine_tile_for_devices(const struct machine *machine, const ompfact_device_use *use, int ranks, int64_t m, int64_t n,
                             int nb);
/* The host's share of columns that balances so many threads with so many devices by these rates (Song, Dongarra, "A Scalable
   Framework for Heterogeneous GPU-Based Clusters", SPAA 2012, section 3.2). */
double machine_formula_share(const struct machine *machine, int devices, int threads);
/* What was measured with so many, or NULL; and whatever was fastest. */
const ompfact_machine_share *machine_share_of(const struct machine *machine, int devices, int threads);
const ompfact_machine_share *machine_best_share(const struct machine *machine);
/* What was found for a type, or NULL. */
const ompfact_machine_blocks *machine_blocks_of(const struct machine *machine, char type);
/* Instead of what was measured with as many. */
void machine_keep_share(struct machine *machine, const ompfact_machine_share *share);

/* ---- the host -------------------------------------------------------------------------------------------------------------- */

/* How many threads compute at once on a node of such machines: all of its ranks, as far as there are cores. */
int machine_busy(const struct machine *machine, int threads, int ranks_on_node);
/* How long a rank of so many threads takes for each task, beside its arithmetic, which other threads do meanwhile: as measured
   with the nearest number of threads, or typical. */
double machine_task_seconds(const struct machine *machine, int threads);
/* Instead of what was measured with as many. */
void machine_keep_task(struct machine *machine, struct machine_task task);
/* Of just this type and order; 0: not known. */
int machine_low_rank(const struct machine *machine, char type, int nb);
/* Whether rates of this type were measured with just so many threads. */
bool machine_has_rates(const struct machine *machine, char type, int threads);
/* GFLOP/s of one thread on tiles of order nb >= 1 while so many threads compute: measured and interpolated, or typical. */
double machine_thread_rate(const struct machine *machine, char type, enum rate_kernel kernel, int threads, double nb);

#endif
