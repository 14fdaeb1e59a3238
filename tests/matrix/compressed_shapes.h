/* What the tests of compressed matrices share: a grid and shapes. */
#ifndef OMPFACT_TESTS_MATRIX_COMPRESSED_SHAPES_H
#define OMPFACT_TESTS_MATRIX_COMPRESSED_SHAPES_H

#include "tests/smooth_matrix.h"

enum { NB = 16, N = 5 * NB + 3 };

static ompfact_grid *grid;

static inline void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static inline void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* Structures 0, 1, 2: general, and Hermitian by either triangle. */
static inline struct smooth problem_of(char type, int structure)
{
    return smooth_problem(type, structure > 0, structure == 2, N);
}

static inline ompfact_shape compressed_shape(const struct smooth *s, double accuracy)
{
    ompfact_shape shape = shape_of(&s->p, NB, "2dbc");
    shape.accuracy = accuracy;
    shape.max_rank = NB / 2;
    return shape;
}

#endif
