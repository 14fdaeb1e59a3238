/*
 * A context of the BLACS as a grid of ompfact, found by an attribute of the context's communicator. When a context ends, in
 * Cblacs_gridexit(), its grid is only marked: programs may end contexts at different times on different processes, and the end of
 * a grid is collective. The next context of the same processes in the same order takes over the grid. All grids end with
 * MPI_COMM_SELF, which MPI_Finalize() frees first (MPI 4.0, section 11.2.4), on every process in the order of their creation.
 */
#include "src/scalapack/blacs.h"
#include "src/scalapack/call.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static struct process_grid *grids;      /* the newest is first */

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
    ((struct process_grid *)value)->ended = true;
    return MPI_SUCCESS;
}

static int key_of_grids(void)
{
    static int key = MPI_KEYVAL_INVALID;
    if (key == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, context_ends, &key, NULL);
    return key;
}

static void close_grids(void)
{
    while (grids != NULL) {
        struct process_grid *p = grids;
        grids = p->next;
        destroy(p);
    }
}

static int program_ends(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    account_report();
    close_grids();
    return MPI_SUCCESS;
}

/* Registers for MPI_Finalize. */
static void await_end(void)
{
    static int key = MPI_KEYVAL_INVALID;
    if (key != MPI_KEYVAL_INVALID)
        return;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, program_ends, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

/* The rank of each process; the first process in MPI_COMM_WORLD decides. Collective. */
static bool survey(struct process_grid *p)
{
    int size, world, first = 0;
    MPI_Comm_size(p->comm, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    int mine[3] = { p->myrow, p->mycol, world }, *all = malloc((size_t)size * sizeof mine);
    free(p->rank);
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

/* Finds a grid whose context has ended, of the same processes in the same order; or NULL. Local. */
static struct process_grid *ended_like(MPI_Comm comm)
{
    for (struct process_grid *p = grids; p != NULL; p = p->next) {
        int likeness = MPI_UNEQUAL;
        if (p->ended)
            MPI_Comm_compare(p->comm, comm, &likeness);
        if (likeness == MPI_CONGRUENT)
            return p;
    }
    return NULL;
}

/* Creates a grid, or takes one over if all processes have the same one. NULL: a process has no memory, or there are too many
   grids; each uses communicators of MPI. Collective. */
static struct process_grid *agree_on_one(MPI_Comm comm)
{
    enum { SERIAL, SMALLEST, LAST, NO_ROOM, VALUES, MOST_GRIDS = 64 };
    static int last;        /* number of a grid; newer grids have larger numbers */
    struct process_grid *old = ended_like(comm), *new = old == NULL ? calloc(1, sizeof *new) : NULL;
    int serial = old != NULL ? old->serial : 0, count = 0;
    int values[VALUES] = { [SERIAL] = serial, [SMALLEST] = -serial, [LAST] = last };
    for (struct process_grid *p = grids; p != NULL; p = p->next)
        count++;
    values[NO_ROOM] = old == NULL && (new == NULL || count >= MOST_GRIDS);
    MPI_Allreduce(MPI_IN_PLACE, values, VALUES, MPI_INT, MPI_MAX, comm);
    if (values[SERIAL] > 0 && values[SERIAL] == -values[SMALLEST])
        return old;
    if (old != NULL)
        new = calloc(1, sizeof *new);
    values[NO_ROOM] |= new == NULL;
    MPI_Allreduce(MPI_IN_PLACE, &values[NO_ROOM], 1, MPI_INT, MPI_MAX, comm);
    if (values[NO_ROOM]) {
        free(new);
        return NULL;
    }
    last = values[LAST] + 1;
    *new = (struct process_grid){ .next = grids, .serial = last, .comm = MPI_COMM_NULL };
    MPI_Comm_dup(comm, &new->comm);
    MPI_Comm_set_errhandler(new->comm, MPI_ERRORS_RETURN);
    grids = new;
    return new;
}

static struct process_grid *create(int context, MPI_Comm comm)
{
    int nprow, npcol, myrow, mycol, size;
    blacs_grid(context, &nprow, &npcol, &myrow, &mycol);
    MPI_Comm_size(comm, &size);
    struct process_grid *p = size == nprow * npcol ? agree_on_one(comm) : NULL;     /* NULL: unknown BLACS */
    if (p == NULL)
        return NULL;
    p->nprow = nprow;
    p->npcol = npcol;
    p->myrow = myrow;
    p->mycol = mycol;
    p->ended = !survey(p);
    if (p->ended)
        return NULL;
    MPI_Comm_set_attr(comm, key_of_grids(), p);
    await_end();
    return p;
}

struct process_grid *process_grid_of(int context)
{
    int known;
    void *value;
    MPI_Comm comm = blacs_comm(context);
    if (comm == MPI_COMM_NULL)
        return NULL;
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

/* Options: as many threads as OMP_NUM_THREADS gives, otherwise the process's share of its node's cores.
   OMPFACT_SCALAPACK_DEVICES: devices of a process, or "auto", its share of its node's devices. */
ompfact_status open_grid(struct process_grid *p)
{
    const char *devices = getenv("OMPFACT_SCALAPACK_DEVICES");
    ompfact_options options = { .threads = getenv("OMP_NUM_THREADS") != NULL ? omp_get_max_threads() : 0,
                                .host_share = -1, .pivot = OMPFACT_PIVOT_PARTIAL };
    if (devices != NULL)
        options.devices = strcmp(devices, "auto") == 0 ? -1 : atoi(devices);
    return p->grid != NULL ? OMPFACT_SUCCESS : ompfact_grid_create(p->comm, &options, &p->grid, NULL);
}
