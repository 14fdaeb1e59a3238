/* One case of the sweep: its matrix's shape, its arithmetic, its memory, and the files that say how it is laid out. Local. */
#ifndef OMPFACT_SRC_COMMAND_CASE_H
#define OMPFACT_SRC_COMMAND_CASE_H

#include "src/command/device_plan.h"
#include "src/command/options.h"
#include "src/command/speeds.h"
#include "src/ompfact.h"

/* The shape of a problem's matrix as the options have it; it borrows the speeds. */
ompfact_shape case_shape(const struct options *options, const struct problem *problem, const struct speeds *speeds);
/* The weights that the file of --weights, or --blr, gives to a problem's tiles, its tile size being known: the caller frees them.
   0, or COMMAND_USAGE and a line. */
int case_weights(const struct options *options, struct problem *problem, char text[COMMAND_TEXT]);
/* An ompfact_pivot: pivoting as it will be on so many ranks, none and without a word but for LU. */
struct choice case_pivot(const struct options *o, int ranks);
/* An ompfact_tree: that of QR, OMPFACT_TREE_AUTO resolved. */
struct choice case_tree(const struct options *o);
/* Floating-point operations of what is timed, LAPACK Working Note 41, real ones. */
double case_flops(const struct options *options, const struct problem *problem);
/* Bytes of right-hand sides on a rank, with what a solve needs beside them. B may be NULL. */
size_t case_rhs_bytes(const ompfact_matrix *B, int rank);
/*
 * Bytes that the matrix's own rank needs, beside the matrix and right-hand sides themselves: at most so much for remote tiles,
 * and with --check both once more, or the copies of --refine if they are more. B may be NULL.
 */
int64_t case_extra_memory(const ompfact_matrix *A, const ompfact_matrix *B, const struct options *options);
/* Half-perimeters of the partition that the layout comes from, NAN if from none. */
double case_perisum(const ompfact_matrix *A, const struct speeds *speeds);
/* Whether step_loads.h tells times of its steps: of Cholesky or LU where speeds are given, or the layout is made for such. */
bool case_has_loads(const ompfact_matrix *A, const struct options *options, const struct speeds *speeds);
/* --map, --owners and --plot, which shows devices. 0, or COMMAND_USAGE and a line. */
int case_write_layout(const ompfact_matrix *A, const struct options *options, const struct device_plan *devices,
                      char text[COMMAND_TEXT]);

#endif
