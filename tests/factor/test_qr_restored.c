/*
 * QR that one set of ranks has saved and another layout continues, with tiles of another size after the finished part. The result
 * has the same Q, column by column of the unit matrix, and A = Q R. The test moves the saved data by means of its own.
 */
#include "src/factor/restored.h"
#include "tests/factor/qr_checks.h"

enum { NB = 8, WHATS = SQUARE_V + 1 };

static ompfact_grid *grid_with(ompfact_tree tree, ompfact_schedule schedule)
{
    return new_grid((ompfact_options){ .threads = 2, .tree = tree, .ib = 3, .schedule = schedule,
                                       .copy_on_node = schedule == OMPFACT_STATIC,
                                       .testing = &(ompfact_testing){ .jitter_us = 20 } });
}

/* ---- layouts --------------------------------------------------------------------------------------------------------------- */

static int scattered(int cell)
{
    return (int)((unsigned)cell * 2654435761u >> 20) % all_ranks_count();
}

static int alone(int cell)
{
    (void)cell;
    return all_ranks_count() - 1;
}

static int fewer(int cell)
{
    return all_ranks_count() > 1 ? cell % (all_ranks_count() - 1) : 0;
}

enum { LAYOUTS = 6, SHORT = 64 };

struct layouts {
    char name[LAYOUTS][SHORT];
};

static void make_layouts(struct layouts *l)
{
    strcpy(l->name[0], "g2dbc");
    snprintf(l->name[1], SHORT, "2dbc:%dx1", all_ranks_count());
    write_map(l->name[2], 7, 5, scattered);
    write_map(l->name[3], 3, 2, fewer);
    write_map(l->name[4], 1, 1, alone);
    snprintf(l->name[5], SHORT, "2dbc:1x%d", all_ranks_count());
}

static void remove_layouts(const struct layouts *l)
{
    for (int i = 2; i < 5; i++)
        remove_map(l->name[i]);
}

/* ---- saved data ------------------------------------------------------------------------------------------------------------ */

struct saved {
    int panels, most;
    int64_t length;
    int32_t *shapes;
    size_t square_bytes;
    char *squares;              /* [panel][what][block] */
    number *tiles;              /* m x columns */
    int64_t m, columns;
};

static char *square_in(const struct saved *s, int k, const struct panel_square *square)
{
    return s->squares + (((size_t)k * WHATS + (size_t)square->what) * 2 * (size_t)s->most + (size_t)square->f) * s->square_bytes;
}

/* Collective: the first panels, and all tiles, on every rank. */
static struct saved save(ompfact_matrix *A, int panels)
{
    const struct reflectors *Q = reflectors_of(A);
    struct saved s = { .panels = panels, .most = Q->most_domains, .square_bytes = Q->square_bytes, .m = ompfact_rows(A),
                       .columns = ompfact_cols(A), .tiles = gather(A, NULL) };
    for (int k = 0; k < panels; k++)
        s.length += panel_shape(Q, k, NULL);
    s.shapes = calloc((size_t)s.length + 1, sizeof *s.shapes);
    for (int64_t k = 0, at = 0; k < panels; k++)
        at += panel_shape(Q, (int)k, s.shapes + at);
    size_t bytes = (size_t)panels * WHATS * 2 * (size_t)s.most * s.square_bytes;
    s.squares = calloc(bytes + 1, 1);
    struct panel_square *squares = malloc(3 * (size_t)s.most * sizeof *squares);
    for (int k = 0; k < panels; k++)
        for (int i = panel_squares(Q, k, squares) - 1; i >= 0; i--)
            memcpy(square_in(&s, k, &squares[i]), squares[i].data, squares[i].bytes);
    free(squares);
    reduce(s.squares, (int)bytes, MPI_BYTE, MPI_BOR);
    return s;
}

static void forget(struct saved *s)
{
    free(s->shapes);
    free(s->squares);
    free(s->tiles);
}

/* The saved tiles, followed by the columns of another problem. */
struct restored {
    const struct saved *saved;
    const number *rest;
    char type;
};

static void fill_restored(void *context, const ompfact_tile *t)
{
    const struct restored *c = context;
    const struct saved *s = c->saved;
    for (int j = 0; j < t->nb; j++)
        for (int i = 0; i < t->mb; i++) {
            int64_t row = t->row + i, col = t->col + j;
            put(t, c->type, i, j, col < s->columns ? s->tiles[row + col * s->m] : c->rest[row + (col - s->columns) * s->m]);
        }
}

static void restore(ompfact_matrix *A, const struct saved *s, const number *rest)
{
    struct restored restored = { s, rest, ompfact_type(A) };
    assert_everywhere(ompfact_fill_tiles(A, fill_restored, &restored) == OMPFACT_SUCCESS);
    A->done = s->panels;
    A->done_by = "geqrf";
    assert_everywhere_msg(reflectors_restore(A, s->shapes, s->length) == OMPFACT_SUCCESS, "%s", ompfact_message(A->grid));
    const struct reflectors *Q = reflectors_of(A);
    struct panel_square *squares = malloc(3 * (size_t)Q->most_domains * sizeof *squares);
    for (int k = 0; k < s->panels; k++)
        for (int i = panel_squares(Q, k, squares) - 1; i >= 0; i--)
            memcpy(squares[i].data, square_in(s, k, &squares[i]), squares[i].bytes);
    free(squares);
    put_tops(A);
}

/* ---- matrices ------------------------------------------------------------------------------------------------------------- */

/* Tiles of NB, `done` of them, then tiles of nb; returns their number. */
static int cut(int64_t size, int done, int nb, int *sizes)
{
    int count = 0;
    for (int64_t left = size; left > 0; left -= sizes[count++]) {
        int most = count < done ? NB : nb;
        sizes[count] = left < most ? (int)left : most;
    }
    return count;
}

static ompfact_matrix *matrix_of(ompfact_grid *grid, const struct problem *p, int64_t n, int done, int nb, const char *layout)
{
    int *heights = malloc((size_t)(p->m + 1) * sizeof *heights), *widths = malloc((size_t)(n + 1) * sizeof *widths);
    ompfact_shape shape = { .m = p->m, .n = n, .type = p->type, .nb = NB, .layout = layout, .row_heights = heights,
                            .col_widths = widths };
    shape.mt = cut(p->m, done, nb, heights);
    shape.nt = cut(n, done, nb, widths);
    ompfact_matrix *A = new_matrix(grid, &shape);
    free(heights);
    free(widths);
    return A;
}

struct shifted {
    const struct problem *p;
    int64_t col;
};

static void fill_shifted(void *context, const ompfact_tile *t)
{
    const struct shifted *s = context;
    for (int j = 0; j < t->nb; j++)
        for (int i = 0; i < t->mb; i++)
            put(t, s->p->type, i, j, entry_of(s->p, t->row + i, s->col + t->col + j));
}

/* Factors the first columns and applies their Q^H to the others, the state of a run after so many steps. */
static struct saved after_steps(ompfact_grid *grid, const struct problem *p, int done, int64_t columns, const char *layout,
                                number **rest)
{
    ompfact_matrix *A = matrix_of(grid, p, columns, done, NB, layout);
    fill(A, p);
    assert_everywhere_msg(ompfact_geqrf(A) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    *rest = NULL;
    if (columns < p->n) {
        ompfact_matrix *C = matrix_of(grid, p, p->n - columns, done, NB, "2dbc");
        assert_everywhere(ompfact_fill_tiles(C, fill_shifted, &(struct shifted){ p, columns }) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_unmqr(A, true, C) == OMPFACT_SUCCESS);
        *rest = gather(C, NULL);
        ompfact_matrix_destroy(&C);
    }
    struct saved s = save(A, done);
    ompfact_matrix_destroy(&A);
    return s;
}

/* The saved part of R is restored bit by bit. */
static void check_same_r(ompfact_matrix *A, const struct saved *s)
{
    number *a = gather(A, NULL);
    bool same = true;
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i <= j && i < s->m; i++)
            same &= a[i + j * s->m] == s->tiles[i + j * s->m];
    free(a);
    assert_everywhere(same);
}

/* All of Q^H, with the rows that R does not define. */
static number *conjugate_of_q(ompfact_grid *grid, ompfact_matrix *A)
{
    int64_t m = ompfact_rows(A);
    int *heights = tiling_sizes(&A->rows), *widths = malloc((size_t)(m + 1) * sizeof *widths);
    ompfact_shape shape = { .m = m, .n = m, .type = ompfact_type(A), .nb = NB, .layout = "g2dbc", .row_heights = heights,
                            .mt = A->mt, .col_widths = widths, .nt = cut(m, 0, 2 * NB, widths) };
    ompfact_matrix *C = new_matrix(grid, &shape);
    free(heights);
    free(widths);
    for (int i = -1, j = -1; ompfact_next_tile(C, &i, &j);) {
        ompfact_tile t;
        if (ompfact_tile_get(C, i, j, &t) != OMPFACT_SUCCESS)
            continue;
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                put(&t, ompfact_type(A), r, c, t.row + r == t.col + c);
        ompfact_tile_restore(C, &t);
    }
    assert_everywhere_msg(ompfact_unmqr(A, true, C) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    number *q = gather(C, NULL);
    ompfact_matrix_destroy(&C);
    return q;
}

/* B has the same Q as A, in every column. */
static void check_same_q(ompfact_grid *grid, ompfact_matrix *A, ompfact_matrix *B, const struct problem *p)
{
    number *a = conjugate_of_q(grid, A), *b = conjugate_of_q(grid, B);
    double worst = 0;
    for (int64_t i = 0; i < p->m * p->m; i++)
        worst = larger(worst, cabs(a[i] - b[i]));
    free(a);
    free(b);
    assert_everywhere_msg(worst <= bound(p), "%c %lld x %lld, %s and %s: Q differs by %g", p->type, (long long)p->m,
                          (long long)p->n, ompfact_layout(A), ompfact_layout(B), worst);
}

/* ---- tests ---------------------------------------------------------------------------------------------------------------- */

/* Saves after `done` steps, restores and continues; then saves the whole, and restores it in another layout. */
static void try(ompfact_grid *grid, const struct problem *p, int done, int nb, const char *const layout[3])
{
    int64_t columns = (int64_t)done * NB < p->n ? (int64_t)done * NB : p->n;
    number *rest;
    struct saved s = after_steps(grid, p, done, columns, layout[0], &rest);
    ompfact_matrix *A = matrix_of(grid, p, p->n, done, nb, layout[1]), *B = matrix_of(grid, p, p->n, done, nb, layout[2]);
    restore(A, &s, rest);
    assert_everywhere_msg(ompfact_geqrf(A) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(report.transfers == report.transfers_predicted);
    check_same_r(A, &s);
    check_factors(A, p);
    check_q(grid, A, p);
    struct saved all = save(A, steps_of(A));
    restore(B, &all, NULL);
    assert_everywhere_msg(ompfact_geqrf(B) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    check_same_r(B, &all);
    check_factors(B, p);
    check_same_q(grid, A, B, p);
    forget(&all);
    forget(&s);
    free(rest);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&B);
}

static const struct {
    int64_t m, n;
} sizes[] = { { 41, 39 }, { 90, 20 }, { 20, 90 }, { 100, 7 }, { 65, 63 }, { 30, 1 }, { 64, 64 }, { 12, 50 }, { 73, 30 } };
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* QR continues right with several types, trees, schedules, steps and tile sizes. */
START_TEST(goes_on)
{
    static const int tile_sizes[] = { NB, 5, 11, 2 * NB, 3 };
    struct layouts l;
    make_layouts(&l);
    ompfact_grid *grid = grid_with((ompfact_tree)(_i % 4), (ompfact_schedule)(_i % 3));
    for (int i = 0; i < SIZES; i++) {
        if ((i + _i) % 3 != 0)
            continue;
        struct problem p = { .type = "dszc"[(i + _i) / 3 % 4], .m = sizes[i].m, .n = sizes[i].n, .seed = (unsigned)_i,
                             .pivots = true };
        int64_t shorter = p.m < p.n ? p.m : p.n;
        int steps = (int)((shorter + NB - 1) / NB), done = (int[]){ steps, (steps + 1) / 2, 1 }[(i + _i / 3) % 3];
        const char *layout[] = { l.name[_i % LAYOUTS], l.name[(_i + 1 + i) % LAYOUTS], l.name[(2 * _i + i) % LAYOUTS] };
        try(grid, &p, done, tile_sizes[(_i + i) % 5], layout);
    }
    ompfact_grid_destroy(&grid);
    remove_layouts(&l);
}
END_TEST

/* A tile column that one rank owns has LAPACK's reflectors wherever it is restored; one of several ranks has not. */
START_TEST(scalars)
{
    struct layouts l;
    make_layouts(&l);
    ompfact_grid *grid = grid_with(OMPFACT_TREE_AUTO, OMPFACT_DYNAMIC);
    struct problem p = { .type = 'z', .m = 61, .n = 3 * NB, .seed = 3, .pivots = true };
    for (int several = 0; several < 2; several++) {
        number tau[2][3 * NB];
        ompfact_matrix *A = matrix_of(grid, &p, p.n, 0, NB, l.name[several == 0 ? 5 : 1]);
        ompfact_matrix *B = matrix_of(grid, &p, p.n, 3, 5, l.name[2]);
        fill(A, &p);
        assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS);
        bool is_lapacks = several == 0 || all_ranks_count() == 1;
        struct saved s = save(A, 3);
        restore(B, &s, NULL);
        assert_everywhere(ompfact_geqrf(B) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_tau(A, tau[0]) == (is_lapacks ? OMPFACT_SUCCESS : OMPFACT_BAD_ARGUMENT));
        assert_everywhere(ompfact_tau(B, tau[1]) == (is_lapacks ? OMPFACT_SUCCESS : OMPFACT_BAD_ARGUMENT));
        assert_everywhere(!is_lapacks || memcmp(tau[0], tau[1], sizeof tau[0]) == 0);
        forget(&s);
        ompfact_matrix_destroy(&A);
        ompfact_matrix_destroy(&B);
    }
    ompfact_grid_destroy(&grid);
    remove_layouts(&l);
}
END_TEST

/* Panels that do not fit the matrix are refused. A new factorization discards restored panels. */
START_TEST(refused)
{
    struct layouts l;
    make_layouts(&l);
    ompfact_grid *grid = grid_with(OMPFACT_TREE_AUTO, OMPFACT_DYNAMIC);
    struct problem p = { .type = 'd', .m = 53, .n = 40, .seed = 5, .pivots = true };
    enum { DONE = 2 };
    number *rest;
    struct saved s = after_steps(grid, &p, DONE, DONE * NB, l.name[1], &rest);
    ompfact_matrix *A = matrix_of(grid, &p, p.n, DONE, NB, l.name[2]), *smaller = matrix_of(grid, &p, p.n, DONE, 5, l.name[0]);
    A->done = smaller->done = DONE;
    A->done_by = smaller->done_by = "geqrf";
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_INTERNAL_FAULT);      /* nothing was restored */
    for (int64_t i = 0; i < s.length; i++) {
        int32_t was = s.shapes[i];
        s.shapes[i] = -1;
        assert_everywhere(reflectors_restore(A, s.shapes, s.length) == OMPFACT_BAD_ARGUMENT);
        s.shapes[i] = 1000;
        assert_everywhere(reflectors_restore(A, s.shapes, s.length) == OMPFACT_BAD_ARGUMENT);
        s.shapes[i] = was;
    }
    assert_everywhere(reflectors_restore(A, s.shapes, s.length - 1) == OMPFACT_BAD_ARGUMENT);
    A->done = DONE - 1;
    assert_everywhere(reflectors_restore(A, s.shapes, s.length) == OMPFACT_BAD_ARGUMENT);
    restore(A, &s, rest);
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS);
    check_factors(A, &p);
    A->done = smaller->done = 0;
    fill(A, &p);
    fill(smaller, &p);
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS);
    check_factors(A, &p);
    assert_everywhere(ompfact_geqrf(smaller) == OMPFACT_BAD_ARGUMENT);  /* triangles of the first steps would be in lower tiles */
    forget(&s);
    free(rest);
    ompfact_matrix_destroy(&smaller);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    remove_layouts(&l);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("qr_restored");
    TCase *tcase = tcase_create("qr_restored");
    tcase_add_loop_test(tcase, goes_on, 0, 12);
    tcase_add_test(tcase, scalars);
    tcase_add_test(tcase, refused);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
