/* How many threads a rank should have: cores, not hardware threads, that it may use and that no other rank counts on. */
#include "src/matrix.h"

#include <hwloc.h>

/* The node's cores over its ranks, and no more than the launcher binds this rank to. */
static int share_of(hwloc_topology_t topology, int ranks_on_node)
{
    hwloc_cpuset_t set = hwloc_bitmap_alloc();
    int node = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), mine = node;
    if (set != NULL && hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0)
        mine = hwloc_get_nbobjs_inside_cpuset_by_type(topology, set, HWLOC_OBJ_CORE);
    hwloc_bitmap_free(set);
    int share = node / ranks_on_node;
    return mine > 0 && mine < share ? mine : share;
}

int default_threads(int ranks_on_node)
{
    hwloc_topology_t topology;
    int threads = 1;
    if (hwloc_topology_init(&topology) != 0)
        return 1;
    if (hwloc_topology_load(topology) == 0)
        threads = share_of(topology, ranks_on_node);
    hwloc_topology_destroy(topology);
    return threads > 0 ? threads : 1;
}
