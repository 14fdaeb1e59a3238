/* Factors a matrix, and checks factors, counts and report. */
#ifndef OMPFACT_TESTS_FACTORING_H
#define OMPFACT_TESTS_FACTORING_H

#include "layouts/layout.h"
#include "tests/fixtures.h"

static inline ompfact_status factor(ompfact_matrix *A, const struct problem *p, int64_t *info)
{
    return p->hermitian ? ompfact_potrf(A, info) : ompfact_getrf(A, info);
}

/* The transfers of this matrix as layouts/ counts them, without MPI or tasks. */
static inline int64_t transfers_of(const ompfact_matrix *A, const struct problem *p, bool packed)
{
    struct pattern *pattern;
    struct layout *layout;
    struct layout_question q = { .ranks = all_ranks_count(), .algorithm = p->hermitian ? LAYOUT_CHOLESKY : LAYOUT_LU,
                                 .mt = ompfact_tile_rows(A), .nt = ompfact_tile_cols(A),
                                 .part = packed ? LAYOUT_LOWER : LAYOUT_FULL };
    char text[LAYOUT_TEXT];
    ck_assert_int_eq(pattern_create_for(ompfact_layout(A), &q, &pattern, text), 0);
    ck_assert_int_eq(layout_create(pattern, q.mt, q.nt, q.part, &layout, text), 0);
    int64_t transfers = layout_transfers(layout, q.algorithm);
    layout_destroy(&layout);
    pattern_destroy(&pattern);
    return transfers;
}

/* Fills, factors, and checks factors, counts and report. */
static inline void check(ompfact_matrix *A, const struct problem *p, bool packed)
{
    int64_t info = -1;
    fill(A, p);
    assert_everywhere_msg(factor(A, p, &info) == OMPFACT_SUCCESS && info == 0, "info %lld", (long long)info);
    assert_everywhere(rest_is_untouched(A, p));

    ompfact_report report = ompfact_last_report(A);
    int64_t transfers = transfers_of(A, p, packed);
    assert_everywhere_msg(report.transfers == transfers && report.transfers_predicted == transfers,
                          "%lld transfers, predicted %lld, by the layout %lld", (long long)report.transfers,
                          (long long)report.transfers_predicted, (long long)transfers);
    assert_everywhere(report.cache_peak_tiles <= report.cache_tiles);

    number *F = gather(A, p);
    double ratio = factor_ratio(p, F);
    free(F);
    assert_everywhere_msg(ratio < 30, "%c %lld x %lld, %s: ratio %g", p->type, (long long)p->m, (long long)p->n,
                          ompfact_layout(A), ratio);
}

/* Calls check() on a new matrix of this shape. */
static inline void check_shape(ompfact_grid *grid, const struct problem *p, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    check(A, p, p->hermitian && !shape->full_storage);
    ompfact_matrix_destroy(&A);
}

static inline struct problem square(char type, bool hermitian, int64_t n)
{
    return (struct problem){ .type = type, .hermitian = hermitian, .m = n, .n = n, .seed = (unsigned)n };
}

/* The pivot that the problem makes fail is the one that a factorization reports. */
static inline void check_failing_pivot(ompfact_grid *grid, const struct problem *p, const ompfact_shape *shape)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    int64_t info = -1;
    fill(A, p);
    assert_everywhere(factor(A, p, &info) == OMPFACT_SUCCESS && info == p->fails);
    ompfact_matrix_destroy(&A);
}

/* Whether the build has devices. A build without devices must refuse them with a message. */
static inline bool have_devices(void)
{
    ompfact_grid *grid;
    char message[256] = "";
    ompfact_options options = { .devices = 1 };
    bool made = ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, message) == OMPFACT_SUCCESS;
    assert_everywhere_msg(made || strstr(message, "device") != NULL, "%s", message);
    ompfact_grid_destroy(&grid);
    return made;
}

#endif
