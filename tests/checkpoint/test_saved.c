/*
 * Saved factors, loaded by all ranks, by each rank alone, and by all ranks what one rank has saved. Factors are the same to the
 * bit, and solve. A folder always has the old factor or the new one. Damaged ones are refused with the names of the folder and
 * the file.
 */
#include "src/grid/grid.h"
#include "tests/checkpoint/kept.h"
#include "tests/factoring.h"

enum { NB = 16 };

static struct kept kept;

static ompfact_grid *grid_over(MPI_Comm comm)
{
    ompfact_grid *grid;
    char message[OMPFACT_MESSAGE] = "";
    ompfact_options options = { .threads = 2, .testing = &(ompfact_testing){ .jitter_us = 50 } };
    assert_everywhere_msg(ompfact_grid_create(comm, &options, &grid, message) == OMPFACT_SUCCESS, "%s", message);
    return grid;
}

static ompfact_status factor_any(ompfact_matrix *A, const struct problem *p, int64_t *info)
{
    return !p->pivots ? ompfact_potrf(A, info) : p->symmetric ? ompfact_sytrf(A, info) : ompfact_hetrf(A, info);
}

static ompfact_matrix *factor_of(ompfact_grid *grid, const struct problem *p, const char *layout)
{
    int64_t info = -1;
    ompfact_shape shape = shape_of(p, NB, layout);
    ompfact_matrix *A;
    assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_tiles(A, fill_tile, (void *)p) == OMPFACT_SUCCESS);
    assert_everywhere(factor_any(A, p, &info) == OMPFACT_SUCCESS && info == 0);
    return A;
}

/* The elements of a matrix that this process has alone; the other triangle is ignored. */
static number *own_elements(ompfact_matrix *A, const struct problem *p)
{
    number *dense = calloc((size_t)(p->n * p->n) + 1, sizeof *dense);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        ck_assert_int_eq(ompfact_tile_get(A, i, j, &t), OMPFACT_SUCCESS);
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                if (!is_beyond(p, t.row + r, t.col + c))
                    dense[t.row + r + (t.col + c) * p->n] = get(&t, p->type, r, c);
        ompfact_tile_restore(A, &t);
    }
    return dense;
}

static number *solution(ompfact_matrix *A, const struct problem *p, bool alone)
{
    enum { NRHS = 2 };
    ompfact_matrix *B;
    ck_assert_int_eq(ompfact_matrix_create_rhs(A, NRHS, &B), OMPFACT_SUCCESS);
    ck_assert_int_eq(ompfact_fill_tiles(B, fill_rhs_tile, (void *)p), OMPFACT_SUCCESS);
    ompfact_status status = !p->pivots ? ompfact_potrs(A, B) : p->symmetric ? ompfact_sytrs(A, B) : ompfact_hetrs(A, B);
    assert_everywhere_msg(status == OMPFACT_SUCCESS, "%s", ompfact_message(ompfact_grid_of(A)));
    number *X;
    if (alone) {
        X = calloc((size_t)(p->n * NRHS) + 1, sizeof *X);
        for (int i = -1, j = -1; ompfact_next_tile(B, &i, &j);) {
            ompfact_tile t;
            ck_assert_int_eq(ompfact_tile_get(B, i, j, &t), OMPFACT_SUCCESS);
            for (int c = 0; c < t.nb; c++)
                for (int r = 0; r < t.mb; r++)
                    X[t.row + r + (t.col + c) * p->n] = get(&t, p->type, r, c);
            ompfact_tile_restore(B, &t);
        }
    } else {
        X = gather(B, NULL);
    }
    ompfact_matrix_destroy(&B);
    return X;
}

static bool are_near(const number *x, const number *y, int64_t count, double by)
{
    double largest_of = 0, apart = 0;
    for (int64_t e = 0; e < count; e++) {
        largest_of = larger(largest_of, cabs(x[e]));
        apart = larger(apart, cabs(x[e] - y[e]));
    }
    return apart <= by * largest_of;
}

/* A has the factor F, and solves with the solution X. */
static void check_loaded(ompfact_matrix *A, const struct problem *p, const number *F, const number *X, bool alone)
{
    number *here = alone ? own_elements(A, p) : gather(A, p);
    assert_everywhere(are_near(F, here, p->n * p->n, 0));
    free(here);
    ompfact_report report = ompfact_last_report(A);
    int64_t mt = ompfact_tile_rows(A);
    assert_everywhere(report.tiles_restored == mt * (mt + 1) / 2 && report.restarted_from_step == mt);
    here = solution(A, p, alone);
    assert_everywhere(are_near(X, here, 2 * p->n, 1e6 * precision_of(p->type)->eps));
    free(here);
}

static void count_file(void *context, int folder, const char *name)
{
    (void)folder;
    (void)name;
    ++*(int *)context;
}

static int files(void)
{
    int count = 0;
    kept_each_file(kept.place, count_file, &count);
    return count;
}

/* The folder has the manifest, a file of each rank, and nothing else. */
static void check_files(int ranks)
{
    MPI_Barrier(MPI_COMM_WORLD);
    assert_everywhere_msg(files() <= ranks + 1 && files() >= 2, "%d files", files());
    MPI_Barrier(MPI_COMM_WORLD);
}

static void begin(void)
{
    kept_name(&kept);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank() == 0)
        kept_remove_folder(kept.place);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void end(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank() == 0)
        kept_remove_folder(kept.place);
}

/* Factors are saved and loaded by all ranks, by each alone, and saved by the first rank alone and loaded by all. */
START_TEST(ranks_change)
{
    static const char *const layouts[] = { "2dbc", "g2dbc", "design" };
    struct problem p = { .type = "sdcz"[_i % 4], .hermitian = true, .m = 4 * NB + 3, .n = 4 * NB + 3, .seed = 9,
                         .upper = _i / 4 % 2, .pivots = _i % 3 > 0, .symmetric = _i % 3 == 2 };
    ompfact_grid *all = grid_over(MPI_COMM_WORLD), *one = grid_over(MPI_COMM_SELF);
    begin();
    ompfact_matrix *A = factor_of(all, &p, layouts[_i % 3]), *B;
    number *F = gather(A, &p), *X = solution(A, &p, false);
    assert_everywhere_msg(ompfact_save(A, kept.place) == OMPFACT_SUCCESS, "%s", ompfact_message(all));
    check_files(all_ranks_count());
    assert_everywhere_msg(ompfact_load(all, kept.place, &B) == OMPFACT_SUCCESS, "%s", ompfact_message(all));
    check_loaded(B, &p, F, X, false);
    ompfact_matrix_destroy(&B);
    assert_everywhere_msg(ompfact_load(one, kept.place, &B) == OMPFACT_SUCCESS, "%s", ompfact_message(one));
    check_loaded(B, &p, F, X, true);
    MPI_Barrier(MPI_COMM_WORLD);
    bool saved = my_rank() > 0 || ompfact_save(B, kept.place) == OMPFACT_SUCCESS;
    assert_everywhere_msg(saved, "%s", ompfact_message(one));
    check_files(1);
    ompfact_matrix_destroy(&B);
    assert_everywhere_msg(ompfact_load(all, kept.place, &B) == OMPFACT_SUCCESS, "%s", ompfact_message(all));
    check_loaded(B, &p, F, X, false);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    free(F);
    free(X);
    end();
    ompfact_grid_destroy(&one);
    ompfact_grid_destroy(&all);
}
END_TEST

static void add_nothing(void *context, const ompfact_tile *t)
{
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, *(char *)context, r, c, c + 1);
}

/* A factor that has changed is saved in its new state, and the grid's checkpoints continue. */
START_TEST(other_factors_and_checkpoints)
{
    ompfact_grid *grid = grid_over(MPI_COMM_WORLD);
    struct problem p = square('d', true, 3 * NB + 1);
    begin();
    ompfact_checkpoints how = { .folder = kept.first, .interval_s = 60 };
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS);
    ompfact_matrix *A = factor_of(grid, &p, "2dbc"), *V = new_rhs(A, 2), *B;
    assert_everywhere(ompfact_last_report(A).checkpoints == 1);
    int64_t info;
    assert_everywhere(ompfact_save(A, kept.place) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_tiles(V, add_nothing, &p.type) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_potrf_update(A, V, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_save(A, kept.place) == OMPFACT_SUCCESS);
    check_files(all_ranks_count());
    number *F = gather(A, &p), *X = solution(A, &p, false);
    assert_everywhere(ompfact_load(grid, kept.place, &B) == OMPFACT_SUCCESS);
    check_loaded(B, &p, F, X, false);
    ompfact_matrix_destroy(&B);
    fill(A, &p);
    assert_everywhere(ompfact_save(A, kept.place) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && ompfact_last_report(A).checkpoints == 1);
    assert_everywhere(ompfact_load(grid, kept.first, &B) == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&B);
    assert_everywhere(ompfact_checkpoint(grid, NULL) == OMPFACT_SUCCESS);
    free(F);
    free(X);
    ompfact_matrix_destroy(&V);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    end();
    if (my_rank() == 0)
        kept_remove_folder(kept.first);
}
END_TEST

/* ---- damaged files --------------------------------------------------------------------------------------------------------- */

/* Changes one byte in the middle of the file with this number. */
struct damage {
    int number, at;
};

static void change(void *context, int folder, const char *name)
{
    struct damage *d = context;
    char byte;
    if (d->at++ != d->number)
        return;
    int file = openat(folder, name, O_RDWR);
    off_t middle = lseek(file, 0, SEEK_END) / 2;
    if (pread(file, &byte, 1, middle) != 1)
        return;
    byte ^= 4;
    if (pwrite(file, &byte, 1, middle) != 1)
        abort();
    close(file);
}

static void damage(int number)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank() == 0)
        kept_each_file(kept.place, change, &(struct damage){ number, 0 });
    MPI_Barrier(MPI_COMM_WORLD);
}

static void assert_refused(ompfact_grid *grid, const char *folder)
{
    ompfact_matrix *B = (ompfact_matrix *)&kept;
    assert_everywhere(ompfact_load(grid, folder, &B) == OMPFACT_BAD_ARGUMENT && B == NULL);
    assert_everywhere_msg(is_one_line(ompfact_message(grid)) && strstr(ompfact_message(grid), folder) != NULL, "%s",
                          ompfact_message(grid));
}

START_TEST(damaged)
{
    ompfact_grid *grid = grid_over(MPI_COMM_WORLD);
    struct problem p = square('z', true, 3 * NB + 1), general = square('d', false, 3 * NB + 1);
    begin();
    assert_refused(grid, kept.place);
    ompfact_matrix *A = factor_of(grid, &p, "g2dbc"), *B;
    assert_everywhere(ompfact_save(A, kept.place) == OMPFACT_SUCCESS);
    for (int file = 0, all = files(); file < all; file++) {
        damage(file);
        assert_refused(grid, kept.place);
        damage(file);
        assert_everywhere_msg(ompfact_load(grid, kept.place, &B) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
        ompfact_matrix_destroy(&B);
    }
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 60 };
    ompfact_shape shape = shape_of(&general, NB, "2dbc");
    int64_t info;
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS);
    B = new_matrix(grid, &shape);
    fill(B, &general);
    assert_everywhere(ompfact_getrf(B, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_save(B, kept.place) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&B);
    assert_refused(grid, kept.place);
    assert_everywhere(ompfact_checkpoint(grid, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_save(A, "/dev/null/factor") == OMPFACT_BAD_ARGUMENT);
    assert_everywhere_msg(strstr(ompfact_message(grid), "/dev/null/factor") != NULL, "%s", ompfact_message(grid));
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    end();
}
END_TEST

static Suite *saved_suite(void)
{
    Suite *suite = suite_create("saved");
    TCase *tests = tcase_create("saved");
    add_turns(tests, ranks_change, 8, 3);
    tcase_add_test(tests, other_factors_and_checkpoints);
    tcase_add_test(tests, damaged);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, saved_suite());
}
