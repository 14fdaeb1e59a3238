/* What control groups, of containers, batch jobs and services, leave a process of its node. Linux; versions 1 and 2, nested. */
#ifndef OMPFACT_SRC_PROCESS_CGROUP_H
#define OMPFACT_SRC_PROCESS_CGROUP_H

#include <stddef.h>

/* `root` is where / is: "", or a folder of a test that holds made-up proc/self/cgroup and sys/fs/cgroup. */

/* Cores' worth of time that the group may use; INFINITY: no quota. */
double cgroup_cores(const char *root);
/* Bytes of memory that the group may still take; SIZE_MAX: no limit. */
size_t cgroup_memory_left(const char *root);

#endif
