/*
 * Replaces a file by a new one when the new one is complete. Until then the new contents are in a temporary file in the same
 * folder, NAME.part-PROCESS-NUMBER, and the old file stays. If the path is a symbolic link, its target is replaced, and the link
 * stays. The permissions stay, too.
 *
 * Three kinds of files are written in place: devices, pipes and others that are not regular; the file that is this process's
 * standard output or error; files in a folder that may not be written. A file that may be written and not replaced (a mount
 * point, or another user's file in a sticky folder) gets the bytes of the temporary file when that is complete.
 *
 * All calls are local, and none writes messages. A function that can fail returns 0 or errno.
 */
#ifndef OMPFACT_IO_REPLACE_H
#define OMPFACT_IO_REPLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct replacement {
    char *place;        /* the file to replace, after links; NULL: nothing has begun */
    char *fresh;        /* the temporary file; NULL: `place` is written in place */
};

/* Creates the temporary file, or finds that `place` is written in place. The caller ends with replace_commit or replace_drop. */
int replace_begin(const char *path, struct replacement *r);
/* The path to open and write. Any number of processes may write it, each of which must sync what it has written on a machine of
   its own. */
const char *replace_path(const struct replacement *r);
/* The same as a stream, for one process. For this process's standard output or error the stream shares the file offset. NULL:
   errno. */
FILE *replace_open(const struct replacement *r);
/* To be called after all is written and closed: syncs the new file and moves it to its place. After a failure nothing of it is
   left. */
int replace_commit(struct replacement *r);
/* Discards the new file, and keeps the old one. It is harmless after the other calls, and where nothing has begun. */
void replace_drop(struct replacement *r);

/* Whether a file can be written at this path. The test leaves no file. */
int replace_try(const char *path);
/* Whether the file would be written in place. */
bool replace_in_place(const char *path);
/* Whether it would be written in place because it is not a regular file, or is this process's standard output or error. */
bool replace_streams(const char *path);
/* Whether two paths lead to one file, which need not exist. Devices and pipes never count as one file. */
bool replace_same(const char *path, const char *other);

/* Replaces the file by what `print` prints. */
int replace_by(const char *path, void (*print)(FILE *file, const void *what), const void *what);

/* Makes the folder with its missing parents, and syncs their names to the disk where the parents can be read. */
int make_folders(const char *folder, mode_t mode);
/* Opens a regular file to read: to open another file, such as a pipe without a writer, might wait for ever. -1: errno, which is
   EISDIR or EINVAL for another file. */
int open_regular(const char *path);
/* Syncs the list of files of a folder. 0 or errno. */
int sync_folder(const char *folder);
/* Whether this error of fsync means that the file or the file system does not support it. */
bool sync_is_unknown(int error);

#endif
