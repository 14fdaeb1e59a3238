/* The card's thread calls nothing of MPI. Threads that are inside MPI complete the requests. */
#include "tests/nodes/card.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>

enum { PIECE = 4096 };

struct entry {
    struct card_operation operation;
    MPI_Request request;        /* MPI_REQUEST_NULL: none */
    double due;
    struct entry *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;    /* protects all variables below except the atomic one */
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static struct entry *queue, **tail = &queue, *carried;
static double busy;             /* the time until which the card is busy */
static struct card_counts counts;
static atomic_int unfinished;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_for(double seconds)
{
    time_t whole = (time_t)seconds;
    if (seconds > 0)
        nanosleep(&(struct timespec){ .tv_sec = whole, .tv_nsec = (long)(1e9 * (seconds - (double)whole)) }, NULL);
}

/* ---- the thread: one operation after the other ----------------------------------------------------------------------- */

static void carry_piece(const struct card_operation *o, size_t at, size_t bytes)
{
    struct iovec here = { (char *)o->local + at, bytes }, there = { (void *)(uintptr_t)(o->remote + at), bytes };
    pid_t pid = (pid_t)o->peer->pid;
    ssize_t n = o->write ? process_vm_writev(pid, &here, 1, &there, 1, 0) : process_vm_readv(pid, &here, 1, &there, 1, 0);
    if (n != (ssize_t)bytes) {
        perror(o->write ? "native: process_vm_writev" : "native: process_vm_readv");
        abort();
    }
}

static void carry_shuffled(const struct card_operation *o, unsigned *seed)
{
    size_t n = (o->bytes + PIECE - 1) / PIECE, *order = malloc((n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++) {
        size_t j = (size_t)rand_r(seed) % (i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < n; i++) {
        size_t at = order[i] * PIECE;
        carry_piece(o, at, o->bytes - at < PIECE ? o->bytes - at : PIECE);
    }
    free(order);
}

static struct entry *first_in_queue(void)
{
    pthread_mutex_lock(&lock);
    while (queue == NULL)
        pthread_cond_wait(&work, &lock);
    struct entry *e = queue;
    pthread_mutex_unlock(&lock);
    return e;
}

static void is_carried(struct entry *e)
{
    pthread_mutex_lock(&lock);
    queue = e->next;
    if (queue == NULL)
        tail = &queue;
    e->next = carried;
    carried = e;
    pthread_mutex_unlock(&lock);
}

static void *carry_all(void *unused)
{
    unsigned seed = card.settings.shuffle + 7919u * (unsigned)card.rank;
    for (;;) {
        struct entry *e = first_in_queue();
        pause_for(e->due - now());
        if (card.settings.shuffle != 0)
            carry_shuffled(&e->operation, &seed);
        else if (e->operation.bytes > 0)
            carry_piece(&e->operation, 0, e->operation.bytes);
        is_carried(e);
    }
    return unused;
}

/* The thread blocks all signals, which are for the program's threads. */
void card_plug_in(void)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, carry_all, NULL) != 0)
        abort();
    pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- operations and their requests ----------------------------------------------------------------------------------- */

static int query(void *state, MPI_Status *status)
{
    (void)state;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int nothing_to_free(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cannot_cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

void card_begin(struct card_operation operation, MPI_Request *request)
{
    struct entry *e = malloc(sizeof *e);
    if (e == NULL)
        abort();
    *e = (struct entry){ .operation = operation, .request = MPI_REQUEST_NULL };
    if (request != NULL) {
        PMPI_Grequest_start(query, nothing_to_free, cannot_cancel, NULL, request);
        e->request = *request;
    }
    atomic_fetch_add(&unfinished, 1);
    pthread_mutex_lock(&lock);
    double t = now();
    busy = (busy > t ? busy : t) + (card.settings.rate > 0 ? (double)operation.bytes / card.settings.rate : 0);
    e->due = busy + card.settings.latency;
    *(operation.write ? &counts.writes : &counts.reads) += 1;
    counts.bytes += (int64_t)operation.bytes;
    *tail = e;
    tail = &e->next;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&lock);
}

void card_complete(void)
{
    if (atomic_load(&unfinished) == 0)
        return;
    pthread_mutex_lock(&lock);
    struct entry *e = carried, *next;
    carried = NULL;
    pthread_mutex_unlock(&lock);
    for (; e != NULL; e = next) {
        next = e->next;
        if (e->request != MPI_REQUEST_NULL)
            PMPI_Grequest_complete(e->request);
        free(e);
        atomic_fetch_sub(&unfinished, 1);
    }
}

void card_complete_all(void)
{
    while (atomic_load(&unfinished) > 0) {
        card_complete();
        pause_for(2e-6);
    }
}

struct card_counts card_counts(void)
{
    pthread_mutex_lock(&lock);
    struct card_counts now_counted = counts;
    pthread_mutex_unlock(&lock);
    return now_counted;
}
