/* How much memory is left, so that a run that cannot fit is refused before it allocates. */
#include "src/matrix.h"

#include <stdio.h>
#include <sys/statvfs.h>

/* A number in a small file, in the given unit; SIZE_MAX if there is none ("max" in a cgroup's). */
static size_t read_number(const char *path, const char *format, size_t unit)
{
    FILE *file = fopen(path, "r");
    unsigned long long value;
    size_t found = SIZE_MAX;
    if (file == NULL)
        return SIZE_MAX;
    char line[256];
    while (found == SIZE_MAX && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, format, &value) == 1 && value < SIZE_MAX / unit)
            found = (size_t)value * unit;
    fclose(file);
    return found;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t memory_available(bool shared_window)
{
    size_t bytes = read_number("/proc/meminfo", "MemAvailable: %llu kB", 1024);
    size_t limit = read_number("/sys/fs/cgroup/memory.max", "%llu", 1);
    size_t used = read_number("/sys/fs/cgroup/memory.current", "%llu", 1);
    if (limit != SIZE_MAX && used != SIZE_MAX)
        bytes = smaller(bytes, limit > used ? limit - used : 0);
#ifdef MPICH_VERSION
    /* MPICH puts the windows of ranks that share a node into POSIX shared memory; writing past that file system's end is SIGBUS. */
    struct statvfs shm;
    if (shared_window && statvfs("/dev/shm", &shm) == 0)
        bytes = smaller(bytes, (size_t)shm.f_bavail * shm.f_frsize);
#else
    (void)shared_window;
#endif
    return bytes;
}
