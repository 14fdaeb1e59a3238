#include "src/checkpoint/seal.h"

#include <pthread.h>
#include <stdlib.h>

struct seal {
    struct naming *naming;
    struct tile_writer *final, *work;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t requested;
    enum seal_task task;            /* SEAL_NOTHING: the request is finished */
    int error;
};

/* Errors are recorded there. */
static void do_files(const struct seal *s, enum seal_task task)
{
    struct tile_writer *file[] = { s->final, s->work };
    for (int i = 0; i < 2; i++)
        if (task == SEAL_FILES)
            tile_writer_seal(file[i]);
        else if (tile_writer_is_behind(file[i]))
            tile_writer_push(file[i]);
}

static void *work(void *context)
{
    struct seal *s = context;
    pthread_mutex_lock(&s->lock);
    while (s->task != SEAL_END) {
        if (s->task == SEAL_NOTHING) {
            pthread_cond_wait(&s->requested, &s->lock);
            continue;
        }
        enum seal_task task = s->task;
        pthread_mutex_unlock(&s->lock);
        int error = 0;
        if (task == SEAL_NAME)
            error = naming_write(s->naming);
        else
            do_files(s, task);
        pthread_mutex_lock(&s->lock);
        s->error = error;
        if (s->task == task)
            s->task = SEAL_NOTHING;
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

struct seal *seal_create(struct naming *naming, struct tile_writer *final, struct tile_writer *in_work)
{
    struct seal *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (struct seal){ .naming = naming, .final = final, .work = in_work };
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->requested, NULL);
    if (pthread_create(&s->thread, NULL, work, s) == 0)
        return s;
    free(s);
    return NULL;
}

void seal_request(struct seal *s, enum seal_task task)
{
    pthread_mutex_lock(&s->lock);
    s->task = task;
    pthread_cond_signal(&s->requested);
    pthread_mutex_unlock(&s->lock);
}

void seal_push(struct seal *s)
{
    pthread_mutex_lock(&s->lock);
    if (s->task == SEAL_NOTHING) {
        s->task = SEAL_PUSH;
        pthread_cond_signal(&s->requested);
    }
    pthread_mutex_unlock(&s->lock);
}

bool seal_is_done(struct seal *s)
{
    pthread_mutex_lock(&s->lock);
    bool done = s->task == SEAL_NOTHING;
    pthread_mutex_unlock(&s->lock);
    return done;
}

int seal_error(const struct seal *s)
{
    return s->error;
}

void seal_destroy(struct seal **seal)
{
    struct seal *s = *seal;
    if (s == NULL)
        return;
    seal_request(s, SEAL_END);
    pthread_join(s->thread, NULL);
    free(s);
    *seal = NULL;
}
