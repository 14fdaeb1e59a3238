/* A checkpoint as it is read: verified, then tile by tile into a matrix of any layout, and of other tile sizes. */
#ifndef OMPFACT_SRC_CHECKPOINT_RESTART_H
#define OMPFACT_SRC_CHECKPOINT_RESTART_H

#include "src/checkpoint/checkpoint.h"
#include "src/checkpoint/tile_file.h"
#include "src/matrix/matrix.h"

/* Where each thing is. */
struct saved_place {
    int reader;                     /* -1: it is not there */
    int64_t record;
};
struct saved_tiles {
    const struct restart *from;
    struct tiling rows, cols;       /* of the checkpoint */
    struct tile_reader *reader;     /* [files] */
    struct saved_place *place;      /* [i + j * mt]: of tiles */
    struct saved_place *beside;     /* of all else, by columns: that of column j from beside_of[j] to beside_of[j + 1] - 1 */
    int64_t *beside_of;
};

/* Local. 0 or errno; *name: the file that is to blame, or NULL. */
int saved_open(struct saved_tiles *s, const struct restart *from, const char **name);
void saved_close(struct saved_tiles *s);
/* What was saved beside tiles, of this kind and place, or NULL; in *reader where it is. */
const struct saved_record *saved_find(const struct saved_tiles *s, enum saved_kind kind, int i, int j,
                                      const struct tile_reader **reader);

/* Is it for this matrix? 1; 0: for another one; or below 0, and the grid's message: its tiles are cut otherwise. */
int restart_suits(const ompfact_matrix *A, const char *factorization, const char *pivot);
/* Steps that are done of a factorization of this kind and size that is to go on; 0 of others. */
int restart_steps(const ompfact_grid *grid, const char *factorization, int64_t m, int64_t n);
/* Of a matrix that it suits: its tiles, and A->ipiv where there is one, as they were before step manifest.step. Collective. */
ompfact_status restart_tiles(ompfact_matrix *A, const struct saved_tiles *s);
/* Says what is wrong with a file, or with the folder. Local. */
ompfact_status restart_refuse(ompfact_grid *grid, const char *folder, const char *file, int error);

#endif
