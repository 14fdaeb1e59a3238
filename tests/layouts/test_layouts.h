/* Shared by the tests of patterns and of layouts: ranks are numbers here, no MPI. */
#ifndef OMPFACT_TESTS_LAYOUTS_TEST_LAYOUTS_H
#define OMPFACT_TESTS_LAYOUTS_TEST_LAYOUTS_H

#include "layouts/layout.h"
#include "tests/suite.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

static char text[LAYOUT_TEXT];

static inline struct pattern *make(const char *scheme, int ranks)
{
    struct pattern *pattern;
    ck_assert_msg(pattern_create(scheme, ranks, &pattern, text) == 0, "%s", text);
    return pattern;
}

static inline struct layout *lay(const struct pattern *pattern, int mt, int nt, enum layout_part part)
{
    struct layout *layout;
    ck_assert_msg(layout_create(pattern, mt, nt, part, &layout, text) == 0, "%s", text);
    return layout;
}

static inline void *zeros(size_t count, size_t size)
{
    void *p = calloc(count, size);
    ck_assert_ptr_nonnull(p);
    return p;
}

/* Makes "2dbc", "g2dbc" or an irregular rectangular pattern that leaves ranks out. */
static inline struct pattern *any_pattern(int kind, int ranks)
{
    if (kind < 2)
        return make(kind == 0 ? "2dbc" : "g2dbc", ranks);
    struct pattern *pattern = pattern_2dbc(3, 5);
    pattern->ranks = ranks;
    for (int c = 0; c < 15; c++)
        pattern->cell[c] = (c * c + c / 2) % ranks;
    return pattern;
}

/* The pattern of SBC, extended: r(r-1)/2 ranks, (i,j) and (j,i) belong to the rank of the pair, the diagonal is free. */
static inline struct pattern *sbc_pattern(int r)
{
    struct pattern *pattern = pattern_2dbc(r, r);
    pattern->ranks = r * (r - 1) / 2;
    for (int i = 0, rank = 0; i < r; i++) {
        pattern->cell[i * r + i] = LAYOUT_FREE;
        for (int j = 0; j < i; j++, rank++)
            pattern->cell[i * r + j] = pattern->cell[j * r + i] = rank;
    }
    return pattern;
}

/* A symmetric pattern is valid: cells off the diagonal have a rank, every rank has a cell, and none has more than r^2 / P. */
static inline void check_shares(const struct pattern *p)
{
    int r = p->rows, *cells = zeros((size_t)p->ranks, sizeof *cells), wrong = p->cols != r;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            int rank = p->cell[i * r + j];
            int is_rank = rank >= 0 && rank < p->ranks;
            wrong += !is_rank && !(i == j && rank == LAYOUT_FREE);
            if (is_rank)
                cells[rank]++;
        }
    ck_assert_msg(wrong == 0, "%s on %d ranks: %d cells are wrong", p->name, p->ranks, wrong);
    for (int rank = 0; rank < p->ranks; rank++)
        wrong += cells[rank] == 0 || (int64_t)cells[rank] * p->ranks > (int64_t)r * r;
    ck_assert_msg(wrong == 0, "%s on %d ranks: %d ranks have no cell or too many", p->name, p->ranks, wrong);
    free(cells);
}

/* The most work of a rank over the mean. */
static inline double balance(const struct layout *l, enum layout_algorithm algorithm)
{
    int64_t *work = zeros((size_t)l->ranks, sizeof *work), most = 0, all = 0;
    layout_work_of_ranks(l, algorithm, work);
    for (int rank = 0; rank < l->ranks; rank++) {
        most = work[rank] > most ? work[rank] : most;
        all += work[rank];
    }
    free(work);
    return (double)most * l->ranks / (double)all;
}

/* T of a square pattern for Cholesky: the mean number of distinct ranks in a row and the column of the same index. */
static inline double ranks_per_colrow(const struct pattern *p)
{
    int r = p->rows, met = 0, *last = zeros((size_t)p->ranks, sizeof *last);      /* the colrow that last met the rank, plus 1 */
    for (int i = 0; i < r; i++)
        for (int k = 0; k < 2 * r; k++) {
            int rank = k < r ? p->cell[i * r + k] : p->cell[(k - r) * r + i];
            if (rank == LAYOUT_FREE)
                continue;
            met += last[rank] != i + 1;
            last[rank] = i + 1;
        }
    free(last);
    return (double)met / r;
}

static inline struct pattern *read_text(const char *content, int ranks)
{
    char path[] = "/tmp/ompfact_test_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *file = fdopen(fd, "w");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);

    struct pattern *pattern;
    int failed = pattern_read(path, ranks, &pattern, text);
    ck_assert_int_eq(failed, pattern == NULL);
    ck_assert(!failed || strncmp(text, path, strlen(path)) == 0);
    unlink(path);
    return pattern;
}

#endif
