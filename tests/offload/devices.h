/* What the tests of devices share: opening a backend where this machine has devices for it. */
#ifndef OMPFACT_TESTS_OFFLOAD_DEVICES_H
#define OMPFACT_TESTS_OFFLOAD_DEVICES_H

#include "offload/offload.h"
#include "tests/suite.h"

#include <sys/wait.h>

static const char *const backends[] = { "host", "portable", "cuda", "hip" };
enum { BACKENDS = sizeof backends / sizeof backends[0] };

/* Devices of this kind may be missing. */
static inline bool is_of_vendor(const char *backend)
{
    return strcmp(backend, "cuda") == 0 || strcmp(backend, "hip") == 0;
}

static char text[300];      /* why devices were refused */

/* Opens devices of a rank that has the node for itself. */
static inline int open_devices(int count, const char *backend, struct devices **devices)
{
    struct offload_request request = { .devices = count, .backend = backend, .ranks_on_node = 1 };
    text[0] = '\0';
    return offload_open(&request, devices, text, sizeof text);
}

/* As many devices as there are, `most` at most. NULL where the backend has none here, which only a vendor's may. */
static inline struct devices *open_some(const char *backend, int most)
{
    struct devices *devices;
    while (most > 0 && open_devices(most, backend, &devices) != 0)
        most--;
    ck_assert_msg(most > 0 || is_of_vendor(backend), "%s", text);
    return most > 0 ? devices : NULL;
}

/* Ends the program as skipped where the build has no devices.
   In another process: Check's children need a runtime that has not started. */
static inline void skip_without_devices(void)
{
    struct devices *devices;
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        status = open_devices(1, "host", &devices);
        fprintf(stderr, "%s\n", text);
        _exit(status);
    }
    waitpid(child, &status, 0);
    if (status != 0)
        exit(77);
}

#endif
