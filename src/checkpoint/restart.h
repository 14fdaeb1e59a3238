/* A checkpoint as it is read: verified, then tile by tile into a matrix of any layout, and of other tile sizes. */
#ifndef OMPFACT_SRC_CHECKPOINT_RESTART_H
#define OMPFACT_SRC_CHECKPOINT_RESTART_H

#include "src/checkpoint/checkpoint.h"
#include "src/checkpoint/tile_file.h"
#include "src/matrix/matrix.h"

struct saved_place {
    const struct tile_reader *reader;
    const struct saved_record *record;
};

/* All that there is, every tile among it. */
struct saved_tiles {
    const struct restart *from;
    struct tiling rows, cols;       /* of the checkpoint */
    struct tile_reader *reader;     /* [files] */
    int64_t places;
    struct saved_place *place;      /* by columns, kinds and rows */
};

/* Each file is read by one rank, all of it: is every tile there, and what was written? Then all have all tables: from->tiles.
   Collective. */
ompfact_status saved_open(ompfact_grid *grid, struct restart *from);
void saved_close(struct saved_tiles **tiles);
/* Is there a tile (i,j)? Of a Hermitian matrix one triangle is saved. */
bool saved_has(const struct saved_tiles *s, int i, int j);
/* What was saved of this kind and place, and in *reader where it is; or NULL. Tiles that there are it finds. */
const struct saved_record *saved_find(const struct saved_tiles *s, enum saved_kind kind, int i, int j,
                                      const struct tile_reader **reader);

/* Is it for this matrix, where rows are appended for one with more of them? 1. 0: for one of another kind or size. Below 0, and
   the grid's message: for one like it, but with other pivoting, compressed where this is dense or the other way round, with sums
   where rows are appended, or cut otherwise where tiles have to stay as they are. */
int restart_suits(const ompfact_matrix *A, const char *factorization, const char *pivot);
/* Tile rows of a factor that it has, and to which the factorization of A, which it suits, appends the others; 0: it has none. */
int restart_kept(const ompfact_matrix *A);
/* Steps that are done of a factorization of this kind and size that is to go on; 0 of others. */
int restart_steps(const ompfact_grid *grid, const char *factorization, int64_t m, int64_t n);
/* Of a matrix that it suits: its tiles, and A->ipiv where there is one, as they were before step manifest.step. Appended tiles
   stay as they are. Collective. */
ompfact_status restart_tiles(ompfact_matrix *A, const struct saved_tiles *s);
/* While files are read: a disk may be slow, and others may ask whether this rank is there. Any thread. */
void restart_answer(void *grid);
/* Says what is wrong with a file, or with the folder. Local. */
ompfact_status restart_refuse(ompfact_grid *grid, const char *folder, const char *file, int error);
/* The same on the way, where the call that verified it is over. */
ompfact_status restart_lost(ompfact_grid *grid, const char *folder, const char *file, int error);

#endif
