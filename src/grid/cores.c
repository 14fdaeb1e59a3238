/* The number of threads of a rank, and the cores that these are bound to. Cores count, not hardware threads: those that the rank
   may use and that no other rank of the node has. */
#include "src/process/cgroup.h"
#include "src/grid/grid.h"

#include <hwloc.h>
#include <math.h>
#include <stdlib.h>

/* This rank's part of the node's cores, or of the processor time that a control group grants. The result is not more than the
   cores that the launcher has bound this rank to. */
static int share_of(hwloc_topology_t topology, int ranks_on_node)
{
    hwloc_cpuset_t set = hwloc_bitmap_alloc();
    int node = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), mine = node;
    if (set != NULL && hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0)
        mine = hwloc_get_nbobjs_inside_cpuset_by_type(topology, set, HWLOC_OBJ_CORE);
    hwloc_bitmap_free(set);
    int share = (int)fmin(cgroup_cores(""), node) / ranks_on_node;
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

int ompfact_node_cores(void)
{
    hwloc_topology_t topology;
    int cores = 0;
    if (hwloc_topology_init(&topology) != 0)
        return 0;
    if (hwloc_topology_load(topology) == 0)
        cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    hwloc_topology_destroy(topology);
    return cores > 0 ? cores : 0;
}

/* ---- pinning ------------------------------------------------------------------------------------------------------------ */

struct pinning {
    hwloc_topology_t topology;
    hwloc_const_cpuset_t allowed;
    int first;      /* this rank's first core among the allowed ones */
};

static void pin(void *context, int thread)
{
    const struct pinning *p = context;
    hwloc_obj_t core = hwloc_get_obj_inside_cpuset_by_type(p->topology, p->allowed, HWLOC_OBJ_CORE,
                                                           (unsigned)(p->first + thread));
    if (core != NULL)
        hwloc_set_cpubind(p->topology, core->cpuset, HWLOC_CPUBIND_THREAD);     /* without success the run is only slower */
}

/* Whether the user has set where OpenMP places threads. These settings have priority. */
static bool user_has_placed(void)
{
    return getenv("OMP_PROC_BIND") != NULL || getenv("OMP_PLACES") != NULL || getenv("KMP_AFFINITY") != NULL;
}

void pin_threads(struct rma *rma, int threads, bool wanted)
{
    struct pinning p = { 0 };
    int64_t needed = threads, before = threads;
    bool known = rma_node_sum(rma, &needed) == MPI_SUCCESS && rma_node_before(rma, &before) == MPI_SUCCESS;
    hwloc_cpuset_t allowed = hwloc_bitmap_alloc();
    if (!wanted || !known || allowed == NULL || user_has_placed() || hwloc_topology_init(&p.topology) != 0) {
        hwloc_bitmap_free(allowed);
        return;
    }
    if (hwloc_topology_load(p.topology) == 0 && hwloc_get_cpubind(p.topology, allowed, HWLOC_CPUBIND_PROCESS) == 0) {
        int node = hwloc_get_nbobjs_by_type(p.topology, HWLOC_OBJ_CORE);
        int mine = hwloc_get_nbobjs_inside_cpuset_by_type(p.topology, allowed, HWLOC_OBJ_CORE);
        p.allowed = allowed;
        p.first = mine < node ? 0 : (int)before;    /* the launcher has divided the cores among the ranks; otherwise this file
                                                       does */
        if (mine < node ? mine == threads : needed <= node)
            run_on_threads(threads, pin, &p);
    }
    hwloc_topology_destroy(p.topology);
    hwloc_bitmap_free(allowed);
}
