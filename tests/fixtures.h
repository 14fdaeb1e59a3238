/* Grids and matrices for tests of the public interface: created, filled, and asserted to exist on every rank. */
#ifndef OMPFACT_TESTS_FIXTURES_H
#define OMPFACT_TESTS_FIXTURES_H

#include "src/ompfact_testing.h"
#include "tests/problem.h"
#include "tests/suite.h"

static inline ompfact_grid *new_grid(ompfact_options options)
{
    ompfact_grid *grid;
    char message[256] = "";
    options.watchdog_s = 20;
    if (options.pivot == OMPFACT_PIVOT_AUTO)        /* tests of pivoting set it */
        options.pivot = OMPFACT_PIVOT_NONE;
    assert_everywhere_msg(ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, message) == OMPFACT_SUCCESS, "%s", message);
    return grid;
}

static inline ompfact_matrix *new_matrix(ompfact_grid *grid, const ompfact_shape *shape)
{
    ompfact_matrix *A;
    assert_everywhere_msg(ompfact_matrix_create(grid, shape, &A) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    return A;
}

static inline ompfact_matrix *new_like(ompfact_matrix *A)
{
    ompfact_matrix *B;
    assert_everywhere(ompfact_matrix_create_like(A, &B) == OMPFACT_SUCCESS);
    return B;
}

static inline ompfact_matrix *new_rhs(ompfact_matrix *A, int64_t nrhs)
{
    ompfact_matrix *B;
    assert_everywhere(ompfact_matrix_create_rhs(A, nrhs, &B) == OMPFACT_SUCCESS);
    return B;
}

static inline void fill(ompfact_matrix *A, const struct problem *p)
{
    assert_everywhere(ompfact_fill_tiles(A, fill_tile, (void *)p) == OMPFACT_SUCCESS);
}

static inline void fill_rhs(ompfact_matrix *B, const struct problem *p)
{
    assert_everywhere(ompfact_fill_tiles(B, fill_rhs_tile, (void *)p) == OMPFACT_SUCCESS);
}

static inline bool is_one_line(const char *text)
{
    return text[0] != '\0' && strchr(text, '\n') == NULL;
}

#endif
