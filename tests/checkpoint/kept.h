/* Keeps a copy of the first checkpoint of a factorization, as it was during the run. Does not use Check. */
#ifndef OMPFACT_TESTS_CHECKPOINT_KEPT_H
#define OMPFACT_TESTS_CHECKPOINT_KEPT_H

#include "src/ompfact.h"
#include "tests/ranks.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT_PATH = 128 };

struct kept {
    char place[KEPT_PATH], first[KEPT_PATH];    /* the folder that the run writes to, and a copy of its first checkpoint */
    int checkpoints, failures, step;            /* the data that kept_record() received on the first rank */
};

static inline void kept_each_file(const char *folder, void (*visit)(void *context, int folder, const char *name), void *context)
{
    DIR *all = opendir(folder);
    for (const struct dirent *one; all != NULL && (one = readdir(all)) != NULL;)
        if (one->d_name[0] != '.')
            visit(context, dirfd(all), one->d_name);
    if (all != NULL)
        closedir(all);
}

static inline void kept_remove_file(void *context, int folder, const char *name)
{
    (void)context;
    unlinkat(folder, name, 0);
}

static inline void kept_remove_folder(const char *folder)
{
    kept_each_file(folder, kept_remove_file, NULL);
    rmdir(folder);
}

/* Files of a checkpoint are never written again, so a hard link keeps one. */
static inline void kept_link(void *context, int folder, const char *name)
{
    const struct kept *kept = context;
    char path[KEPT_PATH + NAME_MAX + 2];
    snprintf(path, sizeof path, "%s/%s", kept->first, name);
    linkat(folder, name, AT_FDCWD, path, 0);
}

/* The callback ompfact_checkpoints.tell; the context is a struct kept. */
static inline void kept_record(void *context, int step, const char *failure)
{
    struct kept *kept = context;
    kept->failures += failure != NULL;
    kept->checkpoints += failure == NULL;
    if (failure != NULL)
        return;
    kept->step = step;
    mkdir(kept->first, 0777);
    kept_each_file(kept->place, kept_link, kept);
}

/* Names two folders that belong to this test. Collective. */
static inline void kept_name(struct kept *kept)
{
    long number = my_rank() == 0 ? (long)getpid() : 0;
    reduce(&number, 1, MPI_LONG, MPI_SUM);
    snprintf(kept->place, sizeof kept->place, "/tmp/ompfact-checkpoints-%ld", number);
    snprintf(kept->first, sizeof kept->first, "/tmp/ompfact-checkpoints-%ld-first", number);
}

/* Resets the counters. */
static inline void kept_nothing(struct kept *kept)
{
    kept->checkpoints = kept->failures = 0;
    kept->step = -1;
}

/* Removes the copy. Collective. */
static inline void kept_remove_first(const struct kept *kept)
{
    if (my_rank() == 0)
        kept_remove_folder(kept->first);
    everywhere(true);
}

/* Removes both folders. Collective. */
static inline void kept_remove(const struct kept *kept)
{
    if (my_rank() == 0) {
        kept_remove_folder(kept->first);
        kept_remove_folder(kept->place);
    }
    everywhere(true);
}

#endif
