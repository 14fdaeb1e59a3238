/*
 * Layouts for ranks of unequal speed: 1D x 1D, its constrained form (-c), and that one with tiles moved (-cs).
 *
 * The unit square is cut into columns of rectangles whose areas are the ranks' speeds: a partition. Columns, and the virtual rows
 * between the ends of all rectangles, are then dealt to the tile columns and tile rows of the matrix, from the last one to the
 * first, so that every trailing matrix is shared out as the speeds are. The constrained form deals to few ranks first, the
 * fastest, and opens a further section of ranks when those have more work in a step than the critical path of the step gives them
 * time for.
 *
 * Sources: Beaumont, Boudet, Rastello, Robert, "Matrix Multiplication on Heterogeneous Platforms", IEEE TPDS 12(10), 2001
 * (partition); Nesi, Schnorr, Legrand, "Communication-Aware Load Balancing of the LU Factorization over Heterogeneous Clusters",
 * ICPADS 2020. Work is counted in updates of a tile (GEMM), time in those of the slowest rank.
 */
#ifndef OMPFACT_LAYOUTS_UNEQUAL_PLAN_H
#define OMPFACT_LAYOUTS_UNEQUAL_PLAN_H

#include "layouts/layout.h"

/* ---- the partition: perisum.c --------------------------------------------------------------------------------------------- */

/* The column-based partition with the least sum of half-perimeters. Where several have it: the fewest columns, then columns of
   numbers of ranks as equal as can be, then fewer ranks in the columns of the fast. */
struct partition {
    int ranks, columns;
    int *rank;              /* ranks, slowest first, lower ones first where equal: the columns take them in this order */
    int *first;             /* columns + 1: column c holds rank[first[c]] .. rank[first[c + 1] - 1], from the top */
    double *width;          /* of each column; they sum up to 1 */
    double perisum;         /* sum over columns of (width * ranks in it + 1) */
};

/* speeds: one a rank, positive. Returns 0, or 1 where there is no memory; free with partition_free either way. */
int partition_create(const double *speeds, int ranks, struct partition *partition);
void partition_free(struct partition *partition);

/* The square cut across at the ends of all rectangles. */
struct virtual_rows {
    int count;
    double *height;         /* they sum up to 1 */
    int *owner;             /* count x columns: whose rectangle it is */
};
/* Returns 0, or 1 where there is no memory; free with virtual_rows_free either way. */
int virtual_rows_create(const struct partition *partition, const double *speeds, struct virtual_rows *rows);
void virtual_rows_free(struct virtual_rows *rows);

/* One step of Algorithm 1 of ICPADS 2020: the share j, of those active (NULL: of all), with the least (taken[j] + 1) / share[j],
   the lowest where equal. It is counted in taken[]. */
int deal_next(const double *share, const unsigned char *active, int count, int *taken);

/* ---- the plan: plan_create.c ------------------------------------------------------------------------------------------- */

enum plan_kind { PLAN_1D1D, PLAN_CONSTRAINED, PLAN_SHUFFLED };
enum { PLAN_CPB = 8, PLAN_RANKS = 4096, PLAN_TILES = INT32_MAX };

struct section {
    int first, last;        /* steps of the factorization, first <= last */
    int ranks;              /* that take part in them */
    double speed;           /* theirs together, the slowest rank's being 1 */
    double cpb;             /* critical path bound of one of its steps; of 1d1d none, infinite */
};

struct plan {
    enum layout_algorithm algorithm;
    enum plan_kind kind;
    char name[128];         /* the scheme as resolved: "1d1d-c:cpb=12.7/21.3/49.5" */
    int ranks, mt, nt;
    double *speed;          /* the slowest rank's is 1 */
    double cpb[PLAN_CPB];   /* of a step that one rank works on; ranks of the fastest speed; the two fastest speeds; and so on */
    int cpbs;               /* how many; for more speeds the last one holds */
    struct partition partition;
    struct virtual_rows rows;
    int *row, *col;         /* virtual row of each tile row, column of each tile column */
    int sections;           /* 1d1d: 1 */
    struct section *section;    /* that of the last steps first */
    int *section_of_rank;   /* the first of them, counted so, in which the rank takes part: after its steps it is released;
                               `sections` where the matrix is too small for it */
    int *owner;             /* mt x nt: shuffled; else NULL */
    int rounds, moved;      /* of shuffling: sections, and tiles in them */
};

/* Whether SCHEME[:ARGS] is one of these. */
bool plan_is_scheme(const char *scheme);
/* The plan of "1d1d", "1d1d-c[:cpb=A/B/C...]" or "1d1d-cs[:...]" for a matrix.
   Returns 0, or 1 and a text (*plan is then NULL). */
int plan_create(const char *scheme, const struct layout_question *question, struct plan **plan, char text[LAYOUT_TEXT]);
/* That of a kind; args: what would follow the colon, NULL where nothing does. */
int plan_create_kind(enum plan_kind kind, const char *args, const struct layout_question *question, struct plan **plan,
                     char *text);
void plan_destroy(struct plan **plan);

/* Its pattern: NULL where there is no memory. */
struct pattern *pattern_of_plan(const struct plan *plan);

/* The owner of tile (i,j), of Cholesky i >= j. */
static inline int plan_owner(const struct plan *p, int i, int j)
{
    if (p->owner != NULL)
        return p->owner[(int64_t)i * p->nt + j];
    return p->rows.owner[(int64_t)p->row[i] * p->partition.columns + p->col[j]];
}

/* ABE*: time of step k if the ranks of this speed together shared it out evenly. */
double plan_abe_star(const struct plan *plan, int k, double speed);
/* Time that each rank spends on the steps first .. last: ABE of a step, SABE of a section, cumulative ABE of 0 .. last. */
void plan_abe(const struct plan *plan, int first, int last, double *time);

/* Some steps of a factorization one behind the other. Times in updates of a tile on the slowest rank. */
struct layout_point {
    double last;            /* its last step */
    double most;            /* of the rank that takes longest: ABE */
    double ideal;           /* if those that take part shared it out evenly: ABE*, that of the plan's sections;
                               without a plan of all ranks */
    double spread;          /* most minus least of what the ranks have had at its end: of cumulative ABE */
    double bound;           /* critical path bounds of its steps: infinite without a plan, and of 1d1d */
};

/* Divides all steps, at least `points`, into so many points, as evenly as can be; abe: of each rank, all steps. plan: NULL, or
   that of the layout. Returns 0, or 1 where there is no memory. loads.c */
int layout_points(const struct layout *layout, enum layout_algorithm algorithm, const double *speeds, const struct plan *plan,
                  int points, struct layout_point *point, double *abe);

/* Moves tiles from the rank with most work of a section to that with least, section V-B:
   shuffle.c. Returns 0, or 1: no memory. */
int plan_shuffle(struct plan *plan);

#endif
