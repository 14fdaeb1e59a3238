/* How fast the ranks of a grid are. */
#ifndef OMPFACT_SRC_MACHINE_MEASURED_SPEEDS_H
#define OMPFACT_SRC_MACHINE_MEASURED_SPEEDS_H

/* Rates as speeds: those within `spread` of the slowest of a group become the group's mean, the slowest group's is 1, the others
   are multiples of 1/20. Without memory they stay. */
void speeds_round(double *rate, int ranks, double spread);

#endif
