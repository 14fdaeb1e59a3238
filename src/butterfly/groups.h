/* Where spans of rows meet spans of columns: what a rank computes at a time, where its patches are, and who that is. */
#ifndef OMPFACT_SRC_BUTTERFLY_GROUPS_H
#define OMPFACT_SRC_BUTTERFLY_GROUPS_H

#include "src/butterfly/orbits.h"
#include "src/matrix/matrix.h"

enum { GROUP_PATCHES = MOST_IMAGES * MOST_IMAGES };

/* Where image u of a group's rows meets image v of its columns: in tile (i,j) of a lower triangle. turned: the rows there are
   the group's columns, for they are further down. */
struct patch {
    int u, v, i, j, rank;
    bool turned;
    enum uplo part;             /* of the group's elements there, those that are stored */
};

struct group {
    const struct span *rows, *cols;
    bool square;                /* they are the same: patches of the lower triangle of blocks stand for all */
    int count, worker;          /* patches; a rank that has most of them, or nearly so */
    struct patch patch[GROUP_PATCHES];
};

struct groups {
    const ompfact_matrix *A;
    bool both_sides;            /* rows and columns are mixed alike, of a matrix with a triangle; or rows of a general one */
    struct spans rows, cols;
};

/* false: no memory. */
bool groups_create(struct groups *g, const ompfact_matrix *A, bool both_sides, int depth);
void groups_destroy(struct groups *g);

/* Positions are 0 .. groups_end - 1, in the same order everywhere; at some there is none: false. */
int64_t groups_end(const struct groups *g);
bool group_at(const struct groups *g, int64_t position, struct group *group);

/* Bytes of each of its patches when it travels, a whole block. */
static inline int64_t patch_bytes(const struct groups *g, const struct group *group)
{
    return (int64_t)group->rows->size * group->cols->size * (int64_t)g->A->precision->size;
}

/* Asks for a patch that will be read, so that it is on its way to the caches meanwhile. */
void patch_prefetch(const struct groups *g, const struct group *group, const struct patch *patch);
/* Between a patch in its tile, mine or of a rank that shares this one's memory, and m x n elements elsewhere, m rows of the
   group. */
void patch_read(const struct groups *g, const struct group *group, const struct patch *patch, void *to, int ld);
void patch_write(const struct groups *g, const struct group *group, const struct patch *patch, const void *from, int ld);

#endif
