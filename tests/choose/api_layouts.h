/* A grid, and matrices on it whose layouts are tested: factored, counted and refused. */
#ifndef OMPFACT_TESTS_CHOOSE_API_LAYOUTS_H
#define OMPFACT_TESTS_CHOOSE_API_LAYOUTS_H

#include "tests/fixtures.h"

#include <math.h>

enum { NB = 8, TILES = 7, N = TILES * NB - 3 };

static ompfact_grid *grid;

static inline void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static inline void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* ---- factorizations ---------------------------------------------------------------------------------------------------- */

/* Factors a matrix of this shape and checks the factors. The transfers are those of ompfact_layout_count(). Returns the
   matrix. */
static inline ompfact_matrix *factored(const ompfact_shape *shape, struct problem *p)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    ompfact_layout_counts counts;
    char message[OMPFACT_MESSAGE] = "";
    int64_t info = -1;
    fill(A, p);
    assert_everywhere((p->hermitian ? ompfact_potrf(A, &info) : ompfact_getrf(A, &info)) == OMPFACT_SUCCESS && info == 0);
    number *F = gather(A, p);
    double ratio = factor_ratio(p, F);
    free(F);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);

    assert_everywhere_msg(ompfact_layout_count(shape, ompfact_ranks(grid), &counts, message) == OMPFACT_SUCCESS, "%s", message);
    assert_everywhere_msg(counts.transfers == ompfact_last_report(A).transfers, "%lld counted, %lld made",
                          (long long)counts.transfers, (long long)ompfact_last_report(A).transfers);
    assert_everywhere_msg(strcmp(counts.name, ompfact_layout(A)) == 0, "%s, not %s", counts.name, ompfact_layout(A));
    return A;
}

/* Checks the tiles and bytes of the ranks with most and least, counted from the owners. */
static inline void check_tiles(const ompfact_matrix *A, const ompfact_shape *shape)
{
    int ranks = ompfact_ranks(grid), *tiles = calloc((size_t)ranks, sizeof *tiles), most = 0, least = TILES * TILES;
    ompfact_layout_counts counts;
    bool same = true;
    for (int i = 0; i < ompfact_tile_rows(A); i++)
        for (int j = 0; j < ompfact_tile_cols(A); j++) {
            int owner = ompfact_owner(A, i, j);
            same &= agreed(owner);
            if (owner >= 0)
                tiles[owner]++;
        }
    for (int rank = 0; rank < ranks; rank++) {
        most = tiles[rank] > most ? tiles[rank] : most;
        least = tiles[rank] < least ? tiles[rank] : least;
    }
    free(tiles);
    assert_everywhere(ompfact_layout_count(shape, ranks, &counts, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(same && counts.tiles_max == most && counts.tiles_min == least);
}

/* The traffic of a matrix of this shape when it is factored, or solved with, as its purpose states, equals the counted
   traffic. */
static inline void check_qr(const ompfact_shape *shape, struct problem *p, ompfact_layout_counts *counts)
{
    ompfact_matrix *A = new_matrix(grid, shape), *X = NULL;
    char message[OMPFACT_MESSAGE] = "";
    int64_t info = 0;
    fill(A, p);
    if (shape->purpose == OMPFACT_FOR_QR) {
        assert_everywhere_msg(ompfact_geqrf(A) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    } else {
        ompfact_matrix *B = new_rhs(A, 2);
        fill_rhs(B, p);
        assert_everywhere_msg(ompfact_gels(A, B, &X, &info) == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
        ompfact_matrix_destroy(&X);
        ompfact_matrix_destroy(&B);
    }
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere_msg(ompfact_layout_count_qr(shape, ompfact_ranks(grid), OMPFACT_TREE_AUTO, 0, counts, message) ==
                              OMPFACT_SUCCESS,
                          "%s", message);
    assert_everywhere_msg(report.transfers == report.transfers_predicted && report.transfers == counts->transfers,
                          "%lld x %lld, %s: %lld transfers, predicted %lld, counted %lld", (long long)shape->m,
                          (long long)shape->n, ompfact_layout(A), (long long)report.transfers,
                          (long long)report.transfers_predicted, (long long)counts->transfers);
    assert_everywhere_msg(strcmp(counts->name, ompfact_layout(A)) == 0, "%s, not %s", counts->name, ompfact_layout(A));
    ompfact_matrix_destroy(&A);
}

/* ---- refused shapes
   --------------------------------------------------------------------------------------------------------- */

/* The shape is refused on every rank, with a message of one line that contains `word`. */
static inline void check_refused(const ompfact_shape *shape, const char *word)
{
    ompfact_matrix *A = (ompfact_matrix *)1;
    ompfact_status status = ompfact_matrix_create(grid, shape, &A);
    assert_everywhere_msg(status == OMPFACT_BAD_LAYOUT && A == NULL, "status %d: %s", (int)status, ompfact_message(grid));
    assert_everywhere_msg(is_one_line(ompfact_message(grid)) && strstr(ompfact_message(grid), word) != NULL,
                          "\"%s\" lacks \"%s\"", ompfact_message(grid), word);
}

/* After a refusal the grid still works. */
static inline void check_usable(void)
{
    struct problem p = { .type = 'd', .m = N, .n = N, .seed = 1 };
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    ompfact_matrix *A = factored(&shape, &p);
    ompfact_matrix_destroy(&A);
}

#endif
