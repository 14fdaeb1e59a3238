/*
 * What the files of layouts/ share; outside only tests and measurements see it.
 */
#ifndef OMPFACT_LAYOUTS_RANK_SET_H
#define OMPFACT_LAYOUTS_RANK_SET_H

#include <stdlib.h>

#include "layouts/layout.h"

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline int greatest(int a, int b)
{
    return a > b ? a : b;
}

static inline int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* ceil(sqrt(n)) of n >= 1. */
static inline int ceil_sqrt(int n)
{
    int root = 1;
    while ((int64_t)root * root < n) root++;
    return root;
}

/* Writes one line of explanation to text (LAYOUT_TEXT characters, cut where longer) and returns 1. */
int layout_refuse(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The grid nprow x npcol = ranks with the least nprow + npcol, which is the least T, and nprow <= npcol. */
void best_grid(int ranks, int *nprow, int *npcol);

/* Pattern size of SBC for so many ranks; 0 where they are not a number of that kind. */
enum sbc_kind { SBC_BASIC, SBC_EXTENDED };
int sbc_size(int ranks, enum sbc_kind kind);

/* The builders of single schemes; NULL where there is no memory. */
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

/* Whether speeds are given and not all the same. */
static inline int speeds_differ(const double *speeds, int ranks)
{
    for (int rank = 1; speeds && rank < ranks; rank++)
        if (speeds[rank] != speeds[0]) return 1;
    return 0;
}

/* Flops that the owner of tile (i,j) spends on it in the steps first .. last, in nb^3 / 3: integers, so that sums are the same on every
   rank. */
static inline int64_t layout_work_between(enum layout_algorithm algorithm, int i, int j, int first, int last)
{
    int end = least(i, j);                          /* its last step, in which it becomes final */
    int updates = least(end - 1, last) - first + 1;
    int64_t update = algorithm == LAYOUT_CHOLESKY && i == j ? 3 : 6;            /* syrk or gemm */
    int64_t final = i != j ? 3 : algorithm == LAYOUT_CHOLESKY ? 1 : 2;          /* trsm, potrf or getrf */
    return (updates > 0 ? updates * update : 0) + (first <= end && end <= last ? final : 0);
}

/* In all steps. */
static inline int64_t layout_work(enum layout_algorithm algorithm, int i, int j)
{
    return layout_work_between(algorithm, i, j, 0, INT32_MAX);
}

/* Cholesky's on all tiles (i,j), i >= j, of nt x nt with i = a and j = b modulo `period`, 0 <= a, b < period. */
int64_t layout_work_of_cell(int a, int b, int period, int nt);

/* ---- free diagonal cells, laid over nt x nt tiles of a symmetric matrix ---------------------------------------------------- */

struct free_tile {
    int64_t work;       /* on it, and on all that repeat it */
    int i, j;
};

/* Of the leading n x n tiles, n = nt or a multiple of the pattern's size, which repeat over the matrix: those that the pattern
   leaves free, i >= j, heaviest first and from the top where they weigh the same. The caller frees them; NULL where there is no
   memory. */
struct free_tile *list_free_tiles(const struct pattern *pattern, int n, int nt, int *count);

/* Adds the work that a square pattern's cells are on all nt x nt tiles, free ones apart. */
void add_work_of_cells(const struct pattern *pattern, int nt, int64_t *work);

/* The rank with the least work among those of colrow d of the pattern, the lowest where equal; LAYOUT_FREE where it names none. */
int least_loaded_of_colrow(const struct pattern *pattern, int d, const int64_t *work);

/* The distinct ranks met on a walk; emptied in constant time. */
struct rank_set {
    int64_t *mark;      /* mark[rank] == round: the rank is in the set */
    int64_t round;
    int count;
};

static inline int rank_set_create(struct rank_set *set, int ranks)
{
    set->mark = calloc((size_t)ranks, sizeof *set->mark);
    set->round = 1;
    set->count = 0;
    return set->mark == NULL;
}

static inline void rank_set_destroy(struct rank_set *set)
{
    free(set->mark);
    set->mark = NULL;
}

static inline void rank_set_clear(struct rank_set *set)
{
    set->round++;
    set->count = 0;
}

static inline int rank_set_has(const struct rank_set *set, int rank)
{
    return set->mark[rank] == set->round;
}

static inline void rank_set_add(struct rank_set *set, int rank)
{
    set->count += !rank_set_has(set, rank);
    set->mark[rank] = set->round;
}

#endif
