/*
 * The owners of tiles.
 *
 * A pattern is a small matrix of ranks, repeated cyclically in both directions. Over the mt x nt tiles of a matrix it becomes
 * a layout: every rank can look up the owner of any tile, walk the tiles of any rank, and list the readers of a tile, without
 * a message. Everything here is local, thread-safe after creation, and integer arithmetic except for speeds, weights and
 * costs: no MPI, no OpenMP, no contents of tiles.
 *
 * Sources: Beaumont, Collin, Eyraud-Dubois, Verite, "Data Distribution Schemes for Dense Linear Algebra Factorizations on Any
 * Number of Nodes", IPDPS 2023 (2DBC, G-2DBC, the cost T); map files have the form that Chameleon reads.
 */
#ifndef OMPFACT_LAYOUTS_LAYOUT_H
#define OMPFACT_LAYOUTS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LAYOUT_TEXT = 256 };     /* characters in an error text, including its end */
enum { LAYOUT_FREE = -1 };      /* a diagonal cell that the pattern leaves free */

/* ---- the matrix --------------------------------------------------------------------------------------------------- */

enum layout_part { LAYOUT_FULL, LAYOUT_LOWER };     /* the stored tiles: all, or those with i >= j */
enum layout_algorithm { LAYOUT_LU, LAYOUT_CHOLESKY };   /* right-looking, owner computes; Cholesky: mt = nt */

struct pattern;
struct layout_summary;
/* A caller's count of the leading mt x nt tiles under a pattern, for factorizations that are unknown here. It replaces the
   transfers of the summary and, if it has better values, flops_max_over_mean and abe_max_over_mean. Returns 0, or 1 without
   memory. */
typedef int layout_counter(const void *context, const struct pattern *pattern, int mt, int nt, struct layout_summary *summary);

/* A matrix for which a layout is wanted. */
struct layout_question {
    enum layout_algorithm algorithm;
    int ranks, mt, nt;
    enum layout_part part;
    int64_t tiles_fit;          /* number of tiles that fit into the memory of a rank; 0: any number */
    layout_counter *counter;    /* the caller's counter; NULL: the algorithm's transfers and flops */
    const void *context;        /* context of the counter */
    int count_mt, count_nt;     /* the leading tiles that the counter counts, at least one */
    const double *weights;      /* work of each tile, finite and not negative, mt x nt, row by row; NULL: that of full tiles */
    double weight_scale;        /* factor for weights that makes their sums finite: weights_scale(); 0: 1 */
    bool mirrored;              /* the weight of tile (i,j) is stored where (j,i)'s would be; mt = nt */
    const double *speeds;       /* speed of each rank, positive, in any unit: for "1d1d" and its variants and for "auto"; NULL:
                                   all equal. "auto" ignores speeds if there are weights */
    const int *node_of;         /* node of each rank, 0 .. nodes-1, with a rank on each node: transfers between nodes decide;
                                   NULL: each rank is a node. Ignored with weights, speeds or a counter */
    int nodes;
};

/* ---- patterns ------------------------------------------------------------------------------------------------------- */

struct pattern {
    int ranks;          /* P: cells contain ranks 0..P-1 */
    int rows, cols;     /* size of the pattern in tiles */
    int *cell;          /* rows x cols, row by row: the rank, or LAYOUT_FREE */
    char name[128];     /* the scheme as resolved, for example "2dbc:4x5" */
};

/*
 * Creates the pattern SCHEME[:ARGS] for this number of ranks: "2dbc:2x3", "g2dbc", "design", "file:PATH"; see
 * pattern_schemes(). Returns 0 and a pattern that the caller destroys; or 1, or LAYOUT_NO_MEMORY, and one line of explanation
 * in text (*pattern is then NULL).
 */
enum { LAYOUT_NO_MEMORY = 2 };
int pattern_create(const char *scheme, int ranks, struct pattern **pattern, char text[LAYOUT_TEXT]);
/* The same for the Cholesky factorization or LU of a matrix of mt x nt tiles. With "design" the colrows of the pattern are
   ordered such that the work on this number of tiles is balanced. "1d1d", "1d1d-c" and "1d1d-cs" (plan.h) are built for the
   matrix and the speeds of its ranks. "bch", "bce", "rs" and "rsp" use the work of each tile. "auto" is the result of
   layout_choose(). */
int pattern_create_for(const char *scheme, const struct layout_question *question, struct pattern **pattern,
                       char text[LAYOUT_TEXT]);
void pattern_destroy(struct pattern **pattern);

/* A pattern with all cells zero and no name; NULL without memory, or if an int cannot count the cells. */
struct pattern *pattern_alloc(int ranks, int rows, int cols);
/* A copy of the pattern, and its transpose, with the same name; NULL without memory. */
struct pattern *pattern_copy(const struct pattern *pattern);
struct pattern *pattern_transposed(const struct pattern *pattern);

/* The names of all schemes and their arguments, for help: "2dbc[:PxQ], g2dbc, ...". */
enum { LAYOUT_SCHEMES = 512 };  /* characters, including the end */
void pattern_schemes(char text[LAYOUT_SCHEMES]);

/* The builders. NULL without memory. */
struct pattern *pattern_2dbc(int nprow, int npcol);     /* nprow * npcol ranks, rank of cell (i,j) is i * npcol + j */
struct pattern *pattern_g2dbc(int ranks);               /* section IV-A; plain 2DBC if c = 0 */

/* Map files: "rows cols", then the ranks row by row. Errors contain the file, the line and the reason. */
int pattern_read(const char *path, int ranks, struct pattern **pattern, char text[LAYOUT_TEXT]);

bool pattern_has_free_cells(const struct pattern *pattern);

/* T of the paper: mean number of distinct ranks per row plus per column; free cells do not count. NAN: no memory. */
double pattern_cost_lu(const struct pattern *pattern);
/* T of the paper: mean number of distinct ranks per colrow of the smallest square (lcm of rows and cols) that repeats. */
double pattern_cost_cholesky(const struct pattern *pattern);

/* No balanced pattern costs less. For LU 2 sqrt(P), for any size. For Cholesky the bound for r x r patterns; with r = 0 for
   patterns of any size, sqrt(P). See bound.c. */
double pattern_bound_lu(int ranks);
double pattern_bound_cholesky(int ranks, int r);
/* One of these bounds, for Cholesky with the pattern's size if it is square; with different speeds, for patterns whose shares
   are proportional to the speeds. */
double pattern_bound(const struct pattern *pattern, enum layout_algorithm algorithm, const double *speeds);

/* ---- layouts -------------------------------------------------------------------------------------------------------- */

/* A rank's cells in one column of the pattern: the unit of every walk. */
struct layout_group {
    int col;            /* column of the pattern */
    int first, count;   /* the rows of the group are row[first] .. row[first + count - 1], increasing */
    int tail;           /* number of its rows above row mt mod rows, where the last, partial repetition ends */
};

struct layout {
    int ranks, mt, nt;
    enum layout_part part;
    int rows, cols;                 /* size of the repeating pattern */
    const int *cell;                /* rows x cols: the owner */
    const int *group;               /* rows x cols: index of the cell's group */
    const int *place;               /* rows x cols: index of the cell in its group */
    const struct layout_group *groups;
    const int *group_of_rank;       /* ranks + 1: groups of rank q are
                                       group_of_rank[q] .. group_of_rank[q + 1] - 1, columns increasing */
    const int *row;                 /* the rows of all groups */
};

/*
 * Lays a pattern over mt x nt tiles, at least one. Free diagonal cells are for Cholesky, and require mt = nt and a square
 * pattern. Each tile of a free cell goes to the rank of its colrow (in the pattern) with the least of Cholesky's work so far:
 * the heaviest tile first, from the top among equal tiles, the lowest rank among equal ranks. This is the same on every rank.
 * The mirrored tile above the diagonal gets the same owner. For more than 2048 tile rows only leading tiles are distributed
 * so, each with all tiles that repeat it. The pattern is copied. Returns 0; or 1, or LAYOUT_NO_MEMORY, and a text (*layout is
 * then NULL).
 */
int layout_create(const struct pattern *pattern, int mt, int nt, enum layout_part part, struct layout **layout,
                  char text[LAYOUT_TEXT]);
void layout_destroy(struct layout **layout);

static inline bool layout_is_stored(const struct layout *l, int i, int j)
{
    return l->part == LAYOUT_FULL || i >= j;
}

/* The rank that owns tile (i,j), 0 <= i < mt, 0 <= j < nt; for a tile that is not stored, the rank in the pattern. */
static inline int layout_owner(const struct layout *l, int i, int j)
{
    return l->cell[(int64_t)(i % l->rows) * l->cols + j % l->cols];
}

/* The first row >= from of a stored tile of the rank in column j; mt if there is none. */
int layout_first(const struct layout *l, int rank, int j, int from);
/* The next stored tile below (i,j) with the owner of (i,j): its row, or mt. Constant time. */
int layout_next(const struct layout *l, int i, int j);
/* The number of stored tiles of the rank in column j. */
int layout_count(const struct layout *l, int rank, int j);
/* The number of stored tiles below (i,j) in column j with the owner of (i,j). Constant time. With layout_count it gives the
   local index. */
int layout_below(const struct layout *l, int i, int j);
/* The first column >= from in which the pattern has any row of the rank; nt if there is none. */
int layout_first_column(const struct layout *l, int rank, int from);
/* The number of columns before `col` in which the pattern has any row of the rank; col may be nt. Takes a search in addition to
   constant time. */
int layout_column_index(const struct layout *l, int rank, int col);
/* Numbers from 0 for tile columns. Two columns have the same number only if no rank has tiles in both, so for data that belong
   to a column and to ranks with tiles in it the number is a unique name. number: [nt]. Returns the number of numbers; 0: no
   memory. For very large patterns each column has a number of its own. number_columns.c */
int layout_number_columns(const struct layout *l, int *number);
/* The number of all stored tiles of the rank. */
int64_t layout_tiles(const struct layout *l, int rank);

/* ---- the readers of final tiles, and resulting costs ------------------------------------------------------------------ */

/*
 * The distinct ranks other than its owner that read the final tile (i,j): of row i right of j and of column j below i (LU, for
 * the factor's panels), or of colrow i (Cholesky). `ranks` has room for l->ranks; `seen` is scratch memory of l->ranks bytes,
 * zero on entry and on return. Returns their number.
 */
int layout_readers(const struct layout *l, enum layout_algorithm algorithm, int i, int j, int *ranks, unsigned char *seen);

/* The distinct owners of (i, from .. to-1) and of (from .. to-1, j); ranks, seen and the result as in layout_readers(). */
int layout_row_owners(const struct layout *l, int i, int from, int to, int *ranks, unsigned char *seen);
int layout_column_owners(const struct layout *l, int j, int from, int to, int *ranks, unsigned char *seen);

/* The owners of colrow i: row i up to the diagonal and column i below it. */
int layout_colrow_owners(const struct layout *l, int i, int *ranks, unsigned char *seen);

/* The exact number of transfers: pairs (tile, rank that reads it and does not own it), each once. -1 without memory. */
int64_t layout_transfers(const struct layout *l, enum layout_algorithm algorithm);
/* The number of elements in these transfers, for tile rows and tile columns of these sizes (mt and nt of them). -1 without
   memory. */
int64_t layout_transferred(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width);
/* The same for these steps only, [least(mt, nt)]; NULL: all. height, width: NULL counts tiles. */
int64_t layout_transferred_in(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width,
                              const bool *step);

/* The flops of each rank in nb^3 / 3, counted as in flops_max_over_mean below; `work` has room for l->ranks. */
void layout_work_of_ranks(const struct layout *l, enum layout_algorithm algorithm, int64_t *work);
/* Adds the flops of these steps only, [least(mt, nt)]; NULL: all. */
void layout_add_work_in(const struct layout *l, enum layout_algorithm algorithm, const bool *step, int64_t *work);
/* The same for the first steps, and only for tile rows from `from` on, tile by tile. */
void layout_work_of_part(const struct layout *l, enum layout_algorithm algorithm, int from, int steps, int64_t *work);

/*
 * The layout of the same tiles over the nodes of their owners: rank q is on node node_of[q], 0 .. nodes-1. Its transfers are
 * those between nodes if a tile goes to a node once, for all ranks that read it there: pairs (tile, node). Returns as
 * layout_create(). nodes.c
 */
int layout_of_nodes(const struct layout *l, const int *node_of, int nodes, struct layout **of_nodes, char text[LAYOUT_TEXT]);

/* The number of elements that each rank sends and receives if every tile goes from its owner to each of its readers: [ranks],
   the caller's memory. */
struct layout_links {
    int64_t *sent, *received;
};
/* Adds those of these steps, [least(mt, nt)]; NULL: all. Returns 0, or 1 without memory. nodes.c */
int layout_load_links(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width,
                      const bool *step, struct layout_links *links);

struct layout_summary {
    int64_t transfers;
    int64_t tiles_max, tiles_min;           /* stored tiles of the fullest and the emptiest rank */
    double flops_max_over_mean;             /* potrf 1/3, trsm 1, syrk 1, gemm 2, LU of a diagonal tile 2/3, in nb^3 */
    double abe_max_over_mean;               /* the same for ranks of equal speed: see layout_abe_max_over_mean() */
    int max_ranks_per_row, max_ranks_per_col;   /* distinct owners of the stored tiles of one tile row, one tile column */
};
/* Returns 0, or 1 without memory. */
int layout_summarise(const struct layout *l, enum layout_algorithm algorithm, struct layout_summary *summary);

/* The work of the most loaded rank over the mean: the question's weights, or its algorithm's work, on its stored tiles. Returns
   0, or 1 without memory. */
int layout_load(const struct layout *l, const struct layout_question *question, double *max_over_mean);

/* ---- ranks of unequal speed ------------------------------------------------------------------------------------------- */

/* speeds: one a rank, positive; NULL: all equal. */

/* The largest ratio of the speeds of two ranks: with a larger one rounding would lose shares. */
#define LAYOUT_SPEED_RATIO 1e6

/* Returns 0 if all layouts accept these speeds, or 1 and a text with the ranks. */
int layout_check_speeds(const double *speeds, int ranks, char text[LAYOUT_TEXT]);

/* Time of the most loaded rank, flops over speed, relative to the time if all work were distributed in proportion to the
   speeds. NAN: no memory. */
double layout_abe_max_over_mean(const struct layout *l, enum layout_algorithm algorithm, const double *speeds);
/* The sum of half-perimeters of the best column-based partition of the unit square among ranks of these speeds. NAN: no
   memory. */
double layout_perisum(const double *speeds, int ranks);

/* ---- weights -------------------------------------------------------------------------------------------------------- */

/* Reads a file of weights: "rows cols", which must be mt and nt, then those of the tiles row by row. Errors contain the file,
   the line and the reason. The caller frees *weights, NULL after an error. */
int weights_read(const char *path, int mt, int nt, double **weights, char text[LAYOUT_TEXT]);
/* The weights of a generated block-low-rank matrix: "delta=D,seed=S,kernel=lu|gemm"; args NULL: all defaults. Symmetric for
   Cholesky. The same on every machine. */
int weights_blr(const char *args, enum layout_algorithm algorithm, int mt, int nt, double **weights, char text[LAYOUT_TEXT]);

/* 1, or a power of two if sums of the weights could overflow. */
double weights_scale(const double *weights, int64_t count);

/* ---- choosing a layout ------------------------------------------------------------------------------------------------ */

enum { LAYOUT_CANDIDATES = 192 };

struct layout_candidate {
    char name[128];             /* "2dbc:4x5": what pattern_create_for takes */
    int rows, cols;             /* of the pattern */
    double cost, bound;         /* T, and a lower bound for balanced patterns (Cholesky: for balanced patterns of that size) */
    struct layout_summary sum;  /* summary of the tiles that were counted */
    int64_t wire_transfers;     /* transfers between nodes; all transfers if each rank is a node or all are on one node */
    double tiles;               /* tiles of the fullest rank, for the whole matrix */
    bool by_node;               /* whether it is made for nodes */
    /* fits: whether it fits into memory. balanced: whether its balance is within LAYOUT_BALANCE of the best balance among
       candidates that fit and are not made for nodes; so a candidate for nodes may not have worse balance than one for
       ranks. */
    bool fits, balanced;
};

/* Candidates within 5 % of the best abe_max_over_mean are compared by transfers. */
#define LAYOUT_BALANCE 1.05

struct layout_choice {
    int count, chosen;                      /* number of candidates, and the chosen one */
    int counted_mt, counted_nt;             /* tiles that were counted: all, or leading ones */
    struct layout_candidate candidate[LAYOUT_CANDIDATES];
};

/*
 * Chooses the layout with the fewest transfers (between nodes if ranks share nodes) among those whose flops are balanced
 * within 5 % of the best candidate, of those that fit in memory (or of all, if none fits). Candidates are 2DBC on every grid
 * and G-2DBC, for Cholesky also SBC and the catalogue, and with nodes those of choice/by_node.h. If the question's speeds
 * differ, also 1D x 1D in its three forms, and times instead of flops are balanced. Counts are exact for all tiles. For more
 * tiles than the counter counts, for more than 65536 tile rows or columns, or with different speeds more than 1024, only the
 * leading part is counted, and in this case only the first of the three forms. The result is the same on every rank for the
 * same question. With weights the schemes for uneven tiles (uneven.h) are candidates, too, all tiles count, and the layout
 * with the least load of the most loaded rank is chosen: flops_max_over_mean is then that of the weights. Returns 0; or 1, or
 * LAYOUT_NO_MEMORY, and a text.
 */
int layout_choose(const struct layout_question *question, struct layout_choice *choice, char text[LAYOUT_TEXT]);

/* A smaller number of ranks, and the layout chosen for it. */
struct layout_fewer {
    int ranks;                  /* 0: none */
    struct layout_candidate candidate;
    double loss;                /* share of the speed that is lost, by the flops of the most loaded rank; negative: a gain */
};

/* The largest share of the ranks and of the speed that may be given up, and the largest ratio of transfers that justifies
   it. */
#define LAYOUT_FEWER 0.05
#define LAYOUT_MUCH_LESS 0.8

/* Searches for a number of ranks, slightly below the question's, whose best layout sends much less than the chosen one. Finds
   nothing if ranks differ in speed or share nodes, or tiles differ in work. Returns 0; or 1, or LAYOUT_NO_MEMORY, and a text.
   fewer.c */
int layout_choose_fewer(const struct layout_question *question, const struct layout_choice *choice, struct layout_fewer *fewer,
                        char text[LAYOUT_TEXT]);

#endif
