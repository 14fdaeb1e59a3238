/* The builders of single schemes, except those that layout.h declares for other rooms, and functions for "auto". */
#ifndef OMPFACT_LAYOUTS_BUILDERS_H
#define OMPFACT_LAYOUTS_BUILDERS_H

#include "layouts/layout.h"

/* ---- for a number of ranks: NULL without memory ---------------------------------------------------------------------------- */

/* The pattern size of SBC for this number of ranks; 0 if SBC does not exist for it. */
enum sbc_kind { SBC_BASIC, SBC_EXTENDED };
int sbc_size(int ranks, enum sbc_kind kind);
struct pattern *pattern_sbc(int ranks, enum sbc_kind kind);     /* sbc_size() must not be 0 */

/* r x r cells; r = 0: the size of least cost. NULL also if no design of size r is known. */
struct pattern *pattern_design(int ranks, int r);
/* The catalogue's sizes for this number of ranks, at most DESIGN_SIZES. Returns their number. */
enum { DESIGN_SIZES = 32 };
int design_sizes(int ranks, int sizes[DESIGN_SIZES]);
/* The cost of a design of the catalogue or of a plane; HUGE_VAL if neither exists for this number of ranks. */
double design_known_cost(int ranks);

/* The most ranks for which "auto" counts G-2DBC and designs: for more, patterns of P x P cells take too long to count. */
enum { MOST_G2DBC = 4096, MOST_DESIGN = 2048 };

/* Exchanges colrows of a square pattern to balance Cholesky's work on nt x nt tiles; the cost does not change. Deterministic on
   all machines. Returns 0, or 1 without memory. */
int pattern_order(struct pattern *pattern, int nt);

/* The best of GCR&M over seeds 0 .. seeds-1, and over r <= 6 sqrt(P) or the given r. *pattern is NULL if no result was
   balanced. Returns 0, or 1 without memory. */
int pattern_gcrm(int ranks, int r, int seeds, struct pattern **pattern);

/* ---- for arguments and a matrix: return 0, or 1 and a text; then *pattern is NULL -------------------------------------- */

/* args is the text behind the colon of SCHEME[:ARGS]; NULL without a colon. */
typedef int create_pattern(const char *args, const struct layout_question *question, struct pattern **pattern, char *text);

/* For ranks of unequal speed, unequal/plan.h: 1D x 1D, its constrained form, and the constrained form with tiles moved. */
create_pattern create_1d1d, create_1d1d_c, create_1d1d_cs;

/* For tiles of uneven work. Block cyclic hybrid: 2DBC, except for a band of diagonals, whose tiles go to all ranks in turn,
   column by column. */
create_pattern create_bch;
/* Block cyclic extended: a pattern of up to alpha sqrt(P) rows and columns, whose cells go to the least loaded rank, heaviest
   first. */
create_pattern create_bce;
/* Random subsets: each tile goes to the least loaded rank that is in a subset for its row and in one for its column. rsp: the
   same for each cell of a pattern, which repeats. */
create_pattern create_rs, create_rsp;

/* The result of layout_choose(). It has no arguments. */
create_pattern create_auto;

#endif
