/* How a grid uses its devices: as options, the machine's file and a quick measurement say. */
#ifndef OMPFACT_SRC_COMMAND_DEVICE_USE_H
#define OMPFACT_SRC_COMMAND_DEVICE_USE_H

#include "omp/device.h"
#include "src/command/options.h"
#include "src/plan/device_plan.h"

/* Local. Of a grid, which gets its share, measured now if nothing else tells it. */
struct device_plan device_plan_of_grid(const struct options *options, ompfact_grid *grid, const struct machine *machine);

/* Local. The blocks of kernels that --tune has found, of such devices; NULL: none. */
void device_plan_blocks(const struct machine *machine, struct devices *devices);

#endif
