/* What the tests of matrices in copies share: problems, factorizations, and the move of factors to the first layer. */
#ifndef OMPFACT_TESTS_FACTOR_IN_COPIES_H
#define OMPFACT_TESTS_FACTOR_IN_COPIES_H

#include "tests/factoring.h"

enum { NB = 16, SCHEDULES = 3, TYPES_OF_NUMBERS = 4 };

/* Tiles of steps on other layers than the first; -1 if layers are unequal. */
static inline int64_t tiles_away(const ompfact_matrix *A, const struct problem *p)
{
    int mt = ompfact_tile_rows(A), nt = ompfact_tile_cols(A), ranks = all_ranks_count();
    int copies = (int)ompfact_shape_of(A).copies;
    int64_t tiles = 0;
    for (int k = 0; k < mt && k < nt && ranks % copies == 0; k++)
        tiles += k % copies == 0 ? 0 : mt - k + (p->hermitian ? 0 : nt - k - 1);
    return ranks % copies == 0 ? tiles : -1;
}

/* Spread factors are stored on the layers that computed them, and nowhere else. They move to the first layer once. */
static inline void bring_home(ompfact_matrix *A, const struct problem *p)
{
    int64_t tiles = tiles_away(A, p);
    int i = -1, j = -1;
    ompfact_tile t;
    bool refused = true;
    for (; ompfact_shape_of(A).copies > 1 && ompfact_next_tile(A, &i, &j);)
        refused &= ompfact_tile_get(A, i, j, &t) == OMPFACT_BAD_ARGUMENT && t.data == NULL &&
                   ompfact_tile_read(A, i, j, NULL, &t) == OMPFACT_BAD_ARGUMENT &&
                   strstr(ompfact_message(ompfact_grid_of(A)), "ompfact_bring_home") != NULL;
    assert_everywhere(refused && ompfact_last_report(A).transfers_home == 0);
    for (int once = 0; once < 2; once++)
        assert_everywhere(ompfact_bring_home(A) == OMPFACT_SUCCESS &&
                          (tiles < 0 || ompfact_last_report(A).transfers_home == tiles));
}

static inline int most_copies(void)
{
    return all_ranks_count() < 4 ? all_ranks_count() : 4;
}

#endif
