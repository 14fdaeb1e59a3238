/* What the tests of kernels on devices share: tiles in device memory, and comparisons with the host. */
#ifndef OMPFACT_TESTS_OFFLOAD_DEVICE_MEMORY_H
#define OMPFACT_TESTS_OFFLOAD_DEVICE_MEMORY_H

#include "tests/offload/devices.h"
#include "tests/omp/kernels/test_kernels.h"

static const int orders[] = { 0, 1, 5, 32, 33, 70 };
enum { ORDERS = sizeof orders / sizeof orders[0] };

static struct devices *devices;
static const struct kernels *there;     /* the kernels of the devices for the type under test */

/* ---- tiles on a device -------------------------------------------------------------------------------------------------- */

static int device;      /* the last one that was opened */

static inline size_t bytes_of(const ompfact_tile *t)
{
    return (size_t)t->ld * (size_t)t->nb * precision->size;
}

/* Copies a tile to the device. To be called between begin and end, like the calls below. */
static inline void *put_there(const ompfact_tile *t)
{
    void *data = devices->allocate(devices, device, bytes_of(t));
    ck_assert_ptr_nonnull(data);
    devices->up(devices, data, t->data, bytes_of(t));
    devices->wait(devices);     /* the host updates its copy at once */
    return data;
}

static inline void begin(void)
{
    devices->begin(devices, device, LANE_UPDATE);
}

/* Returns the info of the ticket. */
static inline int end(void)
{
    int info = 0;
    devices->wait(devices);
    uint64_t ticket = devices->end(devices);
    while (ticket != 0 && !devices->done(devices, ticket, &info))
        ;
    const char *failure = devices->failure(devices);
    ck_assert_msg(failure == NULL, "%s", failure);
    return info;
}

/* Copies a tile back, compares it with the result of the host, and releases it. NaNs must be in the same places. */
static inline void compare(const ompfact_tile *want, void *data, double terms, const char *what)
{
    ompfact_tile have = copy_of(want);
    devices->down(devices, have.data, data, bytes_of(want));
    devices->wait(devices);
    double largest = 1;
    for (int c = 0; c < want->nb; c++)
        for (int r = 0; r < want->mb; r++)
            largest = fmax(largest, cabs(at(want, r, c)));
    for (int c = 0; c < want->nb; c++)
        for (int r = 0; r < want->mb; r++) {
            number h = at(&have, r, c), w = at(want, r, c);
            bool same = isnan(creal(w)) ? isnan(creal(h)) : cabs(h - w) <= 8 * terms * precision->eps * largest;
            if (!same)
                ck_abort_msg("%s %c%s: element (%d,%d) of %d x %d is %g, not %g", devices->backend, precision->type, what, r, c,
                             want->mb, want->nb, creal(h), creal(w));
        }
    check_padding(&have);
    free(have.data);
    devices->release(devices, device, data);
}

static inline void drop(void *data)
{
    devices->wait(devices);
    devices->release(devices, device, data);
}

/* Opens the backend of test i: each backend has four tests, one for each type. Returns false where this machine has no such
   device. */
static inline bool open_for(int i)
{
    devices = open_some(backends[i / 4], 2);
    if (devices == NULL)
        return false;
    device = devices->count;
    use_type("sdcz"[i % 4]);
    there = devices->kernels("sdcz"[i % 4]);
    void (*all[sizeof *there / sizeof(void (*)(void))])(void);
    memcpy(all, there, sizeof all);
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++)
        ck_assert_msg(all[f] != NULL, "kernel %zu of the table is missing", f);
    ck_assert_ptr_null(devices->kernels('q'));
    return true;
}

/* Runs each test for each backend and type, in the quick tier for s and z. OMPFACT_TEST_BACKEND is one backend alone. */
static inline int run_on_backends(const char *name, size_t count, const TTest *const tests[])
{
    skip_without_devices();
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    const char *alone = getenv("OMPFACT_TEST_BACKEND");
    for (int b = 0; b < BACKENDS; b++)
        for (size_t i = 0; i < count && (alone == NULL || strcmp(alone, backends[b]) == 0); i++)
            for (int type = 0; type < 4; type += in_full_tier() ? 1 : 3)
                tcase_add_loop_test(tcase, tests[i], 4 * b + type, 4 * b + type + 1);
    suite_add_tcase(suite, tcase);
    blas_select_kernels();
    return run_serial_suite(suite);
}

#endif
