/* The rows that an interchange moves in a tile column, by the ranks that they leave and that they go to. */
#ifndef OMPFACT_SRC_FACTOR_ROW_LISTS_H
#define OMPFACT_SRC_FACTOR_ROW_LISTS_H

#include "src/factor/factor.h"

enum { OUT, IN, SIDES };

/* A part of a tile column, whose rows are copied together. The rows that leave this rank for rank r are first[OUT][r] ..
   first[OUT][r + 1] - 1 of the lists; first[IN]: the rows that come from rank r. */
struct row_piece {
    int j, column, columns;             /* columns column .. column + columns - 1 of tile column j */
    int64_t *first[SIDES];              /* [ranks + 1] */
};

struct row_lists {
    ompfact_matrix *M;
    int me, ranks;
    int *tile;                          /* [m]: the tile row of row i */
    int *owner;                         /* [mt]: the owners of the tile column that row_lists_column() has chosen */
    struct {
        int *tile, *row;                /* [m]: the place of a row of this rank */
    } side[SIDES];
    int *order;                         /* [m]: of a row that leaves, its index among the rows for the same rank */
    int64_t *target;                    /* [m]: the row that row i becomes */
    int *index;                         /* [m]: the same index, of the row that becomes row i */
    int64_t *count;                     /* [4][ranks] */
};

/* Local. Returns false if there is no memory. */
bool row_lists_create(struct row_lists *x, ompfact_matrix *M);
void row_lists_free(struct row_lists *x);
bool row_piece_create(struct row_piece *p, int ranks);
void row_piece_free(struct row_piece *p);

/* Chooses tile column j, of which rows `first` and later move. Returns the rank that owns all of these rows; -1: several do. */
int row_lists_column(struct row_lists *x, int j, int64_t first);
/* Lists the rows of this rank from place `at` of the lists on, where row source[i] of the column becomes row i for i >= first.
   Sets p->first. There is room for m rows in all. */
void row_lists_fill(struct row_lists *x, struct row_piece *p, const int64_t *source, int64_t first, int64_t at);
static inline int row_piece_rows(const struct row_piece *p, int side, int rank)
{
    return (int)(p->first[side][rank + 1] - p->first[side][rank]);
}
/* Copies columns first .. first + count - 1 of a piece: its rows for that rank to `there` (OUT), or its rows from that rank from
   there (IN). There they are column-major, in the order of their targets. */
void row_piece_copy(const struct row_lists *x, const struct row_piece *p, int side, int rank, int first, int count, char *there);

#endif
