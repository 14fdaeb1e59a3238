/*
 * The pivots of one step of LU, and what they do to the rows of the matrix.
 *
 * Step k interchanges row first + j with row pivot[j], j = 0 .. count-1, as LAPACK's ipiv says. Of all these interchanges
 * together only three kinds of moves are left, which no longer depend on an order:
 *
 *       tile row k   ( t1 )--+ inside         t1 -> t2        within the tile
 *                    ( t2 )<-+
 *                    ( t3 )---- down -----+   t3 -> b         to a tile below, into the place of a row that goes up
 *                    ( t4 )<--- up -----+ |   b  -> t4
 *       tile row m   ( b  )-------------+-+
 *
 * A row below never moves to another place below: interchange j touches row first + j for the last time, so what goes down comes
 * from the rows that were in tile row k at the start. The moves are the same in every tile column; one struct says them all, and
 * it travels as a tile of its own.
 *
 * Plain data, no MPI, no OpenMP.
 */
#ifndef OMPFACT_OMP_KERNELS_PIVOTS_H
#define OMPFACT_OMP_KERNELS_PIVOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where tile rows begin: start[i] .. start[i + 1] - 1 are the rows of tile row i < count. */
struct tile_rows {
    const int64_t *start;
    int count;
};

/* Who owns the tiles of the matrix. */
struct tile_owners {
    int (*owner)(const void *context, int i, int j);
    const void *context;
};

struct pivots {
    int count;              /* pivots */
    int below;              /* rows of tiles below that are exchanged with rows of tile row k */
    int inside;             /* moves within tile row k */
    int room;               /* of the arrays */
    int64_t place[];        /* the arrays, one behind the other */
};

/* room: the largest number of pivots of a step. */
size_t pivots_bytes(int room);

static inline int64_t *pivot_rows(struct pivots *p)         /* [count]: LAPACK's, 0-based, global */
{
    return p->place;
}
/* Arrays of ints, of `room` each: which one, and how many. */
enum { BELOW_TILE, BELOW_ROW, BELOW_TO, BELOW_FROM, INSIDE_TO, INSIDE_FROM = INSIDE_TO + 2, PIVOTS_ARRAYS = INSIDE_FROM + 2 };
static inline int *pivots_array(const struct pivots *p, int which)
{
    return (int *)(p->place + p->room) + (ptrdiff_t)which * p->room;
}
/* [below], sorted by tile row and row: the place of a row below, where it goes to and where the one that replaces it comes from.
   Rows are counted in their tile. */
static inline const int *below_tile(const struct pivots *p) { return pivots_array(p, BELOW_TILE); }
static inline const int *below_row(const struct pivots *p) { return pivots_array(p, BELOW_ROW); }
static inline const int *below_to(const struct pivots *p) { return pivots_array(p, BELOW_TO); }
static inline const int *below_from(const struct pivots *p) { return pivots_array(p, BELOW_FROM); }
/* [inside], at most 2 room */
static inline const int *inside_to(const struct pivots *p) { return pivots_array(p, INSIDE_TO); }
static inline const int *inside_from(const struct pivots *p) { return pivots_array(p, INSIDE_FROM); }

/*
 * The pivots of step k, given as the rows that have been chosen, in their order: distinct, global, none above tile row k. scratch
 * has room for 4 count.
 */
void pivots_make(struct pivots *p, int room, const struct tile_rows *rows, int k, int count, const int64_t *chosen,
                 int64_t *scratch);

/* Those below in tile row m: the first one's index, and how many. */
int pivots_of_tile(const struct pivots *p, int m, int *first);

/* A rank's share of the first `below` rows below in tile column n, as it lies in a buffer where rank follows rank and each one's
   rows are in their order: rows before it, and its own. */
struct share {
    int first, count;
};
struct share pivots_share(const struct pivots *p, const struct tile_owners *owners, int n, int rank, int below);

/*
 * The rows among which pivots are searched: a rank's part of a panel, or candidates. column-major, ld >= rows. One thread at a
 * time.
 */
struct row_stack {
    void *data;             /* room x width */
    void *copy;             /* as large, for searches that must keep the rows; NULL: there are none */
    char **on_device;            /* [device - 1]: memory there like `data`, then `bytes` on like `copy`; NULL: it is here alone */
    size_t bytes;           /* of data, and of copy */
    int64_t *row;           /* [room]: global index of each row */
    int64_t *scratch;       /* [4 width] */
    int *order;             /* [room] */
    int *swap;              /* [width]: LAPACK's ipiv of the last elimination, from 1 */
    int rows, ld, room, width;
};

/* room rows of `width` elements of `size` bytes; NULL: no memory. */
struct row_stack *row_stack_create(int64_t room, int width, size_t size, bool keeps);
void row_stack_destroy(struct row_stack **stack);

/* Rows that a rank or several propose as pivots: count x width, column-major, ld = count, behind the header. */
struct candidates {
    int count, room;
    int64_t row[];          /* [room]: global index of each */
};
size_t candidates_bytes(int room, int width, size_t size);
void *candidates_data(const struct candidates *c);

#endif
