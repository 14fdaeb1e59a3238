/* Control groups of both versions, in a made-up tree: quotas of cores and limits of memory, of a group and of its parents. */
#include "src/process/cgroup.h"
#include "tests/suite.h"

#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "cgroupXXXXXX";

/* Writes a file below the root, and creates its folders. */
static void put(const char *path, const char *text)
{
    char full[300];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *slash = full; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        mkdir(full, 0777);
    }
    FILE *file = fopen(full, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void make_root(void)
{
    strcpy(root, "cgroupXXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void remove_root(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

/* Without control groups, or with groups without limits, nothing is limited. */
START_TEST(none)
{
    ck_assert(cgroup_cores(root) == INFINITY && cgroup_memory_left(root) == SIZE_MAX);
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/memory.max", "max\n");
    put("sys/fs/cgroup/memory.current", "1000\n");
    ck_assert(cgroup_cores(root) == INFINITY && cgroup_memory_left(root) == SIZE_MAX);
}
END_TEST

/* In nested groups of version 2 the smallest limit counts, whichever group has it. Inactive file pages count as free. */
START_TEST(nested)
{
    put("proc/self/cgroup", "0::/job/step\n");
    put("sys/fs/cgroup/job/cpu.max", "250000 100000\n");
    put("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/job/memory.max", "5000\n");
    put("sys/fs/cgroup/job/memory.current", "3000\n");
    put("sys/fs/cgroup/job/memory.stat", "anon 2000\ninactive_file 600\nactive_file 400\n");
    put("sys/fs/cgroup/job/step/memory.max", "4000\n");
    put("sys/fs/cgroup/job/step/memory.current", "100\n");
    ck_assert(cgroup_cores(root) == 2.5);
    ck_assert_uint_eq(cgroup_memory_left(root), 2600);
    put("sys/fs/cgroup/job/step/cpu.max", "50000 100000\n");
    put("sys/fs/cgroup/job/step/memory.current", "4100\n");
    ck_assert(cgroup_cores(root) == 0.5);
    ck_assert_uint_eq(cgroup_memory_left(root), 0);
}
END_TEST

/* Version 1 has a tree for each controller. Controllers may be mounted together, and -1 means no quota. */
START_TEST(version_1)
{
    put("proc/self/cgroup", "12:cpuset:/x\n5:memory:/slurm/job\n4:cpu,cpuacct:/slurm\n0::/\n");
    put("sys/fs/cgroup/cpu/slurm/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/slurm/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "8000\n");
    put("sys/fs/cgroup/memory/slurm/memory.usage_in_bytes", "1000\n");
    put("sys/fs/cgroup/memory/slurm/job/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/slurm/job/memory.usage_in_bytes", "500\n");
    ck_assert(cgroup_cores(root) == INFINITY);
    ck_assert_uint_eq(cgroup_memory_left(root), 7000);
    put("sys/fs/cgroup/cpu/slurm/cpu.cfs_quota_us", "300000\n");
    ck_assert(cgroup_cores(root) == 3);
}
END_TEST

/* In a container the groups may be mounted at the top, while the path is the host's. Then the mounted group counts. */
START_TEST(container)
{
    put("proc/self/cgroup", "3:memory:/docker/0123\n2:cpu:/docker/0123\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
    ck_assert(cgroup_cores(root) == 1.5);
    ck_assert_uint_eq(cgroup_memory_left(root), 7000);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { none, nested, version_1, container };
    Suite *suite = suite_create("cgroup");
    TCase *tcase = tcase_create("cgroup");
    tcase_add_checked_fixture(tcase, make_root, remove_root);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return run_serial_suite(suite);
}
