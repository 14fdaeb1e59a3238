/* Prints one line on stderr about a long operation after a run, or a dry run, has printed nothing for some seconds. */
#ifndef OMPFACT_SRC_COMMAND_DOING_H
#define OMPFACT_SRC_COMMAND_DOING_H

#include <pthread.h>
#include <stdbool.h>

struct doing {
    bool on, ended;
    double seconds;             /* of silence before the line */
    const char *what;
    pthread_t thread;           /* waits for these seconds, or for the end */
    pthread_mutex_t lock;
    pthread_cond_t end;
};

enum { DOING_PATIENCE_S = 2 };      /* for operations before a run */

/* Begins an operation, "choosing a layout"; the text must live until the end. Prints nothing if `speaks` is false or the thread
   cannot start. */
void doing_begin(struct doing *d, bool speaks, double seconds, const char *what);
void doing_end(struct doing *d);

#endif
