/* What tests of mixed precision share beside the matrices of tests/decaying.h: tiles that widen, and plans. */
#ifndef OMPFACT_TESTS_FACTOR_MIXED_CASES_H
#define OMPFACT_TESTS_FACTOR_MIXED_CASES_H

#include "src/ompfact_plan.h"
#include "tests/decaying.h"

/* Factors a matrix with tiles of zeros that its first tile column and row fill, and checks the factors. Returns the precisions of
   the tiles afterwards. */
static inline ompfact_tile_precisions factor_filled_in(ompfact_grid *grid, struct decaying a, double precision)
{
    ompfact_tile_precisions kept;
    a.filled_in = true;
    ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precision);
    factor_and_check(A, &a, precision);
    assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&A);
    return kept;
}

/* The square of the Frobenius norm of tile (i,j) of these factors. */
static inline double squares_in(const struct problem *p, const number *F, int i, int j)
{
    double squares = 0;
    for (int64_t c = j * NB; c < (j + 1) * NB && c < p->n; c++)
        for (int64_t r = i * NB; r < (i + 1) * NB && r < p->n; r++)
            squares += square_of(F[r + c * p->n]);
    return squares;
}

/* ---- plans ----------------------------------------------------------------------------------------------------------------- */

static inline void give_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct decaying *a = context;
    number x = entry(a, i, j);
    precision_of(a->p.type)->set(value, creal(x), cimag(x));
}

/* A plan of the factorization, without the precisions of its tiles. */
static inline ompfact_plan *plan_of(const struct decaying *a, double precision)
{
    ompfact_job job = { .routine = a->p.hermitian ? "potrf" : "getrf", .ranks = all_ranks_count(),
                        .shape = shape_with(a, "g2dbc", precision), .options = { .pivot = OMPFACT_PIVOT_NONE } };
    ompfact_plan *plan;
    char message[OMPFACT_MESSAGE];
    ck_assert_msg(ompfact_plan_create(&job, &plan, message) == OMPFACT_SUCCESS, "%s", message);
    return plan;
}

/* Gives the plan all elements. Returns the precisions of the tiles that it predicts. */
static inline ompfact_tile_precisions plan_precisions(ompfact_plan *plan, struct decaying *a)
{
    ompfact_tile_precisions predicted;
    char message[OMPFACT_MESSAGE];
    ck_assert_msg(ompfact_plan_precisions(plan, give_entry, a, &predicted, message) == OMPFACT_SUCCESS, "%s", message);
    return predicted;
}

#endif
