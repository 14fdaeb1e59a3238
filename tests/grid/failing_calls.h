/* The library's calls on grids and matrices, each with the objects that it needs, for trials in which an allocation fails. */
#ifndef OMPFACT_TESTS_GRID_FAILING_CALLS_H
#define OMPFACT_TESTS_GRID_FAILING_CALLS_H

#include "tests/smooth_matrix.h"    /* before Check, which has a fail() of its own */
#include "tests/allocation_points.h"

enum { NB = 8 };

/* To create a grid takes longer than most calls where ranks outnumber cores. So trials share one grid, except for calls that
   leave something in it. */
static ompfact_grid *shared;

/* The objects of a call. */
struct objects {
    struct problem p;
    struct smooth smooth;
    ompfact_grid *grid;
    ompfact_matrix *A, *B, *F, *C, *X;      /* F: a copy of A, for factors; C: a copy of B; X: created by the call */
    ompfact_matrix *D;                      /* compressed, factored if F is; NULL in other trials */
    int64_t info;
    double number[4];
};

/* ---- the calls ------------------------------------------------------------------------------------------------------------- */

static ompfact_status call_fill(struct objects *o) { return ompfact_fill_tiles(o->A, fill_tile, &o->p); }
static ompfact_status call_potrf(struct objects *o) { return ompfact_potrf(o->A, &o->info); }
static ompfact_status call_getrf(struct objects *o) { return ompfact_getrf(o->A, &o->info); }
static ompfact_status call_geqrf(struct objects *o) { return ompfact_geqrf(o->A); }
static ompfact_status call_posv(struct objects *o) { return ompfact_posv(o->A, o->B, &o->info); }
static ompfact_status call_gesv(struct objects *o) { return ompfact_gesv(o->A, o->B, &o->info); }
static ompfact_status call_gels(struct objects *o) { return ompfact_gels(o->A, o->B, &o->X, &o->info); }
static ompfact_status call_potrs(struct objects *o) { return ompfact_potrs(o->F, o->B); }
static ompfact_status call_getrs(struct objects *o) { return ompfact_getrs(o->F, o->B); }
static ompfact_status call_getrs_trans(struct objects *o) { return ompfact_getrs_trans(o->F, OMPFACT_TRANS, o->B); }
static ompfact_status call_unmqr(struct objects *o) { return ompfact_unmqr(o->F, true, o->B); }
static ompfact_status call_ungqr(struct objects *o) { return ompfact_ungqr(o->F, o->A); }
static ompfact_status call_posv_refined(struct objects *o)
{
    int iterations;
    return ompfact_posv_refined(o->A, o->B, &o->info, &iterations);
}
static ompfact_status call_gesv_refined(struct objects *o)
{
    int iterations;
    return ompfact_gesv_refined(o->A, o->B, &o->info, &iterations);
}
static ompfact_status call_hetrf(struct objects *o) { return ompfact_hetrf(o->A, &o->info); }
static ompfact_status call_hetrs(struct objects *o) { return ompfact_hetrs(o->F, o->B); }
static ompfact_status call_hesv(struct objects *o)
{
    int iterations;
    return ompfact_hesv(o->A, o->B, &o->info, &iterations);
}
static ompfact_status call_ldl(struct objects *o) { return ompfact_ldl(o->F, (ompfact_ldl_row[64]){ 0 }); }
static ompfact_status call_factors_ratio(struct objects *o) { return ompfact_residual_factors(o->A, o->F, o->number); }
static ompfact_status call_qr_ratio(struct objects *o) { return ompfact_residual_qr(o->A, o->F, o->number); }
static ompfact_status call_solve_ratio(struct objects *o) { return ompfact_residual_solve(o->A, o->C, o->B, o->number); }
static ompfact_status call_gels_ratio(struct objects *o) { return ompfact_residual_gels(o->A, o->C, o->B, o->number); }
static ompfact_status call_inverse_ratio(struct objects *o) { return ompfact_residual_inverse(o->A, o->F, false, o->number); }
static ompfact_status call_growth(struct objects *o) { return ompfact_growth(o->A, o->F, o->number); }
static ompfact_status call_trsm(struct objects *o)
{
    return ompfact_trsm(OMPFACT_LEFT, OMPFACT_UPPER, OMPFACT_TRANS, false, 2, 0, o->A, o->B);
}
static ompfact_status call_zero_on_diagonal(struct objects *o) { return ompfact_zero_on_diagonal(o->A, &o->info); }
static ompfact_status call_trtri(struct objects *o) { return ompfact_trtri(o->A, false, &o->info); }
static ompfact_status call_potri(struct objects *o) { return ompfact_potri(o->F, &o->info); }
static ompfact_status call_getri(struct objects *o) { return ompfact_getri(o->F, &o->info); }
static ompfact_status call_redistribute(struct objects *o) { return ompfact_redistribute(o->A, o->F); }
static ompfact_status call_conj_transpose(struct objects *o) { return ompfact_conj_transpose(o->A, &o->X); }
static ompfact_status call_rcond(struct objects *o) { return ompfact_rcond(o->F, 1, o->number); }
static ompfact_status call_norm1(struct objects *o) { return ompfact_norm1(o->A, o->number); }
static ompfact_status call_not_finite(struct objects *o)
{
    int64_t row, col;
    bool nan;
    return ompfact_find_not_finite(o->A, &row, &col, &nan);
}
static ompfact_status call_determinant(struct objects *o)
{
    ompfact_status status = ompfact_determinant(o->F, &o->number[0], &o->number[1], &o->number[2]);
    return status != OMPFACT_SUCCESS ? status : ompfact_smallest_pivot(o->F, &o->number[3], &o->info);
}
static ompfact_status call_adopt_getrf(struct objects *o) { return ompfact_adopt_getrf(o->A, NULL); }
static ompfact_status call_tau(struct objects *o) { return ompfact_tau(o->F, (double[64]){ 0 }); }
static ompfact_status call_adopt_geqrf(struct objects *o) { return ompfact_adopt_geqrf(o->A, (double[64]){ 0 }); }
static ompfact_status call_from_scalapack(struct objects *o)
{
    int n = (int)o->p.n, desc[9] = { 1, 0, n, n, 5, 5, 0, 0, n };
    double local[64 * 64] = { 0 };
    return ompfact_from_scalapack(o->A, &(ompfact_scalapack){ .desc = desc, .nprow = 1, .npcol = 1 }, local);
}
static ompfact_status call_to_scalapack(struct objects *o)
{
    int n = (int)o->p.n, desc[9] = { 1, 0, n, n, 5, 5, 0, 0, n };
    double local[64 * 64];
    return ompfact_to_scalapack(o->A, &(ompfact_scalapack){ .desc = desc, .nprow = 1, .npcol = 1 }, local);
}

static ompfact_status fill_compressed(struct objects *o) { return ompfact_fill_tiles(o->D, fill_smooth_tile, &o->smooth); }
static ompfact_status compressed_potrf(struct objects *o) { return ompfact_potrf(o->D, &o->info); }
static ompfact_status compressed_getrf(struct objects *o) { return ompfact_getrf(o->D, &o->info); }
static ompfact_status compressed_solve(struct objects *o)
{
    return o->p.hermitian ? ompfact_potrs(o->D, o->B) : ompfact_getrs(o->D, o->B);
}
static ompfact_status compressed_refine(struct objects *o)
{
    int iterations;
    return ompfact_refine(o->D, o->B, o->C, fill_smooth_tile, &o->smooth, &iterations);
}
static ompfact_status compressed_rcond(struct objects *o) { return ompfact_rcond(o->D, 1, o->number); }
static ompfact_status compressed_ratio(struct objects *o) { return ompfact_residual_solve(o->D, o->C, o->B, o->number); }
static ompfact_status compressed_ranks(struct objects *o)
{
    ompfact_tile_ranks ranks;
    int map[100];
    ompfact_status status = ompfact_count_ranks(o->D, &ranks);
    return status != OMPFACT_SUCCESS ? status : ompfact_rank_map(o->D, map);
}

static const struct call {
    const char *name;
    bool hermitian, wide, columns;          /* columns: each tile column is on one rank */
    bool leaves;                            /* the call leaves something in its grid */
    char type;                              /* 0: double */
    ompfact_options options;
    char factors;                           /* factors in F and D: of LU or Cholesky, of QR, with signs; 0: none */
    bool compressed;
    ompfact_status (*call)(struct objects *o);
} calls[] = {
    { .name = "fill", .call = call_fill },
    { .name = "potrf", .hermitian = true, .call = call_potrf },
    { .name = "potrf, copies", .hermitian = true, .options = { .copy_on_node = true, .threads = 2 }, .call = call_potrf },
    { .name = "potrf, trace", .leaves = true, .hermitian = true, .options = { .trace = true, .schedule = OMPFACT_STATIC },
      .call = call_potrf },
    { .name = "getrf", .options = { .pivot = OMPFACT_PIVOT_NONE }, .call = call_getrf },
    { .name = "getrf, tournament", .options = { .pivot = OMPFACT_PIVOT_TOURNAMENT }, .call = call_getrf },
    { .name = "getrf, partial", .options = { .pivot = OMPFACT_PIVOT_PARTIAL }, .call = call_getrf },
    { .name = "getrf, partial, copies", .options = { .pivot = OMPFACT_PIVOT_PARTIAL, .copy_on_node = true, .threads = 2 },
      .call = call_getrf },
    { .name = "geqrf", .call = call_geqrf },
    { .name = "geqrf, copies", .options = { .copy_on_node = true, .threads = 2 }, .call = call_geqrf },
    { .name = "posv", .hermitian = true, .call = call_posv },
    { .name = "gesv", .call = call_gesv },
    { .name = "gels", .call = call_gels },
    { .name = "gels, wide", .wide = true, .call = call_gels },
    { .name = "posv_refined", .hermitian = true, .call = call_posv_refined },
    { .name = "gesv_refined", .call = call_gesv_refined },
    { .name = "gesv_refined, GMRES", .options = { .refinement = OMPFACT_REFINE_GMRES }, .call = call_gesv_refined },
    { .name = "potrs", .hermitian = true, .factors = 'L', .call = call_potrs },
    { .name = "getrs", .factors = 'L', .call = call_getrs },
    { .name = "getrs, transposed", .factors = 'L', .call = call_getrs_trans },
    { .name = "unmqr", .factors = 'Q', .call = call_unmqr },
    { .name = "ungqr", .factors = 'Q', .call = call_ungqr },
    { .name = "hetrf", .leaves = true, .hermitian = true, .call = call_hetrf },
    { .name = "hetrf, copies", .leaves = true, .hermitian = true, .options = { .copy_on_node = true, .threads = 2 },
      .call = call_hetrf },
    { .name = "hetrf, abft", .hermitian = true, .options = { .abft = true, .butterfly = OMPFACT_BUTTERFLY_NONE },
      .call = call_hetrf },
    { .name = "hetrs", .leaves = true, .hermitian = true, .factors = 'S', .call = call_hetrs },
    { .name = "hesv", .leaves = true, .hermitian = true, .call = call_hesv },
    { .name = "ldl", .leaves = true, .hermitian = true, .factors = 'S', .call = call_ldl },
    { .name = "residual_factors", .factors = 'L', .call = call_factors_ratio },
    { .name = "residual_qr", .factors = 'Q', .call = call_qr_ratio },
    { .name = "residual_solve", .call = call_solve_ratio },
    { .name = "residual_gels", .call = call_gels_ratio },
    { .name = "residual_inverse", .call = call_inverse_ratio },
    { .name = "growth", .factors = 'L', .call = call_growth },
    { .name = "trsm", .call = call_trsm },
    { .name = "zero on the diagonal", .call = call_zero_on_diagonal },
    { .name = "trtri", .hermitian = true, .call = call_trtri },
    { .name = "potri", .hermitian = true, .factors = 'L', .call = call_potri },
    { .name = "getri", .factors = 'L', .call = call_getri },
    { .name = "redistribute", .leaves = true, .call = call_redistribute },
    { .name = "redistribute, copies", .leaves = true, .options = { .copy_on_node = true }, .call = call_redistribute },
    { .name = "conj_transpose", .call = call_conj_transpose },
    { .name = "rcond", .factors = 'L', .call = call_rcond },
    { .name = "rcond of QR", .factors = 'Q', .call = call_rcond },
    { .name = "norm1", .call = call_norm1 },
    { .name = "find_not_finite", .call = call_not_finite },
    { .name = "determinant", .factors = 'L', .call = call_determinant },
    { .name = "adopt_getrf", .call = call_adopt_getrf },
    { .name = "tau", .factors = 'Q', .columns = true, .call = call_tau },
    { .name = "adopt_geqrf", .columns = true, .call = call_adopt_geqrf },
    { .name = "from_scalapack", .leaves = true, .call = call_from_scalapack },
    { .name = "to_scalapack", .leaves = true, .call = call_to_scalapack },
    { .name = "fill, compressed", .compressed = true, .call = fill_compressed },
    { .name = "potrf, compressed", .compressed = true, .hermitian = true, .call = compressed_potrf },
    { .name = "getrf, compressed", .compressed = true, .options = { .pivot = OMPFACT_PIVOT_NONE }, .call = compressed_getrf },
    { .name = "potrs, compressed", .compressed = true, .hermitian = true, .factors = 'L', .call = compressed_solve },
    { .name = "refine, compressed", .compressed = true, .hermitian = true, .factors = 'L', .call = compressed_refine },
    { .name = "rcond, compressed", .compressed = true, .hermitian = true, .factors = 'L', .call = compressed_rcond },
    { .name = "residual_solve, compressed", .compressed = true, .call = compressed_ratio },
    { .name = "ranks, compressed", .compressed = true, .call = compressed_ranks },
    { .name = "potrf, devices", .hermitian = true, .options = { .devices = 2, .device_backend = "host", .host_share = 0.4 },
      .call = call_potrf },
    { .name = "getrf, devices", .options = { .devices = 1, .device_backend = "host", .pivot = OMPFACT_PIVOT_PARTIAL },
      .call = call_getrf },
    { .name = "potrf, abft", .hermitian = true, .options = { .abft = true }, .call = call_potrf },
    { .name = "getrf, abft", .options = { .abft = true, .pivot = OMPFACT_PIVOT_PARTIAL }, .call = call_getrf },
    { .name = "geqrf, abft", .options = { .abft = true }, .call = call_geqrf },
    { .name = "geqrf, devices", .options = { .devices = 1, .device_backend = "host", .host_share = 0.3 }, .call = call_geqrf },
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- objects --------------------------------------------------------------------------------------------------------------- */

/* I - (1 - 10^-10) h h^T with h = (1, 2, ..., 24) / 70 of length one: factors in single precision are not enough. */
static void nearly_singular(void *context, int64_t i, int64_t j, void *value)
{
    (void)context;
    *(double *)value = (i == j) - (1 - 1e-10) * (double)((i + 1) * (j + 1)) / 4900;
}

static void make_factors(const struct call *c, ompfact_matrix *F)
{
    int64_t info = 0;
    ompfact_status status = c->factors == 'Q' ? ompfact_geqrf(F)
                            : c->factors == 'S' ? ompfact_hetrf(F, &info)
                            : c->hermitian ? ompfact_potrf(F, &info)
                                           : ompfact_getrf(F, &info);
    assert_everywhere(status == OMPFACT_SUCCESS && info == 0);
}

static void create_compressed(const struct call *c, struct objects *o)
{
    ompfact_shape shape = shape_of(&o->p, NB, "g2dbc");
    shape.accuracy = 1e-3;
    shape.max_rank = NB / 2;
    o->smooth = smooth_problem(o->p.type, o->p.hermitian, false, o->p.n);
    o->D = new_smooth(o->grid, &o->smooth, &shape);
    if (c->factors != 0)
        make_factors(c, o->D);
}

static void create_objects(const struct call *c, struct objects *o)
{
    ompfact_options options = c->options;
    options.threads = options.threads > 0 ? options.threads : 1;
    options.pivot = options.pivot != OMPFACT_PIVOT_AUTO ? options.pivot : OMPFACT_PIVOT_TOURNAMENT;
    *o = (struct objects){ .p = { .type = 'd', .hermitian = c->hermitian, .pivots = !c->hermitian,
                                  .m = 3 * NB, .n = c->wide ? 4 * NB : 3 * NB } };
    if (shared == NULL)
        shared = new_grid(options);
    o->grid = shared;
    ompfact_shape shape = shape_of(&o->p, NB, "g2dbc");
    char layout[32];
    snprintf(layout, sizeof layout, "2dbc:1x%d", all_ranks_count());
    shape.layout = c->columns ? layout : shape.layout;
    o->A = new_matrix(o->grid, &shape);
    o->F = new_like(o->A);
    o->B = new_rhs(o->A, NB + 1);
    o->C = new_rhs(o->A, NB + 1);
    fill(o->A, &o->p);
    fill(o->F, &o->p);
    if (c->options.refinement == OMPFACT_REFINE_GMRES)
        assert_everywhere(ompfact_fill_entries(o->A, nearly_singular, NULL) == OMPFACT_SUCCESS);
    fill_rhs(o->B, &o->p);
    fill_rhs(o->C, &o->p);
    if (c->factors != 0 && !c->compressed)
        make_factors(c, o->F);
    if (c->compressed)
        create_compressed(c, o);
}

static void destroy_objects(const struct call *c, struct objects *o)
{
    ompfact_matrix_destroy(&o->D);
    ompfact_matrix_destroy(&o->X);
    ompfact_matrix_destroy(&o->C);
    ompfact_matrix_destroy(&o->B);
    ompfact_matrix_destroy(&o->F);
    ompfact_matrix_destroy(&o->A);
    if (c->leaves)
        ompfact_grid_destroy(&shared);
}

/* The contents of A, F, B and C. Collective. */
enum { CONTENTS = 4 };
struct snapshot {
    number *data[CONTENTS];
    size_t count[CONTENTS];
};

static struct snapshot snapshot_of(const struct objects *o)
{
    ompfact_matrix *const matrices[] = { o->A, o->F, o->B, o->C };
    struct snapshot c;
    for (int i = 0; i < CONTENTS; i++) {
        c.data[i] = gather(matrices[i], NULL);
        c.count[i] = (size_t)ompfact_rows(matrices[i]) * (size_t)ompfact_cols(matrices[i]);
    }
    return c;
}

static bool equal(const struct snapshot *a, const struct snapshot *b)
{
    bool same = true;
    for (int i = 0; i < CONTENTS; i++)
        same = same && memcmp(a->data[i], b->data[i], a->count[i] * sizeof *a->data[i]) == 0;
    return same;
}

static void forget(struct snapshot *c)
{
    for (int i = 0; i < CONTENTS; i++)
        free(c->data[i]);
}

/* ---- a trial
   ---------------------------------------------------------------------------------------------------------------- */

/* Checks that the status is one of those allowed, and that the message is one line. Collective. */
static void check_status(const char *which, ompfact_status status, const char *message)
{
    assert_everywhere_msg(agreed(status), "%s: status %d on this rank: %s", which, status, message);
    bool devices = status == OMPFACT_DEVICE_FAILED && strstr(message, "no memory") != NULL;
    assert_everywhere_msg(status == OMPFACT_SUCCESS || status == OMPFACT_NO_MEMORY || status == OMPFACT_OUT_OF_MEMORY || devices,
                          "%s: status %d: %s", which, status, message);
    assert_everywhere_msg(status == OMPFACT_SUCCESS || is_one_line(message), "%s: status %d: '%s'", which, status, message);
}

/* A call that failed before it changed anything can be repeated. */
static void run_call(const void *what, const char *name, struct point p)
{
    const struct call *c = what;
    struct objects o;
    create_objects(c, &o);
    struct snapshot before = snapshot_of(&o);
    begin_failing(p);
    ompfact_status status = c->call(&o);
    end_failing(p);
    check_status(point_name(name, p), status, ompfact_message(o.grid));
    if (status > 0) {
        struct snapshot after = snapshot_of(&o);
        assert_everywhere_msg(equal(&before, &after), "%s: status %d, but contents have changed", point_name(name, p), status);
        forget(&after);
        ompfact_status again = c->call(&o);
        assert_everywhere_msg(again == OMPFACT_SUCCESS, "%s, and called again: status %d: %s", point_name(name, p), again,
                              ompfact_message(o.grid));
    }
    forget(&before);
    destroy_objects(c, &o);
}

#endif
