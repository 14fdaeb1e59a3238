/* One case of the sweep: its matrix's shape, its job, and the files that say how it is laid out. Local. */
#ifndef OMPFACT_SRC_COMMAND_CASE_H
#define OMPFACT_SRC_COMMAND_CASE_H

#include "src/command/options.h"
#include "src/command/speeds.h"
#include "src/facts/facts.h"
#include "src/ompfact_plan.h"

/* The shape of a problem's matrix as the options have it; it borrows the speeds. */
/* The row_heights of a matrix of so many rows and columns: NULL, or any address if it has columns but no rows. */
const int *case_heights(int64_t m, int64_t n);
ompfact_shape case_shape(const struct options *options, const struct problem *problem, const struct speeds *speeds);
/* What the options say of a grid, as it is run or planned, but for testing aids and reports. */
ompfact_options case_options(const struct options *options);
/* A problem as a job: of a dry run, or but for its ranks of a run. It borrows what its shape does. */
ompfact_job case_job(const struct options *options, const struct problem *problem, const struct speeds *speeds);
/* The weights that the file of --weights, or --blr, gives to a problem's tiles, its tile size being known: the caller frees them.
   0, or COMMAND_USAGE and a line. */
int case_weights(const struct options *options, struct problem *problem, char text[COMMAND_TEXT]);
/* An ompfact_pivot: pivoting as it will be on so many ranks, none and without a word but for LU. */
struct choice case_pivot(const struct options *o, int ranks);
/* An ompfact_tree: that of QR, OMPFACT_TREE_AUTO resolved. */
struct choice case_tree(const struct options *o);
/* An ompfact_butterfly: that of indefinite matrices, OMPFACT_BUTTERFLY_AUTO resolved. */
struct choice case_butterfly(const struct options *o);
/* Speeds, where there are any, and what they make of each step (NULL: not known), as facts, which borrow them. */
void case_add_speeds(const struct speeds *speeds, const ompfact_loads *loads, struct facts *facts);
/* Precisions of tiles, in by_precision, which the facts borrow, those in double and in single as the matrix is filled. */
void case_add_precisions(double tile_precision, const ompfact_tile_precisions *precisions, int by_precision[2],
                          struct facts *facts);
/* A line on standard error where the layout's file does not name all of so many ranks, which have nothing to do then. */
void case_warn_of_idle_ranks(const struct options *o, int ranks);
/* The rank that owns a plan's tile, as ompfact_plan_owner(). */
int case_owner(const void *plan, int i, int j);
/* --map, --owners and --plot, which shows devices. 0, or COMMAND_USAGE and a line. */
int case_write_layout(const ompfact_plan *plan, const struct options *options, const struct problem *problem,
                      char text[COMMAND_TEXT]);

#endif
