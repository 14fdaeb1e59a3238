/*
 * A context of the BLACS as a grid of ours. It hangs on the context's communicator as an attribute, so it ends with it, in
 * Cblacs_gridexit(); what is left when the program ends goes with MPI_COMM_SELF, which MPI_Finalize() frees first (MPI 4.0,
 * section 11.2.4). Every process makes and ends grids in the same order, for both are collective over contexts.
 */
#include "src/scalapack/blacs.h"
#include "src/scalapack/call.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static struct process_grid *grids;      /* the last one made is first */

static void destroy(struct process_grid *p)
{
    ompfact_matrix_destroy(&p->kept);
    ompfact_grid_destroy(&p->grid);
    if (p->comm != MPI_COMM_NULL)
        MPI_Comm_free(&p->comm);
    free(p->rank);
    free(p);
}

static int context_ends(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)extra;
    for (struct process_grid **link = &grids; *link != NULL; link = &(*link)->next)
        if (*link == value) {
            *link = (*link)->next;
            destroy(value);
            return MPI_SUCCESS;
        }
    return MPI_SUCCESS;
}

static int key_of_grids(void)
{
    static int key = MPI_KEYVAL_INVALID;
    if (key == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, context_ends, &key, NULL);
    return key;
}

void close_grids(void)
{
    while (grids != NULL) {
        struct process_grid *p = grids;
        grids = p->next;
        destroy(p);
    }
}

/* Who is where; the one that is first in MPI_COMM_WORLD counts. Collective. */
static bool survey(struct process_grid *p)
{
    int size, world, first = 0;
    MPI_Comm_size(p->comm, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    int mine[3] = { p->myrow, p->mycol, world }, *all = malloc((size_t)size * sizeof mine);
    p->rank = malloc((size_t)p->nprow * (size_t)p->npcol * sizeof *p->rank);
    int made = all != NULL && p->rank != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &made, 1, MPI_INT, MPI_MIN, p->comm);
    if (made)
        MPI_Allgather(mine, 3, MPI_INT, all, 3, MPI_INT, p->comm);
    for (int i = 0; made && i < size; i++) {
        p->rank[all[3 * i] * p->npcol + all[3 * i + 1]] = i;
        first = all[3 * i + 2] < all[3 * first + 2] ? i : first;
    }
    p->counts = made && all[3 * first + 2] == world;
    free(all);
    return made;
}

static struct process_grid *create(int context, MPI_Comm comm)
{
    struct process_grid *p = calloc(1, sizeof *p);
    int made = p != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &made, 1, MPI_INT, MPI_MIN, comm);
    if (!made) {
        free(p);
        return NULL;
    }
    blacs_grid(context, &p->nprow, &p->npcol, &p->myrow, &p->mycol);
    MPI_Comm_dup(comm, &p->comm);
    if (!survey(p)) {
        destroy(p);
        return NULL;
    }
    p->next = grids;
    grids = p;
    MPI_Comm_set_attr(comm, key_of_grids(), p);
    account_open();
    return p;
}

struct process_grid *process_grid_of(int context)
{
    int known;
    void *value;
    MPI_Comm comm = blacs_comm(context);
    MPI_Comm_get_attr(comm, key_of_grids(), &value, &known);
    return known ? value : create(context, comm);
}

ompfact_status reduce_over(const struct process_grid *p, void *values, int count, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    int done = 0, code = MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, p->comm, &request);
    while (code == MPI_SUCCESS && !done) {
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done)
            sched_yield();
    }
    return code == MPI_SUCCESS ? OMPFACT_SUCCESS : OMPFACT_MPI_FAILED;
}

ompfact_status agree_on_memory(const struct call *c, const void *memory)
{
    int made = memory != NULL;
    TRY(reduce_over(c->processes, &made, 1, MPI_INT, MPI_MIN));
    return made ? OMPFACT_SUCCESS : OMPFACT_NO_MEMORY;
}

/* As many threads as OMP_NUM_THREADS says; else the process's share of its node's cores. OMPFACT_SCALAPACK_DEVICES: so many
   devices a process, or "auto", its share of its node's. */
ompfact_status open_grid(struct process_grid *p)
{
    const char *devices = getenv("OMPFACT_SCALAPACK_DEVICES");
    ompfact_options options = { .threads = getenv("OMP_NUM_THREADS") != NULL ? omp_get_max_threads() : 0,
                                .host_share = -1, .pivot = OMPFACT_PIVOT_PARTIAL };
    if (devices != NULL)
        options.devices = strcmp(devices, "auto") == 0 ? -1 : atoi(devices);
    return p->grid != NULL ? OMPFACT_SUCCESS : ompfact_grid_create(p->comm, &options, &p->grid, NULL);
}
