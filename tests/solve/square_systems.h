/* Square systems in tiles of 16, on grids with one and two threads for each rank. */
#include "tests/fixtures.h"

enum { NB = 16 };

static ompfact_grid *grids[3];      /* [threads] */

static void create_grids(void)
{
    for (int threads = 1; threads <= 2; threads++)
        grids[threads] = new_grid((ompfact_options){ .threads = threads });
}

static void destroy_grids(void)
{
    for (int threads = 1; threads <= 2; threads++)
        ompfact_grid_destroy(&grids[threads]);
}

static struct problem square(char type, bool hermitian, int64_t n)
{
    return (struct problem){ .type = type, .hermitian = hermitian, .m = n, .n = n, .seed = (unsigned)n };
}

static ompfact_matrix *matrix_of(ompfact_grid *grid, const struct problem *p, const char *layout)
{
    ompfact_shape shape = shape_of(p, NB, layout);
    return new_matrix(grid, &shape);
}
