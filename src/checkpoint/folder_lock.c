/*
 * A lock of the file system's on the file ompfact.lock in the folder (flock, of an open file: whoever has a duplicate of its
 * descriptor has the lock). Whose process has it for one grid shares it with the next one, whichever rank it is there.
 */
#include "src/checkpoint/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder_lock {
    struct folder_lock *next;
    int file;
};

/* This process's. */
static struct folder_lock *held;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Another descriptor of what this process has locked already; -1: it has not. */
static int share(const struct stat *wanted)
{
    int file = -1;
    struct stat there;
    pthread_mutex_lock(&mutex);
    for (struct folder_lock *l = held; l != NULL && file < 0; l = l->next)
        if (fstat(l->file, &there) == 0 && there.st_dev == wanted->st_dev && there.st_ino == wanted->st_ino)
            file = fcntl(l->file, F_DUPFD_CLOEXEC, 0);
    pthread_mutex_unlock(&mutex);
    return file;
}

/* Closes the file where there is no memory. */
static struct folder_lock *hold(int file)
{
    struct folder_lock *l = malloc(sizeof *l);
    if (l == NULL) {
        close(file);
        return NULL;
    }
    l->file = file;
    pthread_mutex_lock(&mutex);
    l->next = held;
    held = l;
    pthread_mutex_unlock(&mutex);
    return l;
}

/* -1: there is no such file, and can be none. */
static int open_file(const char *folder, int flags)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/ompfact.lock", folder) >= (int)sizeof path)
        return -1;
    return open(path, flags | O_CLOEXEC, 0666);
}

/* Whether this process has the folder already. */
static bool join(const char *folder, struct folder_lock **lock)
{
    struct stat wanted;
    int file = open_file(folder, O_RDWR), shared = -1;
    if (file < 0)
        return false;
    if (fstat(file, &wanted) == 0)
        shared = share(&wanted);
    close(file);
    if (shared >= 0)
        *lock = hold(shared);
    return shared >= 0;
}

static ompfact_status take(ompfact_grid *grid, const char *folder, struct folder_lock **lock)
{
    int file = open_file(folder, O_RDWR | O_CREAT);
    if (file < 0)
        return OMPFACT_SUCCESS;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) {
        *lock = hold(file);
        return OMPFACT_SUCCESS;
    }
    int error = errno;
    close(file);
    if (error != EWOULDBLOCK)
        return OMPFACT_SUCCESS;
    return fail(grid, OMPFACT_BAD_ARGUMENT, "another job writes its checkpoints to %.120s: take another folder", folder);
}

ompfact_status folder_lock(ompfact_grid *grid, const char *folder, struct folder_lock **lock)
{
    *lock = NULL;
    int joined = join(folder, lock);     /* on any rank */
    TRY_MPI(grid, rma_allreduce(grid->rma, &joined, 1, MPI_INT, MPI_MAX));
    bool takes = !joined && rma_rank(grid->rma) == 0;
    return agree(grid, takes ? take(grid, folder, lock) : OMPFACT_SUCCESS);
}

void folder_unlock(struct folder_lock **lock)
{
    if (*lock == NULL)
        return;
    pthread_mutex_lock(&mutex);
    struct folder_lock **link = &held;
    while (*link != *lock)
        link = &(*link)->next;
    *link = (*lock)->next;
    pthread_mutex_unlock(&mutex);
    close((*lock)->file);
    free(*lock);
    *lock = NULL;
}
