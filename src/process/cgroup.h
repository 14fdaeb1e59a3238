/* What control groups of containers, batch jobs and services grant to a process of the node's cores and memory. Linux; versions 1
   and 2, nested. */
#ifndef OMPFACT_SRC_PROCESS_CGROUP_H
#define OMPFACT_SRC_PROCESS_CGROUP_H

#include <stddef.h>

/* `root` is the path of /: "", or the folder of a test that has made-up proc/self/cgroup and sys/fs/cgroup. */

/* Processor time that the group may use, in cores; INFINITY: no quota. */
double cgroup_cores(const char *root);
/* Bytes of memory that the group may still allocate; SIZE_MAX: no limit. */
size_t cgroup_memory_left(const char *root);

#endif
