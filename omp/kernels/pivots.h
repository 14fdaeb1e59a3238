/*
 * The pivots of one step of LU, and the moves of rows that they cause.
 *
 * Step k interchanges row first + j with row pivot[j], j = 0 .. count-1, as in LAPACK's ipiv. All of these interchanges
 * together amount to three kinds of moves, whose order does not matter:
 *
 *       tile row k   ( t1 )--+ inside         t1 -> t2        within the tile
 *                    ( t2 )<-+
 *                    ( t3 )---- down -----+   t3 -> b         to a tile below, to the place of a row that moves up
 *                    ( t4 )<--- up -----+ |   b  -> t4
 *       tile row m   ( b  )-------------+-+
 *
 * A row below never moves to another place below: interchange j is the last one with row first + j, so a row that moves down
 * comes from the rows that were in tile row k at the start. The moves are the same in every tile column. One struct describes
 * all of them, and travels as a tile of its own.
 *
 * Plain data, no MPI, no OpenMP.
 */
#ifndef OMPFACT_OMP_KERNELS_PIVOTS_H
#define OMPFACT_OMP_KERNELS_PIVOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first rows of tile rows: tile row i < count has rows start[i] .. start[i + 1] - 1. */
struct tile_rows {
    const int64_t *start;
    int count;
};

/* The owners of the tiles of the matrix. */
struct tile_owners {
    int (*owner)(const void *context, int i, int j);
    const void *context;
};

struct pivots {
    int count;              /* number of pivots */
    int below;              /* number of rows of tiles below that are interchanged with rows of tile row k */
    int inside;             /* number of moves within tile row k */
    int room;               /* length of the arrays */
    int64_t place[];        /* the arrays, one behind the other */
};

/* room: the largest number of pivots of a step. */
size_t pivots_bytes(int room);

static inline int64_t *pivot_rows(struct pivots *p)         /* [count]: LAPACK's, 0-based, global */
{
    return p->place;
}
/* Arrays of ints, of `room` each: their indices, and their number. */
enum { BELOW_TILE, BELOW_ROW, BELOW_TO, BELOW_FROM, INSIDE_TO, INSIDE_FROM = INSIDE_TO + 2, PIVOTS_ARRAYS = INSIDE_FROM + 2 };
static inline int *pivots_array(const struct pivots *p, int which)
{
    return (int *)(p->place + p->room) + (ptrdiff_t)which * p->room;
}
/* [below], sorted by tile row and row: the place of a row below, its destination, and the origin of the row that replaces it.
   Rows are counted within their tile. */
static inline const int *below_tile(const struct pivots *p) { return pivots_array(p, BELOW_TILE); }
static inline const int *below_row(const struct pivots *p) { return pivots_array(p, BELOW_ROW); }
static inline const int *below_to(const struct pivots *p) { return pivots_array(p, BELOW_TO); }
static inline const int *below_from(const struct pivots *p) { return pivots_array(p, BELOW_FROM); }
/* [inside], at most 2 room */
static inline const int *inside_to(const struct pivots *p) { return pivots_array(p, INSIDE_TO); }
static inline const int *inside_from(const struct pivots *p) { return pivots_array(p, INSIDE_FROM); }

/*
 * Computes the pivots of step k from the chosen rows in their order: distinct, global, none above tile row k, and at most as
 * many as it has rows. scratch has room for 3 count.
 */
void pivots_make(struct pivots *p, int room, const struct tile_rows *rows, int k, int count, const int64_t *chosen,
                 int64_t *scratch);

/* The pivots below in tile row m: the index of the first one, and their number. */
int pivots_of_tile(const struct pivots *p, int m, int *first);
/* The number of pivots below that are in the same tile row as number `first` of them, from this one on. */
int pivots_from(const struct pivots *p, int first);

/* A rank's share of the first `below` rows below in tile column n. In a buffer, shares follow in the order of ranks, and the
   rows of a share are in their order. first: the number of rows before the share; count: its own. */
struct share {
    int first, count;
};
struct share pivots_share(const struct pivots *p, const struct tile_owners *owners, int n, int rank, int below);

/*
 * The rows among which pivots are searched: a rank's part of a panel, or candidates. column-major, ld >= rows. For one thread
 * at a time.
 */
struct row_stack {
    void *data;             /* room x width */
    void *copy;             /* a copy of the same size, for searches that must keep the rows; NULL: none */
    char **on_device;            /* [device - 1]: memory of the device like `data`, then after `bytes` like `copy`; NULL: only
                                    the host has this stack */
    size_t bytes;           /* bytes of data, and of copy */
    int64_t *row;           /* [room]: global index of each row */
    int64_t *scratch;       /* [3 width] */
    int *order;             /* [room] */
    int *swap;              /* [width]: LAPACK's ipiv of the last elimination, from 1 */
    int rows, ld, room, width;
};

/* room rows of `width` elements of `size` bytes; NULL: no memory. */
struct row_stack *row_stack_create(int64_t room, int width, size_t size, bool keeps);
void row_stack_destroy(struct row_stack **stack);

/* Rows that one or several ranks propose as pivots: count x width, column-major, ld = count, behind the header. */
struct candidates {
    int count, room;
    int64_t row[];          /* [room]: global index of each row */
};
size_t candidates_bytes(int room, int width, size_t size);
void *candidates_data(const struct candidates *c);

#endif
