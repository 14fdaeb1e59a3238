/* Ways of running for matrices whose tiles have forms: each schedule with all broadcasts, tiles in place or copied, little room
   and random delays, with and without order. */
#ifndef OMPFACT_TESTS_WAYS_H
#define OMPFACT_TESTS_WAYS_H

#include "tests/fixtures.h"

enum { WAYS = 5 };      /* of a schedule */

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

#endif
