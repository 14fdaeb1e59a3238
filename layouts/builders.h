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

struct pattern *pattern_design(int ranks, int r);               /* of r x r cells, 0: of least cost; NULL also where r is not known */
int design_sizes(int ranks, int *sizes, int most);              /* the catalogue's sizes for so many ranks; returns how many */
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

#endif
