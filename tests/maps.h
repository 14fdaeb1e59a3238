/* Layouts from files for tests that take any layout. */
#ifndef OMPFACT_TESTS_MAPS_H
#define OMPFACT_TESTS_MAPS_H

#include "tests/fixtures.h"

static char map[64], free_map[64];      /* an irregular layout, and one with free cells on its diagonal */

static int random_rank(int cell)
{
    return (int)((1 + noise(7, cell, 0, 0)) / 2 * all_ranks_count());
}

static int free_diagonal(int cell)
{
    return cell % 4 == 0 ? -1 : cell % all_ranks_count();
}

static void create_maps(void)
{
    write_map(map, 5, 3, random_rank);
    write_map(free_map, 3, 3, free_diagonal);
}

static void destroy_maps(void)
{
    remove_map(map);
    remove_map(free_map);
}

#endif
