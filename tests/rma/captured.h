/* Captures what ranks print on stderr, such as the watchdog's lines. */
#ifndef OMPFACT_TESTS_CAPTURED_H
#define OMPFACT_TESTS_CAPTURED_H

#include "tests/suite.h"

#include <fcntl.h>

static char errors[64];
static int old_stderr;

/* From this call on this rank's stderr goes to a file. */
static inline void capture(void)
{
    strcpy(errors, "/tmp/ompfact-captured-XXXXXX");
    int file = mkstemp(errors);
    fflush(stderr);
    old_stderr = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    close(file);
}

/* The number of lines on this rank that contain the words. */
static inline int captured_here(const char *words)
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

/* Collective: the number of lines on all ranks. */
static inline int captured(const char *words)
{
    int count = captured_here(words);
    reduce(&count, 1, MPI_INT, MPI_SUM);
    return count;
}

static inline void stop_capture(void)
{
    fflush(stderr);
    dup2(old_stderr, STDERR_FILENO);
    close(old_stderr);
    unlink(errors);
}

#endif
