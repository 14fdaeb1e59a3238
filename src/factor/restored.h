/*
 * Panels of QR as they are saved, and restored on other ranks, in other layouts, and with tiles of other sizes behind them.
 *
 * A block of reflectors acts on rows of one rank, or of two. A restored block must be the same block, because the columns
 * behind the panel were computed with it: other reflectors with the same R have only Q_k's first columns in common with it. So
 * the block does not depend on the layout any more, and stores its rows itself, as parts of tiles.
 *
 * The saved shape of a panel:
 *
 *     runs, domains          their numbers
 *     rows, domain           for each run of rows, from the first row of the panel's diagonal tile down
 *     into, from             for each merge, in their order
 *
 * To restore, when every rank has all shapes:
 *
 *     A->done = k            the matrix has its tiles, with the saved first k columns in them
 *     reflectors_restore()
 *     panel_squares()        for each panel: the saved squares are copied to these places
 *     put_tops()
 *
 * Then geqrf continues at step k.
 */
#ifndef OMPFACT_SRC_FACTOR_RESTORED_H
#define OMPFACT_SRC_FACTOR_RESTORED_H

#include "src/factor/reflectors.h"

/* ---- saving and restoring; local ------------------------------------------------------------------------------------------- */

/* Writes the shape of panel k to `shape`, unless that is NULL; returns its length. */
int64_t panel_shape(const struct reflectors *Q, int k, int32_t *shape);

/* Memory of this rank beside the tiles of panel k: the triangular factor or V of block f, and the triangle of the whole panel,
   R of domain 0, if the panel has several domains. The size does not depend on the rank and the layout. */
struct panel_square {
    enum qr_square what;
    int f;
    void *data;
    size_t bytes;
};
/* Whether block f of a panel has such a square. */
bool is_kept(const struct panel_tree *p, enum qr_square what, int f);
/* Lists at most 3 Q->most_domains of them; returns their number. */
int panel_squares(const struct reflectors *Q, int k, struct panel_square *square);

/* ---- to restore ------------------------------------------------------------------------------------------------------------ */

/* Creates A's reflectors: A->done panels as saved, with consecutive shapes of `length` numbers in total, and new ones behind
   them. Collective. OMPFACT_BAD_ARGUMENT if the shapes do not fit such panels. */
ompfact_status reflectors_restore(ompfact_matrix *A, const int32_t *shapes, int64_t length);
/* Stores the triangles of V on top of domains other than the first completely, with their ones and zeros: R_d was stored there,
   and other tiles may cut through them. Local. reflectors_memory.c */
void put_tops(ompfact_matrix *A);

/* ---- restored panels ------------------------------------------------------------------------------------------------------- */

/* Rows of tile m of a column, from rows.c on. In V, which is tile (m,k) or for a merge ( I V_ab )^T, these are the rows from
   rows.v on. */
struct block_part {
    int m;
    struct row_range rows;
};

struct panel_parts {
    int *first;                 /* [block + 1]: index of the block's first part */
    struct block_part *part;
    int32_t *shape;
};

/* Whether these are consecutive shapes of A->done panels: 0, EINVAL, or ENOMEM. */
int check_shapes(const ompfact_matrix *A, const int32_t *shapes, int64_t length);
int64_t shape_length(const int32_t *shape);
/* Fills in domains, merges and parts of panel k by its shape, except places. false: no memory. */
bool panel_restore(const ompfact_matrix *A, int k, const int32_t *shape, struct panel_tree *p);
void panel_parts_destroy(struct panel_parts **parts);
/* The ranks other than the leader, which has the first part, with parts of a block in column n. Writes them to t->ranks;
   returns their number. */
int part_helpers(const struct travel *t, int k, int f, int n);

#endif
