/* The parts of --explain, each by itself. */
#ifndef OMPFACT_SRC_COMMAND_EXPLAIN_PARTS_H
#define OMPFACT_SRC_COMMAND_EXPLAIN_PARTS_H

#include "src/command/refuse.h"
#include "src/ompfact_plan.h"

#include <stdio.h>

/* explain_plan.c: how a layout for ranks of unequal speed came about. */
void explain_partition(FILE *out, const ompfact_partition *partition);

/* explain_machine.c: tile size, threads of a rank and ranks of a node, in plain lines. */
void explain_machine(FILE *out, const ompfact_outlook *outlook);
/* Of a run on several nodes whose reads were not seen to go on while their owner computes: what would let them. */
void explain_between(FILE *out);
/* Rates of the devices, the host's share by the formula, and the one that is taken. Nothing where no devices are asked for. */
void explain_devices(FILE *out, const ompfact_outlook *outlook);
/* The tile size, and the devices and threads of a rank, that were the fastest when --tune measured devices, or nothing. */
void explain_best_share(FILE *out, const ompfact_machine_share *best);

#endif
