/* The batches of a run's points, in the form of a checkpoint: END,END,...:DIGEST; the last END is the number of all points. */
#ifndef OMPFACT_SRC_COMMAND_BATCHES_H
#define OMPFACT_SRC_COMMAND_BATCHES_H

struct batches;
struct points;

/* NULL: the text has no such form, or there is no memory. */
struct batches *batches_parse(const char *text);
/* The earlier batches, or NULL, and a batch of the points after them. The caller frees the result; NULL: no memory. */
char *batches_text(const struct batches *before, const struct points *points);
void batches_forget(struct batches **batches);

#endif
