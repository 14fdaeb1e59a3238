#define _GNU_SOURCE      /* O_TMPFILE */
#include "src/io/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names of files and folders ------------------------------------------------------------------------------------------ */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The path of `name` in the folder of `path`. NULL: no memory. */
static char *next_to(const char *path, const char *name)
{
    size_t folder = name[0] == '/' ? 0 : (size_t)(base_of(path) - path), length = strlen(name) + 1;
    char *joined = malloc(folder + length);
    if (joined != NULL) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, name, length);
    }
    return joined;
}

static bool one_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The descriptor of standard output or error if it is this file, else -1. The shell has opened that file, and other lines may
   precede or follow the new contents. */
static int open_here(const struct stat *file)
{
    struct stat out;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &out) == 0 && one_file(file, &out))
            return fd;
    return -1;
}

static bool is_stream(const struct stat *old)
{
    return !S_ISREG(old->st_mode) || open_here(old) >= 0;
}

/* Follows symbolic links to the last target, which need not exist. A path that is written in place stays as it is: links in /proc
   to open files have targets that cannot be opened. NULL: errno has the error. */
static char *follow(const char *path)
{
    enum { HOPS = 40 };     /* the limit of Linux */
    struct stat there;
    char link[PATH_MAX], *place = strdup(path);
    if (stat(path, &there) == 0 && is_stream(&there))
        return place;
    for (int i = 0; i < HOPS && place != NULL; i++) {
        ssize_t length = readlink(place, link, sizeof link - 1);
        if (length < 0)
            return place;
        link[length] = '\0';
        char *next = next_to(place, link);
        free(place);
        place = next;
    }
    errno = place == NULL ? ENOMEM : ELOOP;
    free(place);
    return NULL;
}

/* Whether no other file can be created in the folder of `place`. */
static bool is_fixed(const char *place)
{
    char *folder = next_to(place, ".");
    bool fixed = folder != NULL && access(folder, W_OK) != 0;
    free(folder);
    return fixed;
}

static bool stays(const char *place, const struct stat *old)
{
    return is_stream(old) || is_fixed(place);
}

/* stat() of the folder of a file that does not exist. */
static int stat_folder(const char *place, struct stat *folder)
{
    char *name = next_to(place, ".");
    int failed = name == NULL || stat(name, folder) != 0;
    free(name);
    return failed;
}

static bool same_place(const char *a, const char *b)
{
    struct stat one, other;
    bool there = stat(a, &one) == 0, other_there = stat(b, &other) == 0;
    if (there || other_there)
        return there && other_there && S_ISREG(one.st_mode) && one_file(&one, &other);
    return strcmp(base_of(a), base_of(b)) == 0 && stat_folder(a, &one) == 0 && stat_folder(b, &other) == 0 &&
           one_file(&one, &other);
}

bool replace_same(const char *path, const char *other)
{
    char *a = follow(path), *b = follow(other);
    bool same = a != NULL && b != NULL && same_place(a, b);
    free(a);
    free(b);
    return same;
}

bool replace_in_place(const char *path)
{
    struct stat old;
    char *place = follow(path);
    bool in_place = place != NULL && stat(place, &old) == 0 && stays(place, &old);
    free(place);
    return in_place;
}

bool replace_streams(const char *path)
{
    struct stat old;
    return stat(path, &old) == 0 && is_stream(&old);
}

/* ---- the new file ---------------------------------------------------------------------------------------------------------- */

/* Creates the temporary file. The first names may exist from a process that was killed. Returns -1 and errno where the file
   cannot be created. */
static int open_fresh(struct replacement *r, mode_t mode)
{
    enum { TRIES = 1000, ROOM = 200 };      /* ROOM: bytes of the name that are kept, so that the whole temporary name is valid */
    char name[ROOM + 40];
    int fd = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && fd < 0 && errno == EEXIST; i++) {
        snprintf(name, sizeof name, "%.*s.part-%ld-%d", ROOM, base_of(r->place), (long)getpid(), i);
        free(r->fresh);
        r->fresh = next_to(r->place, name);
        fd = r->fresh == NULL ? -1 : open(r->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    return fd;
}

static int make_fresh(struct replacement *r, const struct stat *old)
{
    int fd = open_fresh(r, old != NULL ? 0600 : 0666), error = fd < 0 ? errno : 0;
    if (fd < 0) {
        free(r->fresh);
        r->fresh = NULL;
    } else {
        /* only root may give the file to the old owner; otherwise the writer owns the new file, with the old permissions */
        mode_t kept = old != NULL && fchown(fd, old->st_uid, old->st_gid) == 0 ? 07777 : 0777;
        if (old != NULL && fchmod(fd, old->st_mode & kept) != 0)
            error = errno;
        close(fd);
    }
    return error;
}

/* stat() of what exists already, in *old if *there. Refuses what can be neither replaced nor written. */
static int examine(const char *place, struct stat *old, bool *there)
{
    *there = stat(place, old) == 0;
    if (!*there)
        return errno == ENOENT ? 0 : errno;
    return S_ISDIR(old->st_mode) ? EISDIR : access(place, W_OK) != 0 ? errno : 0;
}

int replace_begin(const char *path, struct replacement *r)
{
    struct stat old;
    bool there;
    *r = (struct replacement){ .place = follow(path) };
    if (r->place == NULL)
        return errno;
    int error = examine(r->place, &old, &there);
    if (error == 0 && !(there && stays(r->place, &old)))
        error = make_fresh(r, there ? &old : NULL);
    if (error != 0)
        replace_drop(r);
    return error;
}

const char *replace_path(const struct replacement *r)
{
    return r->fresh != NULL ? r->fresh : r->place;
}

FILE *replace_open(const struct replacement *r)
{
    struct stat place;
    int open_as = r->fresh == NULL && stat(r->place, &place) == 0 ? open_here(&place) : -1;
    if (open_as < 0)
        return fopen(replace_path(r), "w");
    int fd = dup(open_as);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (file == NULL && fd >= 0)
        close(fd);
    return file;
}

bool sync_is_unknown(int error)
{
    return error == EINVAL || error == ENOTSUP || error == ENOSYS;
}

/* Syncs a file or a folder. */
static int sync_path(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC);
    int error = fd < 0 || (fsync(fd) != 0 && !sync_is_unknown(errno)) ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error;
}

int sync_folder(const char *folder)
{
    return sync_path(folder, O_RDONLY | O_DIRECTORY);
}

/* Copies all of one open file over another one. */
static int copy_bytes(int from, int to)
{
    enum { PIECE = 1 << 20 };
    char *piece = malloc(PIECE);
    ssize_t got = piece == NULL ? -1 : 1, put = 0;
    while (got > 0 && put >= 0) {
        got = read(from, piece, PIECE);
        for (ssize_t done = 0; put >= 0 && done < got; done += put)
            put = write(to, piece + done, (size_t)(got - done));
    }
    int error = got < 0 || put < 0 || ftruncate(to, lseek(to, 0, SEEK_CUR)) != 0 || fsync(to) != 0 ? errno : 0;
    free(piece);
    return error;
}

/* Copies the new contents over a file that may be written and not replaced: a mount point, as in containers, or another user's
   file in a folder like /tmp. */
static int overwrite(const struct replacement *r)
{
    int from = open(r->fresh, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : open(r->place, O_WRONLY | O_CLOEXEC);
    int error = to < 0 ? errno : copy_bytes(from, to);
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) != 0 && error == 0)
        error = errno;
    return error;
}

static int exchange(struct replacement *r)
{
    if (rename(r->fresh, r->place) != 0)
        return errno == EBUSY || errno == EPERM || errno == EXDEV ? overwrite(r) : errno;
    char *folder = next_to(r->place, ".");
    if (folder != NULL)
        sync_path(folder, O_RDONLY);        /* the new file is in place: after a failure here a crash of the system can at worst
                                               restore the old file */
    free(folder);
    free(r->fresh);
    r->fresh = NULL;
    return 0;
}

int replace_commit(struct replacement *r)
{
    int error = r->fresh == NULL ? 0 : sync_path(r->fresh, O_WRONLY);
    if (error == 0 && r->fresh != NULL)
        error = exchange(r);
    replace_drop(r);
    return error;
}

void replace_drop(struct replacement *r)
{
    if (r->fresh != NULL)
        unlink(r->fresh);
    free(r->fresh);
    free(r->place);
    *r = (struct replacement){ 0 };
}

/* Creates a file without a name in the folder of `place`, so that a process that is killed here leaves no file. */
static int try_nameless(const char *place)
{
    char *folder = next_to(place, ".");
    int fd = folder == NULL ? -1 : open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600), error = fd < 0 ? errno : 0;
    free(folder);
    if (fd >= 0)
        close(fd);
    return error;
}

int replace_try(const char *path)
{
    struct replacement r;
    struct stat old;
    bool there;
    char *place = follow(path);
    if (place == NULL)
        return errno;
    int error = examine(place, &old, &there);
    bool nameless = error == 0 && !(there && stays(place, &old));
    if (nameless)
        error = try_nameless(place);
    free(place);
    if (!nameless || (error != EOPNOTSUPP && error != EISDIR && error != EINVAL))
        return error;
    error = replace_begin(path, &r);        /* not all file systems support files without names */
    if (error == 0)
        replace_drop(&r);
    return error;
}

int replace_by(const char *path, void (*print)(FILE *file, const void *what), const void *what)
{
    struct replacement r;
    int error = replace_begin(path, &r);
    FILE *file = error == 0 ? replace_open(&r) : NULL;
    if (error == 0 && file == NULL)
        error = errno;
    if (file != NULL) {
        errno = EIO;
        print(file, what);
        error = ferror(file) ? errno : 0;
        if (fclose(file) != 0 && error == 0)
            error = errno;
    }
    if (error == 0)
        return replace_commit(&r);
    replace_drop(&r);
    return error;
}

/* ---- folders, and files to read ------------------------------------------------------------------------------------------- */

static int make_one(const char *folder, mode_t mode)
{
    if (mkdir(folder, mode) != 0)
        return errno == EEXIST ? 0 : errno;
    char *above = next_to(folder, ".");
    if (above != NULL)
        sync_folder(above);
    free(above);
    return 0;
}

int make_folders(const char *folder, mode_t mode)
{
    char *path = strdup(folder);
    if (path == NULL)
        return ENOMEM;
    for (char *slash = path; *slash != '\0' && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        make_one(path, mode);
    }
    int error = make_one(path, mode);
    free(path);
    return error;
}

int open_regular(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return -1;
    int error = fstat(file, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : S_ISREG(status.st_mode) ? 0 : EINVAL;
    if (error == 0)
        return file;
    close(file);
    errno = error;
    return -1;
}
