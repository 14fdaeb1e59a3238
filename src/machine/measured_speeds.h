/* The relative speeds of the ranks of a grid. */
#ifndef OMPFACT_SRC_MACHINE_MEASURED_SPEEDS_H
#define OMPFACT_SRC_MACHINE_MEASURED_SPEEDS_H

/* Converts rates to speeds. Rates within `spread` of the slowest of a group become the group's mean. The slowest group gets 1,
   the others multiples of 1/20. Without memory the rates stay. */
void speeds_round(double *rate, int ranks, double spread);

#endif
