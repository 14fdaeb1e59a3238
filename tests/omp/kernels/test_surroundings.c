/* What kernels share with the program: it may trap floating-point exceptions, and its threads may have small stacks. No MPI. */
#include "omp/kernels/extremes.h"
#include "omp/kernels/micro/packed.h"
#include "omp/kernels/workspace.h"
#include "src/grid/grid.h"
#include "tests/omp/kernels/test_kernels.h"

#include <fenv.h>
#include <pthread.h>

enum { TYPE_LETTERS = 4, WRONG = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

/* Operands of a call, prepared before it: n columns, m >= n rows; A has a dominant diagonal. */
struct operands {
    int m, n, few;
    ompfact_tile A, B, C, T;
    int *swap;
    void *work;
    const struct packed_kernels *packed;
};

static void run_potrf(struct operands *o)
{
    k->potrf(LOWER, o->n, o->A.data, o->A.ld);
}

static void run_potrf_upper(struct operands *o)
{
    k->potrf(UPPER, o->n, o->A.data, o->A.ld);
}

static void run_getrf(struct operands *o)
{
    k->getrf(o->m, o->n, o->A.data, o->A.ld);
}

static void run_solve_right(struct operands *o)
{
    k->trsm(RIGHT, UPPER, NO_TRANS, NON_UNIT, o->m, o->n, o->A.data, o->A.ld, o->B.data, o->B.ld);
}

static void run_solve_left(struct operands *o)
{
    k->trsm(LEFT, LOWER, CONJ_TRANS, NON_UNIT, o->n, o->n, o->A.data, o->A.ld, o->B.data, o->B.ld);
}

static void run_gemm(struct operands *o)
{
    k->gemm(NO_TRANS, NO_TRANS, o->m, o->n, o->n, -1, o->B.data, o->B.ld, o->A.data, o->A.ld, o->C.data, o->C.ld);
}

static void run_gemm_inner(struct operands *o)
{
    k->gemm(CONJ_TRANS, NO_TRANS, o->n, o->n, o->m, -1, o->A.data, o->A.ld, o->B.data, o->B.ld, o->C.data, o->C.ld);
}

static void run_getrf_columns(struct operands *o)
{
    precision->host->getrf_columns(o->m, o->few, o->A.data, o->A.ld, o->swap);
}

static void run_geqrt_columns(struct operands *o)
{
    precision->host->geqrt_columns(o->m, o->few, o->A.data, o->A.ld, o->T.data, o->T.ld);
}

static void run_tpqrt_columns(struct operands *o)
{
    precision->host->tpqrt_columns(o->m, o->few, o->few, o->A.data, o->A.ld, o->B.data, o->B.ld, o->T.data, o->T.ld);
}

static void run_packed_potrf(struct operands *o)
{
    o->packed->potrf(o->n, (struct view){ o->A.data, 1, o->A.ld, false }, o->work);
}

static void run_packed_getrf(struct operands *o)
{
    o->packed->getrf(o->n, o->A.data, o->A.ld, o->work);
}

static void run_packed_solve(struct operands *o)
{
    struct view B = { o->B.data, 1, o->B.ld, false };
    struct triangle U = { { o->A.data, 1, o->A.ld, false }, false };
    o->packed->solve(o->m, o->n, U, B, o->work, NULL, B);
}

static void run_packed_rook(struct operands *o)
{
    struct rook_pivots pivots = { .order = o->swap, .pair = o->swap + o->n, .below = o->C.data };
    o->packed->rook(o->n, (struct view){ o->B.data, 1, o->B.ld, false }, &pivots, o->work);
}

static const struct {
    const char *name;
    void (*run)(struct operands *o);
    bool packed;
} calls[] = {
    { "potrf", run_potrf, false },
    { "potrf of an upper triangle", run_potrf_upper, false },
    { "getrf", run_getrf, false },
    { "trsm from the right", run_solve_right, false },
    { "trsm from the left", run_solve_left, false },
    { "gemm", run_gemm, false },
    { "gemm of long columns", run_gemm_inner, false },
    { "getrf_columns", run_getrf_columns, false },
    { "geqrt_columns", run_geqrt_columns, false },
    { "tpqrt_columns", run_tpqrt_columns, false },
    { "packed potrf", run_packed_potrf, true },
    { "packed getrf", run_packed_getrf, true },
    { "packed solve", run_packed_solve, true },
    { "packed rook pivoting", run_packed_rook, true },
};

static void make_operands(struct operands *o)
{
    o->few = o->n < FEW_COLUMNS ? o->n : FEW_COLUMNS;
    o->A = new_tile(o->m, o->n, 1);
    o->B = new_tile(o->m, o->n, 2);
    o->C = new_tile(o->m, o->n, 3);
    o->T = new_tile(FEW_COLUMNS, FEW_COLUMNS, 4);
    for (int i = 0; i < o->n; i++)
        set(&o->A, i, i, o->n + 2);
    o->swap = calloc(2 * (size_t)o->n, sizeof *o->swap);
    const struct packed_kernels *p = o->packed;
    size_t bytes = 1;
    if (p != NULL)
        bytes = larger_size(larger_size(p->solve_bytes(o->m, o->n), p->rook_bytes(o->n)),
                          larger_size(p->getrf_bytes(o->n), p->potrf_bytes(o->n)));
    o->work = aligned_alloc(64, (bytes + 63) / 64 * 64);
}

/* Makes each call with each size. `raised` collects the exceptions. */
static int raised;
static char raised_by[80];
static void call_all(const struct packed_kernels *packed)
{
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++)
        for (int s = 0; s < 2 * SIZES && calls[c].packed == (packed != NULL); s++) {
            struct operands o = { .n = sizes[s / 2], .m = sizes[s / 2] + s % 2 * 150, .packed = packed };
            make_operands(&o);
            feclearexcept(FE_ALL_EXCEPT);
            calls[c].run(&o);
            int now = fetestexcept(WRONG);
            if (now != 0)
                snprintf(raised_by, sizeof raised_by, "%c %s, %d x %d", precision->type, calls[c].name, o.m, o.n);
            raised |= now;
            FREE(&o.A, &o.B, &o.C, &o.T);
            free(o.swap);
            free(o.work);
        }
    workspace_free();
}

/* Finite numbers with results far from the ends of the range raise none of the exceptions that programs trap, whatever vectors
   the kernels use. */
START_TEST(exceptions)
{
    use_type("sdcz"[_i]);
    raised = 0;
    call_all(NULL);
    for (int i = 0; packed_kernels_number(i, precision->type) != NULL; i++)
        call_all(packed_kernels_number(i, precision->type));
    ck_assert_msg(raised == 0, "%s%s%s%s", raised_by, raised & FE_INVALID ? ": invalid" : "",
                  raised & FE_DIVBYZERO ? ": division by zero" : "", raised & FE_OVERFLOW ? ": overflow" : "");
}
END_TEST

static void *call_all_there(void *packed)
{
    call_all(packed);
    return NULL;
}

/* Kernels leave part of the stack that a grid requests to the runtime and MPI. */
START_TEST(small_stacks)
{
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return;     /* sanitizers have larger frames */
#endif
    use_type("sdcz"[_i]);
    pthread_attr_t attributes;
    pthread_t thread;
    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, STACK_BYTES - (32 << 10)), 0);
    for (int i = -1; i < 0 || packed_kernels_number(i, precision->type) != NULL; i++) {
        const struct packed_kernels *packed = i < 0 ? NULL : packed_kernels_number(i, precision->type);
        ck_assert_int_eq(pthread_create(&thread, &attributes, call_all_there, (void *)packed), 0);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
    }
    pthread_attr_destroy(&attributes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { exceptions, small_stacks };
    return run_for_all_types("surroundings", sizeof tests / sizeof tests[0], tests);
}
