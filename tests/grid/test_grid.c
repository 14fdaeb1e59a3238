/* Grids: their properties, refused options, communicators, and reports of runs. */
#include "src/process/launcher.h"
#include "tests/fixtures.h"

enum { NB = 16 };

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
    assert_everywhere(grid == NULL);
}

/* A grid has its numbers of ranks and threads; NULL can be destroyed. */
START_TEST(grid_facts)
{
    ompfact_grid *nothing = NULL;
    ompfact_grid_destroy(&nothing);
    assert_everywhere(ompfact_rank(grid) == my_rank() && ompfact_ranks(grid) == all_ranks_count());
    assert_everywhere(ompfact_threads(grid) == 2);
    assert_everywhere(ompfact_ranks_on_node(grid) >= 1 && ompfact_ranks_on_node(grid) <= all_ranks_count());
    assert_everywhere((ompfact_between_nodes(grid)[0] == '\0') == (ompfact_reads_proceed(grid) == -1));
    assert_everywhere((ompfact_between_nodes(grid)[0] == '\0') == (ompfact_ranks_on_node(grid) == all_ranks_count()));
    assert_everywhere(ompfact_blas_kernels(grid) != NULL && strlen(ompfact_blas_kernels(grid)) < 32);
    assert_everywhere(ompfact_barrier(grid) == OMPFACT_SUCCESS);
}
END_TEST

/* The header's version, as numbers and as text, is the library's. The library reports how it was built and its libraries. */
START_TEST(version_and_build)
{
    char numbers[32], text[OMPFACT_MESSAGE];
    int rows = 0;
    snprintf(numbers, sizeof numbers, "%d.%d.%d", OMPFACT_VERSION_MAJOR, OMPFACT_VERSION_MINOR, OMPFACT_VERSION_PATCH);
    ck_assert_str_eq(numbers, OMPFACT_VERSION);
    ck_assert_str_eq(numbers, ompfact_version());
    ck_assert_str_eq(numbers, ompfact_build()->value);
    for (const ompfact_build_fact *fact = ompfact_build(); fact->name != NULL; fact++, rows++)
        ck_assert_msg(fact->value[0] != '\0' || strcmp(fact->name, "commit") == 0, "%s is not known", fact->name);
    ck_assert_int_ge(rows, 8);
    ck_assert_msg(strspn(ompfact_commit(), "0123456789abcdef") % 12 == 0, "%s", ompfact_commit());
    ompfact_mpi_version(text);
    ck_assert_msg(is_one_line(text) && strpbrk(text, "0123456789\t") != NULL, "%s", text);
    ck_assert_str_eq(ompfact_blas_kernels(NULL), ompfact_blas_kernels(grid));
}
END_TEST

/* Without options a grid has at least one thread, and at most as many as there are cores. */
START_TEST(default_grid)
{
    ompfact_grid *g;
    assert_everywhere(ompfact_grid_create(MPI_COMM_WORLD, NULL, &g, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_threads(g) >= 1 && ompfact_threads(g) <= sysconf(_SC_NPROCESSORS_ONLN));
    ompfact_grid_destroy(&g);
}
END_TEST

static void set_variable(const char *name, const char *value)
{
    if (value == NULL)
        unsetenv(name);
    else
        setenv(name, value, 1);
}

/* A process that another MPI's launcher has started with others, and that is alone in MPI_COMM_WORLD, gets an error, unless it
   uses MPI_COMM_SELF. */
START_TEST(other_launcher)
{
    const char *name = "PMI_SIZE", *before = getenv(name);
    char kept[16], message[256] = "";
    ompfact_grid *g;
    snprintf(kept, sizeof kept, "%s", before != NULL ? before : "");
    setenv(name, "4", 1);
    bool alone = all_ranks_count() == 1;
    ompfact_status status = ompfact_grid_create(MPI_COMM_WORLD, NULL, &g, message);
    assert_everywhere(status == (alone ? OMPFACT_BAD_MPI : OMPFACT_SUCCESS) && (g == NULL) == alone);
    assert_everywhere_msg(!alone || (is_one_line(message) && strstr(message, "4 processes") != NULL), "\"%s\"", message);
    ompfact_grid_destroy(&g);
    assert_everywhere(ompfact_grid_create(MPI_COMM_SELF, NULL, &g, message) == OMPFACT_SUCCESS);
    ompfact_grid_destroy(&g);
    set_variable(name, before != NULL ? kept : NULL);
}
END_TEST

/* If Open MPI's launcher reports more ranks than cores, waits yield, unless the user has set the variable. */
START_TEST(waits_yield)
{
    static const struct { const char *ranks, *before, *after; } cases[] = {
        { NULL, NULL, NULL }, { "1", NULL, NULL }, { "1000000", NULL, "1" }, { "1000000", "0", "0" },
    };
    const char *names[] = { "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_MCA_mpi_yield_when_idle" };
    char *kept[2];
    for (int i = 0; i < 2; i++)
        kept[i] = getenv(names[i]) != NULL ? strdup(getenv(names[i])) : NULL;
    set_variable(names[0], cases[_i].ranks);
    set_variable(names[1], cases[_i].before);
    launcher_let_yield();
    const char *after = getenv(names[1]);
    bool right = cases[_i].after == NULL ? after == NULL : after != NULL && strcmp(after, cases[_i].after) == 0;
    for (int i = 0; i < 2; i++) {
        set_variable(names[i], kept[i]);
        free(kept[i]);
    }
    assert_everywhere(right);
}
END_TEST

/* Wrong options are refused by all ranks with the same status, even if only the last rank passes them. */
START_TEST(options_refused)
{
    static const ompfact_testing slow = { .jitter_us = -1 };
    static const struct { ompfact_options options; const char *word; } cases[] = {
        { { .threads = -1 }, "threads" },   { { .max_tasks = -1 }, "tasks" }, { { .cache_tiles = -1 }, "cache" },
        { { .testing = &slow }, "delays" }, { { .devices = 99 }, "device" },   { { .devices = -2 }, "device" },
        { { .between_nodes = (ompfact_between)2 }, "between_nodes" }, { { .reserved = { [14] = 1 } }, "reserved" },
        { { .ib = -1 }, ".ib must be from 0 to" }, { { .pivot = (ompfact_pivot)4 }, ".pivot must be from 0 to 3" },
    };
    ompfact_options sound = { .threads = 1 };
    /* programs compiled with this header must run with later libraries: no size or offset may change */
    _Static_assert(sizeof(ompfact_options) == 240 && sizeof(ompfact_shape) == 272 && sizeof(ompfact_report) == 488, "sizes");
    bool wrong_here = my_rank() == all_ranks_count() - 1;
    ompfact_grid *g;
    char message[256];
    ompfact_status status = ompfact_grid_create(MPI_COMM_WORLD, wrong_here ? &cases[_i].options : &sound, &g, message);
    assert_everywhere_msg(status == OMPFACT_BAD_ARGUMENT && g == NULL, "%s", cases[_i].word);
    assert_everywhere_msg(is_one_line(message) && strstr(message, cases[_i].word) != NULL, "\"%s\"", message);
    assert_everywhere(is_one_line(ompfact_message(g)));     /* a program may ask for it before it looks at the grid */
}
END_TEST

/* Options that were not zeroed are refused for that reason, whatever they contain. */
START_TEST(options_never_set)
{
    ompfact_options o;
    ompfact_grid *g;
    char message[OMPFACT_MESSAGE];
    memset(&o, 0xab, sizeof o);
    ompfact_status status = ompfact_grid_create(MPI_COMM_WORLD, &o, &g, message);
    assert_everywhere(status == OMPFACT_BAD_ARGUMENT && g == NULL);
    assert_everywhere_msg(strstr(message, "never zeroed") != NULL, "\"%s\"", message);
}
END_TEST

/* A program may destroy a grid before its matrices, in copies, too: the last of them ends the grid. */
START_TEST(grid_before_its_matrices)
{
    ompfact_grid *g;
    ompfact_matrix *A, *B;
    int64_t info = -1;
    int copies = all_ranks_count() > 1 ? 2 : 1;
    ompfact_shape shape = { .n = 40, .nb = NB, .structure = OMPFACT_HERMITIAN_LOWER, .copies = copies };
    assert_everywhere(ompfact_grid_create(MPI_COMM_WORLD, &(ompfact_options){ .threads = 1 }, &g, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_matrix_create(g, &shape, &A) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_matrix_create_rhs(A, 3, &B) == OMPFACT_SUCCESS);
    ompfact_grid_destroy(&g);
    assert_everywhere(g == NULL);
    fill(A, &(struct problem){ .type = 'd', .hermitian = true, .m = 40, .n = 40, .seed = 3 });
    fill_rhs(B, &(struct problem){ .type = 'd', .m = 40, .n = 3, .seed = 4 });
    assert_everywhere(ompfact_posv(A, B, &info) == OMPFACT_SUCCESS && info == 0);
    ompfact_matrix_destroy(&A);
    assert_everywhere(ompfact_barrier(ompfact_grid_of(B)) == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&B);
}
END_TEST

/* Factors a matrix on a communicator of its own; returns the test ratio. */
static double ratio_on(MPI_Comm comm, const struct problem *p)
{
    ompfact_grid *g;
    ompfact_shape shape = shape_of(p, NB, NULL);
    ompfact_matrix *F = NULL, *A = NULL;
    int64_t info = -1;
    double ratio = INFINITY;
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (ompfact_grid_create(comm, &(ompfact_options){ .threads = 1 }, &g, NULL) != OMPFACT_SUCCESS)
        return INFINITY;
    bool right = ompfact_rank(g) == rank && ompfact_ranks(g) == ranks;
    right = right && ompfact_matrix_create(g, &shape, &F) == OMPFACT_SUCCESS;
    right = right && ompfact_matrix_create_like(F, &A) == OMPFACT_SUCCESS;
    right = right && ompfact_fill_tiles(F, fill_tile, (void *)p) == OMPFACT_SUCCESS;
    right = right && ompfact_fill_tiles(A, fill_tile, (void *)p) == OMPFACT_SUCCESS;
    right = right && ompfact_potrf(F, &info) == OMPFACT_SUCCESS && info == 0;
    right = right && ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS;
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
    ompfact_grid_destroy(&g);
    return right ? ratio : INFINITY;
}

/* Grids work at the same time on halves of the ranks, each rank alone, and in another order. */
START_TEST(other_communicators)
{
    struct problem p = { .type = 'd', .hermitian = true, .m = 4 * NB, .n = 4 * NB, .seed = (unsigned)my_rank() % 2 };
    MPI_Comm half, reverse;
    MPI_Comm_split(MPI_COMM_WORLD, my_rank() % 2, 0, &half);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank(), &reverse);
    double ratio = ratio_on(half, &p);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ratio = ratio_on(MPI_COMM_SELF, &p);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    p.seed = 5;
    ratio = ratio_on(reverse, &p);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    MPI_Comm_free(&reverse);
    MPI_Comm_free(&half);
}
END_TEST

struct progress_line {
    int calls, wrong;
    double last;
};

static void note_progress(void *context, double done)
{
    struct progress_line *p = context;
    p->calls++;
    p->wrong += !(done >= 0 && done < 1 + 1e-9);
    p->last = done;
}

/* The flops of tasks add up to n^3 / 3 and 2 n^3 / 3, four times that if complex, and progress rises from 0 to 1 on every
   rank. */
START_TEST(reports)
{
    bool hermitian = _i % 2;
    struct problem p = { .type = "dz"[_i / 2], .hermitian = hermitian, .m = 6 * NB, .n = 6 * NB };
    struct progress_line progress = { 0 };
    ompfact_grid *g = new_grid((ompfact_options){ .threads = 2, .progress = note_progress, .progress_context = &progress });
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(g, &shape);
    int64_t info;
    fill(A, &p);
    assert_everywhere((hermitian ? ompfact_potrf(A, &info) : ompfact_getrf(A, &info)) == OMPFACT_SUCCESS && info == 0);
    ompfact_report r = ompfact_last_report(A);
    double flops = (hermitian ? 1 : 2) * (p.type == 'z' ? 4 : 1) * pow((double)p.n, 3) / 3;
    assert_everywhere_msg(fabs(r.flops / flops - 1) < 1e-12, "%.17g flops, not %.17g", r.flops, flops);
    assert_everywhere(r.flops_max_over_mean >= 1 && r.flops_max_over_mean <= all_ranks_count());
    assert_everywhere(r.seconds > 0 && r.tasks_peak > 0);
    assert_everywhere(agreed((int64_t)(r.seconds * 1e9)) && agreed(r.tasks_peak));
    assert_everywhere(r.transfer_bytes == r.transfers * NB * NB * (p.type == 'z' ? 16 : 8));
    assert_everywhere(progress.calls > 0 && progress.wrong == 0);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&g);
}
END_TEST

static Suite *grid_suite(void)
{
    Suite *suite = suite_create("grid");
    TCase *tests = tcase_create("grid");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_test(tests, grid_facts);
    tcase_add_test(tests, version_and_build);
    tcase_add_test(tests, default_grid);
    tcase_add_test(tests, other_launcher);
    tcase_add_loop_test(tests, waits_yield, 0, 4);
    tcase_add_loop_test(tests, options_refused, 0, 10);
    tcase_add_test(tests, grid_before_its_matrices);
    tcase_add_test(tests, options_never_set);
    tcase_add_test(tests, other_communicators);
    tcase_add_loop_test(tests, reports, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, grid_suite());
}
