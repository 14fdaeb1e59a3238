/*
 * The builders of single schemes, but for those that layout.h has for other rooms, and what "auto" asks them.
 */
#ifndef OMPFACT_LAYOUTS_BUILDERS_H
#define OMPFACT_LAYOUTS_BUILDERS_H

#include "layouts/layout.h"

/* ---- for a number of ranks: NULL where there is no memory ------------------------------------------------------------------ */

/* Pattern size of SBC for so many ranks; 0 where they are not a number of that kind. */
enum sbc_kind { SBC_BASIC, SBC_EXTENDED };
int sbc_size(int ranks, enum sbc_kind kind);
struct pattern *pattern_sbc(int ranks, enum sbc_kind kind);     /* sbc_size() is not 0 */

/* Of r x r cells, 0: of least cost; NULL also where r is not known. */
struct pattern *pattern_design(int ranks, int r);
/* The catalogue's sizes for so many ranks; returns how many. */
int design_sizes(int ranks, int *sizes, int most);
enum { DESIGN_SIZES = 32 };
/* Of the catalogue or a plane; HUGE_VAL where neither has so many. */
double design_known_cost(int ranks);

/* Ranks with which "auto" still looks at G-2DBC and at designs: with more, patterns of P x P cells take too long to count. */
enum { MOST_G2DBC = 4096, MOST_DESIGN = 2048 };

/* Exchanges colrows of a square pattern so that Cholesky's work on nt x nt tiles is level; its cost stays. The same everywhere.
   Returns 0, or 1 where there is no memory. */
int pattern_order(struct pattern *pattern, int nt);

/* The best of GCR&M over seeds 0 .. seeds-1 and over r <= 6 sqrt(P), or the one r; *pattern is NULL where no result was balanced.
   Returns 0, or 1 where there is no memory. */
int pattern_gcrm(int ranks, int r, int seeds, struct pattern **pattern);

/* ---- for arguments and a question: 0, or 1 and a text, *pattern then being NULL ---------------------------------------- */

/* args is what follows the colon of SCHEME[:ARGS], NULL where there is none. */
typedef int create_pattern(const char *args, const struct layout_question *question, struct pattern **pattern, char *text);

/* For ranks of unequal speed, unequal/plan.h: 1D x 1D, its constrained form, and that one with tiles moved. */
create_pattern create_1d1d, create_1d1d_c, create_1d1d_cs;

/* For tiles of uneven work. Block cyclic hybrid: 2DBC, but for a band of so many diagonals, whose tiles go round all ranks,
   column by column. */
create_pattern create_bch;
/* Block cyclic extended: a pattern of up to alpha sqrt(P) rows and columns,
   whose cells go to the least loaded rank, heaviest first. */
create_pattern create_bce;
/* Random subsets: each tile goes to the least loaded rank of a subset for its row and one for its column. rsp: each cell of a
   pattern, which repeats. */
create_pattern create_rs, create_rsp;

/* What layout_choose() takes. It has no arguments. */
create_pattern create_auto;

#endif
