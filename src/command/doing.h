/* One line on stderr that says what takes so long: where a run, or a dry run, has been silent for some seconds. */
#ifndef OMPFACT_SRC_COMMAND_DOING_H
#define OMPFACT_SRC_COMMAND_DOING_H

#include <pthread.h>
#include <stdbool.h>

struct doing {
    bool on, ended;
    double seconds;             /* of silence */
    const char *what;
    pthread_t thread;           /* which waits for these, or for the end */
    pthread_mutex_t lock;
    pthread_cond_t end;
};

enum { DOING_PATIENCE_S = 2 };      /* with what has to be done before a run */

/* What begins now, "choosing a layout", which lives until the end.
   Says nothing where it is not to speak, or there is no thread for it. */
void doing_begin(struct doing *d, bool speaks, double seconds, const char *what);
void doing_end(struct doing *d);

#endif
