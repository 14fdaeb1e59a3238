/*
 * Memory that the ranks of a node read in place. Each rank's part is a file without a name in memory; the others open it through
 * /proc and map it, for reading alone.
 *
 * Not MPI_Win_allocate_shared: where ranks outnumber cores its collectives spin (MPICH 4.0.2, 7 ranks on 2 cores: 225 ms for a window;
 * this waits by polling, 1 ms), and in containers it is limited to the size of /dev/shm.
 */
#define _GNU_SOURCE     /* memfd_create */
#include "rma/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int map(int file, size_t bytes, int protection, int flags, struct rma_mapping *mapping)
{
    void *base = mmap(NULL, bytes, protection, flags, file, 0);
    if (base == MAP_FAILED)
        return MPI_ERR_NO_MEM;
    *mapping = (struct rma_mapping){ .base = base, .bytes = bytes };
    return MPI_SUCCESS;
}

static int make_mine(size_t bytes, int *file, struct rma_mapping *mine)
{
    *file = memfd_create("ompfact", MFD_CLOEXEC);
    if (*file < 0 || ftruncate(*file, (off_t)bytes) != 0)
        return MPI_ERR_NO_MEM;
    return map(*file, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, mine);
}

static int map_peer(const struct rma_offer *offer, struct rma_mapping *peer)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)offer->process, (long long)offer->file);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? MPI_ERR_NO_MEM : MPI_ERR_RMA_SHARED;
    int code = map(file, (size_t)offer->bytes, PROT_READ, MAP_SHARED, peer);
    close(file);
    return code;
}

static int map_peers(struct rma *rma, const struct rma_offer *all, struct rma_mapping *peer)
{
    for (int rank = 0; rank < rma->ranks; rank++) {
        if (rank == rma->rank || rma->node_of[rank] != rma->node_of[rma->rank])
            continue;
        const struct rma_offer *offer = &all[rma->place_on_node[rank]];
        RMA_TRY(offer->file < 0 ? MPI_ERR_NO_MEM : map_peer(offer, &peer[rank]));
    }
    return MPI_SUCCESS;
}

int rma_share(struct rma *rma, size_t bytes, struct rma_mapping *peer, int *file)
{
    *file = -1;
    if (rma->ranks_on_node == 1)        /* private memory may have large pages where shared memory may not */
        return map(-1, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, &peer[rma->rank]);
    int made = make_mine(bytes, file, &peer[rma->rank]);
    struct rma_offer mine = { .process = getpid(), .file = made == MPI_SUCCESS ? *file : -1, .bytes = (int64_t)bytes };
    int code = rma_allgather(rma, rma->node, &mine, rma->offers, sizeof mine);
    if (code == MPI_SUCCESS)
        code = made;
    return code == MPI_SUCCESS ? map_peers(rma, rma->offers, peer) : code;
}

void rma_unshare(struct rma_mapping *peer, int ranks)
{
    for (int rank = 0; peer != NULL && rank < ranks; rank++)
        if (peer[rank].base != NULL)
            munmap(peer[rank].base, peer[rank].bytes);
}
