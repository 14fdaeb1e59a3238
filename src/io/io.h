/*
 * What readers and writers of files share: one way to report an error, to map a file, and to write into a file from many
 * processes.
 */
#ifndef OMPFACT_IO_IO_H
#define OMPFACT_IO_IO_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/io/io_text.h"
#include "src/io/replace.h"

enum { IO_PATH = 110 };     /* characters of a path that a message has room for */

/* Fills text with "PATH: ..." on one line and returns 1. Of a long path the end is kept, so that the reason still fits. */
__attribute__((format(printf, 3, 4)))
static inline int io_fail(char *text, const char *path, const char *format, ...)
{
    const size_t length = strlen(path);
    const bool cut = length > IO_PATH;
    const int at = snprintf(text, IO_TEXT, "%s%s: ", cut ? "..." : "", cut ? path + length - IO_PATH : path);
    va_list list;
    va_start(list, format);
    vsnprintf(text + at, IO_TEXT - (size_t)at, format, list);
    va_end(list);
    for (char *c = text; *c; c++)       /* names of files may contain control characters */
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return 1;
}

/* The part of io_fail()'s message that follows the path. */
static inline const char *io_reason(const char *text, const char *path)
{
    const size_t length = strlen(path);
    return text + (length > IO_PATH ? strlen("...") + IO_PATH : length) + strlen(": ");
}

static inline int io_map_open(const char *path, const char **map, size_t *size, char *text)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);     /* O_NONBLOCK: to open a pipe would wait for its writer */
    if (fd < 0)
        return io_fail(text, path, "cannot be opened: %s", strerror(errno));
    void *bytes = MAP_FAILED;
    int error = 0;
    if (fstat(fd, &status) != 0)
        error = io_fail(text, path, "cannot be examined: %s", strerror(errno));
    else if (S_ISDIR(status.st_mode))
        error = io_fail(text, path, "%s", strerror(EISDIR));
    else if (!S_ISREG(status.st_mode))
        error = io_fail(text, path, "is not a regular file: every rank reads it at its own places, so copy it to a file first");
    else if (status.st_size == 0)
        error = io_fail(text, path, "is empty");
    else if ((bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0)) == MAP_FAILED)
        error = io_fail(text, path, "cannot be mapped into memory: %s", strerror(errno));
    close(fd);
    if (!error) {
        *map = bytes;
        *size = (size_t)status.st_size;
    }
    return error;
}

static inline void io_map_close(const char *map, size_t size)
{
    if (map)
        munmap((void *)map, size);
}

/* Writes or reads all bytes at `offset`. Returns 0 or errno; `nothing` if no byte moves. */
static inline int io_move_at(int fd, bool write, char *at, size_t size, int64_t offset, int nothing)
{
    while (size > 0) {
        const ssize_t done = write ? pwrite(fd, at, size, (off_t)offset) : pread(fd, at, size, (off_t)offset);
        if (done == 0)
            return nothing;
        if (done < 0 && errno != EINTR)
            return errno;
        if (done < 0)
            continue;
        at += done;
        offset += done;
        size -= (size_t)done;
    }
    return 0;
}

/* Writes `size` bytes at `offset`. Returns 0 or errno. */
static inline int io_write_at(int fd, const void *bytes, size_t size, int64_t offset)
{
    return io_move_at(fd, true, (char *)bytes, size, offset, EIO);
}

/* Reads `size` bytes from `offset` on. Returns 0 or errno; EINVAL: the file ends before. */
static inline int io_read_at(int fd, void *bytes, size_t size, int64_t offset)
{
    return io_move_at(fd, false, bytes, size, offset, EINVAL);
}

/* Creates a file of `size` bytes that begins with header and is zero after it. */
static inline int io_create(const char *path, const char *header, size_t header_size, int64_t size, char *text)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return io_fail(text, path, "cannot be created: %s", strerror(errno));
    int error = io_write_at(fd, header, header_size, 0);
    if (!error && ftruncate(fd, (off_t)size) != 0)
        error = errno;
    if (close(fd) != 0 && !error)
        error = errno;
    return error ? io_fail(text, path, "cannot be given its %lld bytes: %s", (long long)size, strerror(error)) : 0;
}

/* A matrix in a file that several processes write. */
struct io_writer {
    char type;              /* of the elements: 's' 'd' 'c' 'z' */
    int64_t rows;
    int64_t start;          /* offset of the first element */
    int fd;
    char *path;             /* NULL: not open */
};

/* Opens the file, and copies the path. */
static inline int io_write_open(const char *path, struct io_writer *writer, char *text)
{
    writer->fd = open(path, O_WRONLY | O_CLOEXEC);
    if (writer->fd < 0)
        return io_fail(text, path, "cannot be opened for writing: %s", strerror(errno));
    writer->path = strdup(path);
    if (writer->path)
        return 0;
    close(writer->fd);
    return io_fail(text, path, "no memory to open it");
}

/* Syncs and closes. It is harmless after a file could not be opened. Some file systems report a full disk or quota only here, and
   only the machine that has written data can sync them. */
static inline int io_write_close(struct io_writer *writer, char *text)
{
    int error = 0;
    if (writer->path) {
        if (fsync(writer->fd) != 0 && !sync_is_unknown(errno))
            error = errno;
        if (close(writer->fd) != 0 && !error)
            error = errno;
        if (error)
            io_fail(text, writer->path, "was not written whole: %s", strerror(error));
    }
    free(writer->path);
    writer->path = NULL;
    return error != 0;
}

#endif
