/* The origin of a report, to cite and repeat it: date, host, program and command line. */
#ifndef OMPFACT_SRC_COMMAND_ORIGIN_H
#define OMPFACT_SRC_COMMAND_ORIGIN_H

#include "src/facts/facts.h"
#include "src/ompfact_machine.h"

struct origin {
    char date[24];                          /* of the start, UTC, ISO 8601 */
    char host[OMPFACT_MESSAGE];             /* of the first rank, like the next */
    char processor[OMPFACT_MESSAGE];
    char mpi[OMPFACT_MESSAGE];
    char blas[OMPFACT_MESSAGE];
    char *command;                          /* the command line, quoted for a shell; NULL: no memory */
};

/* Finds the origin of this process, on the first rank only. grid NULL: a dry run, which has no host. The caller calls
   origin_forget. */
void origin_find(struct origin *origin, char *const *argv, const ompfact_grid *grid);
void origin_forget(struct origin *origin);
/* Sets the facts, which borrow its texts. */
void origin_add(const struct origin *origin, struct facts *facts);

/* These words, the last one NULL, as a shell would read them. The caller frees the line; NULL: no memory. */
char *shell_line(char *const *words);

/* --version, and --bug-report: bug_report.c. Local, without MPI_Init. */
void origin_print_version(FILE *out);
void origin_print_bug_report(FILE *out);

#endif
