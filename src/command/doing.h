/* Prints one line on stderr about a long operation after a run, or a dry run, has printed nothing for some seconds. */
#ifndef OMPFACT_SRC_COMMAND_DOING_H
#define OMPFACT_SRC_COMMAND_DOING_H

struct instance;

enum { DOING_PATIENCE_S = 2 };      /* for operations before a run */

/* Does a part of a run, what: "choosing a layout". Prints nothing if the session does not, or if the thread that waits for these
   seconds cannot start. Returns the result of the part. */
int doing_part(struct instance *x, double seconds, const char *what, int (*part)(struct instance *x, char *text), char *text);

#endif
