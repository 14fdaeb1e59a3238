/* A limit holds for its group and all below, so the functions walk from this process's group up to the mounted one. */
#include "src/process/cgroup.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Reads a number with `format` from a line of a group's file. false: there is none, as in "max". */
static bool read_number(const char *group, const char *name, const char *format, double *value)
{
    char path[PATH_MAX + 64], line[256];
    snprintf(path, sizeof path, "%s/%s", group, name);
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = sscanf(line, format, value) == 1;
    if (file != NULL)
        fclose(file);
    return found;
}

/* ---- one group: returns the minimum of its limit and `least` ------------------------------------------------------------ */

static double cores_of(const char *group, double least)
{
    double quota, period;
    bool limited = (read_number(group, "cpu.max", "%lf", &quota) && read_number(group, "cpu.max", "%*s %lf", &period)) ||
                   (read_number(group, "cpu.cfs_quota_us", "%lf", &quota) &&
                    read_number(group, "cpu.cfs_period_us", "%lf", &period));
    return limited && quota > 0 && period > 0 ? fmin(least, quota / period) : least;
}

/* Inactive pages of files count as used memory, and the system reclaims them first. */
static double memory_of(const char *group, double least)
{
    static const struct { const char *limit, *used, *cached; } versions[] = {
        { "memory.max", "memory.current", "inactive_file %lf" },
        { "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file %lf" } };
    for (int v = 0; v < 2; v++) {
        double limit, used, cached;
        if (!read_number(group, versions[v].limit, "%lf", &limit) || !read_number(group, versions[v].used, "%lf", &used))
            continue;
        if (read_number(group, "memory.stat", versions[v].cached, &cached))
            used -= fmin(used, cached);
        least = fmin(least, fmax(limit - used, 0));
    }
    return least;
}

/* ---- from a group to the mounted one ------------------------------------------------------------------------------------ */

/* Whether the controller is in the list between the colons of a line of /proc/self/cgroup. In version 2 the list is empty. */
static bool has_controller(const char *list, size_t length, const char *controller)
{
    size_t own = strlen(controller);
    if (length == 0)
        return true;
    for (const char *end = list + length; list < end; list += strcspn(list, ",:") + 1)
        if (strncmp(list, controller, own) == 0 && (list[own] == ',' || list[own] == ':'))
            return true;
    return false;
}

/* Walks from the group `path` below `mount` up. A container may see paths of its host's groups that do not exist inside: then the
   mounted group is its own. */
static double walk_up(const char *mount, const char *path, double (*least_of)(const char *group, double least), double least)
{
    char group[PATH_MAX];
    struct stat status;
    size_t root = strlen(mount);
    if (snprintf(group, sizeof group, "%s%s", mount, path) >= (int)sizeof group || stat(group, &status) != 0)
        snprintf(group, sizeof group, "%s", mount);
    for (;;) {
        least = least_of(group, least);
        char *slash = strrchr(group, '/');
        if (slash == NULL || (size_t)(slash - group) < root)
            return least;
        *slash = '\0';
    }
}

static double least_of_all(const char *root, const char *controller, double (*least_of)(const char *group, double least))
{
    char path[PATH_MAX], line[PATH_MAX];
    double least = INFINITY;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *list = strchr(line, ':'), *below = list != NULL ? strchr(list + 1, ':') : NULL;
        if (below == NULL || !has_controller(list + 1, (size_t)(below - list - 1), controller))
            continue;
        below[1 + strcspn(below + 1, "\n")] = '\0';
        const char *own = below[1] == '/' && below[2] == '\0' ? "" : below + 1;
        bool one_tree = below - list == 1;      /* version 2: one tree */
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%s", root, one_tree ? "" : "/", one_tree ? "" : controller);
        least = walk_up(path, own, least_of, least);
    }
    if (file != NULL)
        fclose(file);
    return least;
}

double cgroup_cores(const char *root)
{
    return least_of_all(root, "cpu", cores_of);
}

size_t cgroup_memory_left(const char *root)
{
    double least = least_of_all(root, "memory", memory_of);
    return least < (double)SIZE_MAX ? (size_t)least : SIZE_MAX;
}
