/* What the ranks say on stderr, such as the watchdog. */
#ifndef OMPFACT_TESTS_HEAR_H
#define OMPFACT_TESTS_HEAR_H

#include "tests/suite.h"

#include <fcntl.h>

static char errors[64];
static int old_stderr;

/* From here on this rank's stderr goes to a file. */
static inline void hear(void)
{
    strcpy(errors, "/tmp/ompfact-heard-XXXXXX");
    int file = mkstemp(errors);
    fflush(stderr);
    old_stderr = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    close(file);
}

/* How many lines of this rank have these words. */
static inline int heard_here(const char *words)
{
    int count = 0;
    char line[300];
    FILE *file = fopen(errors, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        count += strstr(line, words) != NULL;
    if (file != NULL)
        fclose(file);
    return count;
}

/* Collective: of all ranks. */
static inline int heard(const char *words)
{
    int count = heard_here(words);
    reduce(&count, 1, MPI_INT, MPI_SUM);
    return count;
}

static inline void stop_hearing(void)
{
    fflush(stderr);
    dup2(old_stderr, STDERR_FILENO);
    close(old_stderr);
    unlink(errors);
}

#endif
