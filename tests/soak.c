/*
 * usage: mpiexec -n P soak COUNT SEED PATIENCE
 * COUNT random factorizations and solves, with random delays and little room, checked by LAPACK's test ratios: small ones by
 * what these are, element by element; large ones, with tiles and host strips as users have them, by the library's own
 * functions. All ranks draw the same random numbers. A failure, or a hang, prints what was run and the command that runs it
 * again. One that has not ended after PATIENCE seconds hangs.
 *     SOAK_DEVICES  in the environment: devices in all cases
 *     SOAK_BACKEND  theirs, in place of host or portable
 *     SOAK_ROUNDS   factorizations of one matrix
 */
#include "config.h"
#include "src/grid/grid.h"
#include "tests/problem.h"

#include <signal.h>

/* Factorizations of one matrix, if SOAK_ROUNDS does not say: windows take long to make where ranks outnumber cores */
enum { ROUNDS = 5 };
enum { WATCHDOG_S = 20 };

/* ---- the same random numbers on every rank --------------------------------------------------------------------------------- */

static uint64_t state;

/* In 0 .. count-1 (Knuth's MMIX generator). */
static int draw(int count)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)count);
}

static int one_of(int count, const int *values)
{
    return values[draw(count)];
}
#define ONE_OF(...) one_of(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (int[]){ __VA_ARGS__ })

/* ---- a case: a grid, a matrix, some right-hand sides ----------------------------------------------------------------------- */

struct setup {
    int64_t seed;
    struct problem problem;
    bool qr, large;
    ompfact_options options;
    ompfact_shape shape;
    int sizes[32];          /* of ragged tiles */
    int nrhs;               /* -1: only factored */
    char layout[64];
};

static char description[512] = "in the start of MPI\n";

static int draw_rank(int cell)
{
    (void)cell;
    return draw(all_ranks_count());
}

/* On rank 0 the map's file is written; the others draw the same numbers all the same. */
static void draw_layout(struct setup *c)
{
    static const char *const names[] = { "2dbc", "g2dbc", "", "auto", "design", "gcrm:seeds=2" };
    int rows = 1 + draw(5), cols = 1 + draw(5), kind = draw(c->problem.hermitian ? 6 : 4);
    uint64_t before = state;
    strcpy(c->layout, names[kind]);
    if (kind == 2)
        write_map(c->layout, rows, cols, draw_rank);
    state = before + 1;
}

/* Random sizes of up to the length of the array, which sum to the order. */
static void draw_sizes(struct setup *c)
{
    int64_t left = c->problem.n;
    int count = 0;
    while (left > 0) {
        int size = 1 + draw(2 * c->shape.nb);
        c->sizes[count] = size < left && count < 31 ? size : (int)left;
        left -= c->sizes[count++];
    }
    c->shape.row_heights = c->shape.col_widths = c->sizes;
    c->shape.mt = c->shape.nt = count;
}

/* In two of five cases, of large tiles in most, where the build has them:
   LLVM's emulated ones, with all the memory or room for few tiles. */
static void draw_devices(struct setup *c)
{
#ifdef OFFLOAD_RUNTIME
    bool any = draw(5) < 2 || (c->large && draw(2)), portable = draw(3) == 0;
    int count = 1 + draw(4), tenths = c->large ? 1 + draw(10) : ONE_OF(0, 0, 3, 7, 10), tiles = ONE_OF(0, 0, 12, 25);
    if (!any && getenv("SOAK_DEVICES") == NULL)
        return;
    c->options.devices = count;
    const char *asked = getenv("SOAK_BACKEND");
    c->options.device_backend = asked != NULL ? asked : portable ? "portable" : "host";
    c->options.host_share = tenths / 10.0;
    c->options.device_memory = (int64_t)tiles * c->shape.nb * c->shape.nb * 16;
#else
    (void)c;
#endif
}

/* A few large tiles: one that is larger than the matrix, up to four and a part in each direction. Or small ones, of which no row
   has more than twelve. */
static void draw_sizes_of_tiles(struct setup *c)
{
    enum { LARGEST = 1500 };
    struct problem *p = &c->problem;
    c->large = draw(4) == 0;
    if (!c->large) {
        p->n = 1 + draw(ONE_OF(20, 60, 150));
        c->shape.nb = (int)p->n / 12 + 1 + draw(20);
        return;
    }
    c->shape.nb = ONE_OF(128, 200, 256, 320, 384, 500, 640, 768, 1024);
    p->n = c->shape.nb / 2 + draw(5 * c->shape.nb);
    p->n = p->n < LARGEST ? p->n : LARGEST - draw(200);
}

static void draw_setup(struct setup *c, int64_t seed)
{
    *c = (struct setup){ .seed = seed };
    state = (uint64_t)seed;
    draw(2);
    struct problem *p = &c->problem;
    p->type = "sdcz"[draw(4)];
    p->hermitian = draw(2);
    p->pivots = !p->hermitian && draw(3) > 0;
    c->qr = p->pivots && draw(2);
    draw_sizes_of_tiles(c);
    p->m = p->n;
    c->nrhs = draw(2) ? -1 : ONE_OF(0, 1, 2, 3, 41);
    c->options.threads = 1 + draw(4);
    c->options.cache_tiles = ONE_OF(0, 0, 1, 2, 5);
    c->options.max_tasks = ONE_OF(0, 0, 1, 2, 7);
    c->options.jitter_us = ONE_OF(0, 0, 50, 500);
    c->options.watchdog_s = WATCHDOG_S;
    c->options.schedule = (ompfact_schedule)draw(3);
    c->options.bcast = (ompfact_bcast)draw(4);
    c->options.copy_on_node = draw(2);
    c->options.trace = draw(2);
    c->options.pivot = p->pivots ? (ompfact_pivot)draw(3) : OMPFACT_PIVOT_NONE;
    c->options.tree = (ompfact_tree)draw(4);
    c->options.ib = draw(20);
    draw_devices(c);
    draw_layout(c);
    p->upper = p->hermitian && draw(2);
    bool full = draw(2), ragged = draw(4) == 0, oblong = !p->hermitian && c->nrhs < 0 && draw(2);
    if (oblong)
        p->m = 1 + draw(c->large ? 1500 : 100);
    c->shape = shape_of(p, c->shape.nb, c->layout);
    c->shape.full_storage = full;
    if (ragged && !oblong && !c->qr && !c->large)
        draw_sizes(c);
    snprintf(description, sizeof description,
             "P=%d %s type=%c m=%lld n=%lld nb=%d%s layout=%.5s nrhs=%d full=%d threads=%d cache=%d tasks=%d jitter=%d "
             "schedule=%d bcast=%d copy=%d pivot=%d tree=%d ib=%d devices=%d(%s) share=%.1f memory=%lld; again: "
             "mpiexec -n %d tests/soak %d %lld 60\n",
             all_ranks_count(),
             p->upper       ? "potrf upper"
             : p->hermitian ? "potrf"
             : c->qr        ? "geqrf"
                            : "getrf",
             p->type, (long long)p->m, (long long)p->n, c->shape.nb, c->shape.mt > 0 ? " ragged" : "", c->layout, c->nrhs, full,
             c->options.threads, c->options.cache_tiles, c->options.max_tasks, c->options.jitter_us, c->options.schedule,
             c->options.bcast, c->options.copy_on_node, (int)c->options.pivot, (int)c->options.tree, c->options.ib,
             c->options.devices, c->options.devices > 0 ? c->options.device_backend : "", c->options.host_share,
             (long long)c->options.device_memory, all_ranks_count(), ROUNDS, (long long)seed);
}

/* ---- one factorization and its solve: what went wrong, or NULL; the same on every rank ------------------------------------- */

#define EXPECT(condition, otherwise)                                                                                            \
    do {                                                                                                                        \
        if (!everywhere(condition))                                                                                             \
            return otherwise;                                                                                                   \
    } while (0)

/* [m]: the row of the matrix that its interchanges have brought to i. Freed by the caller. */
static int64_t *rows_after(const ompfact_matrix *A)
{
    int64_t m = ompfact_rows(A), n = ompfact_cols(A), count = m < n ? m : n;
    int64_t *rows = calloc((size_t)(m + count) + 1, sizeof *rows), *ipiv = rows + m;
    for (int64_t i = 0; i < m; i++)
        rows[i] = i;
    ompfact_ipiv(A, ipiv);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = rows[i];
        rows[i] = rows[ipiv[i] - 1];
        rows[ipiv[i] - 1] = row;
    }
    return rows;
}

/* LAPACK's ratio of the factors F by the library's own function; infinite where that fails. */
typedef ompfact_status residual_function(ompfact_matrix *A, ompfact_matrix *factors, double *ratio);
static double own_ratio(ompfact_matrix *F, const struct problem *p, residual_function *residual)
{
    ompfact_matrix *A = NULL;
    double ratio = INFINITY;
    if (ompfact_matrix_create_like(F, &A) != OMPFACT_SUCCESS || ompfact_fill_tiles(A, fill_tile, (void *)p) != OMPFACT_SUCCESS ||
        residual(A, F, &ratio) != OMPFACT_SUCCESS)
        ratio = INFINITY;
    ompfact_matrix_destroy(&A);
    return ratio;
}

static double naive_ratio(ompfact_matrix *A, const struct problem *p)
{
    int64_t *rows = rows_after(A);
    struct problem permuted = *p;
    permuted.rows = p->hermitian ? NULL : rows;
    number *F = gather(A, p);
    double ratio = factor_ratio(&permuted, F);
    free(F);
    free(rows);
    return ratio;
}

static const char *check_factors(ompfact_matrix *A, const struct setup *c)
{
    const struct problem *p = &c->problem;
    ompfact_report report = ompfact_last_report(A);
    double ratio = c->large ? own_ratio(A, p, ompfact_residual_factors) : naive_ratio(A, p);
    EXPECT(ratio < 30, "the factors are wrong");
    EXPECT(rest_is_untouched(A, p), "something beyond the diagonal was written");
    EXPECT(report.transfers == report.transfers_predicted, "transfers are not as predicted");
    return NULL;
}

static const char *check_solution(ompfact_matrix *B, const struct problem *p)
{
    ompfact_report report = ompfact_last_report(B);
    number *X = gather(B, NULL);
    double ratio = solve_ratio(p, X, ompfact_cols(B));
    free(X);
    EXPECT(ratio < 30, "the solution is wrong");
    EXPECT(report.transfers == report.transfers_predicted, "the solve's transfers are not as predicted");
    return NULL;
}

static ompfact_status factor(ompfact_matrix *A, ompfact_matrix *B, bool in_one_call, bool hermitian, int64_t *info)
{
    if (in_one_call)
        return hermitian ? ompfact_posv(A, B, info) : ompfact_gesv(A, B, info);
    return hermitian ? ompfact_potrf(A, info) : ompfact_getrf(A, info);
}

static const char *invert(ompfact_matrix *A, struct problem *p)
{
    ompfact_matrix *before = NULL;
    int64_t info = -1;
    double ratio = NAN;
    EXPECT((p->hermitian ? ompfact_potri(A, &info) : ompfact_getri(A, &info)) == OMPFACT_SUCCESS && info == 0,
           "the inverse returned an error");
    ompfact_report report = ompfact_last_report(A);
    EXPECT(report.transfers == report.transfers_predicted, "the inverse's transfers are not as predicted");
    bool made = ompfact_matrix_create_like(A, &before) == OMPFACT_SUCCESS &&
                ompfact_fill_tiles(before, fill_tile, p) == OMPFACT_SUCCESS &&
                ompfact_residual_inverse(before, A, false, &ratio) == OMPFACT_SUCCESS;
    ompfact_matrix_destroy(&before);
    EXPECT(made && ratio < 30, "the inverse is wrong");
    return NULL;
}

static const char *run_round(ompfact_matrix *A, ompfact_matrix *B, struct setup *c)
{
    struct problem *p = &c->problem;
    bool in_one_call = B != NULL && draw(2);
    int order = (int)(p->m < p->n ? p->m : p->n);
    int64_t info = -1;
    p->seed = (unsigned)draw(1 << 30);
    p->fails = draw(6) == 0 ? 1 + draw(order) : 0;
    p->fails_too = p->fails > 0 && p->fails < order && draw(2) ? order : 0;
    EXPECT(ompfact_fill_tiles(A, fill_tile, p) == OMPFACT_SUCCESS, "the matrix was not filled");
    EXPECT(B == NULL || ompfact_fill_tiles(B, fill_rhs_tile, p) == OMPFACT_SUCCESS, "the right-hand sides were not filled");
    EXPECT(factor(A, B, in_one_call, p->hermitian, &info) == OMPFACT_SUCCESS, "the factorization returned an error");
    EXPECT(info == p->fails, "info is wrong");
    if (B != NULL && !in_one_call) {
        ompfact_status expected = info == 0 ? OMPFACT_SUCCESS : OMPFACT_BAD_ARGUMENT;
        EXPECT((p->hermitian ? ompfact_potrs(A, B) : ompfact_getrs(A, B)) == expected, "the solve's status is wrong");
    }
    const char *wrong = info == 0 ? check_factors(A, c) : NULL;
    if (wrong == NULL && info == 0 && B != NULL)
        wrong = check_solution(B, p);
    return wrong == NULL && info == 0 && p->m == p->n && draw(3) == 0 ? invert(A, p) : wrong;
}

/* R^H R = A^H A, element by element, in units of max(m,n) eps; |A| <= sqrt(2). Q Q^H B = B. */
static double naive_qr_ratio(ompfact_matrix *A, const struct problem *p, double unit)
{
    double worst = 0;
    number *R = gather(A, NULL);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = my_rank(); j <= i; j += all_ranks_count()) {
            number sum = 0;
            for (int64_t k = 0; k < p->m; k++)
                sum += conj(entry_of(p, k, i)) * entry_of(p, k, j) - (k <= j ? conj(R[k + i * p->m]) * R[k + j * p->m] : 0);
            worst = larger(worst, cabs(sum) / (unit * (double)p->m));
        }
    free(R);
    return worst;
}

static const char *run_qr_round(ompfact_matrix *A, ompfact_matrix *B, struct setup *c)
{
    struct problem *p = &c->problem;
    double worst[2] = { 0, 0 }, unit = 2 * (double)(p->m > p->n ? p->m : p->n) * precision_of(p->type)->eps;
    p->seed = (unsigned)draw(1 << 30);
    p->fails = p->fails_too = 0;
    EXPECT(ompfact_fill_tiles(A, fill_tile, p) == OMPFACT_SUCCESS, "the matrix was not filled");
    EXPECT(B == NULL || ompfact_fill_tiles(B, fill_rhs_tile, p) == OMPFACT_SUCCESS, "the right-hand sides were not filled");
    EXPECT(ompfact_geqrf(A) == OMPFACT_SUCCESS, "geqrf returned an error");
    ompfact_report report = ompfact_last_report(A);
    worst[0] = c->large ? own_ratio(A, p, ompfact_residual_qr) : naive_qr_ratio(A, p, unit);
    if (B != NULL) {
        EXPECT(ompfact_unmqr(A, true, B) == OMPFACT_SUCCESS && ompfact_unmqr(A, false, B) == OMPFACT_SUCCESS,
               "unmqr returned an error");
        number *X = gather(B, NULL);
        for (int64_t j = 0; j < ompfact_cols(B); j++)
            for (int64_t i = 0; i < p->m; i++)
                worst[1] = larger(worst[1], cabs(X[i + j * p->m] - rhs_entry(p, i, j)) / unit);
        free(X);
    }
    largest(worst, 2);
    EXPECT(worst[0] < 30, "R is wrong");
    EXPECT(worst[1] < 30, "Q Q^H is not the unit matrix");
    EXPECT(report.transfers == report.transfers_predicted, "transfers are not as predicted");
    return NULL;
}

/* ---- all of them ----------------------------------------------------------------------------------------------------------- */

static bool passed(const char *wrong, int round)
{
    if (wrong != NULL && my_rank() == 0)
        printf("soak: %s, in round %d: %s", wrong, round, description);
    fflush(stdout);
    return wrong == NULL;
}

static void give_up(int signal)
{
    static const char text[] = "soak: hangs: ";
    (void)signal;
    if (write(STDOUT_FILENO, text, sizeof text - 1) < 0 || write(STDOUT_FILENO, description, strlen(description)) < 0)
        _exit(4);
    _exit(3);
}

/* Kernels of devices in blocks of some columns, for every other seed. */
static void use_blocks(ompfact_grid *grid, int64_t seed)
{
    for (int type = 0; grid->devices != NULL && grid->devices->blocks != NULL && seed % 2 == 0 && type < TYPES; type++)
        grid->devices->blocks[type] = (struct device_blocks){ .herk = (int)(seed % 37 + 8), .trsm = (int)(seed % 41 + 8) };
}

static int run_case(int64_t seed, int rounds, unsigned patience)
{
    struct setup c;
    ompfact_grid *grid;
    ompfact_matrix *A = NULL, *B = NULL;
    int good = 0;
    draw_setup(&c, seed);
    alarm(patience);
    bool made = ompfact_grid_create(MPI_COMM_WORLD, &c.options, &grid, NULL) == OMPFACT_SUCCESS;
    if (made)
        use_blocks(grid, seed);
    made = made && ompfact_matrix_create(grid, &c.shape, &A) == OMPFACT_SUCCESS;
    made = made && (c.nrhs < 0 || ompfact_matrix_create_rhs(A, c.nrhs, &B) == OMPFACT_SUCCESS);
    bool usable = passed(everywhere(made) ? NULL : "a grid or matrix could not be made", 0);
    for (int round = 0; usable && round < rounds; round++) {
        alarm(patience);
        good += passed(c.qr ? run_qr_round(A, B, &c) : run_round(A, B, &c), round);
    }
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    if (strncmp(c.layout, "file:", 5) == 0)
        remove_map(c.layout);
    return good;
}

/* The clock runs on every rank and until its end, for MPI may hang at both ends. */
int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: mpiexec -n P soak COUNT SEED PATIENCE\n", stderr);
        return EXIT_FAILURE;
    }
    int count = atoi(argv[1]), good = 0;
    int64_t seed = atoll(argv[2]);
    unsigned patience = (unsigned)atoi(argv[3]);
    signal(SIGALRM, give_up);
    alarm(patience);
    start_mpi(&argc, &argv);
    int rounds = getenv("SOAK_ROUNDS") != NULL ? atoi(getenv("SOAK_ROUNDS")) : ROUNDS;
    for (int done = 0; rounds > 0 && done < count; done += rounds)
        good += run_case(seed++, count - done < rounds ? count - done : rounds, patience);
    if (my_rank() == 0)
        printf("%d passed, %d failed\n", good, count - good);
    MPI_Finalize();
    return good == count ? EXIT_SUCCESS : EXIT_FAILURE;
}
