/*
 * Who owns which tile.
 *
 * A pattern is a small matrix of ranks, repeated cyclically in both directions. Laid over the mt x nt tiles of a matrix it
 * becomes a layout: every rank can ask for the owner of any tile, walk the tiles of any rank and know who reads what, without a
 * message. Everything here is local, thread-safe once created, and integer arithmetic but for speeds, weights and costs: no MPI,
 * no OpenMP, no tile contents.
 *
 * Sources: Beaumont, Collin, Eyraud-Dubois, Verite, "Data Distribution Schemes for Dense Linear Algebra Factorizations on Any
 * Number of Nodes", IPDPS 2023 (2DBC, G-2DBC, the cost T); map files have the form that Chameleon reads.
 */
#ifndef OMPFACT_LAYOUTS_LAYOUT_H
#define OMPFACT_LAYOUTS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LAYOUT_TEXT = 256 };     /* characters in an error text, its end included */
enum { LAYOUT_FREE = -1 };      /* a diagonal cell that the pattern leaves free */

/* ---- the matrix at hand ------------------------------------------------------------------------------------------- */

enum layout_part { LAYOUT_FULL, LAYOUT_LOWER };     /* which tiles are stored: all, or those with i >= j */
enum layout_algorithm { LAYOUT_LU, LAYOUT_CHOLESKY };   /* right-looking, owner computes; Cholesky: mt = nt */

struct pattern;
struct layout_summary;
/* Somebody else's count of the leading mt x nt tiles under a pattern, for factorizations that are not known here: puts transfers,
   and where it knows better flops_max_over_mean and abe_max_over_mean, in the place of the algorithm's. Returns 0, or 1 where
   there is no memory. */
typedef int layout_counter(const void *context, const struct pattern *pattern, int mt, int nt, struct layout_summary *summary);

/* A matrix that looks for a layout. */
struct layout_question {
    enum layout_algorithm algorithm;
    int ranks, mt, nt;
    enum layout_part part;
    int64_t tiles_fit;          /* tiles that the memory of a rank holds; 0: any number */
    layout_counter *counter;    /* NULL: the algorithm's transfers and flops count */
    const void *context;        /* its, */
    int count_mt, count_nt;     /*   and the leading tiles that it counts, at least one */
    const double *weights;      /* work of each tile, finite and not negative, mt x nt, row by row; NULL: that of full tiles */
    double weight_scale;        /* what weights are multiplied by so that their sums are finite: weights_scale(); 0: 1 */
    bool mirrored;              /* that of tile (i,j) is where (j,i)'s would be; mt = nt */
    const double *speeds;       /* one a rank, positive, in any unit: for "1d1d" and its kin and for "auto"; NULL: all equal.
                                   "auto" has no use for them where there are weights */
    const int *node_of;         /* of each rank, 0 .. nodes-1, none of them without a rank: what crosses between nodes counts;
                                   NULL: each rank is a node. Not used where there are weights or speeds, or a counter */
    int nodes;
};

/* ---- patterns ------------------------------------------------------------------------------------------------------- */

struct pattern {
    int ranks;          /* P: cells name ranks 0..P-1 */
    int rows, cols;     /* size of the pattern in tiles */
    int *cell;          /* rows x cols, row by row: the rank, or LAYOUT_FREE */
    char name[128];     /* the scheme as resolved, for example "2dbc:4x5" */
};

/*
 * The pattern that SCHEME[:ARGS] names for so many ranks: "2dbc:2x3", "g2dbc", "design", "file:PATH"; see
 * pattern_schemes().
 * Returns 0 and a pattern that the caller destroys; or 1, or LAYOUT_NO_MEMORY, and one line of explanation in text (*pattern is
 * then NULL).
 */
enum { LAYOUT_NO_MEMORY = 2 };
int pattern_create(const char *scheme, int ranks, struct pattern **pattern, char text[LAYOUT_TEXT]);
/* That for a matrix of mt x nt tiles, whose Cholesky factorization or LU it is for: with "design" the colrows of the pattern
   are put in an order that balances the work on just so many tiles, "1d1d", "1d1d-c" and "1d1d-cs" (plan.h) are made for the
   matrix and the speeds of its ranks, "bch", "bce", "rs" and "rsp" look at the work of each tile, and "auto" is what
   layout_choose() takes. */
int pattern_create_for(const char *scheme, const struct layout_question *question, struct pattern **pattern,
                       char text[LAYOUT_TEXT]);
void pattern_destroy(struct pattern **pattern);

/* A pattern with all cells zero and no name; NULL where there is no memory, or more cells than an int can count. */
struct pattern *pattern_alloc(int ranks, int rows, int cols);
/* A copy of the pattern, and its transpose, of the same name; NULL where there is no memory. */
struct pattern *pattern_copy(const struct pattern *pattern);
struct pattern *pattern_transposed(const struct pattern *pattern);

/* The names of all schemes and what may follow them, for help: "2dbc[:PxQ], g2dbc, ...". */
enum { LAYOUT_SCHEMES = 512 };  /* characters, the end included */
void pattern_schemes(char text[LAYOUT_SCHEMES]);

/* The builders. NULL where there is no memory. */
struct pattern *pattern_2dbc(int nprow, int npcol);     /* nprow * npcol ranks, rank of cell (i,j) is i * npcol + j */
struct pattern *pattern_g2dbc(int ranks);               /* section IV-A; plain 2DBC where c = 0 */

/* Map files: "rows cols", then the ranks row by row. Errors name the file, the line and what is wrong. */
int pattern_read(const char *path, int ranks, struct pattern **pattern, char text[LAYOUT_TEXT]);
int pattern_write(const struct pattern *pattern, FILE *file);
/* The owner of every tile in a map file's form, -1 where a tile is not stored; mirrored: that of tile (j,i) for (i,j). Returns 0,
   or 1 if writing failed. */
struct layout;
int layout_write_owners(const struct layout *l, bool mirrored, FILE *file);

bool pattern_has_free_cells(const struct pattern *pattern);

/* T of the paper: mean number of distinct ranks per row plus per column; free cells do not count. NAN: there is no memory. */
double pattern_cost_lu(const struct pattern *pattern);
/* T of the paper: mean number of distinct ranks per colrow of the smallest square (lcm of rows and cols) that repeats. */
double pattern_cost_cholesky(const struct pattern *pattern);

/* No balanced pattern costs less, whatever its size: 2 sqrt(P) for LU. For Cholesky no balanced r x r pattern does; with r = 0
   none of any size, which is sqrt(P). See bound.c. */
double pattern_bound_lu(int ranks);
double pattern_bound_cholesky(int ranks, int r);
/* One of these, for Cholesky of the pattern's size if it is square; with speeds that differ, of patterns that share their cells
   out as the speeds are. */
double pattern_bound(const struct pattern *pattern, enum layout_algorithm algorithm, const double *speeds);

/* ---- layouts -------------------------------------------------------------------------------------------------------- */

/* A rank's cells in one column of the pattern: the unit of every walk. */
struct layout_group {
    int col;            /* column of the pattern */
    int first, count;   /* its rows are row[first] .. row[first + count - 1], increasing */
    int tail;           /* how many of them are above row mt mod rows, where the last, partial repetition ends */
};

struct layout {
    int ranks, mt, nt;
    enum layout_part part;
    int rows, cols;                 /* of the pattern that repeats */
    const int *cell;                /* rows x cols: the owner */
    const int *group;               /* rows x cols: index of the cell's group */
    const int *place;               /* rows x cols: index of the cell in its group */
    const struct layout_group *groups;
    const int *group_of_rank;       /* ranks + 1: groups of rank q are
                                       group_of_rank[q] .. group_of_rank[q + 1] - 1, columns increasing */
    const int *row;                 /* the rows that groups point into */
};

/*
 * Lays a pattern over mt x nt tiles, at least one. Free diagonal cells are for Cholesky: allowed with mt = nt and square patterns
 * only; each tile they leave goes to the rank of its colrow (the pattern's) with the least of Cholesky's work so far, heaviest
 * tile first, from the top where tiles weigh the same, lowest rank on a tie: the same on every rank. The mirrored tile above the
 * diagonal gets the same owner. Past 2048 tile rows tiles are given away among the leading ones, each with all that repeat it.
 * The pattern is copied. Returns 0; or 1, or LAYOUT_NO_MEMORY, and a text (*layout is then NULL).
 */
int layout_create(const struct pattern *pattern, int mt, int nt, enum layout_part part, struct layout **layout,
                  char text[LAYOUT_TEXT]);
void layout_destroy(struct layout **layout);

static inline bool layout_is_stored(const struct layout *l, int i, int j)
{
    return l->part == LAYOUT_FULL || i >= j;
}

/* The rank that owns tile (i,j), 0 <= i < mt, 0 <= j < nt; for tiles not stored, the rank the pattern names. */
static inline int layout_owner(const struct layout *l, int i, int j)
{
    return l->cell[(int64_t)(i % l->rows) * l->cols + j % l->cols];
}

/* First row >= from of a stored tile of rank in column j; mt where there is none. */
int layout_first(const struct layout *l, int rank, int j, int from);
/* The next stored tile below (i,j) with the owner of (i,j): its row, or mt. Constant time. */
int layout_next(const struct layout *l, int i, int j);
/* Stored tiles of rank in column j. */
int layout_count(const struct layout *l, int rank, int j);
/* Stored tiles below (i,j) in column j with the owner of (i,j). Constant time. With layout_count it gives the local index. */
int layout_below(const struct layout *l, int i, int j);
/* First column >= from in which the pattern gives rank any row at all; nt where there is none. */
int layout_first_column(const struct layout *l, int rank, int from);
/* Columns before `col` in which the pattern gives rank any row at all; col may be nt. Short of constant time by a search. */
int layout_column_index(const struct layout *l, int rank, int col);
/* Numbers from 0 for tile columns, the same for two of them only if no rank has tiles in both: what belongs to a column, and is
   between ranks that have tiles there, needs no other name on any of these. number: [nt]. Returns how many numbers there are; 0:
   no memory. Of very large patterns each column has a number of its own. number_columns.c */
int layout_number_columns(const struct layout *l, int *number);
/* All stored tiles of rank. */
int64_t layout_tiles(const struct layout *l, int rank);

/* ---- who reads a final tile, and what that amounts to ----------------------------------------------------------------- */

/*
 * The distinct ranks other than its owner that read the final tile (i,j): of row i right of j and of column j below i (LU, for
 * the factor's panels), or of colrow i (Cholesky). `ranks` has room for l->ranks; `seen` is scratch of l->ranks bytes, zero on
 * entry and on return. Returns how many.
 */
int layout_readers(const struct layout *l, enum layout_algorithm algorithm, int i, int j, int *ranks, unsigned char *seen);

/* The distinct owners of (i, from .. to-1) and of (from .. to-1, j); ranks, seen and the result as in layout_readers(). */
int layout_row_owners(const struct layout *l, int i, int from, int to, int *ranks, unsigned char *seen);
int layout_column_owners(const struct layout *l, int j, int from, int to, int *ranks, unsigned char *seen);

/* Those of colrow i: row i up to the diagonal and column i below it. */
int layout_colrow_owners(const struct layout *l, int i, int *ranks, unsigned char *seen);

/* Exact number of transfers: pairs (tile, rank that reads it and does not own it), each once. -1 where there is no memory. */
int64_t layout_transfers(const struct layout *l, enum layout_algorithm algorithm);
/* The elements that they carry, for tile rows and tile columns of these sizes (mt and nt of them).
   -1 where there is no memory. */
int64_t layout_transferred(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width);
/* Of these steps alone, [least(mt, nt)]; NULL: all. height, width: NULL, tiles are counted. */
int64_t layout_transferred_in(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width,
                              const bool *step);

/* Flops of each rank in nb^3 / 3, counted as in flops_max_over_mean below; `work` has room for l->ranks. */
void layout_work_of_ranks(const struct layout *l, enum layout_algorithm algorithm, int64_t *work);
/* Adds that of these steps alone, [least(mt, nt)]; NULL: all. */
void layout_add_work_in(const struct layout *l, enum layout_algorithm algorithm, const bool *step, int64_t *work);
/* The same of the first steps on tile rows `from` and below alone, tile by tile. */
void layout_work_of_part(const struct layout *l, enum layout_algorithm algorithm, int from, int steps, int64_t *work);

/*
 * The same tiles by the nodes of their owners: rank q is on node node_of[q], 0 .. nodes-1. Its transfers are what crosses between
 * nodes where a tile goes to a node once, however many ranks read it there: pairs (tile, node). Returns as layout_create().
 * nodes.c
 */
int layout_of_nodes(const struct layout *l, const int *node_of, int nodes, struct layout **of_nodes, char text[LAYOUT_TEXT]);

/* Elements that each rank sends if every tile goes from its owner to each of its readers, and receives: [ranks], the caller's. */
struct layout_links {
    int64_t *sent, *received;
};
/* Adds those of these steps, [least(mt, nt)]; NULL: of all. Returns 0, or 1 where there is no memory. nodes.c */
int layout_load_links(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width,
                      const bool *step, struct layout_links *links);

struct layout_summary {
    int64_t transfers;
    int64_t tiles_max, tiles_min;           /* stored tiles of the fullest and the emptiest rank */
    double flops_max_over_mean;             /* potrf 1/3, trsm 1, syrk 1, gemm 2, LU of a diagonal tile 2/3, in nb^3 */
    double abe_max_over_mean;               /* that for ranks of equal speed: see layout_abe_max_over_mean() */
    int max_ranks_per_row, max_ranks_per_col;   /* distinct owners of the stored tiles of one tile row, one tile column */
};
/* Returns 0, or 1 where there is no memory. */
int layout_summarise(const struct layout *l, enum layout_algorithm algorithm, struct layout_summary *summary);

/* The most loaded rank's work over the mean: the question's weights, or its algorithm's work, on its stored tiles. Returns 0, or
   1 where there is no memory. */
int layout_load(const struct layout *l, const struct layout_question *question, double *max_over_mean);

/* ---- ranks of unequal speed ------------------------------------------------------------------------------------------- */

/* speeds: one a rank, positive; NULL: all equal. */

/* No rank may be more than so many times as fast as another: beyond it shares are lost in rounding. */
#define LAYOUT_SPEED_RATIO 1e6

/* Returns 0 where all layouts can take these speeds, or 1 and a text that names the ranks. */
int layout_check_speeds(const double *speeds, int ranks, char text[LAYOUT_TEXT]);

/* Time of the most loaded rank, flops over speed,
   over what it would be if all were shared out as the speeds are. NAN: no memory. */
double layout_abe_max_over_mean(const struct layout *l, enum layout_algorithm algorithm, const double *speeds);
/* Half-perimeters of the best column-based partition of the unit square among ranks of these speeds, summed. NAN: no memory. */
double layout_perisum(const double *speeds, int ranks);

/* ---- weights -------------------------------------------------------------------------------------------------------- */

/* A file of weights: "rows cols", which are to be mt and nt, then those of the tiles row by row. Errors name the file, the line
   and what is wrong. The caller frees *weights, NULL after an error. */
int weights_read(const char *path, int mt, int nt, double **weights, char text[LAYOUT_TEXT]);
/* The weights of a block-low-rank matrix that is made up: "delta=D,seed=S,kernel=lu|gemm"; args NULL: all defaults. For Cholesky
   it is symmetric. The same on every machine. */
int weights_blr(const char *args, enum layout_algorithm algorithm, int mt, int nt, double **weights, char text[LAYOUT_TEXT]);

/* 1, or where weights are so large that sums of them could overflow a power of two. */
double weights_scale(const double *weights, int64_t count);

/* ---- choosing a layout ------------------------------------------------------------------------------------------------ */

enum { LAYOUT_CANDIDATES = 192 };

struct layout_candidate {
    char name[128];             /* "2dbc:4x5": what pattern_create_for takes */
    int rows, cols;             /* of the pattern */
    double cost, bound;         /* T, and what no balanced pattern (Cholesky: none of that size) can be below */
    struct layout_summary sum;  /* of the tiles that were counted */
    int64_t wire_transfers;     /* between nodes; of ranks by themselves, or all on one node, all */
    double tiles;               /* of the fullest rank, of the whole matrix */
    bool by_node;               /* it is made for nodes */
    bool fits, balanced;        /* in memory; within LAYOUT_BALANCE of the best balance of those that fit, and are not made for
                                   nodes: for the ways between nodes no more balance is given up than for those between ranks */
};

/* Those within 5 % of the best abe_max_over_mean compete by transfers. */
#define LAYOUT_BALANCE 1.05

struct layout_choice {
    int count, chosen;                      /* candidates, and which of them */
    int counted_mt, counted_nt;             /* tiles that were counted: all, or the leading ones */
    struct layout_candidate candidate[LAYOUT_CANDIDATES];
};

/*
 * The layout with the fewest transfers, between nodes where ranks share them, among those whose flops are balanced within 5 % of
 * the best there is, of those that fit in memory (or of all, where none fits): 2DBC on every grid and G-2DBC, for Cholesky also
 * SBC and the catalogue; with nodes also what choice/by_node.h makes of them. Where the
 * question's speeds differ, 1D x 1D in its three forms too, and times instead of flops are balanced. Exact counts of all tiles;
 * of more than the counter counts, of more than 65536 tile rows or columns, or where speeds differ of more than 1024, those of
 * the leading part, and in this case of the three forms the first one alone. The same on every rank for the same question. With
 * weights also the schemes for uneven tiles (uneven.h), all tiles count, and the one whose most loaded rank has least is taken:
 * flops_max_over_mean then is that of the weights. Returns 0; or 1, or LAYOUT_NO_MEMORY, and a text.
 */
int layout_choose(const struct layout_question *question, struct layout_choice *choice, char text[LAYOUT_TEXT]);

/* Fewer ranks, and what is chosen for them. */
struct layout_fewer {
    int ranks;                  /* 0: none */
    struct layout_candidate candidate;
    double loss;                /* share of the speed that is lost, by the flops of the most loaded rank; negative: none is */
};

/* At most so large a share of the ranks and of the speed is given up, for at most so many of the transfers. */
#define LAYOUT_FEWER 0.05
#define LAYOUT_MUCH_LESS 0.8

/* Looks for a number of ranks, a little below the question's, whose best layout sends much less than the one that was chosen.
   Nothing where ranks differ in speed or share nodes, or tiles differ in work. Returns 0; or 1, or LAYOUT_NO_MEMORY, and a text.
   fewer.c */
int layout_choose_fewer(const struct layout_question *question, const struct layout_choice *choice, struct layout_fewer *fewer,
                        char text[LAYOUT_TEXT]);

#endif
