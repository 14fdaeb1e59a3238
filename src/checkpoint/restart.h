/* Reading of a checkpoint: first it is verified, then it is read tile by tile into a matrix of any layout and tile size. */
#ifndef OMPFACT_SRC_CHECKPOINT_RESTART_H
#define OMPFACT_SRC_CHECKPOINT_RESTART_H

#include "src/checkpoint/checkpoint.h"
#include "src/checkpoint/tile_file.h"
#include "src/matrix/matrix.h"

struct saved_place {
    const struct tile_reader *reader;
    const struct saved_record *record;
};

/* All saved items; every tile is among them. */
struct saved_tiles {
    const struct restart *from;
    struct tiling rows, cols;       /* of the checkpoint */
    struct tile_reader *reader;     /* [files] */
    int64_t places;
    struct saved_place *place;      /* sorted by columns, kinds and rows */
};

/* One rank reads each file completely, and checks that it has every tile, unchanged. Then all ranks have all tables: from->tiles.
   Collective. */
ompfact_status saved_open(ompfact_grid *grid, struct restart *from);
/* Whether tile (i,j) exists. A Hermitian matrix saves one triangle. */
bool saved_has(const struct saved_tiles *s, int i, int j);
/* The item of this kind and place, with its file in *reader; NULL: none. It finds all tiles that exist. */
const struct saved_record *saved_find(const struct saved_tiles *s, enum saved_kind kind, int i, int j,
                                      const struct tile_reader **reader);

/* *suits: the checkpoint is of a matrix of this kind and size (with appended rows, one with more rows). OMPFACT_BAD_ARGUMENT and
   the grid's message: but it has other pivoting, is compressed where this one is dense or the reverse, has other tiles where
   tiles must stay, or this one has sums and appended rows. */
ompfact_status restart_suits(const ompfact_matrix *A, const char *factorization, const char *pivot, bool *suits);
/* Tile rows of the checkpoint's factor to which the factorization of A appends the others; A suits it. 0: it has no such
   factor. */
int restart_kept(const ompfact_matrix *A);
/* Finished steps of a factorization of this kind and size that will continue; 0 for others. */
int restart_steps(const ompfact_grid *grid, const char *factorization, int64_t m, int64_t n);
/* Restores the tiles of a matrix that it suits, and A->ipiv if there is one, as they were before step manifest.step. Appended
   tiles stay. Collective. */
ompfact_status restart_tiles(ompfact_matrix *A, const struct saved_tiles *s);
/* Call this while files are read: a disk may be slow, and other ranks may need an answer from this rank. Any thread. */
void restart_answer(void *grid);
/* Reports an error in a file, or in the folder, after the call that verified the checkpoint. Local. */
ompfact_status restart_lost(ompfact_grid *grid, const char *folder, const char *file, int error);

#endif
