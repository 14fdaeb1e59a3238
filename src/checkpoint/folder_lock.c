/*
 * A lock of the file system's on the file ompfact.lock in the folder (flock, of an open file: whoever has a duplicate of its
 * descriptor has the lock). Whose process has it for one grid shares it with the next one, whichever rank it is there.
 *
 * The file goes with the last of these. Another job may have opened it just before: so who has a lock sees to it that it is that
 * of the file which is there, and takes the new one where it is not. Nobody removes a file but whoever has its lock.
 */
#include "src/checkpoint/folder_lock.h"
#include "src/checkpoint/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder_lock {
    struct folder_lock *next;
    int file;
    char *path;
};

static const char name[] = "ompfact.lock";

/* The locks of this process. */
static struct folder_lock *held;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static bool is_file(int file, const struct stat *wanted)
{
    struct stat there;
    return fstat(file, &there) == 0 && there.st_dev == wanted->st_dev && there.st_ino == wanted->st_ino;
}

/* The lock of this process on this file, or NULL; the caller holds the mutex. */
static const struct folder_lock *find(const struct stat *wanted)
{
    const struct folder_lock *l = held;
    while (l != NULL && !is_file(l->file, wanted))
        l = l->next;
    return l;
}

/* Lists a lock by this open file; closes the file if there is no memory. The caller holds the mutex. */
static struct folder_lock *hold(const char *folder, int file)
{
    struct folder_lock *l = malloc(sizeof *l);
    if (l == NULL) {
        close(file);
        return NULL;
    }
    *l = (struct folder_lock){ .next = held, .file = file, .path = manifest_path(folder, name) };
    return held = l;
}

/* -1, and errno: the file is missing and cannot be created. */
static int open_file(const char *folder, int flags)
{
    char *path = manifest_path(folder, name);
    int file = path != NULL ? open(path, flags | O_CLOEXEC, 0666) : -1, error = path != NULL ? errno : ENOMEM;
    free(path);
    errno = error;
    return file;
}

/* Whether the open file is still the one in the folder. */
static bool is_there(const struct folder_lock *l)
{
    struct stat there;
    return l->path != NULL && stat(l->path, &there) == 0 && is_file(l->file, &there);
}

/* Whether this process already has the folder: duplicates the descriptor of its lock, and lists the duplicate before the other
   owner can be the last. */
static bool join(const char *folder, struct folder_lock **lock)
{
    struct stat wanted;
    int file = open_file(folder, O_RDWR);
    if (file < 0)
        return false;
    pthread_mutex_lock(&mutex);
    const struct folder_lock *other = fstat(file, &wanted) == 0 ? find(&wanted) : NULL;
    int duplicate = other != NULL ? fcntl(other->file, F_DUPFD_CLOEXEC, 0) : -1;
    *lock = duplicate >= 0 ? hold(folder, duplicate) : NULL;
    pthread_mutex_unlock(&mutex);
    close(file);
    return *lock != NULL;
}

/* 0; EAGAIN, the file was removed meanwhile; or errno. */
static int take_once(const char *folder, struct folder_lock **lock)
{
    int file = open_file(folder, O_RDWR | O_CREAT);
    if (file < 0)
        return errno == EWOULDBLOCK ? EIO : errno;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        int error = errno == EWOULDBLOCK ? EBUSY : errno;
        close(file);
        return error;
    }
    pthread_mutex_lock(&mutex);
    *lock = hold(folder, file);
    pthread_mutex_unlock(&mutex);
    if (*lock == NULL || is_there(*lock))
        return 0;
    folder_unlock(lock);
    return EAGAIN;
}

static ompfact_status take(ompfact_grid *grid, const char *folder, struct folder_lock **lock)
{
    enum { TIMES = 100 };       /* then the folder goes without a lock: a file system with two names for one file */
    int error = EAGAIN;
    for (int i = 0; i < TIMES && error == EAGAIN; i++)
        error = take_once(folder, lock);
    if (error != EBUSY)
        return OMPFACT_SUCCESS;
    return fail(grid, OMPFACT_BAD_ARGUMENT, "another job writes its checkpoints to %.120s: use another folder", folder);
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
    struct stat mine;
    bool last = fstat((*lock)->file, &mine) == 0 && find(&mine) == NULL;
    if (last && is_there(*lock))
        unlink((*lock)->path);
    pthread_mutex_unlock(&mutex);
    close((*lock)->file);
    free((*lock)->path);
    free(*lock);
    *lock = NULL;
}
