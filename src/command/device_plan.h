/* What a rank does with devices, as options, the machine's file and a quick measurement say. */
#ifndef OMPFACT_SRC_COMMAND_DEVICE_PLAN_H
#define OMPFACT_SRC_COMMAND_DEVICE_PLAN_H

#include "omp/device.h"
#include "src/command/options.h"
#include "src/machine/machine.h"
#include "src/ompfact.h"

enum share_source {
    SHARE_UNKNOWN,      /* it will be measured when a run starts */
    SHARE_GIVEN,        /* --host-share */
    SHARE_SEARCHED,     /* --tune, with as many devices and threads */
    SHARE_FORMULA,      /* from the rates that --tune has measured */
    SHARE_QUICK,        /* from rates that were measured when the grid was made */
};

struct device_plan {
    int devices, threads;       /* of a rank; devices 0: all else is not used */
    const char *backend;        /* "": not known */
    bool measured;              /* the machine's file has rates of such devices */
    double share;               /* of the columns, the host's; NAN where its source is unknown */
    enum share_source source;
};

/* Local. The share as --host-share says, or else by the machine's file, where it is of such devices; machine may be NULL. */
struct device_plan device_plan(const struct options *options, int devices, int threads, const char *backend,
                               const struct machine *machine);

/* Of a dry run: as many devices as the options name. */
struct device_plan device_plan_dry(const struct options *options, int threads, const struct machine *machine);

/* Local. Of a grid, which gets its share, measured now if nothing else tells it. */
struct device_plan device_plan_of_grid(const struct options *options, ompfact_grid *grid, const struct machine *machine);

/* Local. The blocks of kernels that --tune has found, of such devices; NULL: none. */
void device_plan_blocks(const struct machine *machine, struct devices *devices);

/* The tile size for devices, where they were measured and a matrix has a few such tiles for each; or else nb. */
int device_plan_tile_size(const struct device_plan *plan, const struct machine *machine, int ranks, int64_t m, int64_t n,
                          int nb);

#endif
