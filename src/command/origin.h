/* Where what is reported comes from, so that it can be cited and done again: when, where, by which program and command line. */
#ifndef OMPFACT_SRC_COMMAND_ORIGIN_H
#define OMPFACT_SRC_COMMAND_ORIGIN_H

#include "src/facts/facts.h"
#include "src/ompfact_machine.h"

struct origin {
    char date[24];                          /* of the start, UTC, ISO 8601 */
    char host[OMPFACT_MESSAGE];             /* of the first rank, as is the next */
    char processor[OMPFACT_MESSAGE];
    char mpi[OMPFACT_MESSAGE];
    char blas[OMPFACT_MESSAGE];
    char *command;                          /* the command line, as a shell takes it; NULL: no memory */
};

/* Of this process, on the first rank alone. grid NULL: of a dry run, which has no host. origin_forget. */
void origin_find(struct origin *origin, char *const *argv, const ompfact_grid *grid);
void origin_forget(struct origin *origin);
/* Its texts, which the facts borrow. */
void origin_add(const struct origin *origin, struct facts *facts);

/* --version, and --bug-report: bug_report.c. Local, without MPI_Init. */
void origin_print_version(FILE *out);
void origin_print_bug_report(FILE *out);

#endif
