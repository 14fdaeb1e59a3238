/*
 * Panels of QR as they are saved, and restored on other ranks, in other layouts, and in tiles of other sizes behind them.
 *
 * A block of reflectors acts on rows that were one rank's, or two. Restored it stays what it is, for all that was done with the
 * columns behind the panel rests on it: Q_k's first columns alone, which other reflectors with the same R have in common with it,
 * say nothing of its other ones. So it no longer goes by the layout, but knows its rows itself, as parts of tiles.
 *
 * The shape of a panel, as it is saved:
 *
 *     runs, domains          numbers of them
 *     rows, domain           of each run of rows, from the first row of the panel's diagonal tile down
 *     into, from             of each merge, in their order
 *
 * Restoring goes like this; every rank has all shapes:
 *
 *     A->done = k            matrix and tiles are there, and what is saved of the first k columns is in its tiles
 *     reflectors_restore()
 *     panel_squares()        of each panel: what is saved of it is put where they are
 *     put_tops()
 *
 * Then geqrf goes on at step k.
 */
#ifndef OMPFACT_SRC_FACTOR_RESTORED_H
#define OMPFACT_SRC_FACTOR_RESTORED_H

#include "src/factor/reflectors.h"

/* ---- to save, and to put it back; local ------------------------------------------------------------------------------------ */

/* Puts the shape of panel k where it is asked for, unless that is NULL; returns its length. */
int64_t panel_shape(const struct reflectors *Q, int k, int32_t *shape);

/* Memory of mine beside the tiles of panel k: of block f the triangular factor or V, and the triangle of the whole panel, R of
   domain 0, where this has several. As large on any rank and in any layout. */
struct panel_square {
    enum qr_square what;
    int f;
    void *data;
    size_t bytes;
};
/* Has block f of a panel such a one? */
bool is_kept(const struct panel_tree *p, enum qr_square what, int f);
/* At most 3 Q->most_domains of them; returns how many. */
int panel_squares(const struct reflectors *Q, int k, struct panel_square *square);

/* ---- to restore ------------------------------------------------------------------------------------------------------------ */

/* A's reflectors: A->done panels as saved, their shapes one behind the other, `length` numbers, and fresh ones behind them.
   Collective. OMPFACT_BAD_ARGUMENT where the shapes are not those of such panels. */
ompfact_status reflectors_restore(ompfact_matrix *A, const int32_t *shapes, int64_t length);
/* On top of domains other than the first the triangles of V are stored as what they are, ones and zeros included: R_d lay there,
   and other tiles may cut through them. Local. */
void put_tops(ompfact_matrix *A);

/* ---- restored panels ------------------------------------------------------------------------------------------------------- */

/* Rows of tile m of a column, from rows.c on; in V, which is tile (m,k) or of a merge ( I V_ab )^T, these are those from rows.v
   on. */
struct block_part {
    int m;
    struct row_range rows;
};

struct panel_parts {
    int *first;                 /* [block + 1] where its parts begin */
    struct block_part *part;
    int32_t *shape;
};

/* Whether these are shapes of A->done panels, one behind the other: 0, EINVAL, or ENOMEM. */
int check_shapes(const ompfact_matrix *A, const int32_t *shapes, int64_t length);
int64_t shape_length(const int32_t *shape);
/* Domains, merges and parts of panel k by its shape; all but places. false: no memory. */
bool panel_restore(const ompfact_matrix *A, int k, const int32_t *shape, struct panel_tree *p);
void panel_parts_destroy(struct panel_parts **parts);
/* Ranks beside the leader, which has the first part, with parts of a block in column n; returns how many, in t->ranks. */
int part_helpers(const struct travel *t, int k, int f, int n);

#endif
