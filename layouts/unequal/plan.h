/*
 * Layouts for ranks of unequal speed: 1D x 1D, its constrained form (-c), and the constrained form with tiles moved (-cs).
 *
 * The unit square is cut into columns of rectangles whose areas are the ranks' speeds: a partition. The columns, and the
 * virtual rows between the ends of all rectangles, are then dealt to the tile columns and tile rows of the matrix, from the
 * last one to the first, so that every trailing matrix is distributed in proportion to the speeds. The constrained form deals
 * to few ranks first, the fastest. It opens another section of ranks when these have more work in a step than fits into the
 * critical path of the step.
 *
 * Sources: Beaumont, Boudet, Rastello, Robert, "Matrix Multiplication on Heterogeneous Platforms", IEEE TPDS 12(10), 2001
 * (partition); Nesi, Schnorr, Legrand, "Communication-Aware Load Balancing of the LU Factorization over Heterogeneous
 * Clusters", ICPADS 2020. The unit of work is an update of a tile (GEMM), and the unit of time is its time on the slowest
 * rank.
 */
#ifndef OMPFACT_LAYOUTS_UNEQUAL_PLAN_H
#define OMPFACT_LAYOUTS_UNEQUAL_PLAN_H

#include "layouts/layout.h"

/* ---- the partition: perisum.c --------------------------------------------------------------------------------------------- */

/* The column-based partition with the least sum of half-perimeters. Among equal ones: the fewest columns, then columns with the
   most equal numbers of ranks, then fewer ranks in the columns of the fast ranks. */
struct partition {
    int ranks, columns;
    int *rank;              /* ranks, slowest first, lower ones first among equals; the columns take them in this order */
    int *first;             /* columns + 1: column c holds rank[first[c]] .. rank[first[c + 1] - 1], from the top */
    double *width;          /* width of each column, with the sum 1 */
    double perisum;         /* sum over columns of (width * ranks in it + 1) */
};

/* speeds: one for each rank, positive. Returns 0, or 1 without memory; free with partition_free either way. */
int partition_create(const double *speeds, int ranks, struct partition *partition);
void partition_free(struct partition *partition);

/* The square cut horizontally at the ends of all rectangles. */
struct virtual_rows {
    int count;
    double *height;         /* heights with the sum 1 */
    int *owner;             /* count x columns: the rank of the rectangle */
};
/* Returns 0, or 1 without memory; free with virtual_rows_free either way. */
int virtual_rows_create(const struct partition *partition, const double *speeds, struct virtual_rows *rows);
void virtual_rows_free(struct virtual_rows *rows);

/* One step of Algorithm 1 of ICPADS 2020: the share j, among active ones (NULL: all), with the least (taken[j] + 1) / share[j],
   the lowest among equals. It is counted in taken[]. */
int deal_next(const double *share, const unsigned char *active, int count, int *taken);

/* ---- the plan: plan_create.c ------------------------------------------------------------------------------------------- */

enum plan_kind { PLAN_1D1D, PLAN_CONSTRAINED, PLAN_SHUFFLED };
enum { PLAN_CPB = 8, PLAN_RANKS = 4096, PLAN_TILES = INT32_MAX };

struct section {
    int first, last;        /* steps of the factorization, first <= last */
    int ranks;              /* number of ranks in these steps */
    double speed;           /* sum of their speeds, relative to the slowest rank */
    double cpb;             /* critical path bound of one of its steps; infinite for 1d1d */
};

struct plan {
    enum layout_algorithm algorithm;
    enum plan_kind kind;
    char name[128];         /* the scheme as resolved: "1d1d-c:cpb=12.7/21.3/49.5" */
    int ranks, mt, nt;
    double *speed;          /* speed of each rank; the slowest has 1 */
    double cpb[PLAN_CPB];   /* bounds for a step with one rank, with ranks of the fastest speed, of the two fastest speeds, .. */
    int cpbs;               /* number of bounds; the last one is for all larger numbers of speeds */
    struct partition partition;
    struct virtual_rows rows;
    int *row, *col;         /* virtual row of each tile row, column of each tile column */
    int sections;           /* 1d1d: 1 */
    struct section *section;    /* the sections, that of the last steps first */
    int *section_of_rank;   /* index of the first section in which the rank takes part; after its steps the rank is released.
                               `sections` if the matrix is too small for the rank */
    int *owner;             /* mt x nt owners if shuffled; else NULL */
    int rounds, moved;      /* shuffling: number of sections, and of tiles moved in them */
};

/* Whether SCHEME[:ARGS] is one of these schemes. */
bool plan_is_scheme(const char *scheme);
/* The plan of "1d1d", "1d1d-c[:cpb=A/B/C...]" or "1d1d-cs[:...]" for a matrix. Returns 0, or 1 and a text (*plan is then
   NULL). */
int plan_create(const char *scheme, const struct layout_question *question, struct plan **plan, char text[LAYOUT_TEXT]);
/* The plan of a kind. args: the text behind the colon, or NULL. */
int plan_create_kind(enum plan_kind kind, const char *args, const struct layout_question *question, struct plan **plan,
                     char *text);
void plan_destroy(struct plan **plan);

/* The plan's pattern; NULL without memory. */
struct pattern *pattern_of_plan(const struct plan *plan);

/* The owner of tile (i,j); for Cholesky i >= j. */
static inline int plan_owner(const struct plan *p, int i, int j)
{
    if (p->owner != NULL)
        return p->owner[(int64_t)i * p->nt + j];
    return p->rows.owner[(int64_t)p->row[i] * p->partition.columns + p->col[j]];
}

/* ABE*: the time of step k if ranks with this total speed shared it evenly. */
double plan_abe_star(const struct plan *plan, int k, double speed);
/* The time that each rank spends on the steps first .. last: ABE of a step, SABE of a section, cumulative ABE of 0 .. last. */
void plan_abe(const struct plan *plan, int first, int last, double *time);

/* Some consecutive steps of a factorization. Times are in updates of a tile on the slowest rank. */
struct layout_point {
    double last;            /* its last step */
    double most;            /* time of the rank that takes longest: ABE */
    double ideal;           /* time if the participating ranks shared the steps evenly: ABE* of the plan's sections; without a
                               plan of all ranks */
    double spread;          /* most minus least cumulative ABE of the ranks at its end */
    double bound;           /* sum of critical path bounds of its steps; infinite without a plan, and for 1d1d */
};

/* Divides all steps, at least `points`, into `points` points, as evenly as possible. abe: time of each rank in all steps. plan:
   NULL, or the layout's plan. Returns 0, or 1 without memory. loads.c */
int layout_points(const struct layout *layout, enum layout_algorithm algorithm, const double *speeds, const struct plan *plan,
                  int points, struct layout_point *point, double *abe);

/* Moves tiles from the rank with the most work of a section to the rank with the least, section V-B: shuffle.c. Returns 0, or 1
   without memory. */
int plan_shuffle(struct plan *plan);

#endif
