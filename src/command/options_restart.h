/* What a checkpoint says of the run that made it, as options: written beside it, and taken by --restart. */
#ifndef OMPFACT_SRC_COMMAND_OPTIONS_RESTART_H
#define OMPFACT_SRC_COMMAND_OPTIONS_RESTART_H

#include "src/command/batches.h"
#include "src/command/options_parts.h"

/* What a run knows beside its options. */
struct run_facts {
    const char *pivot, *kind;       /* kind: of the generated matrix, or NULL */
    const struct points *points;    /* count 0: there are none */
};

/* The options that make a problem what it is, as text that is freed by the caller. Returns 0, or COMMAND_USAGE and one line in
   text. */
int restart_write(const struct options *o, const struct problem *p, const struct run_facts *facts, char **about, char *text);

/*
 * Gives the options that make a problem what it is, and the routine, the values that the checkpoint in `folder` has. The command
 * line may have another --nb, and the routine again, but none of the others; or, with --append, a larger matrix, other right-hand
 * sides, and the others as they are. The values live in o->restart_text. Returns 0, or COMMAND_USAGE and one line in text.
 */
int restart_take(const char *folder, const char *value[OPTION_TABLE_MAX], const char **routine, struct options *o, char *text);

#endif
