/*
 * Who served how many calls, for OMPFACT_SCALAPACK_REPORT=FILE, written as MPI_Finalize() begins, and for a line on stderr a call
 * with OMPFACT_SCALAPACK_VERBOSE=1.
 *
 * Of a context's processes one counts, the first in MPI_COMM_WORLD. That world's rank 0 writes FILE; contexts without it are in
 * files of their own, FILE.RANK, for nobody can be waited for here: a process that has made no call knows of none.
 */
#include "src/scalapack/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 64 };

static struct {
    char name[16];
    long served, handed_on;
} counts[NAMES];

static void print_call(const struct call *c, const char *why, double seconds)
{
    fprintf(stderr, "ompfact: %s, %lld x %lld: ", c->name, (long long)rows_of(c, ARRAY_A), (long long)cols_of(c, ARRAY_A));
    if (why == NULL)
        fprintf(stderr, "%.3f s, copies %.3f s\n", seconds, c->copying);
    else
        fprintf(stderr, "handed on: %s\n", why);
}

void account_note(const struct call *c, const char *why, double seconds)
{
    int i = 0;
    if (!c->processes->counts)
        return;
    while (counts[i].name[0] != '\0' && strcmp(counts[i].name, c->name) != 0)
        i++;
    strcpy(counts[i].name, c->name);
    *(why == NULL ? &counts[i].served : &counts[i].handed_on) += 1;
    const char *verbose = getenv("OMPFACT_SCALAPACK_VERBOSE");
    if (verbose != NULL && strcmp(verbose, "0") != 0)
        print_call(c, why, seconds);
}

void account_report(void)
{
    const char *path = getenv("OMPFACT_SCALAPACK_REPORT");
    char name[4096];
    int rank;
    if (path == NULL || path[0] == '\0')
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0 && counts[0].name[0] == '\0')
        return;
    snprintf(name, sizeof name, rank == 0 ? "%s" : "%s.%d", path, rank);
    FILE *file = fopen(name, "w");
    for (int i = 0; file != NULL && i < NAMES && counts[i].name[0] != '\0'; i++)
        fprintf(file, "%s %ld %ld\n", counts[i].name, counts[i].served, counts[i].handed_on);
    if (file == NULL || fclose(file) != 0)
        fprintf(stderr, "ompfact: %s cannot be written\n", name);
}
