/* Grids whose factorization stops part of the way, or continues from a checkpoint. */
#ifndef OMPFACT_TESTS_CHECKPOINT_ON_THE_WAY_H
#define OMPFACT_TESTS_CHECKPOINT_ON_THE_WAY_H

#include "src/matrix/matrix.h"
#include "tests/checkpoint/kept.h"
#include "tests/fixtures.h"

static struct kept kept;
static ompfact_grid *stopping;

/* Stops the factorization on the first rank that has done some of its work. */
static inline void stop_on_the_way(void *context, double done)
{
    (void)context;
    if (done > 0)
        ompfact_stop(stopping);
}

static inline ompfact_grid *grid_that_stops(bool stops, bool abft)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = stops ? 2 : 1, .testing = &(ompfact_testing){ .jitter_us = 150 },
                                                     .abft = abft, .progress = stops ? stop_on_the_way : NULL });
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 3600, .tell = kept_record, .tell_context = &kept };
    kept_nothing(&kept);
    if (stops)
        assert_everywhere_msg(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    return grid;
}

#endif
