#define _GNU_SOURCE      /* dl_iterate_phdr */

/*
 * Devices without tiles of matrices: their number, refused requests, their memory, moves to and from them. On a machine without
 * an accelerator these are LLVM's four emulated devices. A build without devices must refuse them. No MPI.
 */
#include "src/grid/gemm_speed.h"
#include "tests/offload/devices.h"

#include <link.h>
#include <omp.h>
#include <unistd.h>

static void assert_refused(int count, const char *backend, const char *word)
{
    struct devices *devices;
    ck_assert_int_eq(open_devices(count, backend, &devices), 1);
    ck_assert_ptr_null(devices);
    ck_assert_msg(strstr(text, word) != NULL, "\"%s\" is not in: %s", word, text);
    ck_assert_ptr_null(strchr(text, '\n'));
}

/* As many devices are opened as requested, and none where none are requested. */
START_TEST(open_and_close)
{
    struct devices *devices;
    ck_assert_int_eq(open_devices(0, NULL, &devices), 0);
    ck_assert_ptr_null(devices);
    offload_close(&devices);
    struct devices *all = open_some(backends[_i], 4);
    int most = all == NULL ? 0 : all->count;
    offload_close(&all);
    for (int count = 1; count <= most; count++) {
        ck_assert_msg(open_devices(count, backends[_i], &devices) == 0, "%s", text);
        ck_assert_int_eq(devices->count, count);
        ck_assert_str_eq(devices->backend, backends[_i]);
        ck_assert_ptr_null(devices->failure(devices));
        offload_close(&devices);
        ck_assert_ptr_null(devices);
    }
}
END_TEST

static int is_left(struct dl_phdr_info *library, size_t size, void *data)
{
    (void)size, (void)data;
    return strncmp(library->dlpi_name, "/tmp/tmpfile_", 13) == 0 && access(library->dlpi_name, F_OK) == 0;
}

/* Emulated devices leave no file behind. */
START_TEST(no_files)
{
    struct devices *devices = open_some("host", 4);
    ck_assert_int_eq(dl_iterate_phdr(is_left, NULL), 0);
    offload_close(&devices);
}
END_TEST

/* Ranks of a node share its devices. Where there are more ranks than devices each rank has one. */
START_TEST(shares)
{
    for (int ranks = 1; ranks <= 6; ranks++) {
        struct offload_request request = { .devices = -1, .backend = "host", .rank_on_node = ranks - 1, .ranks_on_node = ranks };
        struct devices *devices;
        ck_assert_msg(offload_open(&request, &devices, text, sizeof text) == 0, "%s", text);
        ck_assert_int_eq(devices->count, ranks >= 4 ? 1 : 4 / ranks);
        offload_close(&devices);
    }
}
END_TEST

/* Impossible requests are refused in one line that names the reason. */
START_TEST(refusals)
{
    assert_refused(99, "host", " 4 ");
    assert_refused(99, "portable", "99");
    struct devices *nvidia;
    if (open_devices(1, "cuda", &nvidia) != 0) {
        assert_refused(99, NULL, " 4 ");
        assert_refused(1, "cuda", "NVIDIA");
    }
    offload_close(&nvidia);
    struct devices *amd;
    if (open_devices(1, "hip", &amd) != 0)
        assert_refused(1, "hip", "AMD");
    offload_close(&amd);
    assert_refused(1, "quantum", "quantum");
    assert_refused(-2, NULL, "-2");
}
END_TEST

/* Where OpenMP may not use devices a request is refused with a message, and auto finds none. */
START_TEST(forbidden)
{
    struct devices *devices;
    ck_assert_int_eq(setenv("OMP_TARGET_OFFLOAD", "DISABLED", 1), 0);
    assert_refused(1, NULL, "OMP_TARGET_OFFLOAD");
    assert_refused(2, "host", "OMP_TARGET_OFFLOAD");
    ck_assert_int_eq(open_devices(-1, NULL, &devices), 0);
    ck_assert_ptr_null(devices);
    ck_assert_int_eq(open_devices(0, NULL, &devices), 0);
}
END_TEST

/* Data that move to a device and back stay the same, on every device and from several threads at once. Requests for more memory
   than there is fail. */
START_TEST(memory_and_moves)
{
    enum { BYTES = 100001 };
    struct devices *devices = open_some(backends[_i], 4);
    if (devices == NULL)
        return;
    int wrong = 0;
    #pragma omp parallel for num_threads(4) schedule(static, 1) reduction(+ : wrong)
    for (int i = 0; i < 40; i++) {
        int device = 1 + i % devices->count;
        unsigned char *out = malloc(BYTES), *back = calloc(BYTES, 1);
        unsigned char *there = devices->allocate(devices, device, BYTES);
        for (int b = 0; b < BYTES; b++)
            out[b] = (unsigned char)(b * 7 + i);
        bool pinned = devices->pin(devices, out, BYTES, false);
        devices->begin(devices, device, LANE_UP);
        devices->up(devices, there, out, BYTES);
        devices->wait(devices);
        uint64_t ticket = devices->end(devices);
        devices->begin(devices, device, LANE_DOWN);
        devices->down(devices, back, there + 1, BYTES - 1);
        while (ticket != 0 && !devices->done(devices, ticket, &(int){ 0 }))
            ;
        ticket = devices->end(devices);
        while (ticket != 0 && !devices->done(devices, ticket, &(int){ 0 }))
            ;
        wrong += there == NULL || memcmp(out + 1, back, BYTES - 1) != 0;
        if (pinned)
            devices->unpin(devices, out);
        devices->release(devices, device, there);
        free(out);
        free(back);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_uint_gt(devices->memory(devices, 1), 0);
    ck_assert_ptr_null(devices->allocate(devices, 1, (size_t)1 << 60));
    ck_assert_ptr_null(devices->failure(devices));
    offload_close(&devices);
}
END_TEST

/* A device copies data from the memory of another device where the two are linked. */
START_TEST(from_one_to_another)
{
    enum { BYTES = 70001 };
    static unsigned char out[BYTES], back[BYTES];
    struct devices *devices = open_some(backends[_i], 3);
    if (devices == NULL)
        return;
    for (int i = 0; i < BYTES; i++)
        out[i] = (unsigned char)(i * 11);
    for (int d = 1; d <= devices->count && devices->linked != NULL; d++) {
        int from = d % devices->count + 1;
        ck_assert(!devices->linked(devices, d, d));
        if (!devices->linked(devices, d, from))
            continue;
        memset(back, 0, BYTES);
        void *here = devices->allocate(devices, d, BYTES), *there = devices->allocate(devices, from, BYTES);
        devices->begin(devices, from, LANE_UP);
        devices->up(devices, there, out, BYTES);
        device_end_and_wait(devices);
        devices->begin(devices, d, LANE_UP);
        devices->across(devices, here, from, there, BYTES);
        devices->down(devices, back, here, BYTES);
        device_end_and_wait(devices);
        ck_assert(memcmp(out, back, BYTES) == 0);
        devices->release(devices, d, here);
        devices->release(devices, from, there);
    }
    ck_assert_ptr_null(devices->failure(devices));
    offload_close(&devices);
}
END_TEST

/* The speed of a device is measured beside that of a host thread. */
START_TEST(speed)
{
    struct devices *devices = open_some(backends[_i], 2);
    if (devices == NULL)
        return;
    struct gemm_speed speed;
    ck_assert(gemm_speed_measure(1, devices, 0.04, &speed) && speed.threads > 0 && speed.devices > 0);
    ck_assert_ptr_null(devices->failure(devices));
    offload_close(&devices);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("offload");
    TCase *tcase = tcase_create("offload");
    skip_without_devices();
    tcase_add_loop_test(tcase, open_and_close, 0, BACKENDS);
    tcase_add_test(tcase, no_files);
    tcase_add_test(tcase, shares);
    tcase_add_test(tcase, refusals);
    tcase_add_test(tcase, forbidden);
    tcase_add_loop_test(tcase, memory_and_moves, 0, BACKENDS);
    tcase_add_loop_test(tcase, from_one_to_another, 0, BACKENDS);
    tcase_add_loop_test(tcase, speed, 0, BACKENDS);
    suite_add_tcase(suite, tcase);
    return run_serial_suite(suite);
}
