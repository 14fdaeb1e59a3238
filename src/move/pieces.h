/*
 * The pieces of a matrix that moves from one place to another. The rows are cut wherever the one or the other place cuts them,
 * the columns too, so that a piece, a span of rows by a span of columns, lies in one tile or block and on one rank in both:
 *
 *          from: tiles            to: blocks             pieces
 *         +-------+----+         +--+-----+----+        +--+----+-+--+
 *         |       |    |         |  |     |    |        |  |    | |  |
 *         |       |    |         +--+-----+----+        +--+----+-+--+
 *         +-------+----+         |  |     |    |        +--+----+-+--+
 *         |       |    |         |  |     |    |        |  |    | |  |
 *         +-------+----+         +--+-----+----+        +--+----+-+--+
 *
 * Every rank walks them in the same order, without a message: positions in it are how ranks speak of a part of the matrix. Strip
 * after strip of spans of columns, in a strip row by row: so that a run of positions is about square, for what is all in one tile
 * row or column is on few ranks. Of a Hermitian matrix only the elements of its triangle count. Rows and columns are the
 * caller's.
 */
#ifndef OMPFACT_SRC_MOVE_PIECES_H
#define OMPFACT_SRC_MOVE_PIECES_H

#include "src/move/block_cyclic.h"

enum piece_end { FROM, TO };

/* A matrix's tiles or a ScaLAPACK array. */
struct piece_place {
    ompfact_matrix *A;                  /* the tiles; NULL: */
    bool spread;                        /*   they are factors, on the layers that made them */
    const struct block_cyclic *array;   /*   the array, of which this rank has */
    char *local;
};

struct span {
    int64_t first;      /* row or column */
    int size;
    struct {
        int tile;       /* tile row or column, of a matrix */
        int cell;       /* row or column of the pattern of ranks */
        int64_t index;  /* of the first element in its tile, or in the array of the rank that has it */
    } in[2];            /* [end] */
};

struct pieces {
    struct piece_place place[2];
    const int *cell[2];         /* patterns of ranks, row by row, */
    int64_t row_step[2], col_step[2];   /*   the distance of neighbours in it */
    int me;
    enum uplo part;             /* what counts of the matrix, as of a tile on its diagonal */
    size_t element;             /* bytes */
    struct span *rows, *cols;
    int64_t row_count, col_count, strip;    /* spans; spans of columns of a strip */
};

struct piece {
    const struct span *rows, *cols;
    int rank[2];                /* [end] */
};

/* Of A's shape; A is one of the places. Strips are to be so wide that squares of that width have about `bytes` bytes.
   False: no memory. */
bool pieces_create(struct pieces *p, const ompfact_matrix *A, struct piece_place from, struct piece_place to, double bytes);
void pieces_destroy(struct pieces *p);

/* Positions are 0 .. pieces_end - 1. */
int64_t pieces_end(const struct pieces *p);

/* Calls visit for the pieces at positions begin .. end-1 that leave or reach this rank, until it returns false. Returns the
   position of the piece where it did, or end. */
int64_t pieces_walk(const struct pieces *p, int64_t begin, int64_t end, bool (*visit)(void *context, const struct piece *piece),
                    void *context);

int64_t piece_bytes(const struct pieces *p, const struct piece *piece);
enum { PIECE_ROWS = 256 };      /* at most, and as many columns: 1 MiB of double complex */

/* Between the piece and piece_bytes() packed bytes, or from the one place to the other;
   each end that is touched is this rank's. */
void piece_pack(const struct pieces *p, const struct piece *piece, void *packed);
void piece_unpack(const struct pieces *p, const struct piece *piece, const void *packed);
void piece_copy(const struct pieces *p, const struct piece *piece);

#endif
