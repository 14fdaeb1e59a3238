/* Ways to run matrices whose tiles have forms: each schedule with all broadcasts, tiles in place or copied, small caches and
   random delays, with and without order. */
#ifndef OMPFACT_TESTS_WAYS_H
#define OMPFACT_TESTS_WAYS_H

#include "tests/fixtures.h"

enum { WAYS = 5 };      /* of each schedule */

static inline int random_rank(int cell)
{
    return (int)((1 + noise(11, cell, 0, 0)) / 2 * all_ranks_count());
}

static inline ompfact_options one_way(int schedule, int way)
{
    static const ompfact_testing delayed = { .jitter_us = 300 };
    ompfact_options options = { .threads = 1 + (way + schedule) % 2, .schedule = (ompfact_schedule)schedule,
                                .bcast = (ompfact_bcast)(way % (WAYS - 1)), .copy_on_node = way < WAYS - 1 };
    if (way % 2) {
        options.testing = &delayed;
        options.cache_tiles = 1;
        options.max_tasks = 1 + way % 3;
    }
    return options;
}

/* Calls factor_one() in all ways of a schedule, for real and complex matrices of three structures, on a pattern and on a map. */
static inline void factor_all_ways(int schedule, void (*factor_one)(ompfact_grid *grid, char type, int structure,
                                                                    const char *layout))
{
    char map[64];
    write_map(map, 4, 3, random_rank);
    for (int way = 0; way < WAYS; way++) {
        ompfact_grid *grid = new_grid(one_way(schedule, way));
        for (int structure = way % 2; structure < 3; structure += 1 + way % 2)
            factor_one(grid, "dz"[way / 2 % 2], structure, structure == way % 3 ? "g2dbc" : map);
        ompfact_grid_destroy(&grid);
    }
    remove_map(map);
}

#endif
