#include "src/command/instance.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

struct doing {
    double seconds;             /* of silence before the line */
    const char *what;
    sem_t end;
};

static void *wait_and_print(void *context)
{
    struct doing *d = context;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)ceil(d->seconds);
    while (sem_timedwait(&d->end, &until) != 0)
        if (errno == ETIMEDOUT) {
            fprintf(stderr, "ompfact: %s\n", d->what);
            break;
        }
    return NULL;
}

int doing_part(struct instance *x, double seconds, const char *what, int (*part)(struct instance *x, char *text), char *text)
{
    struct doing doing = { .seconds = seconds, .what = what };
    pthread_t thread;
    sem_init(&doing.end, 0, 0);
    bool on = x->session->speaks && pthread_create(&thread, NULL, wait_and_print, &doing) == 0;
    int code = part(x, text);
    sem_post(&doing.end);
    if (on)
        pthread_join(thread, NULL);
    sem_destroy(&doing.end);
    return code;
}
