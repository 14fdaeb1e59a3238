/* The options of a run in its checkpoint: written with the checkpoint, and read by --restart. */
#ifndef OMPFACT_SRC_COMMAND_OPTIONS_RESTART_H
#define OMPFACT_SRC_COMMAND_OPTIONS_RESTART_H

#include "src/command/options_parts.h"

struct points;

/* Facts of a run that are not options. */
struct run_facts {
    const char *pivot, *kind;       /* kind: of the generated matrix, or NULL */
    const struct points *points;    /* count 0: no points */
};

/* The options that define a problem, as text that the caller frees. Returns 0, or COMMAND_USAGE and one line in text. */
int restart_write(const struct options *o, const ompfact_job *job, const struct run_facts *facts, char **about, char *text);

/*
 * Sets the routine and the options that define a problem to the values of the checkpoint in `folder`. The command line may have
 * another --nb, and the same routine, but no other option of them; with --append it may have a larger matrix, other right-hand
 * sides, and the other options unchanged. The values are words of o, and live in o->restart_text. Returns 0, or COMMAND_USAGE and
 * one line in text.
 */
int restart_take(const char *folder, const char **routine, struct options *o, char *text);

/* batches.c: the batches of a run's points, in the form of a checkpoint: END,END,...:DIGEST; the last END is the number of all
   points. NULL: the text has no such form, or there is no memory. */
struct batches *batches_parse(const char *text);
/* The earlier batches, or NULL, and a batch of the points after them. The caller frees the result; NULL: no memory. */
char *batches_text(const struct batches *before, const struct points *points);
void batches_forget(struct batches **batches);

#endif
