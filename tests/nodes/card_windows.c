/* Windows, and the reads and writes that the card executes. */
#include "tests/nodes/card.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct window {
    MPI_Win win;
    struct card_peer *peer;     /* [rank of the window's group] */
    struct window *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct window *windows;

/* ---- made and freed -------------------------------------------------------------------------------------------------- */

static bool spans_nodes(MPI_Comm comm)
{
    MPI_Group group, world;
    int size, r;
    bool spans = false;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < size && !spans; i++) {
        PMPI_Group_translate_ranks(group, 1, &i, world, &r);
        spans = r >= 0 && card.node_of[r] != card.node_of[card.rank];
    }
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    return spans;
}

static bool refused(MPI_Comm comm)
{
    return card.settings.no_windows && spans_nodes(comm);
}

static int refuse(MPI_Comm comm, MPI_Win *win)
{
    *win = MPI_WIN_NULL;
    PMPI_Comm_call_errhandler(comm, MPI_ERR_WIN);
    return MPI_ERR_WIN;
}

/* Makes whole pages resident, as registering memory with a card does. The contents stay. */
static void pin(void *base, MPI_Aint bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)base / page * page;
    uintptr_t end = ((uintptr_t)base + (uintptr_t)bytes + page - 1) / page * page;
    if (bytes == 0 || madvise((void *)begin, end - begin, MADV_POPULATE_WRITE) == 0)
        return;
    for (uintptr_t p = (uintptr_t)base; p < (uintptr_t)base + (uintptr_t)bytes; p = p / page * page + page)
        __atomic_fetch_or((char *)p, 0, __ATOMIC_RELAXED);      /* for Linux before 5.14 */
}

/* MPI's own waits would spin on a core that another rank needs. */
static void wait_and_yield(MPI_Request *request)
{
    for (int done = 0; !done; sched_yield())
        PMPI_Test(request, &done, MPI_STATUS_IGNORE);
}

static int made(int code, MPI_Win win, void *base, MPI_Aint bytes, int unit, MPI_Comm comm)
{
    if (code != MPI_SUCCESS)
        return code;
    struct card_peer mine = { getpid(), (int64_t)(intptr_t)base, unit, card.node_of[card.rank] };
    struct window *w = malloc(sizeof *w);
    int size;
    PMPI_Comm_size(comm, &size);
    struct card_peer *peer = malloc((size_t)size * sizeof *peer);
    if (w == NULL || peer == NULL)
        abort();
    MPI_Request request;
    PMPI_Iallgather(&mine, sizeof mine, MPI_BYTE, peer, sizeof mine, MPI_BYTE, comm, &request);
    wait_and_yield(&request);
    if (card.settings.pins && spans_nodes(comm))
        pin(base, bytes);
    pthread_mutex_lock(&lock);
    *w = (struct window){ .win = win, .peer = peer, .next = windows };
    windows = w;
    pthread_mutex_unlock(&lock);
    return code;
}

int MPI_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    if (refused(comm))
        return refuse(comm, win);
    int code = PMPI_Win_create(base, bytes, unit, info, comm, win);
    return made(code, *win, base, bytes, unit, comm);
}

int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    if (refused(comm))
        return refuse(comm, win);
    int code = PMPI_Win_allocate(bytes, unit, info, comm, base, win);
    return made(code, *win, *(void **)base, bytes, unit, comm);
}

/* In a dynamic window displacements are addresses. */
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    if (refused(comm))
        return refuse(comm, win);
    int code = PMPI_Win_create_dynamic(info, comm, win);
    return made(code, *win, NULL, 0, 1, comm);
}

int MPI_Win_free(MPI_Win *win)
{
    card_complete_all();
    pthread_mutex_lock(&lock);
    struct window **w = &windows;
    while (*w != NULL && (*w)->win != *win)
        w = &(*w)->next;
    struct window *freed = *w;
    if (freed != NULL)
        *w = freed->next;
    pthread_mutex_unlock(&lock);
    if (freed != NULL)
        free(freed->peer);
    free(freed);
    return PMPI_Win_free(win);
}

/* ---- reads and writes ------------------------------------------------------------------------------------------------ */

size_t card_bytes(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (size_t)count * (size_t)size;
}

/* The target if the target is on another node, else NULL. */
static const struct card_peer *peer_elsewhere(MPI_Win win, int target)
{
    pthread_mutex_lock(&lock);
    const struct window *w = windows;
    while (w != NULL && w->win != win)
        w = w->next;
    const struct card_peer *peer = w != NULL && target >= 0 ? &w->peer[target] : NULL;
    pthread_mutex_unlock(&lock);
    return peer != NULL && peer->node != card.node_of[card.rank] ? peer : NULL;
}

static bool contiguous(MPI_Datatype type)
{
    MPI_Aint low, extent;
    int size;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &low, &extent);
    return low == 0 && extent == size;
}

/* Returns false where MPI must execute the operation: within a node, or for types that are not contiguous. */
static bool carries(bool write, const void *local, int count, MPI_Datatype type, int target, MPI_Aint disp,
                    MPI_Datatype target_type, MPI_Win win, MPI_Request *request)
{
    const struct card_peer *peer = peer_elsewhere(win, target);
    if (peer == NULL || !contiguous(type) || !contiguous(target_type))
        return false;
    card_begin((struct card_operation){ .write = write, .peer = peer, .local = (void *)local, .bytes = card_bytes(count, type),
                                        .remote = (uint64_t)(peer->base + disp * peer->unit) }, request);
    return true;
}

int MPI_Get(void *origin, int n, MPI_Datatype type, int target, MPI_Aint disp, int there, MPI_Datatype target_type, MPI_Win win)
{
    if (carries(false, origin, n, type, target, disp, target_type, win, NULL))
        return MPI_SUCCESS;
    return PMPI_Get(origin, n, type, target, disp, there, target_type, win);
}

int MPI_Put(const void *origin, int n, MPI_Datatype type, int target, MPI_Aint disp, int there, MPI_Datatype target_type,
            MPI_Win win)
{
    if (carries(true, origin, n, type, target, disp, target_type, win, NULL))
        return MPI_SUCCESS;
    return PMPI_Put(origin, n, type, target, disp, there, target_type, win);
}

int MPI_Rget(void *origin, int n, MPI_Datatype type, int target, MPI_Aint disp, int there, MPI_Datatype target_type,
             MPI_Win win, MPI_Request *request)
{
    if (carries(false, origin, n, type, target, disp, target_type, win, request))
        return MPI_SUCCESS;
    return PMPI_Rget(origin, n, type, target, disp, there, target_type, win, request);
}

int MPI_Rput(const void *origin, int n, MPI_Datatype type, int target, MPI_Aint disp, int there, MPI_Datatype target_type,
             MPI_Win win, MPI_Request *request)
{
    if (carries(true, origin, n, type, target, disp, target_type, win, request))
        return MPI_SUCCESS;
    return PMPI_Rput(origin, n, type, target, disp, there, target_type, win, request);
}
