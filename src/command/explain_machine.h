/* --explain, the machine's part: which rates are known, and what they would change. Local. */
#ifndef OMPFACT_SRC_COMMAND_EXPLAIN_MACHINE_H
#define OMPFACT_SRC_COMMAND_EXPLAIN_MACHINE_H

#include "src/command/device_plan.h"
#include "src/command/tile_size.h"

/* What the command has found out about its machine: zero-initialised, nothing. */
struct machine_known {
    struct machine *machine;
    enum machine_source source;
    char why[COMMAND_TEXT];         /* why there are only typical values */
};

/* Local: reads the user's file. Returns 0, or COMMAND_USAGE and a line where there is no memory; to be destroyed either way. */
int machine_know(struct machine_known *known, const char *blas_kernels, char text[COMMAND_TEXT]);
void machine_forget(struct machine_known *known);

/* Rates of the devices, the host's share by the formula, and the one that is taken. Nothing where no devices are asked for. */
void explain_devices(FILE *out, const struct machine *machine, const struct device_plan *plan);
/* The tile size, and the devices and threads of a rank, that were the fastest when --tune measured devices, or nothing. */
void explain_best_share(FILE *out, const struct machine *machine);

/* Tile size, threads of a rank and ranks of a node, in plain lines. */
void explain_machine(FILE *out, const struct machine_known *known, const struct tile_question *question, int nb);

#endif
