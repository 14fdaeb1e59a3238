/*
 * The pieces of a matrix that moves from one place to another. Rows and columns are cut wherever one of the two places cuts them.
 * A piece is a span of rows by a span of columns, so it lies in one tile or block, and on one rank, in both places:
 *
 *          from: tiles            to: blocks             pieces
 *         +-------+----+         +--+-----+----+        +--+----+-+--+
 *         |       |    |         |  |     |    |        |  |    | |  |
 *         |       |    |         +--+-----+----+        +--+----+-+--+
 *         +-------+----+         |  |     |    |        +--+----+-+--+
 *         |       |    |         |  |     |    |        |  |    | |  |
 *         +-------+----+         +--+-----+----+        +--+----+-+--+
 *
 * Every rank visits the pieces in the same order, without messages, so a range of positions names the same part of the matrix on
 * all ranks. The order is one strip of columns after another, and row by row in a strip. A range of positions is then about
 * square; a long narrow range would lie on few ranks. Of a Hermitian matrix only the triangle is moved. Rows and columns are
 * numbered as the caller does.
 */
#ifndef OMPFACT_SRC_MOVE_PIECES_H
#define OMPFACT_SRC_MOVE_PIECES_H

#include "src/move/block_cyclic.h"

enum piece_end { FROM, TO };

/* A matrix's tiles or a ScaLAPACK array. */
struct piece_place {
    ompfact_matrix *A;                  /* the tiles, or NULL for an array */
    bool spread;                        /* the tiles are factors, on the layers that have computed them */
    const struct block_cyclic *array;   /* the array, if A is NULL */
    char *local;
};

struct span {
    int64_t first;      /* row or column */
    int size;
    struct {
        int tile;       /* tile row or column, for a matrix */
        int cell;       /* row or column in the pattern of ranks */
        int64_t index;  /* index of the first element in its tile, or in the array of the rank that owns it */
    } in[2];            /* [end] */
};

struct pieces {
    struct piece_place place[2];
    const int *cell[2];         /* patterns of ranks, row by row */
    int64_t row_step[2], col_step[2];   /* distance of neighbours in a pattern */
    int me;
    enum uplo part;             /* the part of the matrix that moves, as in a tile on its diagonal */
    size_t element;             /* bytes */
    struct span *rows, *cols;
    int64_t row_count, col_count, strip;    /* number of spans; spans of columns in a strip */
};

struct piece {
    const struct span *rows, *cols;
    int rank[2];                /* [end] */
};

/* Makes the pieces of A, which is one of the places. The width of strips is such that a square of that width has about `bytes`
   bytes. false: no memory. */
bool pieces_create(struct pieces *p, const ompfact_matrix *A, struct piece_place from, struct piece_place to, double bytes);
void pieces_destroy(struct pieces *p);

/* Positions are 0 .. pieces_end - 1. */
int64_t pieces_end(const struct pieces *p);

/* Calls visit for the pieces at positions begin .. end-1 that leave or reach this rank, until it returns false. Returns the
   position of the piece where it returned false, or end. */
int64_t pieces_walk(const struct pieces *p, int64_t begin, int64_t end, bool (*visit)(void *context, const struct piece *piece),
                    void *context);

int64_t piece_bytes(const struct pieces *p, const struct piece *piece);
enum { PIECE_ROWS = 256 };      /* most rows of a piece, and most columns: 1 MiB of double complex */

/* Copy between the piece and piece_bytes() packed bytes, or from one place to the other. The ends that a function touches must be
   on this rank. */
void piece_pack(const struct pieces *p, const struct piece *piece, void *packed);
void piece_unpack(const struct pieces *p, const struct piece *piece, const void *packed);
void piece_copy(const struct pieces *p, const struct piece *piece);

#endif
