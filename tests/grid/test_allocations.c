/* Any allocation of a rank fails in a call: all ranks return the same status and a message, none waits for ever, nothing is left
   over, and after a positive status contents are unchanged. */
#include "src/process/launcher.h"
#include "tests/grid/failing_calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

enum { SAMPLES = 24, SAMPLES_OF_MANY = 6 };      /* SAMPLES: on one rank; SAMPLES_OF_MANY: on several */

/* ---- grids, layouts, matrices ---------------------------------------------------------------------------------------------- */

static const ompfact_options grids[] = {
    { .threads = 2 },
    { .copy_on_node = true, .pin_threads = true },
    { .threads = 1, .devices = 2, .device_backend = "host", .host_share = -1 },
    { .threads = 1, .devices = 1, .device_backend = "portable" },
};

static void run_grid(const void *what, const char *name, struct point p)
{
    ompfact_grid *grid;
    char message[OMPFACT_MESSAGE] = "";
    begin_failing(p);
    ompfact_status status = ompfact_grid_create(MPI_COMM_WORLD, what, &grid, message);
    end_failing(p);
    check_status(point_name(name, p), status, message);
    assert_everywhere((status == OMPFACT_SUCCESS) == (grid != NULL));
    ompfact_grid_destroy(&grid);
}

static const char *const layouts[] = { "2dbc", "g2dbc", "sbc", "sbc:basic", "gcrm:seeds=2", "design", "1d1d", "1d1d-c", "1d1d-cs",
                                       "auto", "bch", "bce", "rs", "rsp" };
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/* Local: ranks may do different things. */
static void run_pattern(const void *what, const char *name, struct point p)
{
    ompfact_pattern *pattern = NULL;
    char message[OMPFACT_MESSAGE] = "";
    begin_failing(p);
    ompfact_status status = ompfact_pattern_create(what, strcmp(what, "sbc:basic") == 0 ? 8 : 10, &pattern, message);
    end_failing(p);
    assert_everywhere_msg(status == OMPFACT_SUCCESS || status == OMPFACT_NO_MEMORY, "%s: status %d: %s", point_name(name, p),
                          status, message);
    assert_everywhere_msg(status == OMPFACT_SUCCESS || is_one_line(message), "%s", point_name(name, p));
    ompfact_pattern_destroy(&pattern);
}

static ompfact_status make_all(ompfact_grid *grid, const ompfact_shape *shape, ompfact_matrix *made[3])
{
    ompfact_status status = ompfact_matrix_create(grid, shape, &made[0]);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_matrix_create_like(made[0], &made[1]);
    return status != OMPFACT_SUCCESS ? status : ompfact_matrix_create_rhs(made[0], 3, &made[2]);
}

static void run_matrix(const void *what, const char *name, struct point p)
{
    const char *layout = what;
    bool cholesky = strcmp(layout, "sbc") == 0 || strncmp(layout, "gcrm", 4) == 0 || strcmp(layout, "design") == 0;
    bool unequal = strncmp(layout, "1d1d", 4) == 0, uneven = strncmp(layout, "bc", 2) == 0 || strncmp(layout, "rs", 2) == 0;
    struct problem problem = { .type = 'd', .hermitian = cholesky, .m = 6 * NB, .n = 6 * NB };
    double speeds[64], weights[36];
    for (int i = 0; i < 64; i++)
        speeds[i] = 1 + i % 3;
    for (int i = 0; i < 36; i++)
        weights[i] = 1 + i % 5;
    ompfact_shape shape = shape_of(&problem, NB, layout);
    shape.speeds = unequal ? speeds : NULL;
    shape.weights = uneven ? weights : NULL;
    if (shared == NULL)
        shared = new_grid((ompfact_options){ .threads = 1, .typical_rates = true });
    ompfact_matrix *made[3] = { NULL, NULL, NULL };
    begin_failing(p);
    ompfact_status status = make_all(shared, &shape, made);
    end_failing(p);
    check_status(point_name(name, p), status, ompfact_message(shared));
    for (int i = 2; i >= 0; i--)
        ompfact_matrix_destroy(&made[i]);
}

/* Counts, predicted weights, and a default tile size and largest rank. */
static void smooth_element(void *context, int64_t i, int64_t j, void *value)
{
    *(double *)value = creal(smooth_entry(context, i, j));
}

static void run_open_questions(const void *what, const char *name, struct point p)
{
    (void)what;
    struct smooth s = smooth_problem('d', false, false, 6 * NB);
    ompfact_shape open = shape_of(&s.p, 0, "auto"), shape = shape_of(&s.p, NB, "auto");
    shape.accuracy = open.accuracy = 1e-3;
    double weights[36];
    ompfact_layout_counts counts;
    char message[OMPFACT_MESSAGE] = "";
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .typical_rates = true });
    ompfact_matrix *A = NULL;
    begin_failing(p);
    ompfact_status status = ompfact_predict_weights(grid, &shape, smooth_element, &s, weights);
    if (status == OMPFACT_SUCCESS)
        status = ompfact_matrix_create(grid, &open, &A);
    ompfact_status counted = ompfact_layout_count(&shape, all_ranks_count(), &counts, message);
    if (counted == OMPFACT_SUCCESS)
        counted = ompfact_layout_count_qr(&shape, all_ranks_count(), OMPFACT_TREE_AUTO, 0, &counts, message);
    end_failing(p);
    check_status(point_name(name, p), status, ompfact_message(grid));
    assert_everywhere_msg(counted == OMPFACT_SUCCESS || ((counted == OMPFACT_NO_MEMORY) && is_one_line(message)),
                          "%s: status %d: %s", point_name(name, p), counted, message);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}

/* ---- checkpoints ----------------------------------------------------------------------------------------------------------- */

static char folder[64];

static void remove_folder(void)
{
    DIR *all = my_rank() == 0 ? opendir(folder) : NULL;
    for (const struct dirent *one; all != NULL && (one = readdir(all)) != NULL;)
        if (one->d_name[0] != '.')
            unlinkat(dirfd(all), one->d_name, 0);
    if (all != NULL)
        closedir(all);
    if (my_rank() == 0)
        rmdir(folder);
    everywhere(true);
}

struct seen {
    atomic_int checkpoints, failures;
};

static void note_checkpoint(void *context, int step, const char *failure)
{
    struct seen *seen = context;
    (void)step;
    atomic_fetch_add(failure != NULL ? &seen->failures : &seen->checkpoints, 1);
}

static const struct saved {
    const char *name;
    bool hermitian, qr, indefinite;
    ompfact_pivot pivot;
} saved[] = {
    { .name = "potrf", .hermitian = true },
    { .name = "getrf", .pivot = OMPFACT_PIVOT_PARTIAL },
    { .name = "geqrf", .qr = true },
    { .name = "hetrf", .hermitian = true, .indefinite = true },
};
enum { SAVED = sizeof saved / sizeof saved[0] };

/* Creates the matrix on a grid of its own, which owns the checkpoints. */
static ompfact_matrix *new_saved(const struct saved *s, struct problem *p, ompfact_grid **grid)
{
    *p = (struct problem){ .type = 'd', .hermitian = s->hermitian, .pivots = s->pivot == OMPFACT_PIVOT_PARTIAL,
                           .m = 6 * NB, .n = 6 * NB };
    *grid = new_grid((ompfact_options){ .threads = 2, .pivot = s->pivot, .testing = &(ompfact_testing){ .jitter_us = 100 } });
    ompfact_shape shape = shape_of(p, NB, "g2dbc");
    ompfact_matrix *A = new_matrix(*grid, &shape);
    fill(A, p);
    return A;
}

static ompfact_status factor(const struct saved *s, ompfact_matrix *A)
{
    int64_t info = 0;
    if (s->indefinite)
        return ompfact_hetrf(A, &info);
    return s->qr ? ompfact_geqrf(A) : s->hermitian ? ompfact_potrf(A, &info) : ompfact_getrf(A, &info);
}

/* The callback of checkpoints gets at most one message, on the first rank, that one could not be written. */
static void run_saved(const void *what, const char *name, struct point p)
{
    const struct saved *s = what;
    struct problem problem;
    ompfact_grid *grid;
    struct seen seen = { 0 };
    ompfact_checkpoints how = { .folder = folder, .interval_s = 0.002, .about = "mine", .tell = note_checkpoint,
                                .tell_context = &seen };
    ompfact_matrix *A = new_saved(s, &problem, &grid);
    begin_failing(p);
    ompfact_status begun = ompfact_checkpoint(grid, &how);
    ompfact_status status = factor(s, A);
    end_failing(p);
    assert_everywhere_msg(agreed(begun) && (begun >= 0), "%s: status %d: %s", point_name(name, p), begun, ompfact_message(grid));
    check_status(point_name(name, p), status, ompfact_message(grid));
    int failures = seen.failures, checkpoints = seen.checkpoints;
    assert_everywhere_msg(failures <= 1 && checkpoints <= 1, "%s: reports of %d failures, %d checkpoints", point_name(name, p),
                          failures, checkpoints);
    bool reported = my_rank() != 0 || begun != OMPFACT_SUCCESS || status != OMPFACT_SUCCESS || checkpoints + failures > 0;
    assert_everywhere_msg(reported, "%s: no checkpoint, and no message", point_name(name, p));
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    remove_folder();
}

/* Restarts from a checkpoint that was written without failures. */
static void run_restart(const void *what, const char *name, struct point p)
{
    const struct saved *s = what;
    struct problem problem;
    ompfact_grid *grid;
    ompfact_restarted read = { .step = -1 };
    char why[OMPFACT_MESSAGE] = "";
    ompfact_checkpoints how = { .folder = folder, .interval_s = 0.002 };
    ompfact_matrix *A = new_saved(s, &problem, &grid);
    assert_everywhere(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS && factor(s, A) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_checkpoint(grid, NULL) == OMPFACT_SUCCESS);
    begin_failing(p);
    ompfact_status known = ompfact_restart_read(folder, NB, &read, why);
    ompfact_status found = ompfact_restart(grid, folder), status = factor(s, A);
    end_failing(p);
    assert_everywhere_msg(known == OMPFACT_SUCCESS || is_one_line(why), "%s: status %d: '%s'", point_name(name, p), known, why);
    assert_everywhere_msg(agreed(found) && found >= 0, "%s: status %d", point_name(name, p), found);
    assert_everywhere_msg(agreed(status), "%s: status %d: %s", point_name(name, p), status, ompfact_message(grid));
    assert_everywhere_msg(status == OMPFACT_SUCCESS || is_one_line(ompfact_message(grid)), "%s: status %d: '%s'",
                          point_name(name, p), status, ompfact_message(grid));
    ompfact_restarted_forget(&read);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    remove_folder();
}

/* ---- the suite
   --------------------------------------------------------------------------------------------------------------- */

enum { GRIDS = sizeof grids / sizeof grids[0], TRIALS = GRIDS + 2 * LAYOUTS + 1 + CALLS + 2 * SAVED };
static struct trial trials[TRIALS];
static char trial_names[TRIALS][64];

/* Runs once before all trials: libraries that a process loads for devices stay loaded. */
START_TEST(any_allocation)
{
    ompfact_grid_destroy(&shared);      /* left by a trial that failed */
    long number = my_rank() == 0 ? (long)getpid() : 0;
    reduce(&number, 1, MPI_LONG, MPI_SUM);
    snprintf(folder, sizeof folder, "/tmp/ompfact-allocations-%ld", number);
    trials[_i].run(trials[_i].what, trials[_i].name, (struct point){ .rank = -1 });
    try_points(&trials[_i], all_ranks_count() == 1 ? SAMPLES : SAMPLES_OF_MANY);
    ompfact_grid_destroy(&shared);
}
END_TEST

/* Four ranks are made two nodes. Then only calls that differ from those on one node are tried, because it takes long. */
static bool on_nodes(void)
{
    return launcher_size() == 4;
}

static bool goes_between_nodes(const char *trial)
{
    static const char *const trials_on_nodes[] = { "grid ", "getrf, partial", "geqrf", "potrs", "saved getrf", "restart potrf" };
    bool goes = false;
    for (size_t i = 0; i < sizeof trials_on_nodes / sizeof trials_on_nodes[0]; i++)
        goes |= strcmp(trial, trials_on_nodes[i]) == 0;
    return goes;
}

/* Adds a case for each trial, so that CK_RUN_CASE can select it. */
static void add_trial(Suite *suite, void (*run)(const void *, const char *, struct point), const void *what, const char *kind,
                      const char *name)
{
    static int count;
    snprintf(trial_names[count], sizeof trial_names[count], "%s%s", kind, name);
    if (on_nodes() && getenv("CK_RUN_CASE") == NULL && !goes_between_nodes(trial_names[count]))
        return;
    trials[count] = (struct trial){ .name = trial_names[count], .run = run, .what = what };
    TCase *test = tcase_create(trial_names[count]);
    tcase_add_loop_test(test, any_allocation, count, count + 1);
    suite_add_tcase(suite, test);
    count++;
}

static Suite *allocations_suite(void)
{
    static const char *const kinds[] = { "", "copies", "host devices", "portable devices" };
    Suite *suite = suite_create("allocations");
    for (int i = 0; i < GRIDS; i++)
        add_trial(suite, run_grid, &grids[i], "grid ", kinds[i]);
    for (int i = 0; i < LAYOUTS; i++) {
        if (strncmp(layouts[i], "1d1d", 4) != 0 && strcmp(layouts[i], "auto") != 0 && i < 10)
            add_trial(suite, run_pattern, layouts[i], "pattern ", layouts[i]);
        if (strcmp(layouts[i], "sbc:basic") != 0)       /* needs an even number of ranks */
            add_trial(suite, run_matrix, layouts[i], "matrix ", layouts[i]);
    }
    add_trial(suite, run_open_questions, NULL, "open questions", "");
    for (int i = 0; i < CALLS; i++)
        add_trial(suite, run_call, &calls[i], "", calls[i].name);
    for (int i = 0; i < SAVED; i++) {
        add_trial(suite, run_saved, &saved[i], "saved ", saved[i].name);
        add_trial(suite, run_restart, &saved[i], "restart ", saved[i].name);
    }
    return suite;
}

int main(int argc, char **argv)
{
    if (on_nodes())
        setenv("OMPFACT_TEST_NODES", "2", 1);
    return run_suite(argc, argv, allocations_suite());
}
