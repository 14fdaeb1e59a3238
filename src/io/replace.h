/*
 * A new file takes the place of an old one when it is whole: until then it stands beside it under a name of its own,
 * NAME.part-PROCESS-NUMBER, and what was there stays. What a symbolic link points to is replaced, and the link stays; permissions
 * stay, too. What is there and no regular file, such as a device or a pipe, is written as it is, and so are the file that is this
 * process's standard output or error, and a file in a folder that may not be written. One that may be written and not replaced,
 * for it is a mount point, or another user's in a sticky folder, gets the bytes of the new one when that is whole.
 *
 * Local, and no messages: what can fail returns 0 or errno.
 */
#ifndef OMPFACT_IO_REPLACE_H
#define OMPFACT_IO_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

struct replacement {
    char *place;        /* what is replaced, links followed; NULL: nothing has begun */
    char *fresh;        /* the new file until then; NULL: the place itself is written */
};

/* An empty file for the new contents, or the knowledge that the place takes them itself. Ends with one of the next two. */
int replace_begin(const char *path, struct replacement *r);
/* What to open and write: by any number of processes, each of which syncs what it has written on a machine of its own. */
const char *replace_path(const struct replacement *r);
/* The same as a stream, by one process; of its own standard output or error it shares the place where to write. NULL: errno. */
FILE *replace_open(const struct replacement *r);
/* All is written and closed: syncs it and puts it in its place. Where that fails nothing of it is left. */
int replace_commit(struct replacement *r);
/* Leaves what was there. Harmless after the others and where nothing has begun. */
void replace_drop(struct replacement *r);

/* Whether a file can be written there, which leaves no trace. */
int replace_try(const char *path);
/* Whether it would be written as it is. */
bool replace_in_place(const char *path);
/* Whether that is because it is no regular file, or this process's standard output or error. */
bool replace_streams(const char *path);
/* Whether two names lead to one file, which need not exist. Devices and pipes never count as one file. */
bool replace_same(const char *path, const char *other);

/* What a folder lists is on the disk. 0 or errno. */
int sync_folder(const char *folder);
/* Errors of fsync for files and file systems that do not support it. */
bool sync_is_unknown(int error);

#endif
