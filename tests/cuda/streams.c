/* Streams, each a thread that executes its queue, and events. */
#include "tests/cuda/engine.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* The last record of an event. The event, its operation and the operations that wait for it share it. */
struct recording {
    int holders;
    bool done;
    struct clock clock;
};

struct event {
    struct recording *last;     /* NULL: not recorded yet */
};

static struct recording *hold(struct recording *r)
{
    r->holders++;
    return r;
}

static void let_go(struct recording *r)
{
    if (r == NULL || --r->holders > 0)
        return;
    emulated_clock_free(&r->clock);
    free(r);
}

/* ---- the thread --------------------------------------------------------------------------------------------------------- */

static bool stopped(void)
{
    return engine.lost || engine.ending;
}

/* Sleeps up to the set number of microseconds; the generator is xorshift, of G. Marsaglia. */
static void delay(struct stream *s)
{
    struct timespec until;
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    long us = (long)(s->random % (uint64_t)(engine.settings.delay + 1));
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += us / 1000000;
    until.tv_nsec += us % 1000000 * 1000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    while (!stopped() && pthread_cond_timedwait(&s->changed, &engine.held, &until) != ETIMEDOUT)
        ;
}

/* Called with the lock, which is released while the operation runs. */
static void work_one(struct stream *s, struct operation *o)
{
    while (o->awaited != NULL && !o->awaited->done && !engine.ending)
        pthread_cond_wait(&engine.recorded, &engine.held);
    let_go(o->awaited);
    if (o->record != NULL) {
        o->record->done = true;
        let_go(o->record);
        pthread_cond_broadcast(&engine.recorded);
    }
    if (o->work.run == NULL) {
        free(o);
        return;
    }
    if (engine.settings.delay > 0 && !stopped())
        delay(s);
    if (!stopped()) {
        pthread_mutex_unlock(&engine.held);
        o->work.run(o->work.arguments);
        pthread_mutex_lock(&engine.held);
    }
    o->finished = true;
}

static void *work_off(void *stream)
{
    struct stream *s = stream;
    pthread_mutex_lock(&engine.held);
    while (!engine.ending && (s->first != NULL || !s->closing)) {
        struct operation *o = s->first;
        if (o == NULL) {
            pthread_cond_wait(&s->changed, &engine.held);
            continue;
        }
        s->first = o->next;
        work_one(s, o);
        s->done++;
        pthread_cond_broadcast(&s->changed);
    }
    engine.threads--;
    pthread_cond_broadcast(&engine.ended);
    pthread_mutex_unlock(&engine.held);
    return NULL;
}

void emulated_wake_all(void)
{
    for (int i = 0; i < engine.streams; i++)
        pthread_cond_broadcast(&engine.stream[i]->changed);
    pthread_cond_broadcast(&engine.recorded);
}

void emulated_queue(struct stream *s, struct operation *o)
{
    if (s->first == NULL)
        s->first = o;
    else
        s->last->next = o;
    s->last = o;
    s->queued++;
    pthread_cond_broadcast(&s->changed);
}

/* ---- making streams ----------------------------------------------------------------------------------------------------- */

/* Blocks signals, which are for the program's threads. */
static int start_thread(struct stream *s)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, work_off, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        pthread_detach(thread);
    return error;
}

/* NULL: a thread could not be created. The struct is never freed, because its type is needed later. */
static struct stream *make_stream(int device)
{
    pthread_condattr_t monotonic;
    struct stream *s = emulated_need(sizeof *s);
    struct stream **more = realloc(engine.stream, ((size_t)engine.streams + 1) * sizeof *more);
    if (more == NULL) {
        free(s);
        return NULL;
    }
    engine.stream = more;
    *s = (struct stream){ .index = engine.streams, .device = device };
    s->clock = (struct clock){ .count = s->index + 1, .seen = emulated_need(((size_t)s->index + 1) * sizeof *s->clock.seen) };
    uint64_t place = (uint64_t)engine.settings.rank * 65536 + (uint64_t)s->index + 1;
    s->random = (engine.settings.seed + 1) * 6364136223846793005u + place * 1442695040888963407u;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (start_thread(s) != 0) {
        emulated_clock_free(&s->clock);
        free(s);
        return NULL;
    }
    engine.stream[engine.streams++] = s;
    engine.threads++;
    return s;
}

struct stream *emulated_stream(void *name)
{
    if (name != NULL) {
        struct object *object = emulated_find(STREAM, name);
        return object == NULL ? NULL : object->body;
    }
    struct device *d = &engine.device[emulated_device_needed()];
    if (d->standard == NULL)
        d->standard = make_stream((int)(d - engine.device));
    return d->standard;
}

int emulated_stream_create(void **stream)
{
    int device = emulated_device_needed();
    struct stream *s = stream == NULL ? NULL : make_stream(device);
    if (s == NULL)
        return stream == NULL ? INVALID_VALUE : NO_MEMORY;
    *stream = emulated_add(STREAM, device, s)->name;
    return 0;
}

/* The operations in its queue are still done. */
int emulated_stream_destroy(void *stream)
{
    struct object *object = emulated_find(STREAM, stream);
    if (object == NULL)
        return BAD_HANDLE;
    struct stream *s = object->body;
    s->closing = true;
    pthread_cond_broadcast(&s->changed);
    emulated_remove(object);
    return 0;
}

/* ---- waiting ------------------------------------------------------------------------------------------------------------ */

void emulated_drain(struct stream *s, uint64_t queued)
{
    while (s->done < queued && !engine.ending)
        pthread_cond_wait(&s->changed, &engine.held);
}

int emulated_stream_query(void *stream)
{
    struct stream *s = emulated_stream(stream);
    if (s == NULL)
        return BAD_HANDLE;
    if (s->done < s->queued)
        return NOT_READY;
    emulated_clock_merge(&engine.host, &s->clock);
    return 0;
}

/* The clock is read now: other threads may queue meanwhile. */
int emulated_stream_wait(void *stream)
{
    struct stream *s = emulated_stream(stream);
    struct clock seen = { 0 };
    if (s == NULL)
        return BAD_HANDLE;
    engine.device[s->device].counts.waits++;
    emulated_clock_merge(&seen, &s->clock);
    emulated_drain(s, s->queued);
    emulated_clock_merge(&engine.host, &seen);
    emulated_clock_free(&seen);
    return engine.lost ? LAUNCH_FAILURE : 0;
}

void emulated_drain_device(int device)
{
    int count = engine.streams;
    struct clock seen = { 0 };
    uint64_t *queued = emulated_need((size_t)count * sizeof *queued);
    for (int i = 0; i < count; i++) {
        queued[i] = engine.stream[i]->queued;
        if (engine.stream[i]->device == device)
            emulated_clock_merge(&seen, &engine.stream[i]->clock);
    }
    for (int i = 0; i < count; i++)
        if (engine.stream[i]->device == device)
            emulated_drain(engine.stream[i], queued[i]);
    emulated_clock_merge(&engine.host, &seen);
    emulated_clock_free(&seen);
    free(queued);
}

int emulated_device_wait(void)
{
    int device = emulated_device_needed();
    engine.device[device].counts.waits++;
    emulated_drain_device(device);
    return engine.lost ? LAUNCH_FAILURE : 0;
}

/* ---- events ------------------------------------------------------------------------------------------------------------- */

int emulated_event_create(void **event)
{
    if (event == NULL)
        return INVALID_VALUE;
    *event = emulated_add(EVENT, emulated_device_needed(), emulated_need(sizeof(struct event)))->name;
    return 0;
}

int emulated_event_destroy(void *event)
{
    struct object *object = emulated_find(EVENT, event);
    if (object == NULL)
        return BAD_HANDLE;
    let_go(((struct event *)object->body)->last);
    free(object->body);
    emulated_remove(object);
    return 0;
}

int emulated_event_record(void *event, void *stream)
{
    struct object *object = emulated_find(EVENT, event);
    struct stream *s = object == NULL ? NULL : emulated_stream(stream);
    if (s == NULL)
        return BAD_HANDLE;
    if (object->device != s->device) {
        emulated_accuse("device", "%s: an event of device %d on stream %d of device %d", emulated_call(), object->device,
                        s->index, s->device);
        return BAD_HANDLE;
    }
    struct event *e = object->body;
    struct operation *o = emulated_need(sizeof *o);
    let_go(e->last);
    e->last = hold(emulated_need(sizeof *e->last));
    emulated_clock_merge(&e->last->clock, &s->clock);
    o->record = hold(e->last);
    emulated_queue(s, o);
    return 0;
}

int emulated_event_query(void *event)
{
    struct object *object = emulated_find(EVENT, event);
    struct recording *r = object == NULL ? NULL : ((struct event *)object->body)->last;
    if (object == NULL)
        return BAD_HANDLE;
    if (r == NULL)
        return 0;
    if (!r->done)
        return NOT_READY;
    emulated_clock_merge(&engine.host, &r->clock);
    return 0;
}

int emulated_event_wait(void *event)
{
    struct object *object = emulated_find(EVENT, event);
    struct recording *r = object == NULL ? NULL : ((struct event *)object->body)->last;
    if (object == NULL)
        return BAD_HANDLE;
    engine.device[object->device].counts.waits++;
    if (r == NULL)
        return 0;
    hold(r);
    while (!r->done && !engine.ending)
        pthread_cond_wait(&engine.recorded, &engine.held);
    emulated_clock_merge(&engine.host, &r->clock);
    let_go(r);
    return engine.lost ? LAUNCH_FAILURE : 0;
}

int emulated_stream_wait_event(void *stream, void *event)
{
    struct object *object = emulated_find(EVENT, event);
    struct stream *s = object == NULL ? NULL : emulated_stream(stream);
    struct recording *r = object == NULL ? NULL : ((struct event *)object->body)->last;
    if (s == NULL)
        return BAD_HANDLE;
    if (r == NULL)
        return 0;
    struct operation *o = emulated_need(sizeof *o);
    emulated_clock_merge(&s->clock, &r->clock);
    o->awaited = hold(r);
    emulated_queue(s, o);
    return 0;
}
