/* The memory that a node's ranks need, and the memory that the node has left. A run that cannot fit is refused before it
   allocates; otherwise the system would kill the job without a message. */
#include "src/process/cgroup.h"
#include "src/grid/grid.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

/* Bytes that the system can provide without swapping; SIZE_MAX: not known. */
static size_t available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    unsigned long long kib;
    size_t found = SIZE_MAX;
    char line[256];
    while (file != NULL && found == SIZE_MAX && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            found = (size_t)kib * 1024;
    if (file != NULL)
        fclose(file);
    return found;
}

struct room {
    size_t bytes;
    const char *where;
};

/* Bytes that this node can still provide to all its ranks together; SIZE_MAX: not known. */
static struct room room_here(const struct rma *rma)
{
    struct room room = { available(), "the node" };
    size_t left = cgroup_memory_left("");
    if (left < room.bytes)
        room = (struct room){ left, "its control group" };
#ifdef MPICH_VERSION
    /* MPICH puts windows of ranks that share a node into POSIX shared memory. A write past the end of that file system raises
       SIGBUS. */
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

/* Checks the limit on file sizes: ranks of a node share tiles as files in memory. */
static ompfact_status check_limit(ompfact_grid *grid, int64_t bytes, const char *what)
{
    struct rlimit limit;
    if (rma_ranks_on_node(grid->rma) == 1 || getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY ||
        (rlim_t)bytes <= limit.rlim_max)
        return OMPFACT_SUCCESS;
    return fail(grid, OMPFACT_NO_MEMORY, "files may have %.1f MiB (ulimit -f), and ranks of a node share %s as files in memory, "
                "%.1f MiB of rank %d", (double)limit.rlim_max / 0x1p20, what, (double)bytes / 0x1p20, rma_rank(grid->rma));
}

ompfact_status memory_check_all(ompfact_grid *grid, double bytes, const char *what)
{
    size_t room = room_here(grid->rma).bytes;
    double left = room == SIZE_MAX ? INFINITY : (double)room / rma_ranks_on_node(grid->rma) - (double)grid->untouched;
    int nodes = rma_nodes(grid->rma)->count;
    TRY_MPI(grid, rma_allreduce(grid->rma, &left, 1, MPI_DOUBLE, MPI_SUM));
    return bytes <= left ? OMPFACT_SUCCESS
                         : fail(grid, OMPFACT_NO_MEMORY, "not enough memory: %s take %.1f GiB, %s %.1f GiB left",
                                what, bytes / 0x1p30, nodes == 1 ? "the node has" : "all nodes together have", left / 0x1p30);
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

void *make_arrays(const struct array *arrays, size_t count)
{
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += (arrays[i].bytes + 63) / 64 * 64;
    char *memory = calloc(bytes, 1), *at = memory;
    for (size_t i = 0; i < count && memory != NULL; i++) {
        *arrays[i].pointer = at;
        at += (arrays[i].bytes + 63) / 64 * 64;
    }
    return memory;
}
