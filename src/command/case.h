/* One case of the sweep: the shape of its matrix, its job, and the files that describe its layout. Local. */
#ifndef OMPFACT_SRC_COMMAND_CASE_H
#define OMPFACT_SRC_COMMAND_CASE_H

#include "src/command/options.h"
#include "src/command/speeds.h"
#include "src/facts/facts.h"
#include "src/ompfact_plan.h"

/* The row_heights of a matrix of so many rows and columns: NULL, or any address if it has columns but no rows. */
const int *case_heights(int64_t m, int64_t n);
/* The shape of a problem's matrix from the options. It borrows the speeds. */
ompfact_shape case_shape(const struct options *options, const struct problem *problem, const struct speeds *speeds);
/* The options of a grid, for a run or a plan, without testing aids and reports. */
ompfact_options case_options(const struct options *options);
/* The job of a problem, for a dry run, or without its ranks for a run. It borrows what its shape borrows. */
ompfact_job case_job(const struct options *options, const struct problem *problem, const struct speeds *speeds);
/* The weights that the file of --weights, or --blr, gives to a problem's tiles of known size. The caller frees them. 0, or
   COMMAND_USAGE and a line. */
int case_weights(const struct options *options, struct problem *problem, char text[COMMAND_TEXT]);
/* The kind of the generated matrix. */
const char *case_kind(const struct options *o, const struct problem *p);
/* An ompfact_pivot: the pivoting method on so many ranks; none and without a word except for LU. */
struct choice case_pivot(const struct options *o, int ranks);
/* An ompfact_tree: the tree of QR, with OMPFACT_TREE_AUTO resolved. */
struct choice case_tree(const struct options *o);
/* An ompfact_butterfly: that of indefinite matrices, with OMPFACT_BUTTERFLY_AUTO resolved. */
struct choice case_butterfly(const struct options *o);
/* Sets the facts about speeds, if there are any, and about the loads of the steps (NULL: not known). The facts borrow both. */
void case_add_speeds(const struct speeds *speeds, const ompfact_loads *loads, struct facts *facts);
/* Sets the facts about precisions of tiles. by_precision, which the facts borrow, has the numbers of tiles in double, in single
   and in bfloat16 after filling. */
void case_add_precisions(struct precision_choice tile_precision, const ompfact_tile_precisions *precisions, int by_precision[3],
                          struct facts *facts);
/* Prints a line on standard error if the layout's file leaves some of so many ranks without tiles. */
void case_warn_of_idle_ranks(const struct options *o, int ranks);
/* The rank that owns a tile of a layer of the plan's matrix, like ompfact_plan_owner_in(). */
int case_owner(const void *plan, int layer, int i, int j);
/* Writes the files of --map, --owners and --plot, which shows devices. 0, or COMMAND_USAGE and a line. */
int case_write_layout(const ompfact_plan *plan, const struct options *options, const struct problem *problem,
                      char text[COMMAND_TEXT]);

#endif
