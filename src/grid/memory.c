/* What a node's ranks need and what it has left, so that a run that cannot fit is refused before it allocates: later the system
   would end the job without a word. */
#include "src/grid/grid.h"

#include <stdio.h>
#include <sys/resource.h>
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

struct room {
    size_t bytes;
    const char *where;
};

/* What this node could still give to all ranks on it together; SIZE_MAX where that cannot be told. */
static struct room room_here(const struct rma *rma)
{
    struct room room = { read_number("/proc/meminfo", "MemAvailable: %llu kB", 1024), "the node" };
    size_t limit = read_number("/sys/fs/cgroup/memory.max", "%llu", 1),
           used = read_number("/sys/fs/cgroup/memory.current", "%llu", 1);
    size_t left = limit == SIZE_MAX || used == SIZE_MAX ? SIZE_MAX : limit > used ? limit - used : 0;
    if (left < room.bytes)
        room = (struct room){ left, "its control group" };
#ifdef MPICH_VERSION
    /* MPICH puts its windows of ranks that share a node into POSIX shared memory; writing past that file system's
       end is SIGBUS. */
    struct statvfs shm;
    if (!rma_in_place(rma) && rma_ranks_on_node(rma) > 1 && statvfs("/dev/shm", &shm) == 0 &&
        (size_t)shm.f_bavail * shm.f_frsize < room.bytes)
        room = (struct room){ (size_t)shm.f_bavail * shm.f_frsize, "its /dev/shm, where MPICH keeps tiles," };
#else
    (void)rma;
#endif
    return room;
}

ompfact_status memory_share(ompfact_grid *grid, int64_t *bytes)
{
    int on_node = rma_ranks_on_node(grid->rma);
    size_t room = room_here(grid->rma).bytes;
    *bytes = room > INT64_MAX ? INT64_MAX : (int64_t)(room / (size_t)on_node);
    TRY_MPI(grid, rma_allreduce(grid->rma, bytes, 1, MPI_INT64_T, MPI_MIN));
    return OMPFACT_SUCCESS;
}

/* Ranks of a node share their tiles as files in memory. */
static ompfact_status check_limit(ompfact_grid *grid, int64_t bytes, const char *what)
{
    struct rlimit limit;
    if (rma_ranks_on_node(grid->rma) == 1 || getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY ||
        (rlim_t)bytes <= limit.rlim_max)
        return OMPFACT_SUCCESS;
    return fail(grid, OMPFACT_NO_MEMORY, "files may have %.1f MiB (ulimit -f), and ranks of a node share %s as files in memory, "
                "%.1f MiB of rank %d", (double)limit.rlim_max / 0x1p20, what, (double)bytes / 0x1p20, rma_rank(grid->rma));
}

ompfact_status memory_check(ompfact_grid *grid, int64_t bytes, const char *what)
{
    TRY(agree(grid, check_limit(grid, bytes, what)));
    int on_node = rma_ranks_on_node(grid->rma);
    int64_t needed = bytes + grid->untouched;
    TRY_MPI(grid, rma_node_sum(grid->rma, &needed));
    struct room room = room_here(grid->rma);
    ompfact_status status = OMPFACT_SUCCESS;
    bool large = needed >= INT64_C(1) << 30;
    double unit = large ? 0x1p30 : 0x1p20;
    const char *name = large ? "GiB" : "MiB";
    if ((size_t)needed > room.bytes)
        status = fail(grid, OMPFACT_NO_MEMORY,
                      "not enough memory: %s of the %d rank%s on rank %d's node take %.1f %s, %s has %.1f %s left", what, on_node,
                      on_node == 1 ? "" : "s", rma_rank(grid->rma), (double)needed / unit, name, room.where,
                      (double)room.bytes / unit, name);
    return agree(grid, status);
}
