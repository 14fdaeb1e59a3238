/* A group is where a span of rows meets a span of columns: the unit that one rank computes. Its patches lie in tiles. */
#ifndef OMPFACT_SRC_BUTTERFLY_GROUPS_H
#define OMPFACT_SRC_BUTTERFLY_GROUPS_H

#include "src/butterfly/orbits.h"
#include "src/matrix/matrix.h"

enum { GROUP_PATCHES = MOST_IMAGES * MOST_IMAGES };

/* The part of a group where image u of its rows meets image v of its columns, in tile (i,j) of a lower triangle. turned: the rows
   in that tile are the group's columns, because these are further down. */
struct patch {
    int u, v, i, j, rank;
    bool turned;
    enum uplo part;             /* the elements of the patch that are stored */
};

struct group {
    const struct span *rows, *cols;
    bool square;                /* rows and columns are the same: patches of the lower triangle of blocks stand for all */
    int count, worker;          /* number of patches; the rank that computes the group: worker_of() */
    struct patch patch[GROUP_PATCHES];
};

struct groups {
    const ompfact_matrix *A;
    bool both_sides;            /* true: rows and columns of a matrix with a triangle are mixed; false: the rows of a general
                                   matrix */
    struct spans rows, cols;
};

/* Cuts rows and columns into spans. false: no memory. */
bool groups_create(struct groups *g, const ompfact_matrix *A, bool both_sides, int depth);
void groups_destroy(struct groups *g);

/* Positions are 0 .. groups_end - 1, in the same order on all ranks. At some positions there is no group: group_at() returns
   false. */
int64_t groups_end(const struct groups *g);
bool group_at(const struct groups *g, int64_t position, struct group *group);

/* Bytes that each patch of the group takes in a message: a whole block. */
static inline int64_t patch_bytes(const struct groups *g, const struct group *group)
{
    return (int64_t)group->rows->size * group->cols->size * (int64_t)g->A->precision->size;
}

/* Prefetches a patch into the caches, for a read that follows. */
void patch_prefetch(const struct groups *g, const struct group *group, const struct patch *patch);
/* Copy between a patch in its tile and m x n elements at `to` or `from`, m rows of the group. The tile is this rank's, or belongs
   to a rank of shared memory. */
void patch_read(const struct groups *g, const struct group *group, const struct patch *patch, void *to, int ld);
void patch_write(const struct groups *g, const struct group *group, const struct patch *patch, const void *from, int ld);

#endif
