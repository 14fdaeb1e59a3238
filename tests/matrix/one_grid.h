/* A grid for the tests of a suite. */
#ifndef OMPFACT_TESTS_MATRIX_ONE_GRID_H
#define OMPFACT_TESTS_MATRIX_ONE_GRID_H

#include "tests/fixtures.h"

enum { NB = 16 };

static ompfact_grid *grid;

static inline void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static inline void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
    assert_everywhere(grid == NULL);
}

#endif
