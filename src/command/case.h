/* One case of the sweep: its methods, its weights, facts of its plan, and the files that describe its layout. Local. */
#ifndef OMPFACT_SRC_COMMAND_CASE_H
#define OMPFACT_SRC_COMMAND_CASE_H

#include "src/command/options.h"
#include "src/command/speeds.h"
#include "src/facts/facts.h"
#include "src/ompfact_plan.h"

/* The weights that the file of --weights, or --blr, gives to a matrix with tiles of known size; NULL: there are none. The caller
   frees them. 0, or COMMAND_USAGE and a line. */
int case_weights(const struct options *options, const ompfact_shape *shape, double **weights, char text[COMMAND_TEXT]);
/* The kind of the generated matrix. */
const char *case_kind(const struct options *o);
/* Names of the methods in use, with auto resolved: of LU on so many ranks (NULL: another routine), of QR, of indefinite
   matrices. */
const char *case_pivot(const struct options *o, int ranks);
const char *case_tree(const struct options *o);
const char *case_butterfly(const struct options *o);
/* Sets the facts that a plan has, which borrow its memory and the speeds. */
void case_add_plan(const ompfact_plan *plan, const struct speeds *speeds, struct facts *facts);
/* Sets the facts about precisions of tiles, of which eps decides. by_precision, which the facts borrow, has the numbers of tiles
   in double, in single and, if `bf16`, in bfloat16 after filling. */
void case_add_precisions(double eps, bool bf16, const ompfact_tile_precisions *precisions, int by_precision[3],
                         struct facts *facts);
/* Prints a line on standard error if the layout's file leaves some of so many ranks without tiles. */
void case_warn_of_idle_ranks(const struct options *o, int ranks);
/* The rank that owns a tile of a layer of the plan's matrix, like ompfact_plan_owner_in(). */
int case_owner(const void *plan, int layer, int i, int j);
/* Writes "rows cols", then the numbers row by row: a map file. */
void case_write_map(FILE *file, int rows, int cols, const int *number);
/* Writes the files of --map, --owners and --plot, which shows devices. 0, or COMMAND_USAGE and a line. */
int case_write_layout(const ompfact_plan *plan, const struct options *options, const ompfact_shape *shape,
                      char text[COMMAND_TEXT]);

#endif
