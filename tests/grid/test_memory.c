/* Where memory runs out: runs that find none for their tasks go on with what they have,
   and calls that fail leave what their status says. */
#include "omp/reserve.h"
#include "tests/fixtures.h"

#include <omp.h>

enum { NB = 20, N = 8 * NB + 7 };    /* no kernel's workspace is as large as a task or a publication */

/* ---- an allocator that fails ----------------------------------------------------------------------------------------------- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

static atomic_bool tasks_fail;      /* there is no memory for a task, nor for a publication */
static atomic_int failures, left;   /* left: allocations until one fails, if it is not negative */

/* By what is asked for, and by a thread of a run. */
static bool is_for_a_task(size_t bytes)
{
    size_t one = sizeof(int) + sizeof(uint32_t), behind = bytes - sizeof(struct rma_publication);
    return omp_get_level() > 0 &&
           (bytes == sizeof(struct task) ||
            (bytes > sizeof(struct rma_publication) && behind % one == 0 && behind / one < (size_t)all_ranks_count()));
}

static bool fails(bool now)
{
    if (atomic_load(&left) >= 0)
        now |= atomic_fetch_sub(&left, 1) == 0;
    failures += now;
    return now;
}

void *__wrap_malloc(size_t bytes)
{
    return fails(atomic_load(&tasks_fail) && is_for_a_task(bytes)) ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails(false) ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return fails(false) ? NULL : __real_realloc(memory, bytes);
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

/* Where no task and no publication gets memory, on one rank or on all,
   factorizations go on with what was kept for them, and are right. */
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

/* ---- in a call ------------------------------------------------------------------------------------------------------------- */

/* What calls are tried on. */
struct objects {
    struct problem p;
    ompfact_matrix *A, *B, *F, *C, *X;      /* F: a copy of A, for factors; C: one of B */
    int64_t info;
};

static ompfact_status call_potrf(struct objects *o) { return ompfact_potrf(o->A, &o->info); }
static ompfact_status call_getrf(struct objects *o) { return ompfact_getrf(o->A, &o->info); }
static ompfact_status call_geqrf(struct objects *o) { return ompfact_geqrf(o->A); }
static ompfact_status call_posv(struct objects *o) { return ompfact_posv(o->A, o->B, &o->info); }
static ompfact_status call_gesv(struct objects *o) { return ompfact_gesv(o->A, o->B, &o->info); }
static ompfact_status call_gels(struct objects *o) { return ompfact_gels(o->A, o->B, &o->X, &o->info); }
static ompfact_status call_getrs(struct objects *o) { return ompfact_getrs(o->F, o->B); }
static ompfact_status call_unmqr(struct objects *o) { return ompfact_unmqr(o->F, true, o->B); }
static ompfact_status call_ungqr(struct objects *o) { return ompfact_ungqr(o->F, o->A); }
static ompfact_status call_refined(struct objects *o)
{
    int iterations;
    return ompfact_gesv_refined(o->A, o->B, &o->info, &iterations);
}
static ompfact_status call_factors_ratio(struct objects *o)
{
    double ratio;
    return ompfact_residual_factors(o->A, o->F, &ratio);
}
static ompfact_status call_solve_ratio(struct objects *o)
{
    double ratio;
    return ompfact_residual_solve(o->A, o->C, o->B, &ratio);
}
static ompfact_status call_trsm(struct objects *o)
{
    return ompfact_trsm(OMPFACT_LEFT, OMPFACT_UPPER, OMPFACT_TRANS, false, 2, 0, o->A, o->B);
}
static ompfact_status call_trtri(struct objects *o) { return ompfact_trtri(o->A, false, &o->info); }
static ompfact_status call_potri(struct objects *o) { return ompfact_potri(o->F, &o->info); }
static ompfact_status call_getri(struct objects *o) { return ompfact_getri(o->F, &o->info); }
static ompfact_status call_redistribute(struct objects *o) { return ompfact_redistribute(o->A, o->F); }

static const struct {
    const char *name;
    bool hermitian, wide;
    ompfact_refinement refinement;
    char factors;               /* in F: of LU or Cholesky, of QR; 0: none */
    ompfact_status (*call)(struct objects *o);
} calls[] = {
    { .name = "potrf", .hermitian = true, .call = call_potrf },
    { .name = "getrf", .call = call_getrf },
    { .name = "geqrf", .call = call_geqrf },
    { .name = "posv", .hermitian = true, .call = call_posv },
    { .name = "gesv", .call = call_gesv },
    { .name = "gels", .call = call_gels },
    { .name = "gels, wide", .wide = true, .call = call_gels },
    { .name = "gesv_refined", .call = call_refined },
    { .name = "gesv_refined, GMRES", .refinement = OMPFACT_REFINE_GMRES, .call = call_refined },
    { .name = "getrs", .factors = 'L', .call = call_getrs },
    { .name = "unmqr", .factors = 'Q', .call = call_unmqr },
    { .name = "ungqr", .factors = 'Q', .call = call_ungqr },
    { .name = "residual_factors", .factors = 'L', .call = call_factors_ratio },
    { .name = "residual_solve", .call = call_solve_ratio },
    { .name = "trsm", .call = call_trsm },
    { .name = "trtri", .hermitian = true, .call = call_trtri },
    { .name = "potri", .hermitian = true, .factors = 'L', .call = call_potri },
    { .name = "getri", .factors = 'L', .call = call_getri },
    { .name = "redistribute", .call = call_redistribute },
};
enum { CALLS = sizeof calls / sizeof calls[0], SMALL = 8 };

/* I - (1 - 10^-10) h h^T, h = (1, 2, ..., 24) / 70 of length one: factors in single precision alone do not do. */
static void nearly_singular(void *context, int64_t i, int64_t j, void *value)
{
    (void)context;
    *(double *)value = (i == j) - (1 - 1e-10) * (double)((i + 1) * (j + 1)) / 4900;
}

static void create_objects(ompfact_grid *grid, int call, struct objects *o)
{
    *o = (struct objects){ .p = { .type = 'd', .hermitian = calls[call].hermitian, .pivots = !calls[call].hermitian,
                                  .m = 3 * SMALL, .n = calls[call].wide ? 4 * SMALL : 3 * SMALL } };
    ompfact_shape shape = shape_of(&o->p, SMALL, "g2dbc");
    o->A = new_matrix(grid, &shape);
    o->F = new_like(o->A);
    o->B = new_rhs(o->A, SMALL + 1);
    o->C = new_rhs(o->A, SMALL + 1);
    fill(o->A, &o->p);
    fill(o->F, &o->p);
    if (calls[call].refinement == OMPFACT_REFINE_GMRES)
        assert_everywhere(ompfact_fill_entries(o->A, nearly_singular, NULL) == OMPFACT_SUCCESS);
    fill_rhs(o->B, &o->p);
    fill_rhs(o->C, &o->p);
    if (calls[call].factors != 0)
        assert_everywhere((calls[call].factors == 'Q' ? ompfact_geqrf(o->F)
                           : calls[call].hermitian    ? ompfact_potrf(o->F, &o->info)
                                                      : ompfact_getrf(o->F, &o->info)) == OMPFACT_SUCCESS);
}

static void destroy_objects(struct objects *o)
{
    ompfact_matrix_destroy(&o->X);
    ompfact_matrix_destroy(&o->C);
    ompfact_matrix_destroy(&o->B);
    ompfact_matrix_destroy(&o->F);
    ompfact_matrix_destroy(&o->A);
}

/* The contents of A, F and B. Collective. */
struct contents {
    number *data[3];
    size_t count[3];
};

static struct contents contents_of(const struct objects *o)
{
    ompfact_matrix *const matrices[] = { o->A, o->F, o->B };
    struct contents c;
    for (int i = 0; i < 3; i++) {
        c.data[i] = gather(matrices[i], NULL);
        c.count[i] = (size_t)ompfact_rows(matrices[i]) * (size_t)ompfact_cols(matrices[i]);
    }
    return c;
}

static bool equal(const struct contents *a, const struct contents *b)
{
    bool same = true;
    for (int i = 0; i < 3; i++)
        same = same && memcmp(a->data[i], b->data[i], a->count[i] * sizeof *a->data[i]) == 0;
    return same;
}

static void forget(struct contents *c)
{
    for (int i = 0; i < 3; i++)
        free(c->data[i]);
}

/* One call in which the k-th allocation of the last rank fails. False: there are not so many. */
static bool fails_well(ompfact_grid *grid, int call, int k)
{
    struct objects o;
    create_objects(grid, call, &o);
    struct contents before = contents_of(&o);
    failures = 0;
    left = my_rank() == all_ranks_count() - 1 ? k : -1;
    ompfact_status status = calls[call].call(&o);
    left = -1;
    struct contents after = contents_of(&o);
    bool same = equal(&before, &after);
    int failed = failures;
    reduce(&failed, 1, MPI_INT, MPI_MAX);
    forget(&before);
    forget(&after);
    assert_everywhere_msg(agreed(status), "%s, allocation %d: status %d on this rank", calls[call].name, k, status);
    assert_everywhere_msg(status == OMPFACT_SUCCESS || status == OMPFACT_NO_MEMORY || status == OMPFACT_OUT_OF_MEMORY,
                          "%s, allocation %d: status %d", calls[call].name, k, status);
    assert_everywhere_msg(status <= 0 || same, "%s, allocation %d: status %d, but contents have changed: %s", calls[call].name, k,
                          status, ompfact_message(grid));
    destroy_objects(&o);
    return failed > 0;
}

/* Whichever allocation of a rank fails in a call, the ranks agree on what happened, and a positive status leaves contents as they
   were. All are tried on one rank, of GMRES the first ones, and some on more. */
START_TEST(any_allocation)
{
    enum { MOST = 2000 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .pivot = OMPFACT_PIVOT_TOURNAMENT,
                                                     .refinement = calls[_i].refinement });
    int some = all_ranks_count() == 1 ? 1 : 7, k = _i % some;
    while (k < MOST && fails_well(grid, _i, k))
        k += some;
    assert_everywhere_msg(k > 0 && (k < MOST || calls[_i].refinement == OMPFACT_REFINE_GMRES), "%s: %d allocations",
                          calls[_i].name, k);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *memory_suite(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    tcase_add_loop_test(tests, no_memory_for_tasks, 0, 2 * RUNS);
    tcase_add_loop_test(tests, any_allocation, 0, CALLS);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    atomic_init(&left, -1);
    return run_suite(argc, argv, memory_suite());
}
