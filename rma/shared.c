/*
 * Memory that the ranks of a node read in place. The part of each rank is an unnamed file in memory. The other ranks open the
 * file through /proc and map it. They also write there: flags on the board of a rank, and acknowledgements of slots (carry.c).
 *
 * Why not MPI_Win_allocate_shared: where ranks outnumber cores its collectives spin (MPICH 4.0.2, 7 ranks on 2 cores: 225 ms
 * for a window; this code polls and takes 1 ms), and in containers it is limited to the size of /dev/shm.
 */
#define _GNU_SOURCE     /* memfd_create */
#include "rma/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The MPI error for a failed system call: too little memory or too few files, or an operation that this system does not
   allow. */
static int code_of(int error)
{
    bool none_left = error == ENOMEM || error == ENOSPC || error == EMFILE || error == ENFILE || error == EFBIG;
    return none_left ? MPI_ERR_NO_MEM : MPI_ERR_RMA_SHARED;
}

static int map(int file, size_t bytes, int protection, int flags, struct rma_mapping *mapping)
{
    void *base = mmap(NULL, bytes, protection, flags, file, 0);
    if (base == MAP_FAILED)
        return code_of(errno);
    *mapping = (struct rma_mapping){ .base = base, .bytes = bytes };
    return MPI_SUCCESS;
}

/* A limit on the size of files (RLIMIT_FSIZE) also holds for files in memory, and exceeding it raises a signal that ends the
   process. The soft limit is raised for this one file, as far as the hard limit allows. */
static int set_size(int file, size_t bytes)
{
    struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
    getrlimit(RLIMIT_FSIZE, &limit);
    bool raised = bytes > limit.rlim_cur && bytes <= limit.rlim_max;
    errno = EFBIG;
    if (bytes > limit.rlim_max || (raised && setrlimit(RLIMIT_FSIZE, &(struct rlimit){ limit.rlim_max, limit.rlim_max }) != 0))
        return -1;
    int failed = ftruncate(file, (off_t)bytes), error = errno;
    if (raised)
        setrlimit(RLIMIT_FSIZE, &limit);
    errno = error;
    return failed;
}

static int make_mine(size_t bytes, struct rma_offer *offer, struct rma_mapping *mine, int *file)
{
    struct stat status;
    *file = memfd_create("ompfact", MFD_CLOEXEC);
    if (*file < 0 || set_size(*file, bytes) != 0 || fstat(*file, &status) != 0)
        return code_of(errno);
    *offer = (struct rma_offer){ .process = getpid(), .file = *file, .device = status.st_dev, .inode = status.st_ino };
    return map(*file, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, mine);
}

/* In a container another process may have this number, so the file must be the one that was meant. */
static int map_peer(const struct rma_offer *offer, struct rma_mapping *peer)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)offer->process, (long long)offer->file);
    int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK), code = MPI_ERR_RMA_SHARED;
    if (file < 0 || fstat(file, &status) != 0)
        code = code_of(errno);
    else if (status.st_dev == offer->device && status.st_ino == offer->inode)
        code = map(file, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, peer);
    if (file >= 0)
        close(file);
    return code;
}

static int map_peers(struct rma *rma, const struct rma_offer *all, struct rma_mapping *peer)
{
    for (int rank = 0; rank < rma->ranks; rank++) {
        if (rank == rma->rank || rma->node_of[rank] != rma->node_of[rma->rank])
            continue;
        const struct rma_offer *offer = &all[rma->place_on_node[rank]];
        if (offer->file >= 0)       /* else that rank returns the error */
            RMA_TRY(map_peer(offer, &peer[rank]));
    }
    return MPI_SUCCESS;
}

int rma_share(struct rma *rma, size_t bytes, bool sparse, struct rma_mapping *peer, int *file)
{
    struct rma_mapping *mine = &peer[rma->rank];
    *file = -1;
    if (rma->ranks_on_node == 1)        /* private memory may have large pages where shared memory may not */
        return map(-1, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (sparse ? MAP_NORESERVE : 0), mine);
    struct rma_offer offer = { 0 };
    int made = make_mine(bytes, &offer, mine, file);
    if (made != MPI_SUCCESS)
        offer.file = -1;
    RMA_TRY(rma_allgather(rma, rma->node, &offer, rma->offers, sizeof offer));
    return made == MPI_SUCCESS ? map_peers(rma, rma->offers, peer) : made;
}

void rma_unshare(struct rma_mapping *peer, int ranks)
{
    for (int rank = 0; rank < ranks; rank++)
        if (peer[rank].base != NULL)
            munmap(peer[rank].base, peer[rank].bytes);
}
