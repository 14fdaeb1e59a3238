/* MPI_THREAD_FUNNELED: a grid of several threads factors and solves, and only the main thread enters MPI. */
#include "tests/fixtures.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_t caller;
static atomic_int calls, strangers;

static void note_caller(void)
{
    atomic_fetch_add(&calls, 1);
    if (!pthread_equal(caller, pthread_self()))
        atomic_fetch_add(&strangers, 1);
}

/* The calls of a run, caught by MPI's profiling interface. */
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    note_caller();
    return PMPI_Iprobe(source, tag, comm, flag, status);
}

int MPI_Win_sync(MPI_Win window)
{
    note_caller();
    return PMPI_Win_sync(window);
}

int MPI_Rget(void *origin, int origin_count, MPI_Datatype origin_type, int target_rank, MPI_Aint target_disp, int target_count,
             MPI_Datatype target_type, MPI_Win window, MPI_Request *request)
{
    note_caller();
    return PMPI_Rget(origin, origin_count, origin_type, target_rank, target_disp, target_count, target_type, window, request);
}

int MPI_Accumulate(const void *origin, int origin_count, MPI_Datatype origin_type, int target_rank, MPI_Aint target_disp,
                   int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win window)
{
    note_caller();
    return PMPI_Accumulate(origin, origin_count, origin_type, target_rank, target_disp, target_count, target_type, op, window);
}

int MPI_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses)
{
    note_caller();
    return PMPI_Testsome(count, requests, done, indices, statuses);
}

int MPI_Win_flush_local_all(MPI_Win window)
{
    note_caller();
    return PMPI_Win_flush_local_all(window);
}

/* Tiles are copied, broadcast along chains, with random delays, so every rank needs MPI all the time. */
static ompfact_grid *new_funneled_grid(void)
{
    return new_grid((ompfact_options){ .threads = 3, .copy_on_node = true, .bcast = OMPFACT_BCAST_CHAIN,
                                       .pivot = OMPFACT_PIVOT_TOURNAMENT,
                                       .testing = &(ompfact_testing){ .jitter_us = 200 } });
}

static double ratio_of_solve(ompfact_grid *grid, const struct problem *p)
{
    ompfact_matrix *A = new_matrix(grid, &(ompfact_shape){ .m = p->m, .n = p->n, .nb = 16, .layout = "2dbc" });
    ompfact_matrix *F = new_like(A), *B = new_rhs(A, 5), *X = new_rhs(F, 5);
    int64_t info = -1;
    double ratio = 1e300;
    fill(A, p);
    fill(F, p);
    fill_rhs(B, p);
    fill_rhs(X, p);
    assert_everywhere(ompfact_gesv(F, X, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&A);
    return ratio;
}

START_TEST(one_thread_calls)
{
    const struct problem p = { .type = 'd', .m = 150, .n = 150, .seed = 1 };
    caller = pthread_self();
    ompfact_grid *grid = new_funneled_grid();
    double ratio = ratio_of_solve(grid, &p);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    assert_everywhere_msg(strangers == 0 && (all_ranks_count() == 1 || calls > 100), "%d calls, %d by other threads", (int)calls,
                          (int)strangers);
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    int level;
    setenv("KMP_BLOCKTIME", "0", 0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    Suite *suite = suite_create("funneled");
    TCase *tests = tcase_create("one thread in MPI");
    tcase_add_test(tests, one_thread_calls);
    suite_add_tcase(suite, tests);
    return level == MPI_THREAD_FUNNELED ? run_suite(argc, argv, suite) : 77;
}
