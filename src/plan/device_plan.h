/* What a rank does with devices, as options and the machine's file say. */
#ifndef OMPFACT_SRC_PLAN_DEVICE_PLAN_H
#define OMPFACT_SRC_PLAN_DEVICE_PLAN_H

#include "src/machine/machine.h"
#include "src/ompfact.h"

enum share_source {
    SHARE_UNKNOWN,      /* it will be measured when a run starts */
    SHARE_GIVEN,        /* by the options */
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

/* Local. The host's share as given, or where that is negative by the machine's file, if it is of such devices; machine may be
   NULL. */
struct device_plan device_plan(double host_share, int devices, int threads, const char *backend, const struct machine *machine);

/* On paper: as many devices as the options name. */
struct device_plan device_plan_on_paper(const ompfact_options *options, int threads, const struct machine *machine);

/* The tile size for devices, where they were measured and a matrix has a few such tiles for each; or else nb. */
int device_plan_tile_size(const struct device_plan *plan, const struct machine *machine, int ranks, int64_t m, int64_t n,
                          int nb);

#endif
