/* What the tests of devices share: opening the backends that this machine has devices for. */
#ifndef OMPFACT_TESTS_OFFLOAD_DEVICES_H
#define OMPFACT_TESTS_OFFLOAD_DEVICES_H

#include "offload/offload.h"
#include "tests/suite.h"

#include <sys/wait.h>

static const char *const backends[] = { "host", "portable", "cuda", "hip" };
enum { BACKENDS = sizeof backends / sizeof backends[0] };

/* A machine may have no devices of this kind. */
static inline bool is_of_vendor(const char *backend)
{
    return strcmp(backend, "cuda") == 0 || strcmp(backend, "hip") == 0;
}

static char text[300];      /* the reason for a refusal */

/* Opens devices for a rank that is alone on its node. */
static inline int open_devices(int count, const char *backend, struct devices **devices)
{
    struct offload_request request = { .devices = count, .backend = backend, .ranks_on_node = 1 };
    text[0] = '\0';
    return offload_open(&request, devices, text, sizeof text);
}

/* Opens as many devices as there are, at most `most`. Returns NULL where there are none, which is allowed for vendors alone. */
static inline struct devices *open_some(const char *backend, int most)
{
    struct devices *devices;
    while (most > 0 && open_devices(most, backend, &devices) != 0)
        most--;
    ck_assert_msg(most > 0 || is_of_vendor(backend), "%s", text);
    return most > 0 ? devices : NULL;
}

/* Ends the program as skipped where the build supports no devices. Another process opens them, because the children that Check
   forks require a runtime that has not started. */
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
