/*
 * Factorizations that are saved while they run, and continue from a checkpoint: from the first one, as it was during the run, and
 * from the last one. Delays keep ranks far apart.
 */
#include "rma/state.h"
#include "src/checkpoint/saver.h"
#include "src/grid/grid.h"
#include "tests/checkpoint/kept.h"
#include "tests/factor/qr_checks.h"

enum { NB = 16, ALL = 100 };     /* ALL: more tile rows than any matrix has */

static struct kept kept;
static char rows_folder[KEPT_PATH + 8];       /* a factor to which rows are appended */

/* ---- settings -------------------------------------------------------------------------------------------------------------- */

struct setting {
    struct problem problem;
    bool qr, full, in_band;     /* in_band: the matrix is compressed, and yet all tiles are dense */
    ompfact_pivot pivot;
    ompfact_schedule schedule;
    const char *layout[2];      /* layouts of the first run, and of the runs that continue */
    int nb;                     /* tile size of the remaining part in the runs that continue */
    int64_t rows;               /* rows of an existing factor to which the others are appended; 0: there is no such factor */
};

static ompfact_grid *grid_of(const struct setting *s, int threads)
{
    return new_grid((ompfact_options){ .threads = threads, .pivot = s->pivot, .schedule = s->schedule,
                                       .testing = &(ompfact_testing){ .jitter_us = 400 },
                                       .copy_on_node = s->problem.seed % 2 == 1 });
}

/* The row permutation P of P A = L U. */
static int64_t *rows_of(const ompfact_matrix *A, const struct problem *p)
{
    int64_t count = p->m < p->n ? p->m : p->n, *rows = malloc((size_t)p->m * sizeof *rows);
    int64_t *ipiv = malloc((size_t)count * sizeof *ipiv);
    ompfact_ipiv(A, ipiv);
    for (int64_t i = 0; i < p->m; i++)
        rows[i] = i;
    for (int64_t i = 0; i < count; i++) {
        int64_t row = rows[i];
        rows[i] = rows[ipiv[i] - 1];
        rows[ipiv[i] - 1] = row;
    }
    free(ipiv);
    return rows;
}

static void factor_and_check(ompfact_matrix *A, const struct setting *s)
{
    struct problem p = s->problem;
    int64_t info = 0;
    ompfact_status status = s->qr ? ompfact_geqrf(A) : p.hermitian ? ompfact_potrf(A, &info) : ompfact_getrf(A, &info);
    assert_everywhere_msg(status == OMPFACT_SUCCESS && info == 0, "%s, info %lld", ompfact_message(A->grid), (long long)info);
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(report.transfers == report.transfers_predicted);
    if (s->qr) {
        check_factors(A, &p);
        return;
    }
    int64_t *rows = p.hermitian ? NULL : rows_of(A, &p);
    p.rows = rows;
    number *F = gather(A, &p);
    double ratio = factor_ratio(&p, F);
    free(F);
    free(rows);
    assert_everywhere_msg(ratio < 30, "%c %lld x %lld, %s: ratio %g", p.type, (long long)p.m, (long long)p.n, ompfact_layout(A),
                          ratio);
}

static ompfact_shape shape_of_setting(const struct setting *s, const char *layout)
{
    ompfact_shape shape = shape_of(&s->problem, NB, layout);
    shape.full_storage = s->full;
    shape.accuracy = s->in_band ? 1e-6 : 0;
    shape.band = s->in_band ? ALL : 0;
    shape.cut = s->rows;
    return shape;
}

/* Makes this grid append to the saved factor of the first rows. */
static void append_to_rows(const struct setting *s, ompfact_grid *grid)
{
    struct problem first = s->problem;
    int64_t info = -1;
    first.m = first.n = s->rows;
    ompfact_shape shape = shape_of(&first, NB, s->layout[1]);
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, &s->problem);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere_msg(ompfact_save(A, rows_folder) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    assert_everywhere_msg(ompfact_restart_append(grid, rows_folder) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    ompfact_matrix_destroy(&A);
}

/* Factors with checkpoints; returns whether the first checkpoint is from the middle of the run. */
static bool save(const struct setting *s)
{
    ompfact_grid *grid = grid_of(s, 2);
    ompfact_shape shape = shape_of_setting(s, s->layout[0]);
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 0.002, .about = "mine", .tell = kept_record,
                                .tell_context = &kept };
    kept_nothing(&kept);
    if (s->rows > 0)
        append_to_rows(s, grid);
    assert_everywhere_msg(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    fill(A, &s->problem);
    factor_and_check(A, s);
    ompfact_report report = ompfact_last_report(A);
    int64_t old = (s->rows + NB - 1) / NB, restored = s->rows > 0 ? old * (old + 1) / 2 : -1;
    assert_everywhere(report.checkpoints >= 1 && report.restarted_from_step == (s->rows > 0 ? 0 : -1) &&
                      report.tiles_restored == restored);
    if (my_rank() == 0)
        ck_assert(kept.checkpoints == 1 && kept.failures == 0);
    reduce(&kept.step, 1, MPI_INT, MPI_MAX);
    int steps = ompfact_tile_rows(A) < ompfact_tile_cols(A) ? ompfact_tile_rows(A) : ompfact_tile_cols(A);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    return kept.step < steps;
}

/* Continues from the checkpoint in a folder. */
static void go_on(const struct setting *s, const char *folder, int step)
{
    ompfact_grid *grid = grid_of(s, 1);
    ompfact_restarted from;
    char why[OMPFACT_MESSAGE] = "";
    assert_everywhere_msg(ompfact_restart_read(folder, s->nb, &from, why) == OMPFACT_SUCCESS, "%s", why);
    assert_everywhere(strcmp(from.about, "mine") == 0 && (step < 0 || from.step == step));
    ompfact_shape shape = shape_of_setting(s, s->layout[1]);
    shape.row_heights = from.row_heights;
    shape.col_widths = from.col_widths;
    shape.mt = from.mt;
    shape.nt = from.nt;
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere_msg(ompfact_restart(grid, folder) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    factor_and_check(A, s);
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(report.checkpoints == -1 && report.restarted_from_step == from.step && report.tiles_restored >= 0);
    if (!s->qr) {               /* tiles of QR must be as tall as they are wide */
        fill(A, &s->problem);
        factor_and_check(A, s);
        assert_everywhere(ompfact_last_report(A).restarted_from_step == -1);
    }
    ompfact_restarted_forget(&from);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}

/* ---- tests ----------------------------------------------------------------------------------------------------------------- */

static int tried, found;        /* tried: first checkpoints; found: those from the middle of their run */

/* Runs a setting in these orders of tasks, with these tile sizes after the finished part. */
static void try(struct setting s, int number)
{
    static const int sizes[] = { NB, 11, 0, 2 * NB };
    s.schedule = (ompfact_schedule)(number % 3);
    s.nb = sizes[number % 4];
    s.problem.seed = (unsigned)number;
    kept_remove(&kept);
    tried++;
    found += save(&s);
    go_on(&s, kept.first, kept.step);
    go_on(&s, kept.place, -1);
    kept_remove(&kept);
}

START_TEST(cholesky)
{
    struct setting s = { .problem = { .type = "dszc"[_i % 4], .hermitian = true, .upper = _i % 2 == 1, .m = 190, .n = 190 },
                         .full = _i % 3 == 2, .layout = { "g2dbc", _i % 2 ? "2dbc" : "design" } };
    try(s, _i);
}
END_TEST

/* Rows are appended to a factor on disk, few or most of all. */
START_TEST(appended)
{
    static const int64_t rows[] = { 150, 96, 3 * NB + 1, 189 };
    struct setting s = { .problem = { .type = "dszc"[_i % 4], .hermitian = true, .upper = _i % 2 == 1, .m = 190, .n = 190 },
                         .full = _i % 3 == 2, .layout = { "g2dbc", _i % 2 ? "2dbc" : "design" }, .rows = rows[_i % 4] };
    snprintf(rows_folder, sizeof rows_folder, "%s-rows", kept.place);
    try(s, _i);
    if (my_rank() == 0)
        kept_remove_folder(rows_folder);
}
END_TEST

START_TEST(lu)
{
    static const ompfact_pivot pivots[] = { OMPFACT_PIVOT_NONE, OMPFACT_PIVOT_PARTIAL, OMPFACT_PIVOT_TOURNAMENT };
    static const int64_t sizes[][2] = { { 170, 170 }, { 200, 130 }, { 120, 200 } };
    struct setting s = { .problem = { .type = "zdcs"[_i % 4], .m = sizes[_i % 3][0], .n = sizes[_i % 3][1],
                                      .pivots = _i % 3 != 0 },
                         .pivot = pivots[_i % 3], .layout = { _i % 2 ? "2dbc" : "g2dbc", _i % 2 ? "g2dbc" : "2dbc" } };
    if (_i >= 3) {
        s.problem.m = sizes[(_i + 1) % 3][0];
        s.problem.n = sizes[(_i + 1) % 3][1];
    }
    try(s, _i);
}
END_TEST

START_TEST(qr)
{
    static const int64_t sizes[][2] = { { 160, 160 }, { 210, 100 }, { 100, 180 } };
    struct setting s = { .problem = { .type = "dczs"[_i % 4], .m = sizes[_i % 3][0], .n = sizes[_i % 3][1], .pivots = true },
                         .qr = true, .layout = { "g2dbc", "2dbc" } };
    try(s, _i);
}
END_TEST

/* Some ranks have no tile, and some matrices have one tile or none. */
START_TEST(small)
{
    static const int64_t sizes[] = { 0, 1, NB, NB + 1 };
    struct setting s = { .problem = { .type = 'd', .hermitian = _i % 2 == 0, .m = sizes[_i / 2], .n = sizes[_i / 2] },
                         .pivot = OMPFACT_PIVOT_NONE, .layout = { "2dbc", "g2dbc" } };
    try(s, _i);
}
END_TEST

/* Where no tile can be compressed, tiles may not be left out of a checkpoint. */
START_TEST(compressed_in_name)
{
    struct setting s = { .problem = { .type = "ds"[_i], .hermitian = _i == 0, .m = 40, .n = 40 }, .in_band = true,
                         .pivot = OMPFACT_PIVOT_NONE, .layout = { "g2dbc", "2dbc" } };
    try(s, 2);
}
END_TEST

START_TEST(many_were_in_the_middle)
{
    assert_everywhere_msg(3 * found >= tried, "%d of %d", found, tried);
}
END_TEST

/* What was saved before a pivot fails stays, and the run ends as without checkpoints. */
START_TEST(pivot_fails)
{
    struct setting s = { .problem = { .type = 'd', .hermitian = true, .m = 190, .n = 190, .fails = 150, .seed = 3 },
                         .schedule = (ompfact_schedule)(_i % 3), .layout = { "g2dbc" } };
    ompfact_grid *grid = grid_of(&s, 2);
    ompfact_shape shape = shape_of_setting(&s, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    kept_nothing(&kept);
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 0.001, .tell = kept_record, .tell_context = &kept };
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS);
    for (int round = 0; round < 4; round++) {
        int64_t info = 0;
        fill(A, &s.problem);
        assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 150);
    }
    ompfact_restarted from;
    if (my_rank() == 0 && kept.checkpoints > 0 && ompfact_restart_read(kept.place, 0, &from, NULL) == OMPFACT_SUCCESS) {
        ck_assert(kept.failures == 0 && from.step * NB < 150);
        ompfact_restarted_forget(&from);
    }
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    kept_remove(&kept);
}
END_TEST

/* LU continues past a zero pivot, and a restart reports the same info as the first run. */
START_TEST(pivot_is_zero)
{
    struct setting s = { .problem = { .type = "dz"[_i % 2], .m = 150, .n = 150, .fails = 37, .fails_too = 140,
                                      .pivots = _i > 1, .seed = 5 },
                         .pivot = _i > 1 ? OMPFACT_PIVOT_PARTIAL : OMPFACT_PIVOT_NONE };
    ompfact_grid *grid = grid_of(&s, 2);
    ompfact_shape shape = shape_of_setting(&s, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    kept_nothing(&kept);
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 0.004, .tell = kept_record, .tell_context = &kept };
    int64_t info = 0;
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS);
    fill(A, &s.problem);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == 37);
    assert_everywhere(ompfact_checkpoint(grid, NULL) == OMPFACT_SUCCESS);
    for (int k = 0; k < 2; k++) {
        assert_everywhere(ompfact_restart(grid, k == 0 ? kept.first : kept.place) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && ompfact_last_report(A).restarted_from_step >= 0);
        assert_everywhere_msg(info == 37, "info %lld", (long long)info);
    }
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    kept_remove(&kept);
}
END_TEST

static void count_work(void *context, int folder, const char *name)
{
    (void)folder;
    *(int *)context += strstr(name, ".work") != NULL;
}

/* A folder that disappears, or whose manifest cannot be replaced, is reported once, and the run continues. No files are left that
   no manifest names. */
START_TEST(nowhere_to_write)
{
    char manifest[KEPT_PATH + 16];
    int work = 0;
    snprintf(manifest, sizeof manifest, "%s/manifest.json", kept.place);
    struct setting s = { .problem = { .type = 'd', .hermitian = true, .m = 190, .n = 190 }, .layout = { "g2dbc" } };
    ompfact_grid *grid = grid_of(&s, 2);
    ompfact_shape shape = shape_of_setting(&s, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    kept_nothing(&kept);
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 0.002, .tell = kept_record, .tell_context = &kept };
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS);
    if (my_rank() == 0 && _i == 0)
        kept_remove_folder(kept.place);
    else if (my_rank() == 0)
        ck_assert_int_eq(mkdir(manifest, 0777), 0);
    for (int round = 0; round < 2; round++) {
        fill(A, &s.problem);
        factor_and_check(A, &s);
        assert_everywhere(ompfact_last_report(A).checkpoints == 0);
    }
    if (my_rank() == 0)
        ck_assert(kept.checkpoints == 0 && kept.failures == 1);
    kept_each_file(kept.place, count_work, &work);
    ck_assert_int_eq(work, 0);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    rmdir(manifest);
    kept_remove(&kept);
}
END_TEST

/* MPI fails on one rank when the first rank may already know that its files are complete. The manifest names these files, so they
   stay. */
START_TEST(mpi_fails)
{
    struct setting s = { .problem = { .type = 'd', .hermitian = true, .m = 60, .n = 60 }, .layout = { "2dbc" } };
    ompfact_grid *grid = grid_of(&s, 1);
    ompfact_shape shape = shape_of_setting(&s, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 0.001 };
    struct saver *saver;
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS);
    fill(A, &s.problem);
    assert_everywhere(saver_begin(A, "potrf", "none", 0, 0, NULL, &saver) == OMPFACT_SUCCESS);
    const struct run_saver *run = saver_of_run(saver);
    usleep(2000);           /* a checkpoint is now due on every rank */
    for (; run->due(run->context, 0) != DUE_YES; rma_progress(grid->rma, true))
        run->poll(run->context, NULL);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile tile;
        ompfact_tile_get(A, i, j, &tile);
        saver_put(saver, &(struct to_save){ .kind = SAVED_TILE, .i = i, .j = j, .data = tile.data,
                                            .bytes = (size_t)tile.mb * (size_t)tile.nb * sizeof(double) });
    }
    saver_added(saver);
    if (my_rank() > 0)
        rma_note_error(grid->rma, MPI_ERR_OTHER);
    assert_everywhere(saver_end(saver, true, false) == OMPFACT_SUCCESS);
    assert_everywhere(my_rank() > 0 || saver_checkpoints(saver) == 1);
    saver_destroy(&saver);
    assert_everywhere_msg(ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    kept_remove(&kept);
}
END_TEST

/* A damaged checkpoint, or one of another matrix, is refused on every rank with the same status. */
START_TEST(refused)
{
    struct setting s = { .problem = { .type = 'd', .hermitian = true, .m = 60, .n = 60 }, .layout = { "2dbc" } };
    ompfact_grid *grid = grid_of(&s, 1);
    ompfact_shape shape = shape_of_setting(&s, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *B;
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 5 };
    int64_t info;
    assert_everywhere(ompfact_restart(grid, "/nowhere") == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    assert_everywhere(ompfact_checkpoint(grid, &(ompfact_checkpoints){ .folder = kept.place }) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_checkpoint(grid, &(ompfact_checkpoints){ .folder = "/proc/nowhere", .interval_s = 1 }) ==
                      OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS);
    fill(A, &s.problem);
    factor_and_check(A, &s);
    assert_everywhere(ompfact_checkpoint(grid, NULL) == OMPFACT_SUCCESS);

    shape.nb = 7;           /* another tile size than the checkpoint's */
    B = new_matrix(grid, &shape);
    fill(B, &s.problem);
    assert_everywhere(ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_potrf(B, &info) == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "tiles") != NULL);
    ompfact_matrix_destroy(&B);
    struct problem other = { .type = 'd', .m = 60, .n = 60 };       /* another routine ignores the checkpoint */
    ompfact_shape general = shape_of(&other, NB, "2dbc");
    B = new_matrix(grid, &general);
    fill(B, &other);
    assert_everywhere(ompfact_getrf(B, &info) == OMPFACT_SUCCESS && ompfact_last_report(B).restarted_from_step == -1);
    factor_and_check(A, &s);
    assert_everywhere(ompfact_last_report(A).restarted_from_step == 4 && ompfact_last_report(A).tiles_restored == 10);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    kept_remove(&kept);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("checkpoints");
    TCase *tests = tcase_create("saved and restored");
    start_mpi(&argc, &argv);
    kept_name(&kept);
    tcase_set_timeout(tests, 0);
    add_turns(tests, cholesky, 6, 5);
    add_turns(tests, appended, 8, 4);
    add_turns(tests, lu, 6, 5);
    add_turns(tests, qr, 6, 5);
    tcase_add_test(tests, many_were_in_the_middle);
    add_turns(tests, small, 8, 3);
    tcase_add_loop_test(tests, compressed_in_name, 0, 2);
    tcase_add_loop_test(tests, pivot_fails, 0, 3);
    tcase_add_loop_test(tests, pivot_is_zero, 0, 4);
    tcase_add_loop_test(tests, nowhere_to_write, 0, 2);
    tcase_add_test(tests, mpi_fails);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
