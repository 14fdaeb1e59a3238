#include "src/command/doing.h"

#include "src/command/instance.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

struct doing {
    bool on, ended;
    double seconds;             /* of silence before the line */
    const char *what;
    pthread_t thread;           /* waits for these seconds, or for the end */
    pthread_mutex_t lock;
    pthread_cond_t end;
};

static void *wait_and_print(void *context)
{
    struct doing *d = context;
    struct timespec until;
    int late = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)ceil(d->seconds);
    pthread_mutex_lock(&d->lock);
    while (!d->ended && late == 0)
        late = pthread_cond_timedwait(&d->end, &d->lock, &until);
    if (!d->ended)
        fprintf(stderr, "ompfact: %s\n", d->what);
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

static void begin(struct doing *d, bool speaks, double seconds, const char *what)
{
    *d = (struct doing){ .seconds = seconds, .what = what };
    if (!speaks || pthread_mutex_init(&d->lock, NULL) != 0)
        return;
    d->on = pthread_cond_init(&d->end, NULL) == 0;
    if (d->on && pthread_create(&d->thread, NULL, wait_and_print, d) != 0) {
        pthread_cond_destroy(&d->end);
        d->on = false;
    }
    if (!d->on)
        pthread_mutex_destroy(&d->lock);
}

static void end(struct doing *d)
{
    if (!d->on)
        return;
    pthread_mutex_lock(&d->lock);
    d->ended = true;
    pthread_cond_signal(&d->end);
    pthread_mutex_unlock(&d->lock);
    pthread_join(d->thread, NULL);
    pthread_cond_destroy(&d->end);
    pthread_mutex_destroy(&d->lock);
}

int doing_part(struct instance *x, double seconds, const char *what, int (*part)(struct instance *x, char *text), char *text)
{
    struct doing doing;
    begin(&doing, x->session->speaks, seconds, what);
    int code = part(x, text);
    end(&doing);
    return code;
}
