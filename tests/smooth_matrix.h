/* Creates and fills a compressed matrix of a smooth problem. */
#ifndef OMPFACT_TESTS_SMOOTH_MATRIX_H
#define OMPFACT_TESTS_SMOOTH_MATRIX_H

#include "src/matrix/matrix.h"
#include "tests/fixtures.h"
#include "tests/smooth.h"

static inline ompfact_matrix *new_smooth(ompfact_grid *grid, const struct smooth *s, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    assert_everywhere(ompfact_fill_tiles(A, fill_smooth_tile, (void *)s) == OMPFACT_SUCCESS);
    return A;
}

#endif
