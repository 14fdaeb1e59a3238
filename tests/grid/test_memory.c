/* Memory runs out during a run: a run without memory for more tasks continues with reserved ones. */
#include "omp/reserve.h"
#include "tests/fixtures.h"

#include <omp.h>

enum { NB = 20, N = 8 * NB + 7 };    /* no kernel's workspace has the size of a task or a publication */

/* ---- an allocator that fails ----------------------------------------------------------------------------------------------- */

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static atomic_bool tasks_fail;      /* there is no memory for a task or a publication */
static atomic_int failures;

/* Whether this allocation fails: by its size, and only on a thread of a run. */
static bool fails(bool is_it)
{
    bool fails = atomic_load(&tasks_fail) && omp_get_level() > 0 && is_it;
    failures += fails;
    return fails;
}

static bool is_for_a_publication(size_t bytes)
{
    size_t one = sizeof(int) + sizeof(uint32_t), behind = bytes - sizeof(struct rma_publication);
    return bytes > sizeof(struct rma_publication) && behind % one == 0 && behind / one < (size_t)all_ranks_count();
}

void *__wrap_malloc(size_t bytes)
{
    return fails(is_for_a_publication(bytes)) ? NULL : __real_malloc(bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return fails(bytes == sizeof(struct task_block)) ? NULL : __real_aligned_alloc(alignment, bytes);
}

/* ---- in a run -------------------------------------------------------------------------------------------------------------- */

static const struct {
    bool hermitian, qr;
    ompfact_options options;
} runs[] = {
    { .hermitian = true },
    { .hermitian = true, .options = { .copy_on_node = true, .bcast = OMPFACT_BCAST_BINOMIAL, .threads = 2 } },
    { .options = { .pivot = OMPFACT_PIVOT_NONE, .copy_on_node = true, .bcast = OMPFACT_BCAST_CHAIN,
                   .schedule = OMPFACT_STATIC } },
    { .options = { .pivot = OMPFACT_PIVOT_TOURNAMENT, .threads = 2 } },
    { .options = { .pivot = OMPFACT_PIVOT_PARTIAL, .copy_on_node = true } },
    { .options = { .pivot = OMPFACT_PIVOT_TOURNAMENT, .copy_on_node = true, .schedule = OMPFACT_BASIC } },
    { .qr = true, .options = { .copy_on_node = true, .threads = 2 } },
    { .qr = true },
};
enum { RUNS = sizeof runs / sizeof runs[0] };

static ompfact_status factor(int run, ompfact_matrix *A, int64_t *info)
{
    *info = 0;
    return runs[run].qr ? ompfact_geqrf(A) : runs[run].hermitian ? ompfact_potrf(A, info) : ompfact_getrf(A, info);
}

/* If no task and no publication gets memory, on one rank or on all, factorizations continue with the reserve, and are right. */
START_TEST(no_memory_for_tasks)
{
    int run = _i / 2;
    bool all = _i % 2;
    ompfact_options options = runs[run].options;
    options.threads = options.threads > 0 ? options.threads : 1;
    ompfact_grid *grid = new_grid(options);
    bool pivots = runs[run].qr || (!runs[run].hermitian && options.pivot != OMPFACT_PIVOT_NONE);
    struct problem p = { .type = 'd', .hermitian = runs[run].hermitian, .m = N, .n = N, .pivots = pivots };
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    ompfact_matrix *F = new_matrix(grid, &shape), *A = new_like(F);
    int64_t info;
    double ratio = INFINITY;
    fill(A, &p);
    fill(F, &p);
    failures = 0;
    tasks_fail = all || my_rank() == all_ranks_count() - 1;
    ompfact_status status = factor(run, F, &info);
    bool expected = tasks_fail;
    tasks_fail = false;
    assert_everywhere_msg(status == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
    assert_everywhere_msg(!expected || failures > 0, "nothing failed");
    assert_everywhere((runs[run].qr ? ompfact_residual_qr : ompfact_residual_factors)(A, F, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_report report = ompfact_last_report(F);
    assert_everywhere(report.transfers == report.transfers_predicted);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *memory_suite(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    add_turns(tests, no_memory_for_tasks, 2 * RUNS, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, memory_suite());
}
