/* The batches of a run's points, as a checkpoint tells of them: END,END,...:DIGEST, the last END the number of all points. */
#ifndef OMPFACT_SRC_COMMAND_BATCHES_H
#define OMPFACT_SRC_COMMAND_BATCHES_H

struct batches;
struct points;

/* NULL: it is none, or there is no memory. */
struct batches *batches_parse(const char *text);
/* Those that there were before, or NULL, and the points behind them. Freed by the caller; NULL: no memory. */
char *batches_text(const struct batches *before, const struct points *points);
void batches_forget(struct batches **batches);

#endif
