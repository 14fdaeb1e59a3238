#include "src/command/doing.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

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

void doing_begin(struct doing *d, bool speaks, double seconds, const char *what)
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

void doing_end(struct doing *d)
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
    d->on = false;
}
