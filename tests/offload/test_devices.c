/*
 * Factorizations with devices give the same results as without: right factors, the same transfers, LAPACK's info. The tests vary
 * the host's share, the number of devices, their memory, and delays, which would expose a copy that is not valid. The devices are
 * LLVM's emulated ones. A build without devices must refuse them.
 */
#include "src/matrix/matrix.h"
#include "tests/factoring.h"

#include <limits.h>

enum { NB = 12 };

/* One way to use devices; `_i` of a test. */
struct way {
    int devices;
    double share;
    const char *backend;
    int64_t memory;
    ompfact_schedule schedule;
};
static const struct way ways[] = {
    { 1, 0, "host", 0, OMPFACT_DYNAMIC },  { 2, 0.3, "host", 0, OMPFACT_DYNAMIC }, { 4, 0.7, "host", 0, OMPFACT_STATIC },
    { 2, 1, "host", 0, OMPFACT_DYNAMIC },  { 2, 0, "portable", 0, OMPFACT_BASIC }, { 3, 0.4, "portable", 0, OMPFACT_STATIC },
    { 1, 0, "host", 24 * NB * NB * 8, OMPFACT_DYNAMIC },
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* OMPFACT_TEST_BACKEND in the environment: all ways use that backend. OMPFACT_TEST_DEVICES: the largest number of devices. */
static struct way way_of(int i)
{
    struct way way = ways[i];
    const char *requested = getenv("OMPFACT_TEST_BACKEND"), *most = getenv("OMPFACT_TEST_DEVICES");
    way.backend = requested != NULL ? requested : way.backend;
    way.devices = most != NULL && atoi(most) < way.devices ? atoi(most) : way.devices;
    return way;
}

static ompfact_grid *grid_with(const struct way *way, ompfact_pivot pivot)
{
    return new_grid((ompfact_options){ .threads = 1 + way->devices % 2, .devices = way->devices, .device_backend = way->backend,
                                       .host_share = way->share, .device_memory = way->memory, .schedule = way->schedule,
                                       .pivot = pivot,
                                       .copy_on_node = way->devices == 2, .testing = &(ompfact_testing){ .jitter_us = 100 } });
}

/* Devices and host computed their shares of the work, and tiles went to devices only as panels. */
static void check_report(ompfact_matrix *A, const struct way *way)
{
    ompfact_report r = ompfact_last_report(A);
    double devices = 0;
    for (int d = 0; d < OMPFACT_DEVICES; d++) {
        assert_everywhere(d < way->devices || r.flops_per_device[d] == 0);
        devices += r.flops_per_device[d];
    }
    assert_everywhere_msg(way->memory > 0 || (devices > 0) == (way->share < 1), "share %g: %g flops on devices", way->share,
                          devices);
    assert_everywhere_msg(way->memory > 0 || (r.host_update_flops > 0) == (way->share > 0),
                          "share %g: %g flops of updates on the host", way->share, r.host_update_flops);
    assert_everywhere_msg(way->memory > 0 || r.max_uploads_per_tile <= 1, "a tile went to a device %d times",
                          r.max_uploads_per_tile);
    assert_everywhere(way->memory > 0 ? r.device_tiles_left > 0 || all_ranks_count() > 1
                                      : r.device_tiles_left == 0 && (r.device_tiles > 0) == (way->share < 1));
}

START_TEST(cholesky_and_lu)
{
    const struct way requested = way_of(_i), *way = &requested;
    if (!have_devices())
        return;
    ompfact_grid *grid = grid_with(way, OMPFACT_PIVOT_NONE);
    for (int k = _i % 2; k < 6; k += all_ranks_count() > 1 ? 2 : 1) {
        struct problem p = square("dzsc"[k % 4], k < 3, 9 * NB + 5);
        p.upper = k == 1;
        p.n += k == 5 ? 2 * NB : 0;
        ompfact_shape shape = shape_of(&p, NB, "auto");
        ompfact_matrix *A = new_matrix(grid, &shape);
        check(A, &p, p.hermitian);
        check_report(A, way);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Factors a matrix. A Hermitian matrix that needs pivots is indefinite. */
static ompfact_status factor_large(ompfact_matrix *A, const struct problem *p, bool qr, int64_t *info)
{
    if (qr)
        return ompfact_geqrf(A);
    if (p->hermitian && p->pivots)
        return p->symmetric ? ompfact_sytrf(A, info) : ompfact_hetrf(A, info);
    return factor(A, p, info);
}

/* Checks factors of matrices that are large, or need pivots, by the library's own functions. */
static void check_large(ompfact_grid *grid, const struct way *way, struct problem p, bool qr, int nb)
{
    int64_t info = 0;
    double ratio = INFINITY;
    ompfact_shape shape = shape_of(&p, nb, "auto");
    ompfact_matrix *A = new_matrix(grid, &shape), *before = new_like(A);
    fill(A, &p);
    fill(before, &p);
    ompfact_status status = factor_large(A, &p, qr, &info);
    assert_everywhere_msg(status == OMPFACT_SUCCESS && info == 0, "status %d, info %lld: %s", status, (long long)info,
                          ompfact_message(grid));
    check_report(A, way);
    ompfact_report r = ompfact_last_report(A);
    assert_everywhere(r.transfers == r.transfers_predicted);
    assert_everywhere((qr ? ompfact_residual_qr : ompfact_residual_factors)(before, A, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "%s %c %lld x %lld, %s, %d devices, share %g: ratio %g", qr ? "geqrf" : "factors", p.type,
                          (long long)p.m, (long long)p.n, ompfact_layout(A), way->devices, way->share, ratio);
    ompfact_matrix_destroy(&before);
    ompfact_matrix_destroy(&A);
}

START_TEST(pivots_and_reflectors)
{
    static const int sizes[][2] = { { 7, 7 }, { 9, 4 }, { 4, 8 } };
    const struct way requested = way_of(_i), *way = &requested;
    if (!have_devices())
        return;
    ompfact_grid *grid = grid_with(way, _i % 2 ? OMPFACT_PIVOT_PARTIAL : OMPFACT_PIVOT_TOURNAMENT);
    for (int k = 0; k < 3; k++) {
        struct problem p = { .type = "dszc"[(k + _i) % 4], .m = sizes[k][0] * NB + 1, .n = sizes[k][1] * NB + 3, .seed = 5,
                             .pivots = true };
        if (k != _i % 3 || all_ranks_count() == 1)
            check_large(grid, way, p, false, NB);
        if (k == _i % 3 || all_ranks_count() == 1)
            check_large(grid, way, p, true, NB);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

START_TEST(indefinite)
{
    const struct way requested = way_of(_i), *way = &requested;
    if (!have_devices())
        return;
    ompfact_grid *grid = grid_with(way, OMPFACT_PIVOT_NONE);
    for (int k = _i % 2; k < 8; k += all_ranks_count() > 1 ? 2 : 1) {
        struct problem p = square("dzsc"[k % 4], true, 9 * NB + 5);
        p.pivots = true;
        p.upper = (k + k / 4) % 2;
        p.symmetric = k / 4;
        check_large(grid, way, p, false, NB);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Several strips on the host, and buffers of QR that are reused for blocks of other heights. */
START_TEST(strips)
{
    const struct way way = { way_of(1).devices, 0.9, way_of(0).backend, 0, (ompfact_schedule)_i };
    if (!have_devices())
        return;
    ompfact_grid *grid = grid_with(&way, OMPFACT_PIVOT_TOURNAMENT);
    /* Blocks of 300 and of 1 column, on two strips. */
    struct problem p = { .type = 'd', .m = 601, .n = 1200, .seed = 3, .pivots = true };
    ompfact_shape shape = shape_of(&p, 300, "2dbc");
    double ratio = INFINITY;
    ompfact_matrix *A = new_matrix(grid, &shape), *before = new_like(A);
    fill(A, &p);
    fill(before, &p);
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_qr(before, A, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&before);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Tiles have as many host strips as tiles of usual sizes. A task that reads such a tile has a name for each strip. */
START_TEST(many_strips)
{
    /* 4, 5, 4 and 8 strips. */
    static const struct { int nb; double share; } cases[] = { { 512, 0.8 }, { 640, 0.95 }, { 768, 0.7 }, { 1024, 0.9 } };
    const struct way way = { 1, cases[_i].share, way_of(0).backend, 0, OMPFACT_DYNAMIC };
    if (!have_devices())
        return;
    for (int pivots = 0; pivots < 2; pivots++) {
        ompfact_grid *grid = grid_with(&way, pivots ? OMPFACT_PIVOT_PARTIAL : OMPFACT_PIVOT_NONE);
        struct problem p = square('d', !pivots, 2 * cases[_i].nb + 77);
        p.pivots = pivots;
        check_large(grid, &way, p, false, cases[_i].nb);
        p.hermitian = false;
        check_large(grid, &way, p, pivots, cases[_i].nb);
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* ---- slow devices, and one that fails: LLVM's, with other functions ----------------------------------------------------- */

static struct {
    struct devices table;       /* the original table */
    atomic_long tickets, polls, kernels_left;
} late;

static uint64_t late_end(struct devices *devices)
{
    late.table.end(devices);
    atomic_fetch_sub(&late.kernels_left, 1);
    return 1 + (uint64_t)atomic_fetch_add(&late.tickets, 1);
}

static int late_done(struct devices *devices, uint64_t ticket, int *info)
{
    (void)devices;
    *info = 0;
    return (atomic_fetch_add(&late.polls, 1) + (long)ticket) % 7 == 0;
}

static const char *late_failure(struct devices *devices)
{
    (void)devices;
    return my_rank() == all_ranks_count() - 1 && atomic_load(&late.kernels_left) < 0 ? "device 1: emulated failure" : NULL;
}

static ompfact_grid *late_grid(long kernels)
{
    const struct way way = { 2, 0.3, "host", 0, OMPFACT_DYNAMIC };
    ompfact_grid *grid = grid_with(&way, OMPFACT_PIVOT_TOURNAMENT);
    late.table = *grid->devices;
    atomic_store(&late.kernels_left, kernels);
    grid->devices->asynchronous = true;
    grid->devices->end = late_end;
    grid->devices->done = late_done;
    grid->devices->failure = late_failure;
    return grid;
}

static void restore(ompfact_grid *grid)
{
    *grid->devices = late.table;
    ompfact_grid_destroy(&grid);
}

START_TEST(late_devices)
{
    const struct way way = { 2, 0.3, "host", 0, OMPFACT_DYNAMIC };
    if (!have_devices())
        return;
    ompfact_grid *grid = late_grid(LONG_MAX);
    struct problem p = { .type = 'd', .m = 8 * NB + 1, .n = 6 * NB + 3, .seed = 5, .pivots = true };
    check_large(grid, &way, p, false, NB);
    check_large(grid, &way, p, true, NB);
    struct problem s = square('d', true, 9 * NB + 5);
    s.pivots = true;
    check_large(grid, &way, s, false, NB);
    struct problem h = square('z', true, 9 * NB + 5);
    ompfact_shape shape = shape_of(&h, NB, "auto");
    check_shape(grid, &h, &shape);
    restore(grid);
}
END_TEST

/* The last rank's device fails during a run, and every rank returns the failure. */
START_TEST(failing_device)
{
    if (!have_devices())
        return;
    ompfact_grid *grid = late_grid(30);
    struct problem p = square('d', true, 12 * NB);
    ompfact_shape shape = shape_of(&p, NB, "auto");
    ompfact_matrix *A = new_matrix(grid, &shape);
    int64_t info;
    fill(A, &p);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_DEVICE_FAILED);
    assert_everywhere(strstr(ompfact_message(grid), "emulated failure") != NULL);
    ompfact_matrix_destroy(&A);
    restore(grid);
}
END_TEST

/* All ranks return the same info, wherever the pivot failed. */
START_TEST(failing_pivots)
{
    const struct way requested = way_of(_i), *way = &requested;
    if (!have_devices())
        return;
    ompfact_grid *grid = grid_with(way, OMPFACT_PIVOT_NONE);
    for (int hermitian = 0; hermitian < 2; hermitian++) {
        struct problem p = square('d', hermitian, 6 * NB + 3);
        p.fails = 3 * NB + 5;
        ompfact_shape shape = shape_of(&p, NB, "g2dbc");
        check_failing_pivot(grid, &p, &shape);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Impossible requests are refused with a message on all ranks. */
START_TEST(refusals)
{
    static const struct {
        ompfact_options options;
        const char *word;
    } wrong[] = {
        { { .devices = 99 }, "device" },
        { { .devices = -2 }, "device" },
        { { .devices = 1, .device_backend = "steam" }, "steam" },
        { { .devices = 1, .host_share = 1.5 }, "share" },
        { { .devices = 1, .device_memory = -1 }, "memory" },
    };
    for (int i = 0; i < (int)(sizeof wrong / sizeof wrong[0]); i++) {
        ompfact_grid *grid;
        char message[256] = "";
        bool refused = ompfact_grid_create(MPI_COMM_WORLD, &wrong[i].options, &grid, message) == OMPFACT_BAD_ARGUMENT;
        assert_everywhere_msg(refused && grid == NULL && strstr(message, wrong[i].word) != NULL, "%d: %s", i, message);
    }
}
END_TEST

static Suite *devices_suite(void)
{
    Suite *suite = suite_create("devices");
    TCase *tests = tcase_create("devices");
    add_turns(tests, cholesky_and_lu, WAYS, 2);
    add_turns(tests, pivots_and_reflectors, WAYS, 2);
    add_turns(tests, indefinite, WAYS, 2);
    tcase_add_loop_test(tests, strips, 0, 2);
    add_turns(tests, many_strips, 4, 4);
    tcase_add_test(tests, late_devices);
    tcase_add_test(tests, failing_device);
    add_turns(tests, failing_pivots, WAYS, 3);
    tcase_add_test(tests, refusals);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, devices_suite());
}
